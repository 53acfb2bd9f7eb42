/* Which files belong together. */
#include "check.h"

#include <string.h>

/* The families of formats whose files go together; md4 has all in one file. */
enum { MD5, ILL, FAMILIES };

typedef enum role { ROLE_NONE, ROLE_MESH, ROLE_OTHER } role;

static role role_of(const m5_format *format, int family)
{
    unsigned bit = format != NULL ? m5_format_bit(format) : 0;
    unsigned mesh = family == MD5 ? M5_IN_MD5MESH : M5_IN_ILLMESH;
    unsigned all = family == MD5 ? M5_IN_MD5 : M5_IN_ILL;
    return bit & mesh ? ROLE_MESH : bit & all ? ROLE_OTHER : ROLE_NONE;
}

/* ---- By name --------------------------------------------------------------------------------- */

static size_t length_of_stem(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot != NULL ? (size_t)(dot - name) : strlen(name);
}

static const char *base_of(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash != NULL ? slash + 1 : name;
}

/* Whether two files are of the same name, but for their extensions and what stands behind the
 * mesh's name: hero.illmesh, hero.illanim, hero-walk.illanim. */
static bool belongs_by_name(const char *mesh, const char *file)
{
    size_t stem = length_of_stem(mesh);
    if (strncmp(mesh, file, stem) != 0)
        return false;
    char next = file[stem];
    return !(next >= '0' && next <= '9') && !(next >= 'a' && next <= 'z') &&
           !(next >= 'A' && next <= 'Z');
}

/* ... wherever they are: models/hero.illmesh, anims/hero-walk.illanim, models/hero/walk.illanim. */
static bool belongs(const char *mesh, const char *file)
{
    return belongs_by_name(mesh, file) || belongs_by_name(base_of(mesh), base_of(file));
}

bool check_is_named_after(const m5_lint_file *mesh, const m5_lint_file *f)
{
    return belongs(mesh->source.name, f->source.name);
}

/* How near two files are: by name, then by how many folders they share, then by how much of a name. */
static unsigned kinship(const char *mesh, const char *file)
{
    enum { FOLDER = 4096, NAME = 1 << 30 };
    unsigned kin = 0;
    for (size_t i = 0; mesh[i] != '\0' && mesh[i] == file[i]; i++)
        kin += mesh[i] == '/' && kin < NAME - FOLDER ? FOLDER : 0;
    if (!belongs(mesh, file))
        return kin;
    size_t name = length_of_stem(base_of(mesh));
    return NAME + kin + (unsigned)(name < FOLDER ? name : FOLDER - 1);
}

/* ---- Groups ---------------------------------------------------------------------------------- */

/* The shell lists an animation before the mesh of its name or folder: it belongs to that one's
 * group, unless it is as near to the group's last mesh. */
static size_t take_back(const m5_format *const *formats, const char *const *names, size_t last,
                        size_t mesh, int family)
{
    size_t end = mesh;
    while (end > last + 1 && role_of(formats[end - 1], family) == ROLE_OTHER &&
           kinship(names[mesh], names[end - 1]) > kinship(names[last], names[end - 1]))
        end--;
    return end;
}

/* Whether an animation of mesh `first` still comes, behind `mesh`, whose name goes on where that one's
 * ends: hero, hero2, hero2-walk, hero-walk is how the shell lists them. */
static bool is_awaited(const m5_format *const *formats, const char *const *names, size_t first,
                       size_t mesh, size_t count, int family)
{
    if (strncmp(names[first], names[mesh], length_of_stem(names[first])) != 0)
        return false;
    for (size_t i = mesh + 1; i < count; i++)
        if (role_of(formats[i], family) == ROLE_OTHER && belongs_by_name(names[first], names[i]) &&
            !belongs_by_name(names[mesh], names[i]))
            return true;
    return false;
}

static bool begins_group(const m5_format *const *formats, const char *const *names, size_t begin,
                         size_t mesh, size_t count, int family)
{
    for (size_t i = begin; i < mesh; i++)
        if (role_of(formats[i], family) == ROLE_MESH &&
            is_awaited(formats, names, i, mesh, count, family))
            return false;
    return true;
}

size_t m5_group_end(const m5_format *const *formats, const char *const *names, size_t begin,
                    size_t count)
{
    bool mesh[FAMILIES] = {false}, behind_mesh[FAMILIES] = {false};
    size_t last[FAMILIES] = {begin, begin};
    for (size_t i = begin; i < count; i++)
        for (int family = 0; family < FAMILIES; family++) {
            role r = role_of(formats[i], family);
            if (r == ROLE_MESH && behind_mesh[family] &&
                begins_group(formats, names, begin, i, count, family))
                return take_back(formats, names, last[family], i, family);
            if (r == ROLE_MESH)
                last[family] = i;
            mesh[family] |= r == ROLE_MESH;
            behind_mesh[family] |= mesh[family] && r == ROLE_OTHER;
        }
    return count;
}

