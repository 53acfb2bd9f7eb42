/* Cuts a tube of the generated biped's shape into rings. */
#ifndef GENERATE_TUBE_H
#define GENERATE_TUBE_H

#include "generate_shape.h"

enum { MAX_INFLUENCES = 4 };

/* A tube's knots, found in the rig. */
typedef struct path {
    int knots;
    int joint[MAX_KNOTS];
    vec at[MAX_KNOTS];
    vec across;
    double radius[MAX_KNOTS][2];
    double reach[MAX_KNOTS]; /* how far along the tube, in straight lines from knot to knot */
    double blend;
    int around, rows, cap_rows;
} path;

/* Joints that move a ring. More than MAX_INFLUENCES only while they are being sorted out. */
typedef struct influences {
    int count;
    int joint[MAX_KNOTS];
    double bias[MAX_KNOTS]; /* as printed, and sum to 1 */
} influences;

/* An ellipse of `around` vertices, or a single vertex at the tip of an end. */
typedef struct row {
    vec centre, across, beside;
    double t; /* of the texture: 0 at one tip, 1 at the other */
    int around;
    influences by;
} row;

void path_find(path *p, const tube *t, const rig *r, side s, double detail);
int path_rows(const path *p);
row path_row(const path *p, int index, const digits *d);

#endif
