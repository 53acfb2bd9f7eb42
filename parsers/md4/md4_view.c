/* Reads bones, frames, vertices, weights and triangles from the bytes that an MD4 model is a
 * view of. */
#include "md4.h"
#include "../core/cursor.h"

m5_md4_bone m5_md4_bone_at(const m5_md4 *m, uint32_t bone)
{
    uint32_t at = m->bones_at + bone * M5_MD4_BONE;
    int32_t parent = m5_cursor_int(m->source, (uint64_t)at + 32);
    return (m5_md4_bone){at, m5_cursor_string(m->source, at, 32), parent < 0 ? -1 : parent,
                         m5_cursor_int(m->source, (uint64_t)at + 36)};
}

m5_md4_frame m5_md4_frame_at(const m5_md4 *m, uint32_t frame)
{
    uint64_t at = m->frames_at + frame * m5_md4_frame_size(m->num_bones);
    float f[10];
    m5_cursor_floats(m->source, at, f, 10);
    m5_md4_frame out = {.offset = (uint32_t)at, .radius = f[9]};
    for (int i = 0; i < 3; i++) {
        out.min[i] = f[m->per_axis_bounds ? 2 * i : i];
        out.max[i] = f[m->per_axis_bounds ? 2 * i + 1 : i + 3];
        out.origin[i] = f[6 + i];
    }
    return out;
}

uint32_t m5_md4_matrix_at(const m5_md4 *m, uint32_t frame, uint32_t bone, float out[3][4])
{
    uint64_t at = m->frames_at + frame * m5_md4_frame_size(m->num_bones) + M5_MD4_FRAME +
                  (uint64_t)bone * M5_MD4_MATRIX;
    m5_cursor_floats(m->source, at, &out[0][0], 12);
    return (uint32_t)at;
}

m5_md4_vertex m5_md4_vertex_at(const m5_md4 *m, const m5_md4_surface *s, uint32_t vertex)
{
    uint32_t at = s->verts[vertex];
    m5_md4_vertex out = {.offset = at, .num_weights = m5_cursor_bits(m->source, (uint64_t)at + 32)};
    m5_cursor_floats(m->source, at, out.pos, 3);
    m5_cursor_floats(m->source, (uint64_t)at + 12, out.normal, 3);
    m5_cursor_floats(m->source, (uint64_t)at + 24, out.st, 2);
    return out;
}

m5_md4_weight m5_md4_weight_at(const m5_md4 *m, const m5_md4_surface *s, uint32_t vertex,
                               uint32_t weight)
{
    uint64_t at = (uint64_t)s->verts[vertex] + M5_MD4_VERTEX + (uint64_t)weight * M5_MD4_WEIGHT;
    uint32_t index = m5_cursor_bits(m->source, at);
    float f[4];
    m5_cursor_floats(m->source, at + 4, f, 4);
    bool listed = index < s->num_refs && !s->main_list;
    return (m5_md4_weight){.offset = (uint32_t)at,
                           .bone = listed ? m5_md4_bone_ref_at(m, s, index) : index,
                           .weight = f[0],
                           .pos = {f[1], f[2], f[3]}};
}

void m5_md4_triangle_at(const m5_md4 *m, const m5_md4_surface *s, uint32_t triangle,
                        uint32_t out[3])
{
    for (uint32_t i = 0; i < 3; i++)
        out[i] = m5_cursor_bits(m->source,
                                s->tris_at + (uint64_t)triangle * M5_MD4_TRIANGLE + 4 * i);
}

uint32_t m5_md4_bone_ref_at(const m5_md4 *m, const m5_md4_surface *s, uint32_t ref)
{
    return m5_cursor_bits(m->source, s->refs_at + (uint64_t)4 * ref);
}

uint32_t m5_md4_collapse_at(const m5_md4 *m, const m5_md4_surface *s, uint32_t vertex)
{
    return m5_cursor_bits(m->source, s->collapse_at + (uint64_t)4 * vertex);
}
