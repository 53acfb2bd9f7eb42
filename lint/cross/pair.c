/* Compares a file with those it belongs to: see m5_lint_pair. */
#include "cross.h"
#include "rig.h"
#include "lint/core/check.h"
#include "lint/core/parts.h"
#include "lint/cross/ill/checks.h"
#include "lint/cross/ill/skin.h"
#include "lint/ignore/ignore.h"
#include "lint/md5/checks.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"

#include <string.h>

/* ---- The best of several --------------------------------------------------------------------- */

/* How many bones are as long in an animation as in a base that has its joints. */
static uint32_t bones_alike(m5_lint_file *base, m5_lint_file *anim)
{
    if (m5_settings_of(&anim->report)->no_geometry)
        return 0;
    if (anim->model.illanim != NULL && base->model.illskel != NULL)
        return m5_check_ill_bones_alike(base, anim);
    bool posed = anim->model.md5anim != NULL && base->model.md5mesh != NULL &&
                 base->model.md5mesh->joints_whole && m5_check_can_pose(anim->model.md5anim);
    return posed ? m5_check_bones_alike(base->model.md5mesh, anim->model.md5anim) : 0;
}

static m5_lint_file *base_of(m5_lint_file *const *files, const m5_pair *pair, m5_lint_file *file)
{
    m5_lint_file *best = pair->base != M5_NO_INDEX ? files[pair->base] : NULL;
    uint32_t most = 0;
    bool unsure = pair->num_equals > 1 && pair->reason != M5_PAIR_DECLARED;
    for (uint32_t i = 0; i < pair->num_equals && unsure; i++) {
        m5_lint_file *base = files[pair->equals[i]];
        uint32_t alike = bones_alike(base, file);
        best = alike > most ? base : best;
        most = alike > most ? alike : most;
    }
    return best;
}

/* ---- Comparing ------------------------------------------------------------------------------- */

typedef struct group {
    m5_lint_file *const *files;
    const m5_pairs *pairs;
    m5_arena *scratch;
} group;

static void compare_anim(const group *g, const m5_pair *pair, m5_lint_file *mesh,
                         m5_lint_file *anim)
{
    m5_arena *room = g->scratch != NULL ? g->scratch : &mesh->arena;
    if (mesh->model.md5mesh == NULL)
        return;
    bool known = mesh->model.md5mesh->joints_whole && anim->model.md5anim->joints_whole;
    if (!M5_PART(anim, cross_joints, m5_check_cross(mesh, anim)))
        m5_check_skip(anim, known ? M5_SKIPPED_BONES : M5_SKIPPED_JOINTS);
    else if (M5_PART(anim, cross_bind,
                     m5_check_cross_bind(mesh, anim, room))) { /* else no box fits */
        m5_same_rig others = {g->files, pair->equals, pair->num_equals};
        M5_PART(anim, cross_bounds, m5_check_cross_bounds(&others, mesh, anim, g->scratch));
    }
}

static bool has_matrices(const m5_lint_file *f)
{
    const m5_illskel *m = f->model.illskel;
    return m != NULL && m->num_bones != 0 && m->matrices_whole;
}

static bool has_names(const m5_lint_file *f)
{
    const m5_illskel *m = f->model.illskel;
    return m != NULL && m->num_bones != 0 && m->names_whole && f->names != NULL;
}

enum { MOST_FILES = 16 };

/* Lists the first meshes, or animations, that belong to a skeleton and to no other one. Not all are
 * looked at: each of many may ask. */
static m5_same_rig files_of(const group *g, uint32_t skel, bool meshes, uint32_t list[MOST_FILES])
{
    const m5_pairs *p = g->pairs;
    m5_same_rig out = {g->files, list, 0};
    uint32_t at = meshes ? p->first_mesh[skel] : p->first_anim[skel];
    for (int seen = 0; at != M5_NO_INDEX && out.count < MOST_FILES && seen < M5_PAIR_SEEN; seen++) {
        const m5_lint_file *file = g->files[at];
        bool fits = meshes ? file->model.illmesh != NULL
                           : file->model.illanim != NULL && file->names != NULL;
        if (fits && p->list[at].num_equals <= 1)
            list[out.count++] = at;
        at = p->next[at];
    }
    return out;
}

static void compare_illmesh(const group *g, uint32_t skel, m5_lint_file *mesh)
{
    uint32_t list[MOST_FILES];
    m5_same_rig anims = {g->files, list, 0};
    if (has_names(g->files[skel]))
        anims = files_of(g, skel, false, list);
    m5_check_cross_illmesh(g->files[skel], mesh, &anims);
}

static void compare_illanim(const group *g, uint32_t skel, m5_lint_file *base, m5_lint_file *anim)
{
    uint32_t list[MOST_FILES];
    m5_same_rig meshes = files_of(g, skel, true, list);
    m5_check_cross_illanim(base, anim, &meshes);
}

static void compare(const group *g, const m5_pair *pair, m5_lint_file *base, m5_lint_file *file)
{
    const m5_model *m = &file->model;
    if (m->md5anim != NULL)
        compare_anim(g, pair, base, file);
    else if (m->illmesh != NULL && has_matrices(base))
        M5_PART(file, cross_ill, compare_illmesh(g, pair->base, file));
    else if (m->illanim != NULL && m->illanim->num_bones != 0 && file->names != NULL &&
             has_names(base))
        M5_PART(file, cross_ill, compare_illanim(g, pair->base, base, file));
    else
        m5_check_skip(file, M5_SKIPPED_SKELETON);
}

static const m5_span *count_at(const m5_model *m)
{
    return m->md5anim != NULL ? &m->md5anim->num_joints_at : &m->illanim->num_bones_at;
}

