/* Finds joints that jump from one frame to the next, and quaternions that change their sign. */
#include "motion.h"
#include "compare.h"
#include "parsers/core/allocate.h"
#include "parsers/core/exact.h"

#include <string.h>

/* Limits measured on real files and on files with added defects: no healthy file comes near
 * them. */
static const double LEAST_TURN = 20, LEAST_STEP = 120;  /* degrees */
static const double LEAST_MOVE = 0.05, FAR = 1e4;       /* of the model's size */
static const double TURN_NOISE = 1, MOVE_NOISE = 0.005; /* less is not a movement */
static const double TIMES = 1.5, STEP_TIMES = 3;        /* times the movement around */
static const double END_TIMES = 6;                      /* in the first or the last frame */
enum { AROUND = 4 };

/* |cos| of half of the angles: the product of two quaternions. */
static const double COS_LEAST_TURN = 0.984807753012208, COS_LEAST_STEP = 0.5;

m5_transform m5_motion_or_none(m5_transform at)
{
    static const double tolerance = 2e-3;
    if (!(fabs(m5_quat_dot(at.rotation, at.rotation) - 1) < tolerance))
        at.rotation = (m5_quat){NAN, NAN, NAN, NAN};
    return at;
}

bool m5_motion_is_plain(m5_quat q)
{
    static const double some = 0.05;
    return (fabs(q.x) > some) + (fabs(q.y) > some) + (fabs(q.z) > some) + (fabs(q.w) > some) < 3;
}

m5_quat m5_motion_other_sign(m5_quat q, int way)
{
    static const double enough = 0.1;
    double part[M5_WAYS] = {q.x, q.y, q.z, q.w};
    if (!(fabs(part[way]) > enough) || m5_motion_is_plain(q))
        return (m5_quat){NAN, NAN, NAN, NAN};
    part[way] = -part[way];
    return (m5_quat){part[0], part[1], part[2], part[3]};
}

static double turn_between(const m5_motion *m, uint32_t joint, uint32_t a, uint32_t b)
{
    return M5_DEGREES * m5_quat_angle(m->at(m->context, a, joint).rotation,
                                      m->at(m->context, b, joint).rotation);
}

static double move_between(const m5_motion *m, uint32_t joint, uint32_t a, uint32_t b)
{
    return m5_vec_distance(m->at(m->context, a, joint).pos, m->at(m->context, b, joint).pos);
}

typedef double (*between)(const m5_motion *m, uint32_t joint, uint32_t a, uint32_t b);

/* Returns the largest step that begins in one of the frames `begin` to `end` - 1; 0 if there is
 * none. */
static double most(const m5_motion *m, between measure, uint32_t joint, int64_t begin, int64_t end)
{
    double found = 0;
    for (int64_t i = begin < 0 ? 0 : begin; i < end && i + 1 < m->num_frames; i++)
        found = fmax(found, measure(m, joint, (uint32_t)i, (uint32_t)i + 1));
    return found;
}

/* The steps of the jump begin in the frames `before` and `after`. Returns the largest of up to
 * AROUND other steps on either side. */
static double around(const m5_motion *m, between measure, uint32_t joint, int64_t before,
                     int64_t after)
{
    return fmax(most(m, measure, joint, before - AROUND, before),
                most(m, measure, joint, after + 1, after + 1 + AROUND));
}

/* ---- There and back -------------------------------------------------------------------------- */

/* Whether a joint would be where it is in the frames `before` and `behind` if its rotation was
 * written otherwise. */
static bool is_explained(const m5_motion *m, const m5_jump *jump, uint32_t before, uint32_t behind,
                         double limit)
{
    m5_quat a = m->at(m->context, before, jump->joint).rotation;
    m5_quat b = m->at(m->context, behind, jump->joint).rotation;
    limit = fmin(limit, jump->by / 4) / M5_DEGREES;
    for (int way = 0; way < M5_WAYS; way++) {
        m5_quat q = m->otherwise(m->context, jump->frame, jump->joint, way);
        if (m5_quat_angle(q, a) <= limit && m5_quat_angle(q, b) <= limit)
            return true;
    }
    return false;
}

/* Whether each number of a position is that of another frame, or ten, a hundred or a thousand times
 * as large. */
