/* Vectors, quaternions and matrices, as the MD5 text gives them ("Working with quaternions"). A
 * matrix is three rows of a rotation, each with its part of an offset behind it, and is applied
 * to columns. */
#ifndef M5_LINT_GEOMETRY_VECTOR_H
#define M5_LINT_GEOMETRY_VECTOR_H

#include <math.h>
#include <stdbool.h>

#define M5_DEGREES 57.29577951308232 /* in a radian */

typedef struct m5_vec {
    double x, y, z;
} m5_vec;

typedef struct m5_quat {
    double x, y, z, w;
} m5_quat;

typedef struct m5_matrix {
    double row[3][4];
} m5_matrix;

/* Where a joint is, in the space of its parent or of the model. `turn` is of length 1, unless
 * the x y z of a file are longer already. */
typedef struct m5_transform {
    m5_vec pos;
    m5_quat rotation;
} m5_transform;

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

/* The angle of the turn between two orientations, 0 to pi; q and -q are the same one. The
 * difference and the sum are the legs of a right-angled triangle: exact also for small angles,
 * where acos is not. */
static inline double m5_quat_angle(m5_quat a, m5_quat b)
{
    m5_quat d = {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
    m5_quat s = {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
    double apart = sqrt(m5_quat_dot(d, d)), together = sqrt(m5_quat_dot(s, s));
    return 4 * atan2(fmin(apart, together), fmax(apart, together));
}

/* Whether a unit quaternion turns by 5 degrees or more. */
static inline bool m5_quat_rotates(m5_quat q)
{
    static const double half_sine = 0.0436;
    return q.x * q.x + q.y * q.y + q.z * q.z >= half_sine * half_sine;
}

/* Axes that are turned about: whether there is more than one, of turns of 10 degrees and more. */
typedef struct m5_axes {
    m5_vec first;
    bool any, several;
} m5_axes;
void m5_axes_add(m5_axes *axes, m5_quat rotation);

/* Part way from one orientation to another, t from 0 to 1: along the straight line and
 * normalised, or along the great circle at even speed. `shortest`: -b is taken for b where it is
 * nearer; engines that leave this out go the long way round. */
m5_quat m5_quat_lerp(m5_quat a, m5_quat b, double t, bool shortest);
m5_quat m5_quat_slerp(m5_quat a, m5_quat b, double t, bool shortest);

/* ---- Places and matrices --------------------------------------------------------------------- */

/* What is in `inner`'s space, in the space that `outer` is given in. */
static inline m5_transform m5_transform_times(const m5_transform *outer, const m5_transform *inner)
{
    return (m5_transform){m5_vec_add(outer->pos, m5_quat_rotate(outer->rotation, inner->pos)),
                          m5_quat_unit(m5_quat_times(outer->rotation, inner->rotation))};
}

m5_matrix m5_matrix_of(const m5_transform *place);

/* The way back: of a matrix that is no rotation (rows of length 1 and perpendicular within
 * `tolerance`, no mirror), `turn` is NaN. */
m5_transform m5_transform_of(const m5_matrix *m, double tolerance);
m5_matrix m5_matrix_times(const m5_matrix *outer, const m5_matrix *inner);

/* The inverse of any matrix that has one, but for rounding; false, and `out` unchanged, of one
 * that has not. `out` may be `m`. */
bool m5_matrix_inverse(const m5_matrix *m, m5_matrix *out);

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

/* Along the axes. Empty: min above max. */
typedef struct m5_box {
    double min[3], max[3];
} m5_box;

static inline m5_box m5_box_empty(void)
{
    return (m5_box){{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
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

/* Whether at least half of it is in the other, which may be flat, too. */
bool m5_box_is_mostly_in(const m5_box *box, const m5_box *other);

/* The box of a box that was moved: it holds all that was in it, if not as tightly. Not of an
 * empty one. */
static inline m5_box m5_box_moved(const m5_box *box, const m5_matrix *by)
{
    m5_vec middle = {(box->min[0] + box->max[0]) / 2, (box->min[1] + box->max[1]) / 2,
                     (box->min[2] + box->max[2]) / 2};
    m5_vec half = {box->max[0] - middle.x, box->max[1] - middle.y, box->max[2] - middle.z};
    m5_box out;
    for (int i = 0; i < 3; i++) {
        const double *r = by->row[i];
        double at = r[0] * middle.x + r[1] * middle.y + r[2] * middle.z + r[3];
        double reach = fabs(r[0]) * half.x + fabs(r[1]) * half.y + fabs(r[2]) * half.z;
        out.min[i] = at - reach;
        out.max[i] = at + reach;
    }
    return out;
}

/* What keeps a matrix from being a rotation, NULL when it is one: rows of length 1 and
 * perpendicular within `tolerance`, and no mirror. `m` is three rows of four, of which the last
 * is part of an offset. */
const char *m5_rotation_flaw(const float *m, double tolerance);

#endif
