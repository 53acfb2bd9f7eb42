/* Which side of a mesh is its outside. */
#ifndef M5_LINT_GEOMETRY_FACING_H
#define M5_LINT_GEOMETRY_FACING_H

#include "topology.h"
#include "parsers/play/vector.h"

/* Outwards: the triangles of all closed pieces of the mesh, of which there is at least one, run
 * clockwise when seen from outside, as in MD5. Inwards: they have the opposite winding. */
typedef enum m5_side { M5_SIDE_UNKNOWN, M5_SIDE_OUTWARDS, M5_SIDE_INWARDS } m5_side;

typedef struct m5_facing {
    m5_side side;
    uint32_t first, count; /* the first triangle of these pieces, and how many they have */
    m5_box box;            /* around all vertices */
} m5_facing;

/* A quick check whether a mesh may face inwards. */
bool m5_facing_is_odd(const m5_topology *shape);

/* The side is unknown if there is not enough memory. Linear in vertices and triangles. */
m5_facing m5_facing_find(const m5_topology *shape, m5_arena *arena);

#endif
