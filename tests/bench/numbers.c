/* Lists the numbers of a parsed model in the order of its file, to compare the floor with. */
#include "numbers.h"

#include <string.h>

static float *put(float *out, double value)
{
    *out = (float)value;
    return out + 1;
}

static float *put_all(float *out, const float *values, size_t count)
{
    memcpy(out, values, count * sizeof *values);
    return out + count;
}

/* ---- MD5 ------------------------------------------------------------------------------------- */

static float *put_pose(float *out, const m5_md5_pose *pose)
{
    return put_all(put_all(out, pose->pos, 3), pose->orient, 3);
}

static float *put_verts(float *out, const m5_md5mesh_mesh *mesh)
{
    out = put(out, mesh->num_verts);
    for (uint32_t i = 0; i < mesh->num_verts; i++) {
        const m5_md5mesh_vert *v = &mesh->verts[i];
        out = put_all(put(out, i), v->st, 2);
        out = put(put(out, v->start), v->count);
    }
    return out;
}

static float *put_tris(float *out, const m5_md5mesh_mesh *mesh)
{
    out = put(out, mesh->num_tris);
    for (uint32_t i = 0; i < mesh->num_tris; i++) {
        out = put(out, i);
        for (int k = 0; k < 3; k++)
            out = put(out, mesh->tris[i].vert[k]);
    }
    return out;
}

static float *put_weights(float *out, const m5_md5mesh_mesh *mesh)
{
    out = put(out, mesh->num_weights);
    for (uint32_t i = 0; i < mesh->num_weights; i++) {
        const m5_md5mesh_weight *w = &mesh->weights[i];
        out = put(put(put(out, i), w->joint), w->bias);
        out = put_all(out, w->pos, 3);
    }
    return out;
}

static float *put_md5mesh(float *out, const m5_md5mesh *m)
{
    out = put(put(put(out, 10), m->num_joints), m->num_meshes);
    for (uint32_t i = 0; i < m->num_joints; i++)
        out = put_pose(put(out, m->joints[i].parent), &m->bind[i]);
    for (uint32_t i = 0; i < m->num_meshes; i++)
        out = put_weights(put_tris(put_verts(out, &m->meshes[i]), &m->meshes[i]), &m->meshes[i]);
    return out;
}

static float *put_md5anim(float *out, const m5_md5anim *m)
{
    out = put(put(put(out, 10), m->num_frames), m->num_joints);
    out = put(put(out, m->frame_rate), m->num_components);
    for (uint32_t i = 0; i < m->num_joints; i++) {
        const m5_md5anim_channel *c = &m->channels[i];
        out = put(put(out, m->joints[i].parent), c->flags);
        out = put(out, c->flags != 0 ? c->start : (double)NAN);
    }
    for (uint32_t i = 0; i < m->num_frames; i++)
        out = put_all(put_all(out, m->bounds[i].min, 3), m->bounds[i].max, 3);
    for (uint32_t i = 0; i < m->num_joints; i++)
        out = put_pose(out, &m->base[i]);
    for (uint32_t i = 0; i < m->num_frames; i++) {
        const float *frame = m->components + (size_t)i * m->num_components;
        out = put_all(put(out, i), frame, m->num_components);
    }
    return out;
}

/* ---- ill* ------------------------------------------------------------------------------------ */

static float *put_illmesh(float *out, const m5_illmesh *m)
{
    static const m5_illmesh_part flags[M5_ILL_FLAGS] = {M5_ILL_POSITION, M5_ILL_NORMAL,
                                                        M5_ILL_TANGENT,  M5_ILL_TEXCOORD,
                                                        M5_ILL_BONES,    M5_ILL_COLOR};
    for (int i = 0; i < M5_ILL_FLAGS; i++)
        out = put(out, m->at[flags[i]] >= 0);
    out = put(put(out, m->num_verts), m->num_indices);
    out = put_all(out, m->verts, (size_t)m->num_verts * m->stride);
    for (uint32_t i = 0; i < m->num_indices; i++)
        out = put(out, m->indices[i]);
    return out;
}

static float *put_illanim(float *out, const m5_illanim *m)
{
    out = put(put(put(out, m->frame_rate), m->num_frames), m->num_bones);
    for (uint32_t i = 0; i < m->num_bones; i++)
        for (uint32_t k = 0; k < m->num_frames; k++) {
            const m5_illanim_key *key = &m->bones[i].keys[k];
            out = put_all(put_all(out, key->pos, 3), key->rotation, 4);
            out = put_all(out, key->scale, 3);
        }
    return out;
}

size_t model_numbers(const m5_model *model, float *out)
{
    const float *first = out;
    if (model->md5mesh != NULL)
        out = put_md5mesh(out, model->md5mesh);
    else if (model->md5anim != NULL)
        out = put_md5anim(out, model->md5anim);
    else if (model->illmesh != NULL)
        out = put_illmesh(out, model->illmesh);
    else if (model->illanim != NULL)
        out = put_illanim(out, model->illanim);
    return (size_t)(out - first);
}
