#include "generate_space.h"

#include <math.h>

double turns(double count)
{
    return count * 6.28318530717958647693;
}

vec vec_add(vec a, vec b)
{
    return (vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

vec vec_sub(vec a, vec b)
{
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

vec vec_times(vec a, double by)
{
    return (vec){a.x * by, a.y * by, a.z * by};
}

double vec_dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

vec vec_cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

double vec_length(vec a)
{
    return sqrt(vec_dot(a, a));
}

vec vec_unit(vec a)
{
    return vec_times(a, 1 / vec_length(a));
}

/* (wa, va)(wb, vb) = (wa wb - va.vb, wa vb + wb va + va x vb) */
quat quat_times(quat a, quat b)
{
    vec straight = vec_add(vec_times(b.v, a.w), vec_times(a.v, b.w));
    return (quat){vec_add(straight, vec_cross(a.v, b.v)), a.w * b.w - vec_dot(a.v, b.v)};
}

quat quat_inverse(quat unit)
{
    return (quat){vec_times(unit.v, -1), unit.w};
}

quat quat_unit(quat q)
{
    double by = 1 / sqrt(vec_dot(q.v, q.v) + q.w * q.w);
    return (quat){vec_times(q.v, by), q.w * by};
}

quat quat_about(vec axis, double angle)
{
    return (quat){vec_times(vec_unit(axis), sin(angle / 2)), cos(angle / 2)};
}

vec quat_rotate(quat unit, vec p)
{
    return quat_times(quat_times(unit, (quat){p, 0}), quat_inverse(unit)).v;
}

quat quat_from_x_to(vec unit)
{
    vec x = {1, 0, 0};
    return quat_unit((quat){vec_cross(x, unit), 1 + vec_dot(x, unit)});
}

double as_printed(const digits *d, double value)
{
    return round(value * d->scale) / d->scale;
}

vec vec_as_printed(const digits *d, vec v)
{
    return (vec){as_printed(d, v.x), as_printed(d, v.y), as_printed(d, v.z)};
}

quat quat_as_printed(const digits *d, quat q)
{
    q = quat_unit(q);
    vec v = vec_as_printed(d, vec_times(q.v, q.w > 0 ? -1 : 1));
    double rest = 1 - vec_dot(v, v);
    return (quat){v, rest > 0 ? -sqrt(rest) : 0};
}
