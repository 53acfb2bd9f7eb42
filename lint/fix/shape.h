/* Counts what is in an MD5 file, strictly: anything unusual, and nothing is known. */
#ifndef M5_LINT_FIX_SHAPE_H
#define M5_LINT_FIX_SHAPE_H

#include "lint/lint.h"
#include "parsers/md5/lex.h"

/* The lists of a mesh. */
enum { M5_SHAPE_VERTS, M5_SHAPE_TRIS, M5_SHAPE_WEIGHTS, M5_SHAPE_LISTS };

/* How many records each list has, numbered from 0 without a gap; and one more than the highest
 * index in them: of a weight in a vertex, of a vertex in a triangle, of a joint in a weight. */
typedef struct m5_mesh_shape {
    uint32_t count[M5_SHAPE_LISTS];
    uint64_t needs[M5_SHAPE_LISTS];
    bool gap; /* a weight between those of two vertices */
} m5_mesh_shape;

/* Counts the mesh whose keyword is at `offset`. False if a list is missing, or if anything else
 * than whole records is in it. */
bool m5_shape_of_mesh(const m5_source *source, uint32_t offset, m5_mesh_shape *out);

/* Whether vertices have all weights of such a mesh, and triangles all vertices. `used` has room for
 * its vertices; NULL: nothing is known. */
bool m5_shape_uses_all(const m5_source *source, uint32_t offset, const m5_mesh_shape *shape,
                       bool *used);

/* The blocks of lines. */
enum {
    M5_SHAPE_JOINTS,
    M5_SHAPE_HIERARCHY,
    M5_SHAPE_BOUNDS,
    M5_SHAPE_BASEFRAME,
    M5_SHAPE_CUTS,
    M5_SHAPE_CAMERA,
    M5_SHAPE_BLOCKS
};

/* How many lines each block of the file has, how many meshes and frames there are, and one more
 * than the highest joint that a weight names. */
typedef struct m5_file_shape {
    uint32_t lines[M5_SHAPE_BLOCKS];
    uint32_t meshes, frames;
    m5_span last;    /* the last mesh, or line of a camera */
    bool twins;      /* one has the same bytes as the one before it */
    uint32_t values; /* in each frame */
    uint64_t flags;  /* bits set in the flags of all joints of the hierarchy */
    uint64_t needs;
    uint64_t last_cut;   /* one more than the frame of the last cut; they ascend */
    uint32_t num_frames; /* as declared, if that comes first */
    uint32_t extra_box;  /* offset of the first box that is not declared; 0 if there is none */
    uint32_t last_box;   /* offset of the last one */
    uint32_t boxes_end;  /* offset of the brace after them */
} m5_file_shape;

/* Counts a whole file. False if a line, mesh or frame of it is not whole, if frames have no numbers
 * from 0 or differ in size, or if there is anything else in the file. */
bool m5_shape_of_file(const m5_source *source, m5_file_shape *out);

#endif
