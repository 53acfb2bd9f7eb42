/* MD4's collapse map: the order in which vertices of a surface vanish as detail is reduced. */
#ifndef CONVERT_COLLAPSE_H
#define CONVERT_COLLAPSE_H

#include "convert_skin.h"

/* Repeatedly collapses the shortest edge into one of its ends. The first vertex to vanish gets the
 * highest rank; ranks[i] is the rank of vertex i. The vertex of rank r > 0 vanishes into the vertex
 * of rank map[r] < r; map[0] is 0. */
void find_collapse(const shape *s, uint32_t *ranks, uint32_t *map);

/* The number of remaining vertices at which a triangle degenerates. Its corners are ranks. */
uint32_t triangle_end(const uint32_t *map, triangle t);

#endif
