/* Vectors, quaternions, matrices and boxes, in double. Positions are in the units of the file.
 *
 * All of MD5 is in one right-handed space: Doom 3 has x forward, y left and z up. Nothing here
 * depends on that, and nothing converts between conventions. No function has state or takes memory,
 * so any number of threads may call them. Link with -lm. */
#ifndef M5_VECTOR_H
#define M5_VECTOR_H

#include "../core/source.h"

M5_BEGIN_C

typedef struct m5_vec {
    double x, y, z;
} m5_vec;

/* A quaternion; of length 1 it is a rotation, p' = q p q*. q and -q are the same rotation. */
typedef struct m5_quat {
    double x, y, z, w;
} m5_quat;

/* A linear map (usually a rotation) in columns 0 to 2 and a translation in column 3, for column
 * vectors: x' = row[0][0] x + row[0][1] y + row[0][2] z + row[0][3]. */
typedef struct m5_matrix {
    double row[3][4];
} m5_matrix;

/* Where a joint is, relative to its parent or in model space. `rotation` has length 1; only if x,
 * y, z in the file are longer than 1 it is longer, with w = 0. */
typedef struct m5_transform {
    m5_vec pos;
    m5_quat rotation;
} m5_transform;

/* A box along the axes. An empty one has min above max. */
typedef struct m5_box {
    double min[3], max[3];
} m5_box;

/* Returns the rotation at t, from a at 0 to b at 1. lerp mixes the components and normalises; slerp
 * turns at constant speed. With `shortest`, -b replaces b where it is nearer to a, as the format
 * text of MD5 and most engines do; without, the rotation may go the long way round (and between q
 * and -q, which are the same, a full turn or nowhere in particular). */
m5_quat m5_quat_lerp(m5_quat a, m5_quat b, double t, bool shortest);
m5_quat m5_quat_slerp(m5_quat a, m5_quat b, double t, bool shortest);

/* Returns a transform as a matrix. Its rotation should have length 1: it is not normalised. */
m5_matrix m5_matrix_of(const m5_transform *place);

/* Returns a matrix as a transform. If it is not a rotation (its rows have length 1 and are
 * perpendicular, both within `tolerance`, and it does not mirror), the quaternion is NaN. */
m5_transform m5_transform_of(const m5_matrix *m, double tolerance);

/* Returns outer * inner: the map that applies `inner` first. With a parent's matrix in model space
 * as `outer` and a joint's own, relative to that parent, as `inner`, it is the joint's in model
 * space. */
m5_matrix m5_matrix_times(const m5_matrix *outer, const m5_matrix *inner);

/* Computes the inverse. Returns false and leaves `out` unchanged if there is none. `out` may be
 * `m`. */
bool m5_matrix_inverse(const m5_matrix *m, m5_matrix *out);

M5_END_C

#endif
