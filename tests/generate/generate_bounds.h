/* The exact box around the skinned body, pose by pose. */
#ifndef GENERATE_BOUNDS_H
#define GENERATE_BOUNDS_H

#include "generate_body.h"
#include "generate_walk.h"

typedef struct box {
    double min[3], max[3];
    size_t touching[6]; /* for each side, the vertex that lies on it */
} box;

/* The box of all vertices, rounded outwards to the printed digits. Only rings that can extend the
 * box found so far are skinned. `last` is the box of a similar pose, so that most of the box is
 * known from the start; or NULL. */
box body_box(const body *b, const pose poses[MAX_JOINTS], const box *last);

#endif
