/* MD4, version 4: a skeletal model with its animation in one binary file, little-endian. Format
 * text: "md4 v4 file spec" by gongo, 2006.
 *
 * The model is a view of the caller's bytes. The parser has checked where everything is and that
 * every index and number is sound; the functions below read the values from the bytes. A triangle
 * is seen from the side where its corners run clockwise, as in Quake 3. */
#ifndef M5_MD4_H
#define M5_MD4_H

#include "../core/arena.h"
#include "../core/diag.h"
#include "../core/status.h"
#include "../core/writer.h"

M5_BEGIN_C

/* Sizes of the format's structures in bytes, and its limits. */
enum {
    M5_MD4_HEADER = 100,
    M5_MD4_BONE = 40,  /* name[32], parent, flags */
    M5_MD4_FRAME = 40, /* bounds, localOrigin, radius; then the bones' matrices */
    M5_MD4_MATRIX = 48,
    M5_MD4_SURFACE = 180,
    M5_MD4_VERTEX = 36, /* vertex, normal, texCoords, numWeights; then the weights */
    M5_MD4_WEIGHT = 20,
    M5_MD4_TRIANGLE = 12,
    M5_MD4_MAX_WEIGHTS = 8, /* a vertex */
    M5_MD4_MAX_SURFS = 32,
    M5_MD4_MAX_BONES = 256,
    M5_MD4_MAX_VERTS = 4096 /* a surface */
};

/* Returns the size of a frame in bytes, with the matrices of `bones` bones. */
static inline uint64_t m5_md4_frame_size(uint32_t bones)
{
    return M5_MD4_FRAME + (uint64_t)bones * M5_MD4_MATRIX;
}

/* In each record, `offset` is that of its first byte in the source. */
typedef struct m5_md4_bone {
    uint32_t offset;
    m5_span name;
    int32_t
        parent; /* below num_bones, or -1 for a root; it may have a higher index than the bone */
    int32_t flags;
} m5_md4_bone;

/* A frame without its matrices. All in model space, in the file's units. */
typedef struct m5_md4_frame {
    uint32_t offset;
    float min[3], max[3];    /* bounding box */
    float origin[3], radius; /* bounding sphere */
} m5_md4_frame;

/* `pos` is the position that the file gives, which belongs to no particular pose; in a frame the
 * vertex is at the sum of weight * (bone * pos) over its weights. */
typedef struct m5_md4_vertex {
    uint32_t offset;
    float pos[3], normal[3], st[2];
    uint32_t num_weights; /* 0 to 8 */
} m5_md4_vertex;

typedef struct m5_md4_weight {
    uint32_t offset;
    uint32_t bone; /* index in the model's list, whichever list the file's index is for */
    float weight;
    float pos[3]; /* in the bone's space */
} m5_md4_weight;

/* A surface: where its blocks are in the source, and how much of them could be read. Triangles and
 * the collapse map index the vertices of the same surface. */
typedef struct m5_md4_surface {
    uint32_t offset, size; /* of the whole surface */
    m5_span name, shader;
    int32_t min_lod;
    uint32_t num_verts, num_tris, num_refs;
    uint32_t tris_at, refs_at, collapse_at; /* offsets */
    const uint32_t *verts;                  /* the offset of each vertex */
    bool main_list; /* its weights index the model's bones, not the surface's bone references */
    bool verts_whole, tris_whole, refs_whole, collapse_whole;
} m5_md4_surface;

/* Clean: all blocks are inside the file, every index is in range, every number is finite, no bone
 * is its own ancestor, and each surface has num_verts entries in its collapse map. Values are a
 * matter of the linter's rules: in a clean model weights may not sum to 1, a box or a radius may be
 * negative, min_lod may be any number, and an entry of the collapse map may not be lower than its
 * own index, so a loop that collapses vertices until they are below min_lod may never end. Flawed:
 * a count is the number of records inside the file (0 if that is unknown), and what is not `whole`
 * may have indices out of range and numbers that are not finite. */
typedef struct m5_md4 {
    const m5_source *source;
    m5_span name;
    uint32_t num_frames, num_bones, num_surfs;
    uint32_t frames_at, bones_at;
    bool per_axis_bounds; /* the file stores min and max of x, then of y, then of z, as in the
                             format text */
    bool bones_whole, frames_whole, surfs_whole;
    m5_md4_surface *surfs;
} m5_md4;

/* Parses report->source. The model is in the arena and points into it and into the source; *out is
 * NULL only after M5_NO_MEMORY. Memory, threads and errors: see m5.h. */
m5_status m5_md4_parse(m5_report *report, m5_arena *arena, const m5_md4 **out);

/* These read one record. Indices must be below the model's or the surface's counts; they are not
 * checked. The source must still be there. */
m5_md4_bone m5_md4_bone_at(const m5_md4 *model, uint32_t bone);
m5_md4_frame m5_md4_frame_at(const m5_md4 *model, uint32_t frame);

/* Reads a bone's matrix in a frame: bone to model space, a rotation in columns 0 to 2 and a
 * translation in column 3. Returns its offset in the source. */
uint32_t m5_md4_matrix_at(const m5_md4 *model, uint32_t frame, uint32_t bone, float out[3][4]);

/* These read the records of a surface, which must be one of the model's. A triangle's corners go to
 * `out`. */
m5_md4_vertex m5_md4_vertex_at(const m5_md4 *model, const m5_md4_surface *surf, uint32_t vertex);
m5_md4_weight m5_md4_weight_at(const m5_md4 *model, const m5_md4_surface *surf, uint32_t vertex,
                               uint32_t weight);
void m5_md4_triangle_at(const m5_md4 *model, const m5_md4_surface *surf, uint32_t triangle,
                        uint32_t out[3]);

/* Return entry `ref` of the surface's list of bones, and the vertex that a vertex collapses to. */
uint32_t m5_md4_bone_ref_at(const m5_md4 *model, const m5_md4_surface *surf, uint32_t ref);
uint32_t m5_md4_collapse_at(const m5_md4 *model, const m5_md4_surface *surf, uint32_t vertex);

/* Writes a clean model: see m5_print. */
void m5_md4_print(const m5_md4 *model, const m5_writer *out);

M5_END_C

#endif
