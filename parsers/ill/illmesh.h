/* illmesh (ILLMESH0): vertices and indices as they go to the graphics card. Format text:
 * ".illmesh". */
#ifndef M5_ILLMESH_H
#define M5_ILLMESH_H

#include "../core/arena.h"
#include "../core/diag.h"
#include "../core/status.h"
#include "../core/writer.h"

M5_BEGIN_C

/* What a vertex can have. The header has a flag for each but the bitangent, which comes with the
 * tangent, and the weights, which come with the bones. */
typedef enum m5_illmesh_part {
    M5_ILL_POSITION,
    M5_ILL_NORMAL,
    M5_ILL_TANGENT,
    M5_ILL_BITANGENT,
    M5_ILL_TEXCOORD,
    M5_ILL_BONES,   /* four indices of bones, whole numbers that are not negative */
    M5_ILL_WEIGHTS, /* of these bones */
    M5_ILL_COLOR,
    M5_ILL_PARTS
} m5_illmesh_part;

enum { M5_ILL_FLAGS = 6 };

/* Clean: the arrays are as long as they say, every index is below num_verts, num_indices is a
 * multiple of 3, every float is finite, and every bone index is whole and not negative. Flawed:
 * the counts are of what could be read, or 0 where nothing tells which numbers are whose; a float
 * that could not be read is NaN and an index UINT32_MAX. */
typedef struct m5_illmesh {
    const m5_source *source;
    uint32_t num_verts, num_indices;
    uint32_t stride;          /* floats of a vertex; 0 only if flawed, and then num_verts is, too */
    int32_t at[M5_ILL_PARTS]; /* where a part begins among those, or -1 */
    bool engine_layout;       /* bones and weights stand before texture coordinates */
    float *verts;             /* num_verts * stride, in the order of the file */
    uint32_t *indices;        /* three for each triangle */
    uint32_t *vert_offsets;   /* of each vertex's first word in the source */
    uint32_t *triangle_offsets;                                /* of each triangle's first word */
    m5_span flags[M5_ILL_FLAGS], num_verts_at, num_indices_at; /* the header's words */
    bool verts_whole, indices_whole;                           /* each is there and could be read */
} m5_illmesh;

/* Floats of a part: 3, 3, 3, 3, 2, 4, 4, 4. */
extern const uint8_t m5_illmesh_width[M5_ILL_PARTS];

/* Parses report->source; the settings can force a layout. The model is in the arena and
 * points into the source; it is there (*out is not NULL) unless the status is M5_NO_MEMORY. Thread
 * rules, memory and errors: see m5.h. */
m5_status m5_illmesh_parse(m5_report *report, m5_arena *arena, const m5_illmesh **out);

/* Prints a clean model: see m5_print. */
void m5_illmesh_print(const m5_illmesh *model, const m5_writer *out);

M5_END_C

#endif
