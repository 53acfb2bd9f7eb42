/* What the checks of weights share. */
#ifndef M5_LINT_MD5_WEIGHTS_H
#define M5_LINT_MD5_WEIGHTS_H

#include "lint/common/weights.h"
#include "lint/lint.h"

#include <math.h>

/* Vertices may share weights, and in a hostile file all vertices share all weights. Up to this many
 * are looked at one by one. */
enum { M5_WEIGHTS_ADDED = 32 };

/* The sum of a vertex's biases. */
static inline double m5_weights_sum(const m5_md5mesh_mesh *m, const m5_md5mesh_vert *v)
{
    double sum = 0;
    for (uint32_t i = 0; i < v->count; i++)
        sum += (double)m->weights[v->start + i].bias;
    return sum;
}

/* Whether it is 1: the quick answer for nearly all vertices. */
M5_INLINE bool m5_weights_are_right(const m5_md5mesh_mesh *m, const m5_md5mesh_vert *v)
{
    return v->count <= M5_WEIGHTS_ADDED && fabs(m5_weights_sum(m, v) - 1) <= M5_BIAS_ROUNDING;
}

/* The weights that a vertex should have if its startWeight or countWeight is wrong: those between
 * the weights of the vertices before and after it, if this changes only one of the two numbers or
 * exchanges them, and their biases sum to 1. Else the count is 0. */
m5_md5mesh_vert m5_weights_between(const m5_md5mesh_mesh *mesh, uint32_t vert);

#endif
