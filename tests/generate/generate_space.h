/* Rounds numbers as they will be printed, for the model generator. */
#ifndef GENERATE_SPACE_H
#define GENERATE_SPACE_H

#include "space.h"

#include <stdbool.h>

/* Whole turns in radians. */
double turns(double count);

/* How numbers are written: fixed6 is 0.500000, stripped10 is 0.5 */
typedef struct digits {
    int decimals;
    double scale; /* 10 to the power of `decimals` */
    bool stripped;
} digits;

/* The value that a reader of the file gets. Everything is rounded with these functions before
 * anything else is computed from it, so that the two files agree to the last digit. */
double as_printed(const digits *d, double value);
vec vec_as_printed(const digits *d, vec v);

/* The same orientation as a unit quaternion, with the w that a reader computes from the printed x,
 * y and z: the one that is not positive. */
quat quat_as_printed(const digits *d, quat q);

#endif
