/* The exact box around the skinned body, pose by pose. */
#ifndef GENERATE_BOUNDS_H
#define GENERATE_BOUNDS_H

#include "generate_body.h"
#include "generate_walk.h"

typedef struct box {
    double min[3], max[3];
    size_t touching[6]; /* the vertices that it owes its sides to */
} box;

/* The box of all vertices, rounded outwards to the printed digits. Only rings that can reach
 * beyond what is known of the box are skinned; to have most of it known from the start,
 * `last` is the box of a pose much like this one, or NULL. */
box body_box(const body *b, const pose poses[MAX_JOINTS], const box *last);

#endif
