/* The influences on a mesh's vertices, and the normals and tangents of its surface. */
#ifndef CONVERT_SKIN_H
#define CONVERT_SKIN_H

#include "convert_pose.h"

typedef struct influence {
    uint32_t bone;
    double weight;
    vec at; /* in bone space */
} influence;

typedef struct triangle {
    uint32_t corner[3];
} triangle;

/* Finds a vertex's influences, the largest first. Those of the same bone are merged, those whose
 * weight is 0 or negative are left out, and the rest is scaled to sum to 1. `out` has room for one
 * of each joint. Returns how many there are, at least 1. */
uint32_t find_influences(const m5_md5mesh_mesh *m, const m5_md5mesh_vert *v, influence *out);

/* Keeps the first `most`, without those smaller than `least`, and makes them sum to 1 again. */
uint32_t keep_strongest(influence *list, uint32_t count, uint32_t most, double least);

/* The position that the influences give the vertex. */
vec skin(const matrix *bones, const influence *list, uint32_t count);

/* The triangles that have three different corners. Returns how many. */
uint32_t find_triangles(const m5_md5mesh_mesh *m, triangle *out);

/* The geometry of one mesh. */
typedef struct shape {
    uint32_t num_verts, num_tris;
    const vec *at;
    const triangle *tris;
} shape;

/* Unit normals, each the mean of the normals of its triangles, weighted by area. Corners of front
 * faces run clockwise, as in Doom 3 and Quake 3. If the mean is 0, the normal points straight up.
 */
void find_normals(const shape *s, vec *normals);

/* Unit vectors along the texture's two axes, perpendicular to the unit normals. If the texture has
 * no direction at a vertex, any perpendicular vectors. */
void find_tangents(const shape *s, const m5_md5mesh_vert *verts, const vec *normals, vec *tangents,
                   vec *bitangents);

#endif
