/* Which vertices are at the same place: exporters part one where texture coordinates do. */
#ifndef M5_WELD_H
#define M5_WELD_H

#include "../parsers/arena.h"
#include "space.h"

/* Sets `point` of each vertex to the first one at its place: what is nearer along each axis than
 * rounding to floats and to six digits makes of one place. False when the arena has no room to
 * work in. Linear in vertices. */
bool m5_weld(const m5_vec *pos, uint32_t count, m5_arena *arena, uint32_t *point);

#endif
