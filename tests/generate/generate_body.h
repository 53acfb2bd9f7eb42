/* The surface of the generated biped: closed tubes along its bones, bound to them by weights. */
#ifndef GENERATE_BODY_H
#define GENERATE_BODY_H

#include "generate_tube.h"

#include <stddef.h>

enum { MAX_MESH_VERTICES = 60000 };

typedef struct weight {
    int joint;
    double bias;
    vec at; /* in joint space */
} weight;

typedef struct vertex {
    double s, t;
    size_t first_weight;
    int weights;
} vertex;

typedef struct triangle {
    int corner[3]; /* counted from the mesh's first vertex */
} triangle;

/* A mesh uses a consecutive part of each of the body's arrays. */
typedef struct mesh {
    const char *part; /* the shader's last word */
    size_t first_vertex, vertices;
    size_t first_triangle, triangles;
    size_t first_weight, weights;
} mesh;

/* The vertices around one place of a tube. They are weighted to the same joints with the same
 * biases. So in any pose, none is farther than `radius` from the skinned centre: rotations do not
 * change the lengths that the radius is computed from. */
typedef struct ring {
    size_t first_vertex;
    int vertices, weights;
    weight centre[MAX_INFLUENCES];
    double radius;
} ring;

typedef struct body {
    const rig *rig;
    mesh *meshes;
    vertex *vertices;
    triangle *triangles;
    weight *weights;
    ring *rings;
    size_t mesh_count, vertex_count, triangle_count, weight_count, ring_count;
} body;

/* The number of rows and the number of vertices in a row grow with `detail`, so the number of
 * vertices grows with its square. The rig must outlive the body. Ends the program when out of
 * memory. */
void body_build(body *b, const rig *r, double detail);
void body_free(body *b);

#endif
