/* Finds single bones of an illanim that differ from the bind pose of its illskel, if all others are
 * near it: two bones whose keys are exchanged, a bone of another length, a root with other axes. */
#include "checks.h"
#include "pair.h"
#include "skin.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/play/algebra.h"
#include "parsers/play/pose.h"

#include <string.h>

static const double SHORT = 0.01; /* of the model's size: such bones are not compared */

/* ---- Skin ------------------------------------------------------------------------------------ */

/* Whether what hangs on a bone, or below it, is connected with the rest: then skin is stretched,
 * and no part slides. Uses up the marks. */
static bool stretches(const m5_posed *posed, const m5_same_rig *meshes, uint32_t bone,
                      uint8_t *marks)
{
    m5_posed_mark_below(posed, bone, marks);
    for (uint32_t i = 0; i < meshes->count; i++) {
        const m5_illmesh *m = meshes->files[meshes->list[i]]->model.illmesh;
        if (m5_ill_connects(m, marks, posed->num_joints))
            return true;
    }
    return false;
}

/* ---- Exchanged bones ------------------------------------------------------------------------- */

/* Positions are the same if they are this near, as a share of the model's size. Numbers are written
 * with six digits. */
static const double SAME = 1e-4;
enum { MOST_ELSEWHERE = 16 };

typedef struct exchange {
    const m5_ill_pair *pair;
    m5_posed posed;
    double size;                               /* of the model */
    uint32_t elsewhere[MOST_ELSEWHERE], count; /* bones that are nowhere in the bind pose */
    uint32_t others;                           /* animated bones that are */
} exchange;

static m5_vec bind_place(const exchange *e, uint32_t bone)
{
    return e->posed.bind(e->pair, bone).pos;
}

/* Whether a bone's keys have the position that another bone, or itself, has in the bind pose, in
 * all frames that are looked at; `none`: in none of them. */
static bool is_at(const exchange *e, uint32_t bone, uint32_t place, bool none)
{
    for (int i = 0; i < M5_SAMPLES; i++) {
        m5_vec key = e->posed.at(e->pair, e->posed.frames[i], bone).pos;
        bool same = m5_vec_distance(key, bind_place(e, place)) <= SAME * e->size;
        if (same == none)
            return false;
    }
    return true;
}

static void find_elsewhere(exchange *e)
{
    for (uint32_t i = 0; i < e->posed.num_joints; i++) {
        if (e->pair->track[i] == M5_NO_INDEX)
            continue;
        if (!is_at(e, i, i, true)) {
            e->others++;
        } else {
            e->elsewhere[e->count < MOST_ELSEWHERE ? e->count : 0] = i;
            e->count++;
        }
    }
}

/* How far a bone is turned from the bind pose of a bone, on average over the frames that are looked
 * at, in degrees; 0 if that is not known. */
static double turn_from(const exchange *e, uint32_t bone, uint32_t other)
{
    double sum = 0;
    for (int i = 0; i < M5_SAMPLES; i++)
        sum += M5_DEGREES * m5_quat_angle(e->posed.at(e->pair, e->posed.frames[i], bone).rotation,
                                          e->posed.bind(e->pair, other).rotation);
    return sum >= 0 ? sum / (int)M5_SAMPLES : 0;
}

/* How far two bones are turned from the bind pose, as they are and exchanged. */
typedef struct both_turns {
    double as_is, exchanged;
} both_turns;

static both_turns turns_of(const exchange *e, uint32_t a, uint32_t b)
{
    return (both_turns){turn_from(e, a, a) + turn_from(e, b, b),
                        turn_from(e, a, b) + turn_from(e, b, a)};
}

/* How many of two bones have the position of the other. Rotations may be any, but not much nearer
 * as they are. */
static int count_exchanged(const exchange *e, uint32_t a, uint32_t b)
{
    static const double aside = 5;
    both_turns t = turns_of(e, a, b);
    if (m5_vec_distance(bind_place(e, a), bind_place(e, b)) <= SHORT * e->size ||
        t.exchanged > t.as_is + aside)
        return 0;
    return is_at(e, a, b, false) + is_at(e, b, a, false);
}