/* ---- The best of a group --------------------------------------------------------------------- */

/* What is being looked for among a group: how well a file fits another, 0 if it cannot. `bones`: how many
 * that one needs, if it is an illmesh. */
typedef uint64_t (*fit)(m5_lint_file *candidate, m5_lint_file *file, uint32_t bones);

/* The file that fits best, of equals the nearest by name or folder, and of these the last. */
static m5_lint_file *best(m5_lint_file *const *files, size_t count, m5_lint_file *file, fit fits)
{
    m5_lint_file *found = NULL;
    uint64_t best_fit = 1;
    unsigned best_kin = 0;
    uint32_t bones = file->model.illmesh != NULL ? check_bones_needed(file) : 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t how = files[i] != NULL ? fits(files[i], file, bones) : 0;
        if (how < best_fit)
            continue;
        unsigned kin = kinship(files[i]->source.name, file->source.name);
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

/* Only a mesh whose skeleton could be read, all of it, can be anyone's. Characters of different
 * size may have the same joints: then the bones tell whose animation it is. */
static uint64_t mesh_fits(m5_lint_file *mesh, m5_lint_file *anim, uint32_t bones)
{
    (void)bones;
    if (mesh->model.md5mesh == NULL || !mesh->model.md5mesh->joints_whole)
        return 0;
    uint64_t shared = check_fit(mesh, anim);
    if (shared < UINT64_MAX)
        return shared + 1;
    bool posed = !anim->no_geometry && check_can_pose(anim->model.md5anim);
    return FITS_EXACTLY + (posed ? check_bones_alike(mesh->model.md5mesh, anim->model.md5anim) : 0);
}

/* ---- ill* ------------------------------------------------------------------------------------ */

static bool is_skeleton(const m5_lint_file *f)
{
    const m5_illskel *m = f->model.illskel;
    return m != NULL && m->num_bones != 0 && m->names_whole && f->names != NULL;
}

/* Of those that share as many names, the one that has most bones as long as in the first keys. */
static uint64_t skeleton_fits_anim(m5_lint_file *skel, m5_lint_file *anim, uint32_t bones)
{
    (void)bones;
    if (!is_skeleton(skel))
        return 0;
    uint64_t shared = 1 + (uint64_t)check_shared_names(skel, anim);
    return shared << 32 | check_ill_bones_alike(skel, anim);
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
        check_cross(other, file)) {
        bool same_scale = check_cross_bind(other, file, scratch != NULL ? scratch : &other->arena);
        if (same_scale) /* else nothing fits */
            check_cross_bounds(files, count, other, file, scratch);
    }
    if (file->model.illmesh != NULL &&
        (other = best(files, count, file, skeleton_fits_mesh)) != NULL)
        check_cross_illmesh(other, file);
    if (file->model.illanim != NULL && file->model.illanim->num_bones != 0 && file->names != NULL &&
        (other = best(files, count, file, skeleton_fits_anim)) != NULL)
        check_cross_illanim(other, file);
}

/* Looks at a skeleton with all the meshes that go with it. */
static void lint_skeleton(m5_lint_file *const *files, size_t count, m5_lint_file *skel)
{
    uint32_t bones = skel->model.illskel->num_bones;
    size_t mark = skel->arena.used, meshes = 0;
    uint8_t *used = check_scratch(skel, bones, 1);
    bool whole = used != NULL;
    if (used != NULL)
        memset(used, 0, bones);
    for (size_t i = 0; i < count && whole; i++) {
        if (files[i] == NULL || files[i]->model.illmesh == NULL ||
            best(files, count, files[i], skeleton_fits_mesh) != skel)
            continue;
        whole = files[i]->model.illmesh->verts_whole; /* what is missing may be what hangs on the rest */
        check_mark_bones(files[i], used, bones);
        meshes++;
    }
    if (whole && meshes != 0)
        check_unbound(skel, used);
    m5_arena_release(&skel->arena, mark);
}

void m5_lint_in_group(m5_lint_file *const *files, size_t count, size_t which, m5_arena *scratch)
{
    m5_lint_file *file = files[which];
    if (file == NULL)
        return;
    lint_with(files, count, file, scratch);
    if (file->model.illskel != NULL &&
        check_wanted(file, M5_LINT_ROW(cross_ill_skel_weights_unbound)))
        lint_skeleton(files, count, file);
}

void m5_lint_group(m5_lint_file *const *files, size_t count)
{
    for (size_t i = 0; i < count; i++)
        m5_lint_in_group(files, count, i, NULL);
}