static bool is_slip(const m5_motion *m, const m5_jump *jump, uint32_t other)
{
    static const double alike = 0.03;
    if (!(m->size > 0 && jump->by >= m->size))
        return false; /* ten times as far may be intended */
    m5_vec here = m->at(m->context, jump->frame, jump->joint).pos;
    m5_vec there = m->at(m->context, other, jump->joint).pos;
    const double now[3] = {here.x, here.y, here.z}, was[3] = {there.x, there.y, there.z};
    for (double factor = 10; factor <= 1000; factor *= 10) {
        int slipped = 0, same = 0;
        for (int k = 0; k < 3; k++) {
            bool little = fabs(was[k]) <= alike * jump->by / factor &&
                          fabs(now[k]) <= alike * jump->by;
            bool by_factor = fabs(now[k] - factor * was[k]) <= alike * fabs(factor * was[k]);
            slipped += !little && by_factor;
            same += little || (!by_factor && fabs(now[k] - was[k]) <= alike * fabs(was[k]));
        }
        if (slipped != 0 && slipped + same == 3)
            return true;
    }
    return false;
}

static bool judge_pop(const m5_motion *m, m5_jump *jump, between measure, double least,
                      double noise)
{
    uint32_t f = jump->frame;
    double there = measure(m, jump->joint, f - 1, f), back = measure(m, jump->joint, f, f + 1);
    double direct = measure(m, jump->joint, f - 1, f + 1);
    jump->by = fmin(there, back);
    jump->around = around(m, measure, jump->joint, (int64_t)f - 1, f);
    jump->times = jump->by / (direct + jump->around + noise);
    return jump->by >= least && jump->times >= TIMES;
}

/* ---- There to stay --------------------------------------------------------------------------- */

static bool judge_step(const m5_motion *m, m5_jump *jump)
{
    uint32_t f = jump->frame;
    jump->by = turn_between(m, jump->joint, f - 1, f);
    jump->around = around(m, turn_between, jump->joint, (int64_t)f - 1, (int64_t)f - 1);
    bool carried_off = move_between(m, jump->joint, f - 1, f) > LEAST_MOVE * m->size;
    jump->times = jump->by / (jump->around + TURN_NOISE);
    return jump->by >= LEAST_STEP && jump->times >= STEP_TIMES && (!carried_off || !(m->size > 0));
}

/* ---- The search ------------------------------------------------------------------------------ */

/* Which limits a step exceeds. */
enum { TURNED = 1, MOVED = 2, TURNED_FAR = 4 };

typedef struct search {
    const m5_motion *motion;
    void (*found)(void *user, const m5_jump *jump);
    void *user;
    uint8_t *step;  /* the step to the last frame */
    uint8_t *stirs; /* marks joints that have stirred since then */
    m5_flips *flips;
} search;

static double reach(const m5_motion *m, uint32_t joint, uint32_t frame)
{
    return m5_vec_length(m->at(m->context, frame, joint).pos);
}

static bool find_pop(const search *s, m5_jump *jump, m5_jump_kind kind)
{
    const m5_motion *m = s->motion;
    jump->kind = kind;
    if (kind == M5_JUMP_ROTATION) {
        uint32_t f = jump->frame;
        bool found = judge_pop(m, jump, turn_between, LEAST_TURN, TURN_NOISE);
        jump->explained = found &&
                          is_explained(m, jump, f - 1, f + 1,
                                       jump->around + turn_between(m, jump->joint, f - 1, f + 1) +
                                           2 * TURN_NOISE);
        return found;
    }
    jump->away = reach(m, jump->joint, jump->frame) > reach(m, jump->joint, jump->frame - 1);
    bool found = judge_pop(m, jump, move_between, LEAST_MOVE * m->size, MOVE_NOISE * m->size);
    jump->explained = found && is_slip(m, jump, jump->frame - 1);
    return found;
}

/* A step between two frames at the start or the end, compared with those beside it. */
static void measure_end(const m5_motion *m, m5_jump *jump)
{
    uint32_t last = m->num_frames - 1;
    int64_t begin = jump->frame == 0 ? 1 : (int64_t)last - 1 - AROUND;
    jump->by = move_between(m, jump->joint, jump->frame, jump->frame == 0 ? 1 : last - 1);
    jump->around = most(m, move_between, jump->joint, begin, begin + AROUND);
    jump->times = jump->by / (jump->around + MOVE_NOISE * m->size);
}

/* Whether a decimal point was lost in the first or the last frame. Other jumps there may be
 * intended: a rest pose, a switch, a part that is hidden. */
static bool find_end(const search *s, m5_jump *jump)
{
    const m5_motion *m = s->motion;
    uint32_t other = jump->frame == 0 ? 1 : jump->frame - 1;
    jump->kind = M5_JUMP_MOVE;
    measure_end(m, jump);
    jump->away = reach(m, jump->joint, jump->frame) > reach(m, jump->joint, other);
    jump->explained = jump->away && jump->times >= END_TIMES && is_slip(m, jump, other);
    return jump->explained;
}

