/* Fixes of numbers: corners of boxes, orientations, biases. */
#include "numbers.h"
#include "lint/core/check.h"
#include "lint/md5/weights.h"
#include "parsers/core/emit.h"
#include "parsers/md5/lex.h"

#include <math.h>

static const double rounding = 1e-3; /* how far a sum of rounded numbers is from 1 at most */

/* ---- Corners --------------------------------------------------------------------------------- */

/* Tokens of  ( x y z ) ( x y z ) */
static m5_span corner(const m5_fixing *x, uint32_t box, unsigned k, bool max)
{
    return m5_lex_nth(&x->f->source, x->f->model.md5anim->bounds[box].offset, (max ? 6 : 1) + k);
}

static void copy_text(m5_fixing *x, m5_span at, m5_span from)
{
    m5_fix_replace(x, at, (const char *)x->f->source.bytes + from.offset, from.length);
}

/* Exchanges the corners along each axis where the minimum is above. */
static void turn_box(m5_fixing *x, uint32_t box)
{
    const m5_md5anim_bounds *b = &x->f->model.md5anim->bounds[box];
    for (unsigned k = 0; k < 3; k++)
        if (b->min[k] > b->max[k])
            copy_text(x, corner(x, box, k, false), corner(x, box, k, true));
    for (unsigned k = 0; k < 3; k++)
        if (b->min[k] > b->max[k])
            copy_text(x, corner(x, box, k, true), corner(x, box, k, false));
}

/* Boxes that were never computed, and still have what they began with, say nothing. */
static bool is_computed(const m5_md5anim_bounds *b)
{
    static const float most = 10000;
    for (unsigned k = 0; k < 3; k++)
        if (!(b->min[k] - b->max[k] < most))
            return false;
    return true;
}

/* The finding is about one axis of a box, or about all boxes. */
bool m5_fix_inverted(m5_fixing *x)
{
    const m5_md5anim *m = x->f->model.md5anim;
    uint32_t box = x->diag->path.step[0].index;
    bool all = x->diag->num_related == 0;
    for (uint32_t i = all ? 0 : box; i < (all ? m->num_bounds : box + 1); i++) {
        if (!is_computed(&m->bounds[i]))
            return false;
        turn_box(x, i);
    }
    return true;
}

/* ---- Orientations ---------------------------------------------------------------------------- */

enum { LEAST_DECIMALS = 6, MOST_DECIMALS = 9 };

/* Whether the finding stays if the quaternion is rounded to so many decimals. */
static bool is_still_long(const m5_fixing *x, const double q[3], const unsigned decimals[3])
{
    double square = 0;
    float new[3];
    for (unsigned k = 0; k < 3; k++) {
        double unit = 1;
        for (unsigned i = 0; i < decimals[k] && i < MOST_DECIMALS; i++)
            unit *= 10;
        new[k] = (float)(floor(q[k] * unit + 0.5) / unit);
        square += (double)new[k] * (double)new[k];
    }
    return m5_would_say(&x->f->report, x->diag->rule, square - 1 - m5_check_rounding(new)) !=
           M5_SILENT;
}

/* Shortens a quaternion that is a little too long. Its numbers begin with the n-th token. */
static bool shorten(m5_fixing *x, const float q[3], uint32_t offset, uint32_t n)
{
    static const double most = 0.1;
    double square = (double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2], new[3];
    unsigned decimals[3];
    if (!(square > 1) || square - 1 > most)
        return false;
    x->unsafe |= square - 1 > rounding;
    for (unsigned k = 0; k < 3; k++) {
        unsigned own = m5_fix_decimals(&x->f->source, m5_lex_nth(&x->f->source, offset, n + k));
        decimals[k] = own < LEAST_DECIMALS ? LEAST_DECIMALS : own;
        new[k] = (double)q[k] / sqrt(square);
    }
    m5_fix_rounding how = is_still_long(x, new, decimals) ? M5_ROUND_TO_ZERO : M5_ROUND_NEAREST;
    for (unsigned k = 0; k < 3; k++)
        if (q[k] != 0)
            m5_fix_number(x, m5_lex_nth(&x->f->source, offset, n + k), new[k], decimals[k], how);
    return true;
}

/* Tokens of  "name" parent ( x y z ) ( x y z ) */
bool m5_fix_joint_orientation(m5_fixing *x)
{
    const m5_md5mesh *m = x->f->model.md5mesh;
    uint32_t joint = x->diag->path.step[0].index;
    return m != NULL && joint < m->num_joints &&
           shorten(x, m->bind[joint].orient, m->joints[joint].offset, 8);
}

