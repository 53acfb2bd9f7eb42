/* Compares poses: samples frames, collects the axes of rotations, checks whether a box is in
 * another. */
#include "compare.h"
#include "parsers/core/exact.h"

#include <stddef.h>

uint32_t m5_sample_frame(uint32_t num_frames, int i)
{
    return (uint32_t)((uint64_t)(num_frames - 1) * (unsigned)i / (M5_SAMPLES - 1));
}

void m5_axes_add(m5_axes *axes, m5_quat turn)
{
    const double small = 0.0872,
                 other = 0.9; /* the sine of half an angle, the cosine between two axes */
    m5_vec axis = {turn.x, turn.y, turn.z};
    double length = m5_vec_length(axis);
    if (!(length >= small))
        return;
    axis = m5_vec_times(axis, 1 / length);
    if (!axes->any)
        axes->first = axis;
    axes->several |= axes->any && fabs(m5_vec_dot(axes->first, axis)) < other;
    axes->any = true;
}

bool m5_box_is_mostly_in(const m5_box *box, const m5_box *other)
{
    double share = 1;
    for (int k = 0; k < 3; k++) {
        double low = fmax(box->min[k], other->min[k]), high = fmin(box->max[k], other->max[k]);
        double extent = box->max[k] - box->min[k];
        if (!(low <= high))
            return false;
        share *= extent > 0 ? (high - low) / extent : 1;
    }
    return share >= 0.5;
}

static double dot3(const float a[3], const float b[3])
{
    return (double)a[0] * (double)b[0] + (double)a[1] * (double)b[1] + (double)a[2] * (double)b[2];
}

const char *m5_rotation_flaw(const float *m, double tolerance)
{
    const float *const row[] = {m, m + 4, m + 8, m};
    for (int i = 0; i < 3; i++) {
        double square = dot3(row[i], row[i]);
        /* the length is nearer to 1 than its square, so the square root is rarely needed */
        if (!(fabs(square - 1) <= tolerance) && !(fabs(sqrt(square) - 1) <= tolerance))
            return dot3(row[0], row[0]) + dot3(row[1], row[1]) + dot3(row[2], row[2]) == 0
                       ? "all its values are 0"
                       : "a row is not of length 1";
        if (!(fabs(dot3(row[i], row[i + 1])) <= tolerance))
            return "two rows are not perpendicular";
    }
    m5_vec across = m5_vec_cross(m5_vec_of(row[1]), m5_vec_of(row[2]));
    bool mirrors = !(m5_vec_dot(m5_vec_of(row[0]), across) > 0);
    return mirrors ? "it mirrors: its determinant is negative" : NULL;
}
