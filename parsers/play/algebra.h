/* Private: arithmetic of vectors, quaternions, matrices and boxes, as the MD5 text gives it
 * ("Working with quaternions"). */
#ifndef M5_ALGEBRA_H
#define M5_ALGEBRA_H

#include "vector.h"
#include "../core/exact.h"

#include <math.h>

M5_BEGIN_C

/* ---- Vectors --------------------------------------------------------------------------------- */

static inline m5_vec m5_vec_of(const float v[3])
{
    return (m5_vec){(double)v[0], (double)v[1], (double)v[2]};
}

static inline m5_vec m5_vec_add(m5_vec a, m5_vec b)
{
    return (m5_vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline m5_vec m5_vec_sub(m5_vec a, m5_vec b)
{
    return (m5_vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline m5_vec m5_vec_times(m5_vec a, double by)
{
    return (m5_vec){a.x * by, a.y * by, a.z * by};
}

static inline double m5_vec_dot(m5_vec a, m5_vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline m5_vec m5_vec_cross(m5_vec a, m5_vec b)
{
    return (m5_vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double m5_vec_length(m5_vec a)
{
    return sqrt(m5_vec_dot(a, a));
}

static inline double m5_vec_distance(m5_vec a, m5_vec b)
{
    return m5_vec_length(m5_vec_sub(a, b));
}

/* ---- Quaternions ----------------------------------------------------------------------------- */

/* The seed's rule: w is the negative root of what is left of 1, or 0 where nothing is. */
static inline m5_quat m5_quat_complete(const float v[3])
{
    double x = (double)v[0], y = (double)v[1], z = (double)v[2];
    double rest = 1 - x * x - y * y - z * z;
    return (m5_quat){x, y, z, rest > 0 ? -sqrt(rest) : 0};
}

static inline double m5_quat_dot(m5_quat a, m5_quat b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

static inline m5_quat m5_quat_times(m5_quat a, m5_quat b)
{
    return (m5_quat){a.x * b.w + a.w * b.x + a.y * b.z - a.z * b.y,
                     a.y * b.w + a.w * b.y + a.z * b.x - a.x * b.z,
                     a.z * b.w + a.w * b.z + a.x * b.y - a.y * b.x,
                     a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static inline m5_quat m5_quat_inverse(m5_quat unit)
{
    return (m5_quat){-unit.x, -unit.y, -unit.z, unit.w};
}

/* Of length 1; of none, no rotation. */
static inline m5_quat m5_quat_unit(m5_quat q)
{
    double length = sqrt(m5_quat_dot(q, q));
    if (!(length > 0))
        return (m5_quat){0, 0, 0, 1};
    return (m5_quat){q.x / length, q.y / length, q.z / length, q.w / length};
}

/* q p q*, for unit q: p + 2 w (v x p) + 2 v x (v x p). */
static inline m5_vec m5_quat_rotate(m5_quat unit, m5_vec p)
{
    m5_vec v = {unit.x, unit.y, unit.z};
    m5_vec across = m5_vec_times(m5_vec_cross(v, p), 2);
    return m5_vec_add(m5_vec_add(p, m5_vec_times(across, unit.w)), m5_vec_cross(v, across));
}

/* ---- Places and matrices --------------------------------------------------------------------- */

/* What is in `inner`'s space, in the space that `outer` is given in. */
static inline m5_transform m5_transform_times(const m5_transform *outer, const m5_transform *inner)
{
    return (m5_transform){m5_vec_add(outer->pos, m5_quat_rotate(outer->rotation, inner->pos)),
                          m5_quat_unit(m5_quat_times(outer->rotation, inner->rotation))};
}

static inline m5_vec m5_matrix_rotate(const m5_matrix *m, m5_vec p)
{
    const double(*r)[4] = m->row;
    return (m5_vec){r[0][0] * p.x + r[0][1] * p.y + r[0][2] * p.z,
                    r[1][0] * p.x + r[1][1] * p.y + r[1][2] * p.z,
                    r[2][0] * p.x + r[2][1] * p.y + r[2][2] * p.z};
}

static inline m5_vec m5_matrix_translation(const m5_matrix *m)
{
    return (m5_vec){m->row[0][3], m->row[1][3], m->row[2][3]};
}

static inline m5_vec m5_matrix_apply(const m5_matrix *m, m5_vec p)
{
    return m5_vec_add(m5_matrix_rotate(m, p), m5_matrix_translation(m));
}

/* ---- Boxes ----------------------------------------------------------------------------------- */

static inline m5_box m5_box_empty(void)
{
    return (m5_box){{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
}

static inline m5_box m5_box_of(const float min[3], const float max[3])
{
    m5_box box;
    for (int k = 0; k < 3; k++) {
        box.min[k] = (double)min[k];
        box.max[k] = (double)max[k];
    }
    return box;
}

static inline void m5_box_add(m5_box *box, m5_vec p)
{
    const double at[3] = {p.x, p.y, p.z};
    for (int k = 0; k < 3; k++) {
        box->min[k] = at[k] < box->min[k] ? at[k] : box->min[k];
        box->max[k] = at[k] > box->max[k] ? at[k] : box->max[k];
    }
}

static inline void m5_box_join(m5_box *box, const m5_box *other)
{
    for (int k = 0; k < 3; k++) {
        box->min[k] = other->min[k] < box->min[k] ? other->min[k] : box->min[k];
        box->max[k] = other->max[k] > box->max[k] ? other->max[k] : box->max[k];
    }
}

double m5_box_diagonal(const m5_box *box);

M5_END_C

#endif
