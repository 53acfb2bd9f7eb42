/* Finds a mesh that was scaled or rotated without the joints that move it. */
#ifndef M5_LINT_GEOMETRY_MISFIT_H
#define M5_LINT_GEOMETRY_MISFIT_H

#include "parsers/play/algebra.h"

/* A joint, and the box around the vertices that mostly hang on it, both in model space. */
typedef struct m5_moved_part {
    m5_vec joint;
    m5_box box;
} m5_moved_part;

typedef struct m5_misfit {
    bool found;
    double scale; /* the vertices are this many times too large; 1: only rotated; 0: by an unknown
                   * factor */
    int axis;     /* they are rotated about it by ... */
    int degrees;  /* ... 0, 90, 180 or -90 */
    double ratio; /* the size of the mesh, divided by that of the box around the joints */
    uint32_t outside; /* joints that are far from their part */
    uint32_t mended;  /* and how many still would be, without scale and rotation */
    uint32_t worst;   /* the part whose joint is farthest away */
} m5_misfit;

/* How much larger or smaller a mesh may be than the box around its joints, if most joints are far
 * from what they move. */
#define M5_MISFIT_LARGER 25.0
#define M5_MISFIT_SMALLER 0.1

/* Looks at a sample of at most 256 parts. Finds nothing if there are fewer than three. */
m5_misfit m5_misfit_find(const m5_moved_part *parts, uint32_t count);

/* Whether it is not the mesh that is wrong: joints are far from their parts, but would be near them
 * if they were at `joints`. Of the result, scale and rotation say nothing. */
m5_misfit m5_misfit_elsewhere(const m5_moved_part *parts, const m5_vec *joints, uint32_t count);

#endif
