/* Which vertices are at the same place: exporters part one where texture coordinates do. */
#ifndef M5_LINT_GEOMETRY_WELD_H
#define M5_LINT_GEOMETRY_WELD_H

#include "parsers/core/arena.h"
#include "parsers/play/vector.h"

/* Sets `point` of each vertex to the first one at its place: what is nearer along each axis than
 * rounding to floats and to six digits makes of one place. False when the arena has no room to
 * work in. Linear in vertices. */
bool m5_weld(const m5_vec *pos, uint32_t count, m5_arena *arena, uint32_t *point);

/* Sets `piece` of each point to one of those that hang together with it by triangles; of other
 * vertices, to themselves. Nearly linear in vertices and triangles. */
void m5_weld_pieces(const uint32_t *point, uint32_t num_verts, const uint32_t (*tris)[3],
                    uint32_t num_tris, uint32_t *piece);

#endif
