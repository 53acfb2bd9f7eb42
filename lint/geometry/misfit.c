/* Finds a mesh that was scaled or rotated without the joints that move it. In 23 real models with
 * three or more joints, joints are in or near the vertices that they move: the mean distance is at
 * most 3% of the model's size, for 22 of them. After scaling by 100 or rotating by 90 degrees it is
 * 8% to 260%, and undoing that brings it back, which no scale or rotation does for a sound model.
 */
#include "misfit.h"
#include "compare.h"
#include "parsers/core/exact.h"

enum { LEAST = 3, SAMPLE = 256, QUARTERS = 4 };
/* A joint is near its part if it is within this share of the part's size ... */
static const double NEAR = 0.25;
/* ... or this share of the model's size. If that is the mean, the model is not looked at further.
 */
static const double SOUND = 0.03;
/* A change mends a model if the mean distance falls to this share, ... */
static const double MENDED = 0.2;
/* ... and if the mesh then has about the size of the box around the joints. Real ones: 1.03 to 4.2.
 */
static const double LEAST_RATIO = 0.8, MOST_RATIO = 6;
/* The first change in the list is taken that mends nearly as well as the best. */
static const double AS_GOOD = 0.005;

/* Scales to try, with their inverses. First come those that exporters are known for. */
static const double SCALES[] = {1,         100,      1 / 100.0, 39.37, 1 / 39.37, 2.54, 1 / 2.54,
                                12,        1 / 12.0, 10,        0.1,   2,         0.5,  30.48,
                                1 / 30.48, 3.281,    1 / 3.281, 25.4,  1 / 25.4,  1000, 1 / 1000.0};
enum { SCALES_COUNT = sizeof SCALES / sizeof *SCALES };

/* Vertices are rotated by quarter turns about an axis, and divided by a scale. */
typedef struct change {
    double scale;
    int axis, quarters;
} change;

static const change NONE = {1, 0, 0};

typedef struct fit {
    double mean;  /* distance of joints from their parts, as a share of the model's size */
    double ratio; /* the size of the mesh, divided by that of the box around the joints */
    uint32_t near, worst;
} fit;

typedef struct model {
    const m5_moved_part *parts;
    const m5_vec *elsewhere; /* other places for their joints; or NULL */
    m5_vec shift;            /* by which all joints are moved */
    uint32_t count, step;    /* every step-th is looked at */
    uint32_t used;           /* how many these are */
    double joints;           /* the size of the box around the joints */
} model;

static m5_vec change_point(m5_vec p, const change *c)
{
    double at[3] = {p.x, p.y, p.z};
    int a = (c->axis + 1) % 3, b = (c->axis + 2) % 3;
    for (int i = 0; i < c->quarters; i++) {
        double was = at[a];
        at[a] = -at[b];
        at[b] = was;
    }
    return m5_vec_times((m5_vec){at[0], at[1], at[2]}, 1 / c->scale);
}

static m5_box change_box(const m5_box *box, const change *c)
{
    m5_box out = m5_box_empty();
    m5_box_add(&out, change_point((m5_vec){box->min[0], box->min[1], box->min[2]}, c));
    m5_box_add(&out, change_point((m5_vec){box->max[0], box->max[1], box->max[2]}, c));
    return out;
}

static m5_vec joint_of(const model *m, uint32_t part)
{
    return m5_vec_add(m->elsewhere != NULL ? m->elsewhere[part] : m->parts[part].joint, m->shift);
}

static double size_of(const model *m, const change *c)
{
    m5_box all = m5_box_empty();
    for (uint32_t i = 0; i < m->count; i += m->step) {
        m5_box part = change_box(&m->parts[i].box, c);
        m5_box_join(&all, &part);
    }
    return m5_box_diagonal(&all);
}

static fit measure(const model *m, const change *c)
{
    fit out = {.mean = 0};
    double most = -1, size = size_of(m, c);
    for (uint32_t i = 0; i < m->count; i += m->step) {
        m5_box part = change_box(&m->parts[i].box, c);
        double off = m5_box_distance(&part, joint_of(m, i));
        out.mean += off;
        out.near += off <= fmax(NEAR * m5_box_diagonal(&part), SOUND * size);
        out.worst = off > most ? i : out.worst;
        most = fmax(off, most);
    }
    out.mean /= m->used * size;
    out.ratio = size / m->joints;
    return out;
}

/* Whether a change brings most joints to their parts, at least three more than before; or all of
 * them, two more. */
static bool mends(const model *m, const fit *before, const fit *after)
{
    uint32_t gain = after->near > before->near ? after->near - before->near : 0;
    bool most = gain >= LEAST && 3 * after->near >= 2 * m->used;
    return after->ratio >= LEAST_RATIO && after->ratio <= MOST_RATIO &&
           after->mean <= MENDED * before->mean &&
           (most || (gain + 1 >= LEAST && after->near == m->used));
}

