/* Finds a mesh that was scaled or rotated without the joints that move it. In 23 real models with
 * three or more joints, joints are in or near the vertices that they move: the mean distance is at
 * most 3% of the model's size, for 22 of them. After scaling by 100 or rotating by 90 degrees it is
 * 8% to 260%, and undoing that brings it back, which no scale or rotation does for a sound model.
 */
#include "misfit.h"

enum { LEAST = 3, SAMPLE = 256, QUARTERS = 4 };
/* A joint is near its part if it is within this share of the part's size. */
static const double NEAR = 0.25;
/* Sound models are not looked at further. */
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

typedef struct fit {
    double mean;  /* distance of joints from their parts, as a share of the model's size */
    double ratio; /* the size of the mesh, divided by that of the box around the joints */
    uint32_t near, worst;
} fit;

typedef struct model {
    const m5_moved_part *parts;
    uint32_t count, step; /* every step-th is looked at */
    uint32_t used;        /* which are so many */
    double joints;        /* the size of the box around the joints */
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

static double distance_to(const m5_box *box, m5_vec p)
{
    const double at[3] = {p.x, p.y, p.z};
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double off = fmax(0, fmax(box->min[k] - at[k], at[k] - box->max[k]));
        square += off * off;
    }
    return sqrt(square);
}

static fit measure(const model *m, const change *c)
{
    fit out = {.mean = 0};
    m5_box all = m5_box_empty();
    double most = -1;
    for (uint32_t i = 0; i < m->count; i += m->step) {
        m5_box part = change_box(&m->parts[i].box, c);
        double off = distance_to(&part, m->parts[i].joint);
        m5_box_join(&all, &part);
        out.mean += off;
        out.near += off <= NEAR * m5_box_diagonal(&part);
        out.worst = off > most ? i : out.worst;
        most = fmax(off, most);
    }
    double size = m5_box_diagonal(&all);
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

static m5_misfit judge(const model *m)
{
    static const int degrees[QUARTERS] = {0, -90, 180, 90}; /* undoing the change */
    change none = {1, 0, 0}, c = none;
    fit before = measure(m, &none), after = before;
    m5_misfit out = {.found = false};
    if (!(before.mean >= SOUND) || 2 * before.near > m->used || !isfinite(before.mean))
        return out;
    out = (m5_misfit){false, 0, 0, 0, before.ratio, m->used - before.near, 0, before.worst};
    if (find_change(m, &before, &c, &after)) {
        out.found = true;
        out.scale = c.scale;
        out.axis = c.axis;
        out.degrees = degrees[c.quarters];
        out.mended = m->used - after.near;
    }
    out.found |= is_odd_size(before.ratio);
    return out;
}

m5_misfit m5_misfit_find(const m5_moved_part *parts, uint32_t count)
{
    model m = {parts, count, count / SAMPLE + 1, 0, 0};
    m5_box joints = m5_box_empty();
    if (count < LEAST)
        return (m5_misfit){.found = false};
    for (uint32_t i = 0; i < count; i += m.step) {
        m5_box_add(&joints, parts[i].joint);
        m.used++;
    }
    m.joints = m5_box_diagonal(&joints);
    return judge(&m);
}
