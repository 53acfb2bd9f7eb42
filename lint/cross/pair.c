/* Finds which files of a group belong together, and runs the checks between them. */
#include "cross.h"
#include "lint/core/check.h"
#include "lint/core/file_names.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"

#include <string.h>

/* ---- The best of a group --------------------------------------------------------------------- */

/* How well a candidate of the group fits a file, 0 if it cannot. `bones`: how many the file needs,
 * if it is an illmesh. */
typedef uint64_t (*fit)(m5_lint_file *candidate, m5_lint_file *file, uint32_t bones);

/* The file that fits best; if several fit equally well, the nearest by name or folder; if several
 * are equally near, the last of them. */
static m5_lint_file *best(m5_lint_file *const *files, size_t count, m5_lint_file *file, fit fits)
{
    m5_lint_file *found = NULL;
    uint64_t best_fit = 1;
    unsigned best_kin = 0;
    uint32_t bones = file->model.illmesh != NULL ? m5_check_bones_needed(file) : 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t how = fits(files[i], file, bones);
        if (how < best_fit)
            continue;
        unsigned kin = m5_check_kinship(files[i]->source.name, file->source.name);
        if (found != NULL && how == best_fit && kin < best_kin)
            continue;
        found = files[i];
        best_fit = how;
        best_kin = kin;
    }
    return found;
}

/* ---- MD5 ------------------------------------------------------------------------------------- */

#define FITS_EXACTLY (UINT64_MAX / 2)

/* A mesh fits no animation unless its whole skeleton could be read. Characters of different size
 * may have the same joints: then the bone lengths show which of them an animation is for. */
static uint64_t mesh_fits(m5_lint_file *mesh, m5_lint_file *anim, uint32_t bones)
{
    (void)bones;
    if (mesh->model.md5mesh == NULL || !mesh->model.md5mesh->joints_whole)
        return 0;
    uint64_t shared = m5_check_fit(mesh, anim);
    if (shared < UINT64_MAX)
        return shared + 1;
    bool posed = !m5_settings_of(&anim->report)->no_geometry &&
                 m5_check_can_pose(anim->model.md5anim);
    return FITS_EXACTLY +
           (posed ? m5_check_bones_alike(mesh->model.md5mesh, anim->model.md5anim) : 0);
}

/* ---- ill* ------------------------------------------------------------------------------------ */

static bool is_skeleton(const m5_lint_file *f)
{
    const m5_illskel *m = f->model.illskel;
    return m != NULL && m->num_bones != 0 && m->names_whole && f->names != NULL;
}

/* Skeletons that share equally many names are ranked by how many of their bones are as long as in
 * the first keys. */
static uint64_t skeleton_fits_anim(m5_lint_file *skel, m5_lint_file *anim, uint32_t bones)
{
    (void)bones;
    if (!is_skeleton(skel))
        return 0;
    uint64_t shared = 1 + (uint64_t)m5_check_shared_names(skel, anim);
    return shared << 32 | m5_check_ill_bones_alike(skel, anim);
}

static uint64_t skeleton_fits_mesh(m5_lint_file *skel, m5_lint_file *mesh, uint32_t bones)
{
    (void)mesh;
    const m5_illskel *m = skel->model.illskel;
    if (m == NULL || m->num_bones == 0 || !m->matrices_whole)
        return 0;
    return m->num_bones >= bones ? 2 : 1;
}

static void lint_with(m5_lint_file *const *files, size_t count, m5_lint_file *file,
                      m5_arena *scratch)
{
    m5_lint_file *other;
    if (file->model.md5anim != NULL && (other = best(files, count, file, mesh_fits)) != NULL &&
        m5_check_cross(other, file)) {
        bool same_scale = m5_check_cross_bind(other, file,
                                              scratch != NULL ? scratch : &other->arena);
        if (same_scale) /* else no box fits */
            m5_check_cross_bounds(files, count, other, file, scratch);
    }
    if (file->model.illmesh != NULL &&
        (other = best(files, count, file, skeleton_fits_mesh)) != NULL)
        m5_check_cross_illmesh(other, file);
    if (file->model.illanim != NULL && file->model.illanim->num_bones != 0 && file->names != NULL &&
        (other = best(files, count, file, skeleton_fits_anim)) != NULL)
        m5_check_cross_illanim(other, file);
}

/* Checks a skeleton with all the meshes that belong to it. */
static void lint_skeleton(m5_lint_file *const *files, size_t count, m5_lint_file *skel)
{
    uint32_t bones = skel->model.illskel->num_bones;
    size_t mark = skel->arena.used, meshes = 0;
    uint8_t *used = m5_check_scratch(skel, bones, 1);
    bool whole = used != NULL;
    if (used != NULL)
        memset(used, 0, bones);
    for (size_t i = 0; i < count && whole; i++) {
        if (files[i]->model.illmesh == NULL ||
            best(files, count, files[i], skeleton_fits_mesh) != skel)
            continue;
        /* vertices that were not read may use the other bones */
        whole = files[i]->model.illmesh->verts_whole;
        m5_check_mark_bones(files[i], used, bones);
        meshes++;
    }
    if (whole && meshes != 0)
        m5_check_unbound(skel, used);
    m5_arena_release(&skel->arena, mark);
}

void m5_lint_in_group(m5_lint_file *const *files, size_t count, size_t which, m5_arena *scratch)
{
    m5_lint_file *file = files[which];
    lint_with(files, count, file, scratch);
    if (file->model.illskel != NULL &&
        m5_check_wanted(file, M5_LINT_ROW(cross_ill_skel_weights_unbound)))
        lint_skeleton(files, count, file);
}

void m5_lint_together(m5_lint_file *const *files, size_t count)
{
    for (size_t i = 0; i < count; i++)
        m5_lint_in_group(files, count, i, NULL);
}
