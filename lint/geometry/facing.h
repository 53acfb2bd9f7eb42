/* Which side of a mesh is its outside. */
#ifndef M5_LINT_GEOMETRY_FACING_H
#define M5_LINT_GEOMETRY_FACING_H

#include "topology.h"
#include "parsers/play/vector.h"

/* The triangles of all pieces of it that are closed, of which there are some, run clockwise where
 * they are seen from outside, as MD5 has it, or the other way. */
typedef enum m5_side { M5_SIDE_UNKNOWN, M5_SIDE_OUTWARDS, M5_SIDE_INWARDS } m5_side;

typedef struct m5_facing {
    m5_side side;
    uint32_t first, count; /* the first triangle of these pieces, and how many they have */
    m5_box box;            /* of all vertices */
} m5_facing;

/* Whether a mesh may face inwards, at a glance. */
bool m5_facing_is_odd(const m5_topology *shape);

/* Unknown without memory. Linear in vertices and triangles. */
m5_facing m5_facing_find(const m5_topology *shape, m5_arena *arena);

#endif
