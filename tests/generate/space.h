/* Vectors and quaternions, for the programs that make models. They do not use the vectors of the
 * library, so that a mistake there cannot hide itself in the models that test it. */
#ifndef M5_TEST_SPACE_H
#define M5_TEST_SPACE_H

#include <math.h>

typedef struct vec {
    double x, y, z;
} vec;

typedef struct quat {
    vec v;
    double w;
} quat;

static inline vec vec_add(vec a, vec b)
{
    return (vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline vec vec_sub(vec a, vec b)
{
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline vec vec_times(vec a, double by)
{
    return (vec){a.x * by, a.y * by, a.z * by};
}

static inline double vec_dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec vec_cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double vec_length(vec a)
{
    return sqrt(vec_dot(a, a));
}

static inline vec vec_unit(vec a)
{
    return vec_times(a, 1 / vec_length(a));
}

/* (wa, va)(wb, vb) = (wa wb - va.vb, wa vb + wb va + va x vb) */
static inline quat quat_times(quat a, quat b)
{
    vec straight = vec_add(vec_times(b.v, a.w), vec_times(a.v, b.w));
    return (quat){vec_add(straight, vec_cross(a.v, b.v)), a.w * b.w - vec_dot(a.v, b.v)};
}

static inline quat quat_inverse(quat unit)
{
    return (quat){vec_times(unit.v, -1), unit.w};
}

static inline quat quat_unit(quat q)
{
    double by = 1 / sqrt(vec_dot(q.v, q.v) + q.w * q.w);
    return (quat){vec_times(q.v, by), q.w * by};
}

static inline quat quat_about(vec axis, double angle)
{
    return (quat){vec_times(vec_unit(axis), sin(angle / 2)), cos(angle / 2)};
}

static inline vec quat_rotate(quat unit, vec p)
{
    return quat_times(quat_times(unit, (quat){p, 0}), quat_inverse(unit)).v;
}

/* The shortest turn that takes the x axis to `unit`, which must not be the opposite axis. */
static inline quat quat_from_x_to(vec unit)
{
    vec x = {1, 0, 0};
    return quat_unit((quat){vec_cross(x, unit), 1 + vec_dot(x, unit)});
}

#endif
