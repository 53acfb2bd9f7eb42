/* MD4 as JSON. */
#include "dump.h"

enum { XYZ = 3 };

static void dump_bones(const m5_md4 *m)
{
    json_open("bones", '[');
    for (uint32_t i = 0; i < m->num_bones; i++) {
        m5_md4_bone bone = m5_md4_bone_at(m, i);
        json_open(NULL, '{');
        json_span("name", m->source, bone.name);
        json_int("parent", bone.parent);
        json_int("flags", bone.flags);
        json_close('}');
    }
    json_close(']');
}

static void dump_frames(const m5_md4 *m)
{
    json_open("frames", '[');
    for (uint32_t i = 0; i < m->num_frames; i++) {
        m5_md4_frame frame = m5_md4_frame_at(m, i);
        json_open(NULL, '{');
        json_floats("min", frame.min, XYZ);
        json_floats("max", frame.max, XYZ);
        json_floats("origin", frame.origin, XYZ);
        json_float("radius", frame.radius);
        json_open("bones", '['); /* rows of matrices, the translation is the last column */
        for (uint32_t k = 0; k < m->num_bones; k++) {
            float matrix[3][4];
            m5_md4_matrix_at(m, i, k, matrix);
            json_floats(NULL, matrix[0], 12);
        }
        json_close(']');
        json_close('}');
    }
    json_close(']');
}

static void dump_vertex(const m5_md4 *m, const m5_md4_surface *s, uint32_t i)
{
    m5_md4_vertex v = m5_md4_vertex_at(m, s, i);
    json_open(NULL, '{');
    json_floats("position", v.pos, XYZ);
    json_floats("normal", v.normal, XYZ);
    json_floats("st", v.st, 2);
    json_int("collapse", m5_md4_collapse_at(m, s, i));
    json_open("weights", '[');
    for (uint32_t k = 0; k < v.num_weights; k++) {
        m5_md4_weight w = m5_md4_weight_at(m, s, i, k);
        json_open(NULL, '{');
        json_int("bone", w.bone);
        json_float("weight", w.weight);
        json_floats("position", w.pos, XYZ);
        json_close('}');
    }
    json_close(']');
    json_close('}');
}

static void dump_surface(const m5_md4 *m, const m5_md4_surface *s)
{
    json_open(NULL, '{');
    json_span("name", m->source, s->name);
    json_span("shader", m->source, s->shader);
    json_int("minLod", s->min_lod);
    json_open("verts", '[');
    for (uint32_t i = 0; i < s->num_verts; i++)
        dump_vertex(m, s, i);
    json_close(']');
    json_open("tris", '[');
    for (uint32_t i = 0; i < s->num_tris; i++) {
        uint32_t corners[3];
        m5_md4_triangle_at(m, s, i, corners);
        json_ints(NULL, corners, 3);
    }
    json_close(']');
    json_open("boneRefs", '[');
    for (uint32_t i = 0; i < s->num_refs; i++)
        json_int(NULL, m5_md4_bone_ref_at(m, s, i));
    json_close(']');
    json_close('}');
}

void dump_md4(const m5_md4 *m)
{
    json_span("name", m->source, m->name);
    dump_bones(m);
    dump_frames(m);
    json_open("surfaces", '[');
    for (uint32_t i = 0; i < m->num_surfs; i++)
        dump_surface(m, &m->surfs[i]);
    json_close(']');
}
