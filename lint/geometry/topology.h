/* What a mesh's triangles make together: edges, winding, normals. */
#ifndef M5_LINT_GEOMETRY_TOPOLOGY_H
#define M5_LINT_GEOMETRY_TOPOLOGY_H

#include "parsers/core/arena.h"
#include "parsers/play/vector.h"

typedef enum m5_topology_kind {
    M5_TOPOLOGY_ZERO_AREA, /* a triangle whose corners are different vertices, but on a line */
    M5_TOPOLOGY_FLIPPED,   /* triangles wound against all others that they share edges with */
    M5_TOPOLOGY_CROWDED,   /* edges that more than two triangles share */
    M5_TOPOLOGY_OPEN,      /* edges that one triangle has */
    M5_TOPOLOGY_NO_NORMAL  /* vertices with triangles, but without a normal */
} m5_topology_kind;

typedef struct m5_topology {
    uint32_t num_verts, num_tris;
    const m5_vec *pos;
    const uint32_t (*tris)[3]; /* indices below num_verts */
    unsigned unwanted;         /* kinds that need not be told, 1 << kind each */
    bool plain; /* as if edges were never sound at first sight, with the same result */
} m5_topology;

/* What was found: all there is of a kind at once, but for zero area, which is told of each
 * triangle, and for flipped ones, of each patch of them. */
typedef struct m5_topology_fact {
    m5_topology_kind kind;
    uint32_t first;   /* triangle, or vertex */
    uint32_t count;   /* of triangles, edges or vertices */
    uint32_t edge[2]; /* crowded or open: the first edge's vertices */
    bool surrounded;  /* flipped: no edge of the patch is open, all others disagree */
} m5_topology_fact;

/* Vertices at the same place count as one, as exporters part them where texture coordinates do;
 * triangles that lie back to back or have next to no area count for no edge. False when the
 * arena has no room to work in. Linear in vertices and triangles. */
bool m5_topology_find(const m5_topology *shape, m5_arena *arena,
                      void (*found)(void *user, const m5_topology_fact *fact), void *user);

#endif
