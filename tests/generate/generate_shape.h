/* What the generated biped looks like: the tubes it is made of, as data. */
#ifndef GENERATE_SHAPE_H
#define GENERATE_SHAPE_H

#include "generate_rig.h"

enum { MAX_KNOTS = 8 };

/* A tube passes `from` the joint's place, and follows that joint
 * from here on. */
typedef struct knot {
    const char *joint; /* NULL after the last one */
    vec from;
    double radius, beside; /* of the ellipse: one way, and square to it */
} knot;

typedef struct tube {
    const char *part; /* tubes of one part in a row share a mesh */
    bool sided;       /* one on the left, and its mirror image on the right */
    vec across;       /* where `radius` points, roughly; never along the tube */
    int around, rows; /* vertices around (even, for the texture) and rings, at detail 1 */
    int cap_rows;     /* rings of each rounded end */
    double blend;     /* how far before and behind a joint its influence fades */
    knot knots[MAX_KNOTS];
} tube;

extern const tube tubes[];
extern const int tube_count;

#endif
