/* Finds what is odd about the triangles of a mesh: edges, winding, areas, normals. */
#ifndef M5_LINT_GEOMETRY_TOPOLOGY_H
#define M5_LINT_GEOMETRY_TOPOLOGY_H

#include "parsers/core/arena.h"
#include "parsers/play/vector.h"

typedef enum m5_topology_kind {
    M5_TOPOLOGY_ZERO_AREA, /* a triangle whose corners are different vertices, but on a line */
    M5_TOPOLOGY_FLIPPED, /* triangles with the opposite winding to all that they share edges with */
    M5_TOPOLOGY_CROWDED, /* edges that more than two triangles share */
    M5_TOPOLOGY_OPEN,    /* edges of only one triangle */
    M5_TOPOLOGY_NO_NORMAL /* vertices with triangles whose normals cancel out */
} m5_topology_kind;

typedef struct m5_topology {
    uint32_t num_verts, num_tris;
    const m5_vec *pos;
    const uint32_t (*tris)[3]; /* indices below num_verts */
    unsigned unwanted;         /* kinds that are not reported, 1 << kind each */
    bool plain;                /* without the quick check of edges, with the same result */
} m5_topology;

/* What was found: one fact for all of a kind, except for zero area, with a fact for each
 * triangle, and flipped, with a fact for each patch of flipped triangles. */
typedef struct m5_topology_fact {
    m5_topology_kind kind;
    uint32_t first;   /* triangle, or vertex */
    uint32_t count;   /* of triangles, edges or vertices */
    uint32_t edge[2]; /* crowded or open: the first edge's vertices */
    bool surrounded;  /* flipped: all around it disagree, no edge of the patch is open or shared by
                       * four, and elsewhere in this part most neighbours agree */
} m5_topology_fact;

/* Vertices at the same place count as one, because exporters split vertices where texture
 * coordinates differ. Triangles that are back to back, or have almost no area, are ignored for
 * edges. False if the arena has no room to work in. Linear in vertices and triangles. */
bool m5_topology_find(const m5_topology *shape, m5_arena *arena,
                      void (*found)(void *user, const m5_topology_fact *fact), void *user);

#endif
