/* Finds the one bone of an animation that has another length than in the mesh, and moves vertices:
 * see posed.c. */
#include "md5_posed.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/play/pose.h"

#include <string.h>

/* Of the model's size: such bones are not compared, or tell nothing without the boxes. */
static const double SHORT = 0.01;

typedef struct search {
    const m5_bind_pair *p;
    m5_posed posed;
    m5_arena *room;
    uint8_t *moves; /* for each joint: whether it or a joint below it has weights */
} search;

static void mark_moving(const search *s)
{
    const m5_md5mesh *m = s->p->mesh;
    memset(s->moves, 0, m->num_joints);
    for (uint32_t i = 0; i < m->num_meshes; i++)
        for (uint32_t k = 0; k < m->meshes[i].num_weights; k++)
            if (m->meshes[i].weights[k].joint < m->num_joints)
                s->moves[m->meshes[i].weights[k].joint] = 1;
    m5_posed_mark_parents(&s->posed, s->moves);
}

/* Whether the boxes show that a bone is wrong that may be a part that slides. A part that is near
 * says less. */
static bool do_boxes_show(const search *s, uint32_t joint, double ratio, bool unsure)
{
    static const double far = 5;
    m5_moved_joint back = {joint, s->posed.bind(s->posed.context, joint), false};
    return (!unsure || ratio >= far) &&
           m5_bind_boxes_fit_with(s->p, &back, 1, s->room) == M5_FIT_ONLY;
}

static bool find(const search *s, bool *moved)
{
    const m5_rule *rule = M5_LINT_ROW(cross_bind_one_bone);
    m5_lint_file *f = s->p->f;
    double ratio = 1, least = SHORT * m5_bind_size(s->p);
    mark_moving(s);
    m5_pose_place odd = {m5_posed_find_odd_bone(&s->posed, s->moves, least, &ratio),
                         s->p->frames[0]};
    bool is_short = odd.joint == M5_NO_INDEX;
    if (is_short)
        odd.joint = m5_posed_find_odd_bone(&s->posed, s->moves, least / 10, &ratio);
    if (odd.joint == M5_NO_INDEX)
        return false;
    bool parallel = !is_short && m5_posed_is_parallel(&s->posed, odd.joint),
         stretched = !is_short && m5_bind_is_attached(s->p, odd.joint, s->room),
         sure = parallel && stretched, unsure = !parallel && !stretched;
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
    search s = {pair, m5_posed_md5(pair), scratch,
                m5_arena_take(scratch, pair->mesh->num_joints, 1)};
    *moved = false;
    bool found = s.moves != NULL && !pair->mesh_file->misplaced &&
                 m5_check_wanted(pair->f, M5_LINT_ROW(cross_bind_one_bone)) && find(&s, moved);
    m5_arena_release(scratch, mark);
    return found;
}