bool m5_fix_base_orientation(m5_fixing *x)
{
    const m5_md5anim *m = x->f->model.md5anim;
    uint32_t joint = x->diag->path.step[0].index;
    bool base = x->diag->path.step[1].name == NULL; /* baseframe[i] and not frame[i].value[k] */
    return base && joint < m->num_base &&
           shorten(x, m->base[joint].orient, m->base[joint].offset, 6);
}

/* ---- Biases ---------------------------------------------------------------------------------- */

enum { WEIGHT_BIAS = 3, MOST_WEIGHTS = 64 };

static double sum_of(const m5_md5mesh_mesh *m, const m5_md5mesh_vert *v)
{
    double sum = 0;
    for (uint32_t i = 0; i < v->count; i++)
        sum += (double)m->weights[v->start + i].bias;
    return sum;
}

/* Whether no two vertices share a weight, and all biases can be scaled. */
static bool are_apart(const m5_md5mesh_mesh *m)
{
    uint32_t end = 0;
    for (uint32_t i = 0; i < m->num_verts; i++) {
        const m5_md5mesh_vert *v = &m->verts[i];
        if (v->start < end || v->count > MOST_WEIGHTS)
            return false;
        end = v->start + v->count;
    }
    for (uint32_t i = 0; i < m->num_weights; i++)
        if (!(m->weights[i].bias >= 0))
            return false;
    return m->skin_whole;
}

/* Scales the biases of a vertex so that their decimals add up to 1: the largest takes what rounding
 * leaves. A sum that is nearly 1 only changes that one. */
static bool scale_biases(m5_fixing *x, const m5_md5mesh_mesh *m, const m5_md5mesh_vert *v,
                         double sum)
{
    double values[MOST_WEIGHTS] = {0}, left = 1;
    uint32_t largest = 0;
    unsigned decimals = 6;
    bool near = fabs(sum - 1) <= rounding;
    for (uint32_t i = 0; i < v->count; i++) {
        const m5_md5mesh_weight *w = &m->weights[v->start + i];
        unsigned own = m5_fix_decimals(&x->f->source,
                                       m5_lex_nth(&x->f->source, w->offset, WEIGHT_BIAS));
        decimals = own > decimals ? own : decimals;
        largest = w->bias > m->weights[v->start + largest].bias ? i : largest;
    }
    double unit = 1;
    for (unsigned i = 0; i < decimals && i < 9; i++)
        unit *= 10;
    for (uint32_t i = 0; i < v->count; i++) {
        double bias = (double)m->weights[v->start + i].bias;
        values[i] = near ? bias : floor(bias / sum * unit + 0.5) / unit;
        left -= values[i];
    }
    values[largest] += left;
    for (uint32_t i = 0; i < v->count; i++) {
        m5_span at = m5_lex_nth(&x->f->source, m->weights[v->start + i].offset, WEIGHT_BIAS);
        if (!near || i == largest)
            m5_fix_number(x, at, values[i], decimals, M5_ROUND_NEAREST);
    }
    x->unsafe |= !near;
    return values[largest] > 0;
}

static double distance(const m5_md5mesh_mesh *m, uint32_t vert)
{
    return fabs(sum_of(m, &m->verts[vert]) - 1);
}

/* Whether the rule is about a vertex. */
static bool is_off(const m5_fixing *x, const m5_md5mesh_mesh *m, uint32_t vert)
{
    double off = distance(m, vert) - M5_BIAS_ROUNDING;
    return m5_would_say(&x->f->report, x->diag->rule, off) != M5_SILENT;
}

/* Many wrong sums of a mesh are one finding, at the worst of them. */
bool m5_fix_bias_sum(m5_fixing *x)
{
    static const double least = 1e-6;
    const m5_path *path = &x->diag->path;
    const m5_md5mesh_mesh *m = &x->f->model.md5mesh->meshes[path->step[0].index];
    uint32_t vert = path->step[1].index;
    bool worst = true;
    if (!are_apart(m))
        return false;
    for (uint32_t i = 0; i < m->num_verts && worst; i++)
        worst = distance(m, i) <= distance(m, vert);
    for (uint32_t i = 0; i < m->num_verts; i++) {
        double sum = sum_of(m, &m->verts[i]);
        if (i != vert && (!worst || !is_off(x, m, i)))
            continue;
        if (!(sum > least) || !scale_biases(x, m, &m->verts[i], sum))
            return false;
    }
    return true;
}
