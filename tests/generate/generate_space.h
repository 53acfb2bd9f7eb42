/* Vectors, quaternions and numbers as they will be printed, for the model generator. */
#ifndef GENERATE_SPACE_H
#define GENERATE_SPACE_H

#include <stdbool.h>

typedef struct vec {
    double x, y, z;
} vec;

typedef struct quat {
    vec v;
    double w;
} quat;

/* Whole turns in radians. */
double turns(double count);

vec vec_add(vec a, vec b);
vec vec_sub(vec a, vec b);
vec vec_times(vec a, double by);
double vec_dot(vec a, vec b);
vec vec_cross(vec a, vec b);
double vec_length(vec a);
vec vec_unit(vec a);

quat quat_times(quat a, quat b);
quat quat_inverse(quat unit);
quat quat_unit(quat q);
quat quat_about(vec axis, double angle);
vec quat_rotate(quat unit, vec p);

/* The shortest turn that takes the x axis to `unit`, which must not be the opposite axis. */
quat quat_from_x_to(vec unit);

/* How numbers are written: fixed6 is 0.500000, stripped10 is 0.5 */
typedef struct digits {
    int decimals;
    double scale; /* 10 to the power of `decimals` */
    bool stripped;
} digits;

/* What a reader gets back. Everything is rounded with these before anything else is computed
 * from it, so that the two files agree with each other to the last digit. */
double as_printed(const digits *d, double value);
vec vec_as_printed(const digits *d, vec v);

/* The same orientation, unit, with the w that a reader derives from the printed x, y and z:
 * the one that is not positive. */
quat quat_as_printed(const digits *d, quat q);

#endif
