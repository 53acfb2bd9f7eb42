/* Which bones move the vertices of an illmesh. */
#ifndef M5_LINT_CROSS_ILL_SKIN_H
#define M5_LINT_CROSS_ILL_SKIN_H

#include "parsers/ill/illmesh.h"

/* The four bones of a vertex; their weights follow. The mesh must have bones. */
static inline const float *m5_ill_bones_of(const m5_illmesh *m, uint32_t vertex)
{
    return m->verts + (size_t)vertex * m->stride + m->at[M5_ILL_BONES];
}

/* The k-th bone of a vertex, 0 to 3, if at least half of the vertex is weighted to it; M5_NO_INDEX
 * if not, or if it is not below `bones`. */
uint32_t m5_ill_main_bone(const m5_illmesh *mesh, uint32_t vertex, uint32_t k, uint32_t bones);

/* Marks each bone below `bones` that a vertex is weighted to. */
void m5_ill_mark_bones(const m5_illmesh *mesh, uint8_t *marks, uint32_t bones);

/* Whether a triangle is between vertices on marked bones and vertices on others. */
bool m5_ill_connects(const m5_illmesh *mesh, const uint8_t *marks, uint32_t bones);

#endif
