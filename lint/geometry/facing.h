/* Which side of a mesh is its outside. */
#ifndef M5_VOLUME_H
#define M5_VOLUME_H

#include "topology.h"

/* The triangles of all pieces of it that are closed, of which there are some, run clockwise where
 * they are seen from outside, as MD5 has it, or the other way. */
typedef enum m5_side { M5_SIDE_UNKNOWN, M5_SIDE_OUTWARDS, M5_SIDE_INWARDS } m5_side;

typedef struct m5_volume {
    m5_side side;
    uint32_t first, count; /* the first triangle of these pieces, and how many they have */
    m5_box box;            /* of all vertices */
} m5_volume;

/* Whether a mesh may face inwards, at a glance. */
bool m5_volume_is_odd(const m5_shape *shape);

/* Unknown without memory. Linear in vertices and triangles. */
m5_volume m5_volume_find(const m5_shape *shape, m5_arena *arena);

#endif
