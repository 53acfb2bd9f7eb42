/* Vertices hung on bones, in one form for all formats. Format text of MD5: "Computing vertex
 * positions", "Precomputing normals".
 *
 * Wanted: a clean model; nothing is checked. A skin lies in the caller's arena and keeps nothing of
 * the model: make it once, then place its vertices for each pose, from any number of threads (each
 * with an arena of its own where one is asked for). */
#ifndef M5_SKIN_H
#define M5_SKIN_H

#include "vector.h"
#include "../ill/illmesh.h"
#include "../md4/md4.h"
#include "../md5/md5mesh.h"

M5_BEGIN_C

typedef struct m5_skin_weight {
    uint32_t bone;
    float bias;
    float pos[3]; /* in the bone's space */
} m5_skin_weight;

/* Weights from `start` on; vertices may share them. */
typedef struct m5_skin_vertex {
    uint32_t start, count;
} m5_skin_vertex;

typedef struct m5_skin {
    uint32_t num_bones, num_verts, num_weights;
    m5_skin_vertex *verts;
    m5_skin_weight *weights;
} m5_skin;

/* Of a clean model, or of the meshes or surfaces of it from `first` on. What is made is in the
 * arena, 8 bytes a vertex and 20 a weight (of an illmesh four a vertex); false when that is full.
 * An illmesh must have positions and bones. Its positions are in model space: `bind` are the bones'
 * matrices in the bind pose (num_bones of them; the mesh's bone indices must be below). A weight
 * whose bone has no inverse gets bias 0. */
bool m5_skin_md5mesh(m5_arena *arena, const m5_md5mesh *mesh, uint32_t first, uint32_t count,
                     m5_skin *out);
bool m5_skin_md4(m5_arena *arena, const m5_md4 *model, uint32_t first, uint32_t count,
                 m5_skin *out);
bool m5_skin_illmesh(m5_arena *arena, const m5_illmesh *mesh, const m5_matrix *bind,
                     uint32_t num_bones, m5_skin *out);

/* Where a vertex is, with the bones there. */
m5_vec m5_skin_position(const m5_skin *skin, uint32_t vert, const m5_matrix *bones);

/* Where all vertices are, in time linear in vertices and weights however these are shared: to
 * within the rounding of a sum of all weights, where a vertex has more than 32. False when the
 * arena has no room to work in. */
bool m5_skin_positions(const m5_skin *skin, const m5_matrix *bones, m5_arena *arena, m5_vec *out);

/* The normals of vertices: those of the triangles around them, each in proportion to its area; of
 * length 1, or 0 where there is none. Front faces are clockwise, as in Doom 3. */
void m5_skin_normals(const m5_vec *positions, uint32_t num_verts, const uint32_t (*tris)[3],
                     uint32_t num_tris, m5_vec *out);

/* A vertex's normal when the bones have moved from `bind` to `bones`: through the weight
 * normals, which are the normal in the space of each weight's bone. Bones must not scale. */
m5_vec m5_skin_normal(const m5_skin *skin, uint32_t vert, m5_vec normal, const m5_matrix *bind,
                      const m5_matrix *bones);

/* For each bone the box of its weights, in its own space; empty of a bone that has none but with
 * bias 0. While biases are 0 to 1 and sum to 1, no vertex leaves these boxes. */
void m5_skin_boxes(const m5_skin *skin, m5_box *out);

M5_END_C

#endif
