/* The surfaces of an MD4 model, made from an MD5 mesh. */
#ifndef CONVERT_SURFACE_H
#define CONVERT_SURFACE_H

#include "convert_skin.h"

/* The format text's limits: vertices and triangles of a surface, weights of a vertex. */
enum {
    MD4_FRAMES = 2048,
    MD4_BONES = 256,
    MD4_SURFACES = 32,
    MD4_VERTS = 4096,
    MD4_TRIS = 8192,
    MD4_WEIGHTS = 8
};
#define MD4_LEAST_WEIGHT 0.01

typedef struct vertex {
    vec at, normal; /* in frame 0 */
    float st[2];
    uint32_t num_weights;
    influence weights[MD4_WEIGHTS];
} vertex;

/* A surface. Its vertices are in the order of their ranks (see find_collapse); its triangles are
 * sorted so that those that last longest come first. */
typedef struct surface {
    const m5_md5mesh_mesh *from;
    uint32_t num_verts, num_tris;
    vertex *verts;
    triangle *tris;
    uint32_t *collapse;
} surface;

typedef struct surfaces {
    uint32_t count;
    surface list[MD4_SURFACES];
} surfaces;

/* The size of a surface from which the rest goes into the next. */
typedef struct cut {
    uint32_t verts, tris;
} cut;

/* Makes surfaces from all meshes that have triangles, in the frame with these matrices. All numbers
 * are rounded to float. Ends the program if there are too many surfaces, or none. */
void surfaces_build(surfaces *out, const m5_md5mesh *m, const matrix *bones, cut most);
void surfaces_free(surfaces *all);

#endif
