/* Finds vertices at the same place: exporters split a vertex where texture coordinates differ. */
#ifndef M5_LINT_GEOMETRY_WELD_H
#define M5_LINT_GEOMETRY_WELD_H

#include "parsers/core/arena.h"
#include "parsers/play/vector.h"

/* Sets `point` of each vertex to the first vertex at its place. Vertices are at the same place
 * if along each axis they are nearer than the error of rounding to floats and to six digits.
 * False if the arena has no room to work in. Linear in vertices. */
bool m5_weld(const m5_vec *pos, uint32_t count, m5_arena *arena, uint32_t *point);

/* Sets `piece` of each point to a point that is connected with it by triangles, the same for all
 * of these points; of other vertices, to themselves. Nearly linear in vertices and triangles. */
void m5_weld_pieces(const uint32_t *point, uint32_t num_verts, const uint32_t (*tris)[3],
                    uint32_t num_tris, uint32_t *piece);

#endif
