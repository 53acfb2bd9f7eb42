/* What a mesh's vertices hang on, and the directions of its surface. */
#ifndef CONVERT_SKIN_H
#define CONVERT_SKIN_H

#include "convert_pose.h"

typedef struct influence {
    uint32_t bone;
    double weight;
    vec at; /* in the space of the bone */
} influence;

typedef struct triangle {
    uint32_t corner[3];
} triangle;

/* A vertex's influences, the strongest first: those of one bone are merged, those of no or
 * negative weight left out, and the rest sums to 1. `out` has room for one of each joint.
 * Returns how many there are, at least 1. */
uint32_t find_influences(const m5_md5mesh_mesh *m, const m5_md5mesh_vert *v, influence *out);

/* Keeps the first `most`, but for those weaker than `least`, and makes them sum to 1 again. */
uint32_t keep_strongest(influence *list, uint32_t count, uint32_t most, double least);

/* Where the influences put the vertex. */
vec skin(const matrix *bones, const influence *list, uint32_t count);

/* The triangles that have three different corners. Returns how many. */
uint32_t find_triangles(const m5_md5mesh_mesh *m, triangle *out);

/* The geometry of one mesh. */
typedef struct shape {
    uint32_t num_verts, num_tris;
    const vec *at;
    const triangle *tris;
} shape;

/* Unit normals, each the mean of those of its triangles, weighted by area. A front's corners
 * run clockwise, as in Doom 3 and Quake 3. Where there is no such mean: straight up. */
void find_normals(const shape *s, vec *normals);

/* Unit vectors along the texture's two axes, square to the unit normals. Where the texture
 * does not tell: any such vectors. */
void find_tangents(const shape *s, const m5_md5mesh_vert *verts, const vec *normals, vec *tangents,
                   vec *bitangents);

#endif
