/* MD4, version 4: a skeletal model in one binary file, little-endian. Format text: "md4 v4 file
 * spec" (gongo, 2006).
 *
 * The model is a view of the caller's bytes: what the parser checked is where things are and that
 * every index and number is sound; what they say is read from the bytes by the functions below. */
#ifndef M5_MD4_H
#define M5_MD4_H

#include "../core/arena.h"
#include "../core/diag.h"
#include "../core/status.h"
#include "../core/writer.h"

M5_BEGIN_C

/* What the format text's structures take, in bytes. */
enum {
    M5_MD4_HEADER = 100,
    M5_MD4_BONE = 40,  /* name[32], parent, flags */
    M5_MD4_FRAME = 40, /* bounds, localOrigin, radius; then the bones' matrices */
    M5_MD4_MATRIX = 48,
    M5_MD4_SURFACE = 180,
    M5_MD4_VERTEX = 36, /* vertex, normal, texCoords, numWeights; then the weights */
    M5_MD4_WEIGHT = 20,
    M5_MD4_TRIANGLE = 12,
    M5_MD4_MAX_WEIGHTS = 8, /* of a vertex */
    M5_MD4_MAX_SURFS = 32,
    M5_MD4_MAX_BONES = 256,
    M5_MD4_MAX_VERTS = 4096 /* of a surface */
};

/* A whole frame, with the matrices of so many bones. */
static inline uint64_t m5_md4_frame_size(uint32_t bones)
{
    return M5_MD4_FRAME + (uint64_t)bones * M5_MD4_MATRIX;
}

/* A bone. `parent` is below num_bones, or -1 for a root; it may stand behind the bone. */
typedef struct m5_md4_bone {
    uint32_t offset; /* of its record */
    m5_span name;    /* not terminated */
    int32_t parent, flags;
} m5_md4_bone;

/* A frame, but for its matrices. All in model space. */
typedef struct m5_md4_frame {
    uint32_t offset;
    float min[3], max[3];
    float origin[3], radius; /* of the sphere for culling */
} m5_md4_frame;

typedef struct m5_md4_vertex {
    uint32_t offset;
    float pos[3], normal[3], st[2];
    uint32_t num_weights; /* 0 to 8 */
} m5_md4_vertex;

typedef struct m5_md4_weight {
    uint32_t offset;
    uint32_t bone; /* in the model's list of bones, however the file counts */
    float weight;
    float pos[3]; /* in the bone's space */
} m5_md4_weight;

/* A surface: where its blocks are in the file, and how much of them could be read. Indices of
 * triangles and of the collapse map count this surface's vertices. */
typedef struct m5_md4_surface {
    uint32_t offset, size; /* of the whole surface */
    m5_span name, shader;
    int32_t min_lod;
    uint32_t num_verts, num_tris, num_refs;
    uint32_t tris_at, refs_at, collapse_at;
    const uint32_t *verts; /* the offset of each vertex */
    bool main_list; /* its weights count in the main list of bones, not in its bone references */
    bool verts_whole, tris_whole, refs_whole, collapse_whole;
} m5_md4_surface;

/* Clean: all blocks lie in the file, every index is in range, every number is finite, the bones'
 * parents do not loop, each surface has num_verts entries in its collapse map. What the numbers
 * say is the linter's: weights may not sum to 1, a box or radius may be negative, min_lod may be
 * any number, and an entry of the collapse map may not be below its own index, so that replacing
 * indices over and over until they are below min_lod may never end. Flawed: a count is that of
 * the records that lie in the file (0 if it cannot be told), and what is not `whole` may hold
 * indices out of range and numbers that are none. */
typedef struct m5_md4 {
    const m5_source *source;
    m5_span name;
    uint32_t num_frames, num_bones, num_surfs;
    uint32_t frames_at, bones_at;
    bool per_axis_bounds; /* min and max of each axis next to each other, as the text has it */
    bool bones_whole, frames_whole, surfs_whole;
    m5_md4_surface *surfs;
} m5_md4;

/* Parses report->source. The model is in the arena and points into it and into the source; it
 * is there (*out is not NULL) unless the status is M5_NO_MEMORY. Thread rules, memory and
 * errors: see m5.h. */
m5_status m5_md4_parse(m5_report *report, m5_arena *arena, const m5_md4 **out);

/* Reading the view. Indices must be below the model's counts. */
m5_md4_bone m5_md4_bone_at(const m5_md4 *model, uint32_t bone);
m5_md4_frame m5_md4_frame_at(const m5_md4 *model, uint32_t frame);

/* Where a bone is in a frame, in model space: three rows of a rotation and an offset. */
uint32_t m5_md4_matrix_at(const m5_md4 *model, uint32_t frame, uint32_t bone, float out[3][4]);

m5_md4_vertex m5_md4_vertex_at(const m5_md4 *model, const m5_md4_surface *surf, uint32_t vertex);
m5_md4_weight m5_md4_weight_at(const m5_md4 *model, const m5_md4_surface *surf, uint32_t vertex,
                               uint32_t weight);
void m5_md4_triangle_at(const m5_md4 *model, const m5_md4_surface *surf, uint32_t triangle,
                        uint32_t out[3]);

/* A bone that the surface refers to, and the vertex that a vertex collapses to. */
uint32_t m5_md4_bone_ref_at(const m5_md4 *model, const m5_md4_surface *surf, uint32_t ref);
uint32_t m5_md4_collapse_at(const m5_md4 *model, const m5_md4_surface *surf, uint32_t vertex);

/* Prints a clean model: see m5_print. */
void m5_md4_print(const m5_md4 *model, const m5_writer *out);

M5_END_C

#endif