/* Finds the only two bones of which so many, 1 or 2, have the position of the other. */
static bool find_pair(const exchange *e, int least, uint32_t *a, uint32_t *b)
{
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < e->count; i++)
        for (uint32_t k = 0; k < i; k++) {
            if (count_exchanged(e, e->elsewhere[k], e->elsewhere[i]) < least)
                continue;
            *a = e->elsewhere[k];
            *b = e->elsewhere[i];
            pairs++;
        }
    return pairs == 1;
}

/* Whether no design explains it, such as a magazine that takes the place of another one: the two
 * have different parents, in whose spaces the same numbers are other places, or skin connects both
 * with the rest. */
static bool is_mistake(const exchange *e, uint32_t a, uint32_t b, const m5_same_rig *meshes,
                       uint8_t *marks)
{
    uint32_t place = is_at(e, a, b, false) ? b : a;
    if (e->posed.parent(e->pair, a) != e->posed.parent(e->pair, b) &&
        m5_vec_length(bind_place(e, place)) > SHORT * e->size)
        return true;
    return stretches(&e->posed, meshes, a, marks) && stretches(&e->posed, meshes, b, marks);
}

/* Whether rotations show it, too. */
static bool are_turned(const exchange *e, uint32_t a, uint32_t b)
{
    static const double degrees = 20;
    both_turns t = turns_of(e, a, b);
    return t.as_is >= degrees && t.exchanged < t.as_is / 2;
}

/* Whether two bones have the same direction in the bind pose, or one has none: then a position that
 * is the other's may be a length of another body, in round numbers. */
static bool are_parallel(const exchange *e, uint32_t a, uint32_t b)
{
    static const double cosine = 0.999;
    m5_vec one = bind_place(e, a), other = bind_place(e, b);
    return m5_vec_dot(one, other) >= cosine * m5_vec_length(one) * m5_vec_length(other);
}

/* Whether one of two bones is the parent of the other. Exchanged offsets then lead to the same
 * place, and may be intended: one rig has its root on the ground, another one at the hips. */
static bool are_linked(const exchange *e, uint32_t a, uint32_t b)
{
    return e->posed.parent(e->pair, a) == (int32_t)b || e->posed.parent(e->pair, b) == (int32_t)a;
}

static void say_exchanged(const exchange *e, uint32_t a, uint32_t b, bool both, bool surely)
{
    const m5_ill_pair *p = e->pair;
    m5_name one = p->m->bones[p->track[a]].name, other = p->m->bones[p->track[b]].name;
    m5_diag d = m5_found(M5_LINT_ROW(cross_ill_anim_exchanged), one);
    d.path = m5_path1("bone", p->track[a]);
    m5_relate(&d, &p->anim->source, other, "the other bone");
    m5_emit(&p->anim->report, &d, surely ? M5_GRAVE : M5_MILD,
            "the keys of '%.*s' and '%.*s' seem to be exchanged: %s the position that the other "
            "has in the bind pose, and %u other bones have their own",
            M5_CHECK_NAME(p->anim, one), M5_CHECK_NAME(p->anim, other),
            both ? "each has" : "one has", e->others);
}

/* Returns whether the keys of two bones seem to be exchanged. */
static bool check_exchanged(const m5_ill_pair *p, const m5_same_rig *meshes, double size,
                            uint8_t *marks)
{
    enum { LEAST_OTHERS = 2 };
    exchange e = {.pair = p, .posed = m5_posed_ill(p), .size = size};
    uint32_t a, b;
    find_elsewhere(&e);
    if (e.count < 2 || e.count > MOST_ELSEWHERE || e.others < LEAST_OTHERS)
        return false;
    bool both = find_pair(&e, 2, &a, &b);
    if (!both && !find_pair(&e, 1, &a, &b))
        return false;
    bool turned = are_turned(&e, a, b), linked = are_linked(&e, a, b);
    if (!turned && (linked || (!both && are_parallel(&e, a, b))))
        return false;
    bool surely = turned || both;
    say_exchanged(&e, a, b, both, surely && is_mistake(&e, a, b, meshes, marks));
    return true;
}

