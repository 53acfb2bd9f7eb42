/* Prints the three ill* texts. */
#include "illanim.h"
#include "illmesh.h"
#include "illskel.h"
#include "../core/write.h"

/* ---- illmesh --------------------------------------------------------------------------------- */

/* Prints the parts of a vertex in the order of the file. */
static void print_vertex(const m5_illmesh *m, const float *vertex, const m5_writer *out)
{
    for (uint32_t at = 0; at < m->stride;)
        for (int part = 0; part < M5_ILL_PARTS; part++)
            if (m->at[part] == (int32_t)at) {
                m5_write_floats(out, vertex + at, m5_illmesh_width[part]);
                m5_write(out, "\n");
                at += m5_illmesh_width[part];
            }
}

void m5_illmesh_print(const m5_illmesh *m, const m5_writer *out)
{
    static const m5_illmesh_part flags[M5_ILL_FLAGS] = {M5_ILL_POSITION, M5_ILL_NORMAL,
                                                        M5_ILL_TANGENT,  M5_ILL_TEXCOORD,
                                                        M5_ILL_BONES,    M5_ILL_COLOR};
    m5_write(out, "ILLMESH0\n");
    for (int i = 0; i < M5_ILL_FLAGS; i++)
        m5_write(out, "%d\n", m->at[flags[i]] >= 0);
    m5_write(out, "%u\n%u\n", m->num_verts, m->num_indices);
    for (uint32_t i = 0; i < m->num_verts; i++)
        print_vertex(m, m->verts + (size_t)i * m->stride, out);
    for (uint32_t i = 0; i < m->num_indices; i += 3)
        m5_write(out, "%u %u %u\n", m->indices[i], m->indices[i + 1], m->indices[i + 2]);
}

/* ---- illskel --------------------------------------------------------------------------------- */

void m5_illskel_print(const m5_illskel *m, const m5_writer *out)
{
    m5_write(out, "ILLSKEL0\n%u\n", m->num_bones);
    for (uint32_t i = 0; i < m->num_bones; i++)
        for (int row = 0; row < 4; row++) {
            m5_write_floats(out, m->bones[i].matrix[row], 4);
            m5_write(out, "\n");
        }
    for (uint32_t i = 0; i < m->num_bones; i++)
        m5_write(out, "%d\n", m->bones[i].parent);
    for (uint32_t i = 0; i < m->num_bones; i++) {
        m5_write_span(out, m->source, m->bones[i].name);
        m5_write(out, "\n");
    }
}

/* ---- illanim --------------------------------------------------------------------------------- */

void m5_illanim_print(const m5_illanim *m, const m5_writer *out)
{
    m5_write(out, "ILLANIM0\n");
    m5_write_float(out, m->frame_rate);
    m5_write(out, "\n%u\n%u\n", m->num_frames, m->num_bones);
    for (uint32_t i = 0; i < m->num_bones; i++) {
        m5_write_span(out, m->source, m->bones[i].name);
        m5_write(out, "\n");
        for (uint32_t k = 0; k < m->num_frames; k++) {
            const m5_illanim_key *key = &m->bones[i].keys[k];
            m5_write_floats(out, key->pos, 3);
            m5_write(out, "\n");
            m5_write_floats(out, key->rotation, 4);
            m5_write(out, "\n");
            m5_write_floats(out, key->scale, 3);
            m5_write(out, "\n");
        }
    }
}
