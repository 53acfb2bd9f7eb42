/* Finds two joints of an animation that have each other's position in the baseframe: two of its
 * lines were exchanged. All else is as in the bind pose. */
#include "cross.h"
#include "md5_posed.h"
#include "lint/core/check.h"
#include "parsers/core/emit.h"
#include "parsers/play/algebra.h"
#include "parsers/play/pose.h"

enum { MOST_ODD = 16, LEAST_SAME = 5 };
/* The last tokens of what was exchanged in  ( x y z ) ( x y z )  */
enum { POSITION_LAST = 4, LINE_LAST = 9 };
/* A position is that of a joint in the bind pose, or is elsewhere, by this share of the bone's
 * length. A bone that is shorter than a share of the model's size counts as that long. */
static const double SAME = 0.01, ELSEWHERE = 0.05, SHORT = 0.04;

typedef struct search {
    const m5_bind_pair *p;
    m5_posed posed;
    double size; /* of the model */
} search;

/* Whether a joint's position in the baseframe is that of `other` in the bind pose. */
static bool is_at(const search *s, uint32_t joint, uint32_t other, double share)
{
    m5_vec base = m5_vec_of(s->p->anim->base[joint].pos),
           bind = s->posed.bind(s->posed.context, other).pos;
    return m5_vec_distance(base, bind) <= share * fmax(m5_vec_length(bind), SHORT * s->size);
}

/* Two joints, of which the first comes before the other; or none. */
typedef struct couple {
    uint32_t joints[2];
} couple;
static const couple nobody = {{M5_NO_INDEX, M5_NO_INDEX}};

/* The only two joints that have each other's position. */
static couple find(const search *s)
{
    couple found = nobody;
    uint32_t odd[MOST_ODD], num_odd = 0, same = 0, seen = 0, pairs = 0;
    for (uint32_t i = 0; i < s->p->mesh->num_joints; i++) {
        if (!m5_bind_is_placed_by_base(s->p, i))
            continue;
        seen++;
        same += is_at(s, i, i, SAME);
        if (is_at(s, i, i, ELSEWHERE))
            continue;
        if (num_odd == MOST_ODD)
            return nobody;
        odd[num_odd++] = i;
    }
    for (uint32_t i = 0; i < num_odd; i++)
        for (uint32_t k = i + 1; k < num_odd; k++)
            if (is_at(s, odd[i], odd[k], SAME) && is_at(s, odd[k], odd[i], SAME)) {
                found = (couple){{odd[i], odd[k]}};
                pairs++;
            }
    bool sure = pairs == 1 && same >= LEAST_SAME && 10 * (uint64_t)same >= 9 * (uint64_t)(seen - 2);
    return sure ? found : nobody;
}

/* ---- What was exchanged ---------------------------------------------------------------------- */

typedef enum what { POSITIONS, LINES, UNKNOWN } what;

/* Whether frames leave a joint's rotation, or a part of it, to the baseframe. */
static bool is_turned_by_base(const search *s, uint32_t joint)
{
    enum { TURNS = M5_MD5ANIM_QX | M5_MD5ANIM_QY | M5_MD5ANIM_QZ };
    return (s->p->anim->channels[joint].flags & TURNS) != TURNS;
}

/* Whether a joint would be turned as in the bind pose by a line of the baseframe, if it is turned
 * by any. */
static bool is_turned_right(const search *s, uint32_t joint, uint32_t line)
{
    static const double same = 0.2 / M5_DEGREES;
    m5_transform base = m5_md5_transform(&s->p->anim->base[line]);
    m5_quat bind = s->posed.bind(s->posed.context, joint).rotation;
    return !is_turned_by_base(s, joint) || m5_quat_angle(base.rotation, bind) <= same;
}

static what find_what(const search *s, const couple *c)
{
    uint32_t one = c->joints[0], other = c->joints[1];
    if (is_turned_right(s, one, other) && is_turned_right(s, other, one))
        return LINES;
    return is_turned_right(s, one, one) && is_turned_right(s, other, other) ? POSITIONS : UNKNOWN;
}

/* A joint as it is with the other's line of the baseframe. */
static m5_moved_joint moved(const search *s, what w, uint32_t joint, uint32_t other)
{
    m5_transform to = m5_md5_transform(&s->p->anim->base[other]);
    return (m5_moved_joint){joint, to, w != POSITIONS && is_turned_by_base(s, joint)};
}

/* How sure it is, if vertices are elsewhere because of it: as the boxes say. If they say nothing,
 * parts that slide may be at each other's position, but hardly if one is attached to the rest. */
static m5_fit how_sure(const search *s, const couple *c, what w, m5_arena *scratch)
{
    uint32_t one = c->joints[0], other = c->joints[1];
    m5_moved_joint back[] = {moved(s, w, one, other), moved(s, w, other, one)};
    if (!m5_bind_moves_vertices(s->p, back, 2, scratch))
        return M5_FIT_ANY;
    m5_fit fit = m5_bind_boxes_fit_with(s->p, back, 2, scratch);
    bool attached = m5_bind_is_attached(s->p, one, scratch) ||
                    m5_bind_is_attached(s->p, other, scratch);
    return attached && fit == M5_FIT_ANY ? M5_FIT_BETTER : fit;
}

/* ---- Report ---------------------------------------------------------------------------------- */

static const char *const advice[] = {
    [POSITIONS] = "swap the two positions in the baseframe",
    [LINES] = NULL, /* the rule's */
    [UNKNOWN] = "swap the two positions in the baseframe; and the two orientations, if these were "
                "exchanged, too",
};

static void say(const search *s, const couple *c, what w, double measure)
{
    m5_lint_file *f = s->p->f;
    const m5_md5_joint *joints = f->model.md5anim->joints;
    const m5_md5_pose *base = f->model.md5anim->base;
    uint32_t last = w == LINES ? LINE_LAST : POSITION_LAST;
    m5_diag d = m5_check_at_record(f, M5_LINT_ROW(cross_bind_exchanged), base[c->joints[0]].offset,
                                   last);
    d.path = m5_path1("baseframe", c->joints[0]);
    m5_relate(&d, &f->source, m5_check_at_record(f, NULL, base[c->joints[1]].offset, last).at,
              "the other joint");
    d.knows = w == UNKNOWN ? M5_KNOWS_NOTHING : M5_KNOWS_EXCHANGE;
    d.fix = advice[w];
    m5_emit(&f->report, &d, measure,
            "joints %u '%.*s' and %u '%.*s' have each other's position: in the baseframe, each has "
            "that of the other in the mesh's bind pose",
            c->joints[0], M5_CHECK_NAME(f, joints[c->joints[0]].name), c->joints[1],
            M5_CHECK_NAME(f, joints[c->joints[1]].name));
}

bool m5_check_cross_exchanged(const m5_bind_pair *p, m5_arena *scratch)
{
    search s = {p, m5_posed_md5(p), m5_bind_size(p)};
    if (p->mesh_file->misplaced != NULL ||
        !m5_check_wanted(p->f, M5_LINT_ROW(cross_bind_exchanged)))
        return false;
    couple c = find(&s);
    if (c.joints[0] == M5_NO_INDEX)
        return false;
    what w = find_what(&s, &c);
    m5_fit fit = how_sure(&s, &c, w, scratch);
    if (fit >= M5_FIT_BETTER)
        say(&s, &c, w, fit == M5_FIT_ONLY ? M5_GRAVE : M5_MILD);
    return fit >= M5_FIT_BETTER;
}
