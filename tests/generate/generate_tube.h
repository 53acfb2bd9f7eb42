/* Cuts a tube of the generated biped's shape into rings. */
#ifndef GENERATE_TUBE_H
#define GENERATE_TUBE_H

#include "generate_shape.h"

enum { MAX_INFLUENCES = 4 };

/* A tube's knots, with the joints of the rig. */
typedef struct path {
    int knots;
    int joint[MAX_KNOTS];
    vec at[MAX_KNOTS];
    vec across;
    double radius[MAX_KNOTS][2];
    double reach[MAX_KNOTS]; /* the distance along the tube, in straight lines from knot to knot */
    double blend;
    int around, rows, cap_rows;
} path;

/* The joints that move a ring. There are more than MAX_INFLUENCES only until the smallest are
 * removed. */
typedef struct influences {
    int count;
    int joint[MAX_KNOTS];
    double bias[MAX_KNOTS]; /* as printed, and sum to 1 */
} influences;

/* An ellipse of `around` vertices, or a single vertex at the tip of an end. */
typedef struct row {
    vec centre, across, beside;
    double t; /* the texture coordinate t: 0 at one tip, 1 at the other */
    int around;
    influences by;
} row;

void path_find(path *p, const tube *t, const rig *r, side s, double detail);
int path_rows(const path *p);
row path_row(const path *p, int index, const digits *d);

#endif
