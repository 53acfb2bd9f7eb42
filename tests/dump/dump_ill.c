/* illmesh, illskel and illanim as JSON. */
#include "dump.h"

static void dump_vertex(const m5_illmesh *m, uint32_t i)
{
    static const char *const part[M5_ILL_PARTS] = {"position", "normal", "tangent", "bitangent",
                                                   "texcoord", "bones",  "weights", "color"};
    json_open(NULL, '{');
    for (int p = 0; p < M5_ILL_PARTS; p++)
        if (m->at[p] >= 0)
            json_floats(part[p], m->verts + (size_t)i * m->stride + m->at[p], m5_illmesh_width[p]);
    json_close('}');
}

void dump_illmesh(const m5_illmesh *m)
{
    json_open("verts", '[');
    for (uint32_t i = 0; i < m->num_verts; i++)
        dump_vertex(m, i);
    json_close(']');
    json_open("tris", '[');
    for (uint32_t i = 0; i + 2 < m->num_indices; i += 3)
        json_ints(NULL, m->indices + i, 3);
    json_close(']');
}

void dump_illskel(const m5_illskel *m)
{
    json_open("bones", '[');
    for (uint32_t i = 0; i < m->num_bones; i++) {
        json_open(NULL, '{');
        json_span("name", m->source, m->bones[i].name);
        json_int("parent", m->bones[i].parent);
        json_floats("matrix", m->bones[i].matrix[0], 16);
        json_close('}');
    }
    json_close(']');
}

static void dump_key(const m5_illanim_key *key)
{
    json_open(NULL, '{');
    json_floats("position", key->pos, 3);
    json_floats("rotation", key->rotation, 4);
    json_floats("scale", key->scale, 3);
    json_close('}');
}

void dump_illanim(const m5_illanim *m)
{
    json_float("frameRate", m->frame_rate);
    json_open("bones", '[');
    for (uint32_t i = 0; i < m->num_bones; i++) {
        json_open(NULL, '{');
        json_span("name", m->source, m->bones[i].name);
        json_open("keys", '[');
        for (uint32_t k = 0; k < m->num_frames; k++)
            dump_key(&m->bones[i].keys[k]);
        json_close(']');
        json_close('}');
    }
    json_close(']');
}
