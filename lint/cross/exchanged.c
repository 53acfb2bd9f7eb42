/* Finds two joints of an animation that have each other's position in the baseframe: two of its
 * lines were exchanged. All else is as in the bind pose. */
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

/* A joint as it is with the other's line of the baseframe. */
static m5_bind_move moved(const search *s, uint32_t joint, uint32_t other)
{
    enum { TURNS = M5_MD5ANIM_QX | M5_MD5ANIM_QY | M5_MD5ANIM_QZ };
    const m5_md5anim *anim = s->p->anim;
    bool turned = (anim->channels[joint].flags & TURNS) == 0;
    return (m5_bind_move){joint, m5_md5_transform(&anim->base[other]), turned};
}

/* How sure it is. Two parts on one joint may have changed places, unless one is attached to the
 * rest, or the boxes show that they have not. */
static m5_fit how_sure(const search *s, const couple *c, m5_arena *scratch)
{
    uint32_t one = c->joints[0], other = c->joints[1];
    m5_bind_move back[] = {moved(s, one, other), moved(s, other, one)};
    if (s->p->mesh->joints[one].parent != s->p->mesh->joints[other].parent ||
        m5_bind_is_attached(s->p, one, scratch) || m5_bind_is_attached(s->p, other, scratch))
        return M5_FIT_ONLY;
    return m5_bind_boxes_fit_with(s->p, back, 2, scratch);
}

/* How well a joint's orientation in the baseframe is that of `other` in the bind pose: 1 is best.
 */
static double turned_like(const search *s, uint32_t joint, uint32_t other)
{
    m5_transform base = m5_md5_transform(&s->p->anim->base[joint]);
    return fabs(m5_quat_dot(base.rotation, s->posed.bind(s->posed.context, other).rotation));
}

/* The last token of what was exchanged: of the whole lines, unless the orientations show that each
 * is where it belongs. */
static uint32_t last_exchanged(const search *s, const couple *c)
{
    uint32_t one = c->joints[0], other = c->joints[1];
    double own = turned_like(s, one, one) + turned_like(s, other, other);
    return own > turned_like(s, one, other) + turned_like(s, other, one) + SAME ? POSITION_LAST
                                                                                : LINE_LAST;
}

static void say(const search *s, const couple *c, double measure)
{
    m5_lint_file *f = s->p->f;
    const m5_md5_joint *joints = f->model.md5anim->joints;
    const m5_md5_pose *base = f->model.md5anim->base;
    uint32_t last = last_exchanged(s, c);
    m5_diag d = m5_check_at_record(f, M5_LINT_ROW(cross_bind_exchanged), base[c->joints[0]].offset,
                                   last);
    d.path = m5_path1("baseframe", c->joints[0]);
    m5_relate(&d, &f->source, m5_check_at_record(f, NULL, base[c->joints[1]].offset, last).at,
              "the other joint");
    m5_emit(&f->report, &d, measure,
            "joints %u '%.*s' and %u '%.*s' have each other's position: in the baseframe, each has "
            "that of the other in the mesh's bind pose",
            c->joints[0], M5_CHECK_NAME(f, joints[c->joints[0]].name), c->joints[1],
            M5_CHECK_NAME(f, joints[c->joints[1]].name));
}

bool m5_check_cross_exchanged(const m5_bind_pair *p, m5_arena *scratch)
{
    search s = {p, m5_posed_md5(p), m5_bind_size(p)};
    if (p->mesh_file->misplaced != 0 || !m5_check_wanted(p->f, M5_LINT_ROW(cross_bind_exchanged)))
        return false;
    couple c = find(&s);
    m5_fit fit = c.joints[0] != M5_NO_INDEX ? how_sure(&s, &c, scratch) : M5_FIT_ANY;
    if (fit == M5_FIT_ANY)
        return false;
    say(&s, &c, fit == M5_FIT_ONLY ? M5_GRAVE : M5_MILD);
    return true;
}
