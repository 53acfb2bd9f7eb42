/* Finds the one bone of an animation that has another length than in the mesh, and moves vertices:
 * see posed.c. */
#include "md5_posed.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/play/pose.h"

#include <string.h>

enum { LOOK_AT_MOST = 32 };
/* Of the model's size: such bones are not compared, or tell nothing without the boxes. */
static const double SHORT = 0.01;
static const double LEAST_BIAS = 0.05;

typedef struct search {
    const m5_bind_pair *p;
    const m5_md5mesh *mesh;
    m5_posed posed;
    m5_arena *room;
    uint8_t *moves; /* for each joint: whether it or a joint below it has weights */
} search;

static void mark_moving(const search *s)
{
    const m5_md5mesh *m = s->mesh;
    memset(s->moves, 0, m->num_joints);
    for (uint32_t i = 0; i < m->num_meshes; i++)
        for (uint32_t k = 0; k < m->meshes[i].num_weights; k++)
            if (m->meshes[i].weights[k].joint < m->num_joints)
                s->moves[m->meshes[i].weights[k].joint] = 1;
    m5_posed_mark_parents(&s->posed, s->moves);
}

static double least_length(const search *s)
{
    m5_box box = m5_box_empty();
    for (uint32_t i = 0; i < s->mesh->num_joints; i++)
        m5_box_add(&box, m5_vec_of(s->mesh->bind[i].pos));
    return SHORT * m5_box_diagonal(&box);
}

enum { INSIDE = 1, OUTSIDE = 2 };

/* Whether a vertex hangs on joints that are marked in `inside`, on others, or on both. */
static int sides_of(const m5_md5mesh_mesh *m, uint32_t vert, const uint8_t *inside)
{
    int sides = 0;
    for (uint32_t k = 0; k < m->verts[vert].count && k < LOOK_AT_MOST; k++) {
        const m5_md5mesh_weight *w = &m->weights[m->verts[vert].start + k];
        if ((double)w->bias >= LEAST_BIAS)
            sides |= inside[w->joint] ? INSIDE : OUTSIDE;
    }
    return sides;
}

/* Whether a triangle is between vertices on marked joints and vertices on others. */
static bool is_shared(const m5_md5mesh_mesh *m, const uint8_t *inside)
{
    for (uint32_t i = 0; m->skin_whole && i < m->num_tris; i++) {
        int sides = 0;
        for (int k = 0; k < 3 && m->tris[i].vert[0] != M5_BROKEN; k++)
            sides |= sides_of(m, m->tris[i].vert[k], inside);
        if (sides == (INSIDE | OUTSIDE))
            return true;
    }
    return false;
}

/* Whether what hangs on a joint, or below it, is connected with the rest: then skin is stretched,
 * and no part slides. Uses up `moves`. */
static bool stretches(const search *s, uint32_t joint)
{
    bool any = false;
    m5_posed_mark_below(&s->posed, joint, s->moves);
    for (uint32_t i = 0; i < s->mesh->num_meshes && !any; i++)
        any = is_shared(&s->mesh->meshes[i], s->moves);
    return any;
}

/* Whether the boxes show that a bone is wrong that may be a part that slides. A part that is near
 * says less. */
static bool do_boxes_show(const search *s, uint32_t joint, double ratio, bool unsure)
{
    static const double far = 5;
    return (!unsure || ratio >= far) && m5_bind_boxes_fit_with(s->p, joint, s->room) == M5_FIT_ONLY;
}

static bool find(const search *s, bool *moved)
{
    const m5_rule *rule = M5_LINT_ROW(cross_bind_one_bone);
    m5_lint_file *f = s->p->f;
    double ratio = 1, least = least_length(s);
    mark_moving(s);
    m5_pose_place odd = {m5_posed_find_odd_bone(&s->posed, s->moves, least, &ratio),
                         s->p->frames[0]};
    bool is_short = odd.joint == M5_NO_INDEX;
    if (is_short)
        odd.joint = m5_posed_find_odd_bone(&s->posed, s->moves, least / 10, &ratio);
    if (odd.joint == M5_NO_INDEX)
        return false;
    bool parallel = !is_short && m5_posed_is_parallel(&s->posed, odd.joint),
         stretched = !is_short && stretches(s, odd.joint), sure = parallel && stretched,
         unsure = !parallel && !stretched;
    bool shown = !sure && do_boxes_show(s, odd.joint, ratio, unsure);
    if (unsure && !shown)
        return false;
    m5_diag d = m5_bind_at(s->p, rule, odd, false);
    double measure = sure || shown ? M5_GRAVE : M5_MILD;
    *moved = m5_would_say(&f->report, rule, measure) >= M5_WARNING;
    m5_emit(&f->report, &d, measure,
            "joint %u '%.*s' is %.4g times as far from its parent as in the mesh's bind pose; all "
            "other bones that move vertices differ far less%s",
            odd.joint, M5_CHECK_NAME(f, s->p->anim->joints[odd.joint].name), ratio,
            shown ? "; with the length of the bind pose the mesh would fill the bounding boxes"
                  : "");
    return true;
}

bool m5_check_cross_one_bone(const m5_bind_pair *pair, m5_arena *scratch, bool *moved)
{
    size_t mark = scratch->used;
    search s = {pair, pair->mesh, m5_posed_md5(pair), scratch,
                m5_arena_take(scratch, pair->mesh->num_joints, 1)};
    *moved = false;
    bool found = s.moves != NULL && !pair->mesh_file->misplaced &&
                 m5_check_wanted(pair->f, M5_LINT_ROW(cross_bind_one_bone)) && find(&s, moved);
    m5_arena_release(scratch, mark);
    return found;
}
