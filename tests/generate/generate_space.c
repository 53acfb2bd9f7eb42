/* Rounds vectors and quaternions to what will be printed. */
#include "generate_space.h"

#include <math.h>

double turns(double count)
{
    return count * 6.28318530717958647693;
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
