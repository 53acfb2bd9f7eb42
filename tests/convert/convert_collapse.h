/* In which order a surface's vertices vanish as its level of detail falls: MD4's collapse map. */
#ifndef CONVERT_COLLAPSE_H
#define CONVERT_COLLAPSE_H

#include "convert_skin.h"

/* Again and again the shortest edge is pulled in to one of its ends. The first vertex to vanish
 * gets the highest rank, and ranks[i] is that of vertex i. The vertex of rank r > 0 vanishes into
 * that of rank map[r] < r; map[0] is 0. */
void find_collapse(const shape *s, uint32_t *ranks, uint32_t *map);

/* With how many vertices left a triangle has lost its shape. Its corners are ranks. */
uint32_t triangle_end(const uint32_t *map, triangle t);

#endif
