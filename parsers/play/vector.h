/* Vectors, quaternions, matrices and boxes, in double, in the files' own spaces and units. Nothing
 * here has state or takes memory: any number of threads may call it. A program that uses it links
 * with -lm. */
#ifndef M5_VECTOR_H
#define M5_VECTOR_H

#include "../core/source.h"

M5_BEGIN_C

typedef struct m5_vec {
    double x, y, z;
} m5_vec;

/* A rotation, where it is of length 1. q and -q are the same one. */
typedef struct m5_quat {
    double x, y, z, w;
} m5_quat;

/* Three rows of a rotation (or of any linear map), each with its part of a translation behind it;
 * applied to columns: x' = row[0][0] x + row[0][1] y + row[0][2] z + row[0][3]. */
typedef struct m5_matrix {
    double row[3][4];
} m5_matrix;

/* Where a joint is, in the space of its parent or of the model. `rotation` is of length 1, unless
 * the x y z of a file are longer already. */
typedef struct m5_transform {
    m5_vec pos;
    m5_quat rotation;
} m5_transform;

/* Along the axes. Empty: min above max. */
typedef struct m5_box {
    double min[3], max[3];
} m5_box;

/* Part way from one orientation to another, t from 0 to 1: along the straight line and
 * normalised, or along the great circle at even speed. `shortest`: -b is taken for b where it is
 * nearer; engines that leave this out go the long way round. */
m5_quat m5_quat_lerp(m5_quat a, m5_quat b, double t, bool shortest);
m5_quat m5_quat_slerp(m5_quat a, m5_quat b, double t, bool shortest);

/* A transform as a matrix. */
m5_matrix m5_matrix_of(const m5_transform *place);

/* What is in `inner`'s space, in the space that `outer` is given in. */
m5_matrix m5_matrix_times(const m5_matrix *outer, const m5_matrix *inner);

/* The inverse of any matrix that has one, but for rounding; false, and `out` unchanged, of one
 * that has not. `out` may be `m`. */
bool m5_matrix_inverse(const m5_matrix *m, m5_matrix *out);

M5_END_C

#endif
