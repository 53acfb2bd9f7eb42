/* illmesh (ILLMESH0): vertices and indices, ready for a graphics card. Format text: "Skinned
 * Animations" by Ilya Seletsky, section ".illmesh". */
#ifndef M5_ILLMESH_H
#define M5_ILLMESH_H

#include "../core/arena.h"
#include "../core/diag.h"
#include "../core/status.h"
#include "../core/writer.h"

M5_BEGIN_C

/* The parts of a vertex. The header has a flag for each, except the bitangent, which comes with
 * the tangent, and the weights, which come with the bones. */
typedef enum m5_illmesh_part {
    M5_ILL_POSITION,
    M5_ILL_NORMAL,
    M5_ILL_TANGENT,
    M5_ILL_BITANGENT,
    M5_ILL_TEXCOORD,
    M5_ILL_BONES,   /* four bone indices, as floats */
    M5_ILL_WEIGHTS, /* of these four bones */
    M5_ILL_COLOR,
    M5_ILL_PARTS
} m5_illmesh_part;

enum { M5_ILL_FLAGS = 6 };

/* Clean: every count is the number of records found, every index is below num_verts, num_indices is
 * a multiple of 3, every float is finite, and every bone index is an integer of at least 0 (its
 * upper limit is in the illskel). Flawed: the counts are of what could be read, or 0 if the records
 * cannot be told apart; a float that could not be read is NaN and an index UINT32_MAX. */
typedef struct m5_illmesh {
    const m5_source *source;
    uint32_t num_verts, num_indices;
    uint32_t stride;            /* floats a vertex; 0 only if flawed, and then num_verts is 0 too */
    int32_t at[M5_ILL_PARTS];   /* the index of a part's first float in a vertex, or -1 */
    bool engine_layout;         /* bones and weights come before texture coordinates */
    float *verts;               /* num_verts * stride, in the order of the file */
    uint32_t *indices;          /* num_indices, three for each triangle */
    uint32_t *vert_offsets;     /* of each vertex's first word in the source */
    uint32_t *triangle_offsets; /* of each triangle's first word */
    m5_span flags[M5_ILL_FLAGS], num_verts_at, num_indices_at; /* the header's words */
    bool verts_whole, indices_whole; /* every one is there and could be read */
} m5_illmesh;

/* The number of floats in each part: 3, 3, 3, 3, 2, 4, 4, 4. */
extern const uint8_t m5_illmesh_width[M5_ILL_PARTS];

/* Parses report->source; the settings can force a layout. The model is in the arena and points into
 * it and into the source; *out is NULL only after M5_NO_MEMORY. Memory, threads and errors: see
 * m5.h. */
m5_status m5_illmesh_parse(m5_report *report, m5_arena *arena, const m5_illmesh **out);

/* Writes a clean model: see m5_print. */
void m5_illmesh_print(const m5_illmesh *model, const m5_writer *out);

M5_END_C

#endif