/* A path without the folders that it shares with another one. */
static const char *path_from(const char *path, const char *other)
{
    const char *from = path;
    for (; *path != '\0' && *path == *other; path++, other++)
        from = *path == '/' ? path + 1 : from;
    return from;
}

/* No mesh or skeleton fits. */
static void say_missing(const group *g, const m5_pair *pair, m5_lint_file *file)
{
    const m5_model *m = &file->model;
    if (m->md5anim == NULL && m->illanim == NULL)
        return;
    m5_diag d = m5_found(M5_LINT_ROW(cross_no_base), *count_at(m));
    bool md5 = m->md5anim != NULL, one = pair->others == 1;
    uint32_t count = md5 ? m->md5anim->num_joints : m->illanim->num_bones;
    char bases[48];
    if (one)
        m5_check_print(bases, sizeof bases, "the only %s given", md5 ? "mesh" : "skeleton");
    else
        m5_check_print(bases, sizeof bases, "none of the %u %s given", pair->others,
                       md5 ? "meshes" : "skeletons");
    if (pair->base == M5_NO_INDEX)
        m5_emit(&file->report, &d, 0, "%s has %s joint of this animation", bases, one ? "no" : "a");
    else
        m5_emit(&file->report, &d, 0, "%s %s this animation of %u %s; %s'%s', with %u of the names",
                bases, one ? "does not fit" : "fits", count, md5 ? "joints" : "bones",
                one ? "it is " : "the nearest is ",
                path_from(g->pairs->rigs[pair->base].name, file->source.name), pair->shared);
}

/* ---- Bones that no mesh uses ----------------------------------------------------------------- */

/* Checks a skeleton with all the meshes that belong to it, if they are not too many. */
static void lint_skeleton(const group *g, uint32_t which)
{
    m5_lint_file *skel = g->files[which];
    uint32_t bones = skel->model.illskel->num_bones, meshes = 0;
    size_t mark = skel->arena.used;
    uint8_t *used = m5_check_scratch(skel, bones, 1);
    bool whole = used != NULL;
    if (used != NULL)
        memset(used, 0, bones);
    const m5_pairs *p = g->pairs;
    uint32_t at = p->first_mesh[which];
    for (int seen = 0; at != M5_NO_INDEX && seen < M5_PAIR_SEEN && whole;
         seen++, at = p->next[at]) {
        const m5_lint_file *mesh = g->files[at];
        if (mesh->model.illmesh == NULL)
            continue;
        /* vertices that were not read may use the other bones */
        whole = mesh->model.illmesh->verts_whole;
        m5_ill_mark_bones(mesh->model.illmesh, used, bones);
        meshes++;
    }
    if (whole && meshes != 0 && at == M5_NO_INDEX) /* other meshes may use the other bones */
        m5_check_unbound(skel, used);
    m5_arena_release(&skel->arena, mark);
}

static void say_idle(m5_lint_file *file)
{
    m5_diag d = m5_found(M5_LINT_ROW(def_anim_unused), file->model.md5anim->num_frames_at);
    m5_emit(&file->report, &d, 0,
            "no model plays this animation, but others of its folder are played");
}

/* ---- Together -------------------------------------------------------------------------------- */

void m5_lint_pair(m5_lint_file *const *files, const m5_pairs *pairs, uint32_t which,
                  m5_arena *scratch)
{
    group g = {files, pairs, scratch};
    m5_lint_file *file = files[which];
    const m5_pair *pair = &pairs->list[which];
    bool missing = pair->reason == M5_PAIR_MISSING;
    m5_enter(file, M5_PART_cross_joints);
    m5_lint_file *base = missing ? NULL : base_of(files, pair, file);
    file->base = base;
    file->reason = pair->reason;
    if (pair->reason == M5_PAIR_DECLARED)
        file->declared = pairs->declared[which];
    if (missing)
        say_missing(&g, pair, file);
    else if (base != NULL)
        compare(&g, pair, base, file);
    m5_enter(file, M5_PART_cross_joints);
    if (file->model.md5anim != NULL && pairs->declared != NULL && pairs->declared[which].idle)
        say_idle(file);
    bool has_mesh = base != NULL && base->model.md5mesh != NULL;
    if (file->model.md5anim != NULL && file->in_group && !has_mesh) { /* else once for the pair */
        M5_PART(file, md5anim_roots, m5_check_md5anim_roots(file));
        M5_PART(file, md5anim_roots, m5_check_md5anim_exchanged(file, NULL));
    }
    if (file->model.md5anim != NULL && file->in_group)
        M5_PART(file, md5_joints,
                m5_check_md5anim_names(file, has_mesh ? base->model.md5mesh : NULL));
    if (file->model.illskel != NULL &&
        m5_check_wanted(file, M5_LINT_ROW(cross_ill_skel_weights_unbound)))
        M5_PART(file, cross_ill, lint_skeleton(&g, which));
    m5_enter(file, M5_PART_none);
    m5_ignore_finish(file);
}

size_t m5_together_memory(size_t count)
{
    return count * (sizeof(m5_rig) + sizeof(m5_declared)) + m5_pairs_memory(count);
}

void m5_lint_together(m5_lint_file *const *files, size_t count, void *memory)
{
    m5_rig *rigs = memory;
    m5_declared *declared = (m5_declared *)(void *)(rigs + count);
    m5_pairs pairs;
    for (size_t i = 0; i < count; i++)
        m5_rig_of(&rigs[i], &files[i]->source, &files[i]->model, &files[i]->arena);
    m5_check_cross_defs(files, count, declared);
    m5_pairs_find(&pairs, rigs, declared, (uint32_t)count, true, declared + count);
    for (uint32_t i = 0; i < count; i++)
        m5_lint_pair(files, &pairs, i, NULL);
}
