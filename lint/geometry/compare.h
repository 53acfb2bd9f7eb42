/* Compares poses: sample frames, angles and axes of rotations, boxes in boxes. */
#ifndef M5_LINT_GEOMETRY_COMPARE_H
#define M5_LINT_GEOMETRY_COMPARE_H

#include "parsers/play/algebra.h"

#define M5_DEGREES 57.29577951308232 /* in a radian */

/* Sample frames, i from 0 on: the first frame, one in the middle, the last. */
enum { M5_SAMPLES = 3 };
uint32_t m5_sample_frame(uint32_t num_frames, int i);

/* Returns the angle between two orientations, 0 to pi; q and -q are the same orientation. The
 * difference and the sum are the legs of a right-angled triangle. This is exact for small
 * angles, too, where acos is not. */
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

/* The axes of rotations by 10 degrees or more: whether there is more than one. */
typedef struct m5_axes {
    m5_vec first;
    bool any, several;
} m5_axes;
void m5_axes_add(m5_axes *axes, m5_quat rotation);

/* Whether at least half of a box is in another box. Either may be flat. */
bool m5_box_is_mostly_in(const m5_box *box, const m5_box *other);

/* Returns how far outside of a box a point is. */
static inline double m5_box_distance(const m5_box *box, m5_vec p)
{
    const double at[3] = {p.x, p.y, p.z};
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double off = fmax(0, fmax(box->min[k] - at[k], at[k] - box->max[k]));
        square += off * off;
    }
    return sqrt(square);
}

/* Returns the box around a box that was moved by a matrix. It contains everything that was in
 * the box, but less tightly. The box must not be empty. */
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

/* Returns why a matrix is not a rotation, or NULL if it is one: its rows have length 1 and are
 * perpendicular within `tolerance`, and it does not mirror. `m` is three rows of four numbers,
 * of which the last is part of an offset. */
const char *m5_rotation_flaw(const float *m, double tolerance);

#endif
