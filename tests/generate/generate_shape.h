/* The shape of the generated biped: the tubes that it consists of, as data. */
#ifndef GENERATE_SHAPE_H
#define GENERATE_SHAPE_H

#include "generate_rig.h"

enum { MAX_KNOTS = 8 };

/* A point that a tube passes: the joint's position plus `from`. From here on, it follows that
 * joint. */
typedef struct knot {
    const char *joint; /* NULL after the last knot */
    vec from;
    double radius, beside; /* of the ellipse: along `across`, and perpendicular to it */
} knot;

typedef struct tube {
    const char *part; /* tubes of one part in a row share a mesh */
    bool sided;       /* there are two: one on the left, and its mirror image on the right */
    vec across;       /* where `radius` points, roughly; never along the tube */
    int around, rows; /* vertices around (even, for the texture) and rings, at detail 1 */
    int cap_rows;     /* rings of each rounded end */
    double blend;     /* the distance before and after a joint over which its influence fades */
    knot knots[MAX_KNOTS];
} tube;

extern const tube tubes[];
extern const int tube_count;

#endif