/* ---- One bone -------------------------------------------------------------------------------- */

/* Most animations have no such bone: then meshes are not looked at. */
static uint32_t find_odd(const m5_posed *posed, const m5_same_rig *meshes, double size,
                         uint8_t *marks, double *ratio)
{
    if (!m5_posed_has_odd_bone(posed, SHORT * size))
        return M5_NO_INDEX;
    memset(marks, 0, posed->num_joints);
    for (uint32_t i = 0; i < meshes->count; i++)
        m5_ill_mark_bones(meshes->files[meshes->list[i]]->model.illmesh, marks, posed->num_joints);
    m5_posed_mark_parents(posed, marks);
    return m5_posed_find_odd_bone(posed, marks, SHORT * size, ratio);
}

static void check_length(const m5_ill_pair *p, const m5_same_rig *meshes, double size,
                         uint8_t *marks)
{
    m5_posed posed = m5_posed_ill(p);
    double ratio = 1;
    for (int i = 0; i < M5_SAMPLES; i++)
        if (m5_ill_is_scaled(p->m, posed.frames[i]))
            return;
    uint32_t odd = find_odd(&posed, meshes, size, marks, &ratio);
    if (odd == M5_NO_INDEX)
        return;
    bool parallel = m5_posed_is_parallel(&posed, odd);
    bool stretched = stretches(&posed, meshes, odd, marks);
    if (!parallel && !stretched)
        return;
    m5_diag d = m5_ill_at_key(p, M5_LINT_ROW(cross_ill_bind_one_bone), odd, M5_ILL_KEY_POSITION);
    m5_emit(&p->anim->report, &d, parallel && stretched ? M5_GRAVE : M5_MILD,
            "bone %u '%.*s' is %.4g times as far from its parent as in the bind pose; all other "
            "bones that move vertices differ far less",
            p->track[odd], M5_CHECK_NAME(p->anim, p->m->bones[p->track[odd]].name), ratio);
}

/* ---- Axes of the root ------------------------------------------------------------------------ */

static void check_axes(const m5_ill_pair *p)
{
    m5_posed posed = m5_posed_ill(p);
    uint32_t root;
    int axis, quarters = m5_posed_find_quarters(&posed, &root, &axis);
    if (quarters == 0)
        return;
    m5_diag d = m5_ill_at_key(p, M5_LINT_ROW(cross_ill_bind_axes), root, M5_ILL_KEY_ROTATION);
    m5_emit(&p->anim->report, &d, 0,
            "frame 0 is the bind pose, but the root is rotated by %d degrees about %c: the files "
            "seem to use different axes",
            90 * quarters, "xyz"[axis]);
}

/* The size of the box around all joints in the bind pose; NaN without memory. */
static double size_of(const m5_ill_pair *p)
{
    size_t mark = p->anim->arena.used;
    m5_matrix *pose = m5_check_scratch(p->anim, p->s->num_bones, sizeof *pose);
    m5_box box = m5_box_empty();
    if (pose != NULL)
        m5_illskel_pose(p->s, pose);
    for (uint32_t i = 0; pose != NULL && i < p->s->num_bones; i++)
        m5_box_add(&box, m5_matrix_translation(&pose[i]));
    m5_arena_release(&p->anim->arena, mark);
    return pose != NULL ? m5_box_diagonal(&box) : NAN;
}

void m5_check_cross_ill_bones(const m5_ill_pair *p, const m5_same_rig *meshes)
{
    size_t mark = p->anim->arena.used;
    uint8_t *marks = m5_check_scratch(p->anim, p->s->num_bones, sizeof *marks);
    double size = size_of(p);
    if (marks != NULL && size > 0 && !check_exchanged(p, meshes, size, marks))
        check_length(p, meshes, size, marks);
    check_axes(p);
    m5_arena_release(&p->anim->arena, mark);
}
