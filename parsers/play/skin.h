/* Skinning: vertices on bones, in one form for all formats. MD5 format text, sections "Computing
 * vertex positions" and "Precomputing normals".
 *
 * All functions need a clean model, and as many bones as it has: they check nothing. A skin is made
 * once, in the caller's arena, and keeps no pointer to the model; then its vertices are placed for
 * each pose. Any number of threads may use one skin, each with its own arena and arrays. */
#ifndef M5_SKIN_H
#define M5_SKIN_H

#include "vector.h"
#include "../ill/illmesh.h"
#include "../md4/md4.h"
#include "../md5/md5mesh.h"

M5_BEGIN_C

/* A weight: its share of a vertex. */
typedef struct m5_skin_weight {
    uint32_t bone;
    float bias;   /* usually 0 to 1 */
    float pos[3]; /* in the bone's space */
} m5_skin_weight;

/* A vertex has `count` weights from weight `start` on. Vertices may share weights. */
typedef struct m5_skin_vertex {
    uint32_t start, count;
} m5_skin_vertex;

/* Meshes or surfaces follow one another: their vertices are numbered through. */
typedef struct m5_skin {
    uint32_t num_bones, num_verts, num_weights;
    m5_skin_vertex *verts;
    m5_skin_weight *weights;
} m5_skin;

/* Make a skin of `count` meshes or surfaces from `first` on. It takes 8 bytes a vertex and 20 a
 * weight in the arena; an arena of m5_parse_memory(size of the file) bytes is enough. Return false
 * if the arena is full. */
bool m5_skin_md5mesh(m5_arena *arena, const m5_md5mesh *mesh, uint32_t first, uint32_t count,
                     m5_skin *out);
bool m5_skin_md4(m5_arena *arena, const m5_md4 *model, uint32_t first, uint32_t count,
                 m5_skin *out);

/* The same of an illmesh, which must have positions and bones (at[M5_ILL_POSITION] and
 * at[M5_ILL_BONES] are not -1), four weights a vertex. Its positions are in model space, so `bind`
 * has the num_bones matrices of the bind pose, by m5_illskel_pose; every bone index of the mesh
 * must be below num_bones. A weight of a bone whose matrix has no inverse gets bias 0. */
bool m5_skin_illmesh(m5_arena *arena, const m5_illmesh *mesh, const m5_matrix *bind,
                     uint32_t num_bones, m5_skin *out);

/* Returns a vertex's position, where bones[i] is bone i in model space: the sum of
 * bias * (bone * pos) over its weights. */
m5_vec m5_skin_position(const m5_skin *skin, uint32_t vert, const m5_matrix *bones);

/* Computes the positions of all num_verts vertices, in time linear in vertices plus weights, even
 * where a hostile file has all vertices share all weights. The result is that of m5_skin_position;
 * a vertex with more than 32 weights may differ by rounding, and then the arena needs 24 bytes a
 * weight to work in, given back before the return. Returns false if they are not there. */
bool m5_skin_positions(const m5_skin *skin, const m5_matrix *bones, m5_arena *arena, m5_vec *out);

/* Computes the normals of num_verts vertices: the mean of the normals of their triangles by area,
 * of length 1, or 0 where there is none. `tris` has three vertex numbers a triangle, num_tris
 * times, below num_verts; if a skin has several meshes, add to each mesh's numbers the vertices of
 * the meshes before it. Normals point to where the corners run clockwise, which is the front in
 * MD5; in an illmesh it is the back: negate them. `out` must not be `positions`. */
void m5_skin_normals(const m5_vec *positions, uint32_t num_verts, const uint32_t *tris,
                     uint32_t num_tris, m5_vec *out);

/* Returns a vertex's normal after the bones have moved from `bind` to `bones`, given its `normal`
 * in the bind pose: the weights' normals, each in its bone's space, summed by bias and made length
 * 1 (0 where they cancel out). Bones must not scale. */
m5_vec m5_skin_normal(const m5_skin *skin, uint32_t vert, m5_vec normal, const m5_matrix *bind,
                      const m5_matrix *bones);

/* Computes for each of the num_bones bones the box around the positions of its weights with a bias
 * other than 0, in the bone's space; it is empty if there are none. While the biases of a vertex
 * are 0 to 1 and sum to 1, the vertex is inside the hull of the boxes of its bones in any pose. */
void m5_skin_boxes(const m5_skin *skin, m5_box *out);

M5_END_C

#endif