/* From a joint to its part. */
static m5_vec gap_of(const m5_moved_part *part)
{
    const double at[3] = {part->joint.x, part->joint.y, part->joint.z};
    double gap[3];
    for (int k = 0; k < 3; k++)
        gap[k] = fmax(part->box.min[k], fmin(at[k], part->box.max[k])) - at[k];
    return (m5_vec){gap[0], gap[1], gap[2]};
}

/* Whether all parts are on the same side of their joints, as things that hang are. */
static bool hangs(const model *m, const fit *before)
{
    model moved = *m;
    for (uint32_t i = 0; i < m->count; i += m->step)
        moved.shift = m5_vec_add(moved.shift, m5_vec_times(gap_of(&m->parts[i]), 1.0 / m->used));
    fit after = measure(&moved, &NONE);
    return mends(m, before, &after);
}

/* The i-th change: rotations alone, scales alone, then both. */
static bool change_at(int i, change *out)
{
    enum { TURNS = 3 * (QUARTERS - 1) };
    int scale = i < TURNS                  ? 0
                : i - TURNS < SCALES_COUNT ? i - TURNS
                                           : (i - TURNS - SCALES_COUNT) / TURNS + 1;
    int turn = i < TURNS ? i : i < TURNS + SCALES_COUNT ? -1 : (i - TURNS - SCALES_COUNT) % TURNS;
    if (scale >= SCALES_COUNT)
        return false;
    *out = (change){SCALES[scale], turn < 0 ? 0 : turn / (QUARTERS - 1),
                    turn < 0 ? 0 : turn % (QUARTERS - 1) + 1};
    return true;
}

static bool find_change(const model *m, const fit *before, change *best, fit *after)
{
    change c;
    bool any = false;
    for (int i = 0; change_at(i, &c); i++) {
        fit f = measure(m, &c);
        if (!mends(m, before, &f) || (any && !(f.mean < after->mean - AS_GOOD)))
            continue;
        *best = c;
        *after = f;
        any = true;
    }
    return any;
}

static bool is_odd_size(double ratio)
{
    return isfinite(ratio) && ratio > 0 && (ratio > M5_MISFIT_LARGER || ratio < M5_MISFIT_SMALLER);
}

static bool is_sound(const model *m, const fit *f)
{
    return !(f->mean >= SOUND) || 2 * f->near > m->used || !isfinite(f->mean);
}

static m5_misfit judge(const model *m)
{
    static const int degrees[QUARTERS] = {0, -90, 180, 90}; /* undoing the change */
    change c = NONE;
    fit before = measure(m, &NONE), after = before;
    if (is_sound(m, &before))
        return (m5_misfit){.found = false};
    m5_misfit out = {false, 0, 0, 0, before.ratio, m->used - before.near, 0, before.worst};
    if (!hangs(m, &before) && find_change(m, &before, &c, &after)) {
        out.found = true;
        out.scale = c.scale;
        out.axis = c.axis;
        out.degrees = degrees[c.quarters];
        out.mended = m->used - after.near;
    }
    out.found |= is_odd_size(before.ratio);
    return out;
}

static model model_of(const m5_moved_part *parts, const m5_vec *elsewhere, uint32_t count)
{
    model m = {parts, elsewhere, {0, 0, 0}, count, count / SAMPLE + 1, 0, 0};
    m5_box joints = m5_box_empty();
    for (uint32_t i = 0; i < count; i += m.step) {
        m5_box_add(&joints, joint_of(&m, i));
        m.used++;
    }
    m.joints = m5_box_diagonal(&joints);
    return m;
}

m5_misfit m5_misfit_find(const m5_moved_part *parts, uint32_t count)
{
    if (count < LEAST)
        return (m5_misfit){.found = false};
    model m = model_of(parts, NULL, count);
    return judge(&m);
}

m5_misfit m5_misfit_elsewhere(const m5_moved_part *parts, const m5_vec *joints, uint32_t count)
{
    m5_misfit out = {.found = false};
    if (count < LEAST)
        return out;
    model as_is = model_of(parts, NULL, count), other = model_of(parts, joints, count);
    fit before = measure(&as_is, &NONE), after = measure(&other, &NONE);
    if (is_sound(&as_is, &before) || hangs(&as_is, &before) || !mends(&as_is, &before, &after))
        return out;
    out = (m5_misfit){
        true,        1, 0, 0, before.ratio, as_is.used - before.near, as_is.used - after.near,
        before.worst};
    return out;
}