/* Looks closer at a frame once the steps before and after it are known. Usually there is little
 * to do. */
static void look(const search *s, uint8_t before, uint8_t after, uint32_t frame, uint32_t joint)
{
    m5_jump jump = {.frame = frame, .joint = joint};
    uint8_t both = before & after;
    if ((both & TURNED && find_pop(s, &jump, M5_JUMP_ROTATION)) ||
        (both & MOVED && find_pop(s, &jump, M5_JUMP_MOVE))) {
        s->found(s->user, &jump);
        return;
    }
    bool first = frame == 1, last = frame == s->motion->num_frames - 1;
    jump = (m5_jump){.frame = first ? 0 : frame, .joint = joint};
    if ((first || last) && find_end(s, &jump)) {
        s->found(s->user, &jump);
        return;
    }
    jump = (m5_jump){.kind = M5_JUMP_STEP, .frame = frame, .joint = joint};
    if (before & TURNED_FAR && judge_step(s->motion, &jump))
        s->found(s->user, &jump);
}

static void look_how_far(const search *s, uint32_t frame, uint32_t joint)
{
    const m5_motion *m = s->motion;
    double by = reach(m, joint, frame);
    m5_jump jump = {
        .kind = M5_JUMP_FAR, .frame = frame, .joint = joint, .by = by, .times = by / m->size};
    if (m->size > 0 && by > FAR * m->size)
        s->found(s->user, &jump);
}

static void count_flip(m5_flips *flips, uint32_t frame, uint32_t joint)
{
    if (flips->count++ != 0)
        return;
    flips->frame = frame;
    flips->joint = joint;
}

static double least_square(const m5_motion *m)
{
    double least = LEAST_MOVE * m->size;
    return least > 0 ? least * least : HUGE_VAL;
}

/* Comparisons with NaN are false, so nothing is reported about values that cannot be judged. */
static uint8_t compare(search *s, uint32_t frame, uint32_t joint)
{
    const m5_motion *m = s->motion;
    m5_transform last = m->at(m->context, frame - 1, joint), now = m->at(m->context, frame, joint);
    m5_vec way = m5_vec_sub(now.pos, last.pos);
    double product = m5_quat_dot(last.rotation, now.rotation), cosine = fabs(product);
    bool moved = m5_vec_dot(way, way) > least_square(m);
    if (product < 0)
        count_flip(s->flips, frame, joint);
    if (moved)
        look_how_far(s, frame, joint);
    return (uint8_t)((cosine < COS_LEAST_TURN ? TURNED : 0) |
                     (cosine < COS_LEAST_STEP ? TURNED_FAR : 0) | (moved ? MOVED : 0));
}

/* Usually a joint has not stirred, now or in the frame before. */
static void compare_all(search *s, uint32_t frame)
{
    bool enough = s->motion->num_frames >= M5_MOTION_FRAMES;
    for (uint32_t j = 0; j < s->motion->num_joints; j++) {
        uint8_t before = s->step[j];
        if ((s->stirs[j] | before) == 0)
            continue;
        s->step[j] = s->stirs[j] ? compare(s, frame, j) : 0;
        if (before != 0 && enough)
            look(s, before, s->step[j], frame - 1, j);
    }
}

static void go_through(search *s)
{
    static const double rounding = 0.99;
    const m5_motion *m = s->motion;
    for (uint32_t j = 0; j < m->num_joints; j++)
        look_how_far(s, 0, j);
    for (uint32_t f = 1; f < m->num_frames; f++) {
        if (m->plain)
            memset(s->stirs, 1, m->num_joints);
        else
            m->stirs(m->context, f, rounding * least_square(m), s->stirs);
        compare_all(s, f);
    }
    memset(s->stirs, 0, m->num_joints);
    compare_all(s, m->num_frames); /* no step follows the last one */
}

bool m5_motion_find(const m5_motion *motion, m5_arena *arena,
                    void (*found)(void *user, const m5_jump *jump), void *user, m5_flips *flips)
{
    size_t mark = arena->used;
    search s = {motion,
                found,
                user,
                m5_arena_take(arena, motion->num_joints, 1),
                m5_arena_take(arena, motion->num_joints, 1),
                flips};
    bool room = s.step != NULL && s.stirs != NULL;
    *flips = (m5_flips){0, 0, 0};
    if (room && motion->num_frames != 0) {
        memset(s.step, 0, motion->num_joints);
        go_through(&s);
    }
    m5_arena_release(arena, mark);
    return room;
}
