/* Cuts a tube into rings of vertices. */
#include "generate_tube.h"

#include <math.h>

static const double LEAST_BIAS = 0.01;

/* ---- Along the path ----------------------------------------------------------------------- */

static int scaled(int count, double detail, int least)
{
    int scaled = (int)lround(count * detail);
    return scaled < least ? least : scaled;
}

void path_find(path *p, const tube *t, const rig *r, side s, double detail)
{
    *p = (path){.across = mirrored(t->across, s), .blend = t->blend};
    p->around = 2 * scaled(t->around / 2, detail, 2);
    p->rows = scaled(t->rows, detail, 2);
    p->cap_rows = scaled(t->cap_rows, detail, 1);
    for (int i = 0; i < MAX_KNOTS && t->knots[i].joint; i++, p->knots++) {
        const knot *k = &t->knots[i];
        p->joint[i] = rig_find(r, k->joint, s);
        p->at[i] = vec_add(r->joints[p->joint[i]].at, mirrored(k->from, s));
        p->radius[i][0] = k->radius;
        p->radius[i][1] = k->beside;
        p->reach[i] = i ? p->reach[i - 1] + vec_length(vec_sub(p->at[i], p->at[i - 1])) : 0;
    }
}

/* The weights of four knots of a Catmull-Rom curve, `f` of the way from second to third. */
static void curve(double f, double w[4])
{
    w[0] = f * (-1 + f * (2 - f)) / 2;
    w[1] = 1 + f * f * (-5 + 3 * f) / 2;
    w[2] = f * (1 + f * (4 - 3 * f)) / 2;
    w[3] = f * f * (f - 1) / 2;
}

/* The derivative of these weights. */
static void curve_slope(double f, double w[4])
{
    w[0] = (-1 + f * (4 - 3 * f)) / 2;
    w[1] = f * (-10 + 9 * f) / 2;
    w[2] = (1 + f * (8 - 9 * f)) / 2;
    w[3] = f * (3 * f - 2) / 2;
}

static int clamped(const path *p, int k)
{
    return k < 0 ? 0 : k >= p->knots ? p->knots - 1 : k;
}

static vec mix_places(const path *p, int k, const double w[4])
{
    vec sum = {0, 0, 0};
    for (int i = 0; i < 4; i++)
        sum = vec_add(sum, vec_times(p->at[clamped(p, k + i - 1)], w[i]));
    return sum;
}

static double mix_radii(const path *p, int k, const double w[4], int which)
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += p->radius[clamped(p, k + i - 1)][which] * w[i];
    return sum;
}

/* The cross section at `reach`, and the tube's direction there. */
static vec cut(const path *p, double reach, row *out)
{
    int k = 0;
    while (k + 2 < p->knots && reach > p->reach[k + 1])
        k++;
    double f = (reach - p->reach[k]) / (p->reach[k + 1] - p->reach[k]), w[4];
    curve_slope(f, w);
    vec ahead = vec_unit(mix_places(p, k, w));
    curve(f, w);
    vec across = vec_sub(p->across, vec_times(ahead, vec_dot(ahead, p->across)));
    across = vec_unit(across);
    out->centre = mix_places(p, k, w);
    out->across = vec_times(across, mix_radii(p, k, w, 0));
    out->beside = vec_times(vec_cross(ahead, across), mix_radii(p, k, w, 1));
    return ahead;
}

/* ---- Influences --------------------------------------------------------------------------- */

static double smooth_step(double x)
{
    double f = x < -1 ? 0 : x > 1 ? 1 : (x + 1) / 2;
    return f * f * (3 - 2 * f);
}

static void add_influence(influences *by, int which, double bias)
{
    int i = 0;
    while (i < by->count && by->joint[i] != which)
        i++;
    if (i == by->count) {
        by->joint[i] = which;
        by->bias[by->count++] = 0;
    }
    by->bias[i] += bias;
}

/* Removes the smallest influences until few enough are left. */
static bool drop_faintest(influences *by)
{
    int least = 0;
    for (int i = 1; i < by->count; i++)
        if (by->bias[i] < by->bias[least])
            least = i;
    if (by->count <= MAX_INFLUENCES && by->bias[least] >= LEAST_BIAS)
        return false;
    by->count--;
    for (int i = least; i < by->count; i++) {
        by->joint[i] = by->joint[i + 1];
        by->bias[i] = by->bias[i + 1];
    }
    return true;
}

/* Makes the biases, as printed, sum to 1: the last one is 1 minus the others. */
static void settle(influences *by, const digits *d)
{
    double sum = 0, left = 1;
    for (int i = 0; i < by->count; i++)
        sum += by->bias[i];
    for (int i = 0; i + 1 < by->count; i++) {
        by->bias[i] = as_printed(d, by->bias[i] / sum);
        left -= by->bias[i];
    }
    by->bias[by->count - 1] = as_printed(d, left);
}

/* Each joint's share is the progress of the blend to this joint minus the progress of the blend to
 * the next. So the shares sum to 1, and none is negative. */
static influences influences_at(const path *p, double reach, const digits *d)
{
    influences by = {0};
    double on = 1;
    for (int k = 0; k < p->knots; k++) {
        bool last = k + 1 == p->knots;
        double off = last ? 0 : smooth_step((reach - p->reach[k + 1]) / p->blend);
        add_influence(&by, p->joint[k], on - off);
        on = off;
    }
    while (drop_faintest(&by))
        continue;
    settle(&by, d);
    return by;
}

/* ---- Rings -------------------------------------------------------------------------------- */

int path_rows(const path *p)
{
    return 2 * (p->cap_rows + 1) + p->rows;
}

/* Each end is closed by half an ellipsoid: `done` is 0 at its tip and 1 where the tube begins. */
static void shrink_to_tip(row *out, vec outward, double done)
{
    double deep = fmin(vec_length(out->across), vec_length(out->beside));
    double wide = sin(turns(done / 4));
    out->centre = vec_add(out->centre, vec_times(outward, deep * cos(turns(done / 4))));
    out->across = vec_times(out->across, wide);
    out->beside = vec_times(out->beside, wide);
}

/* Cuts the tube in this order: tip, cap, tube, cap, tip. */
row path_row(const path *p, int index, const digits *d)
{
    int cap = p->cap_rows + 1, last = path_rows(p) - 1;
    int from_end = index < last - index ? index : last - index;
    double along = (double)(index - cap) / (p->rows - 1);
    double reach = fmin(fmax(along, 0), 1) * p->reach[p->knots - 1];
    row out = {.around = from_end ? p->around : 1, .t = (double)index / last};
    vec ahead = cut(p, reach, &out);
    if (from_end < cap)
        shrink_to_tip(&out, vec_times(ahead, index < cap ? -1 : 1), (double)from_end / cap);
    out.by = influences_at(p, reach, d);
    return out;
}
