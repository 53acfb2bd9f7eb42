/* illmesh, illskel and illanim. */
#include "mutate.h"

#include <string.h>

/* ---- illmesh --------------------------------------------------------------------------------- */

static void edit_vertices(mutate_chance *c, m5_arena *arena, m5_illmesh *m)
{
    mutate_edit e = mutate_choose(c, m->num_verts);
    m->verts = mutate_apply(&e, arena, m->verts, m->stride * sizeof *m->verts);
    m->num_verts = mutate_count(&e);
}

static void edit_triangles(mutate_chance *c, m5_arena *arena, m5_illmesh *m)
{
    mutate_edit e = mutate_choose(c, m->num_indices / 3);
    m->indices = mutate_apply(&e, arena, m->indices, 3 * sizeof *m->indices);
    m->num_indices = 3 * mutate_count(&e);
}

static void change_bones(mutate_chance *c, m5_illmesh *m)
{
    if (m->at[M5_ILL_BONES] < 0 || m->num_verts == 0)
        return;
    float *v = m->verts + (size_t)mutate_below(c, m->num_verts) * m->stride;
    if (mutate_one_in(c, 2))
        v[(uint32_t)m->at[M5_ILL_BONES] + mutate_below(c, 4)] = (float)mutate_index(c, 64);
    else
        mutate_floats(c, v + m->at[M5_ILL_WEIGHTS], 4);
}

void mutate_illmesh(mutate_chance *c, m5_arena *arena, m5_illmesh *m)
{
    switch (mutate_below(c, 6)) {
    case 0: edit_vertices(c, arena, m); break;
    case 1: edit_triangles(c, arena, m); break;
    case 2: change_bones(c, m); break;
    case 3:
        if (m->num_indices != 0)
            m->indices[mutate_below(c, m->num_indices)] = mutate_index(c, m->num_verts);
        break;
    default: mutate_floats(c, m->verts, m->num_verts * m->stride);
    }
    for (uint32_t i = 0; i < m->num_indices && m->num_verts != 0 && !mutate_one_in(c, 64); i++)
        m->indices[i] %= m->num_verts;
}

/* ---- illskel --------------------------------------------------------------------------------- */

void mutate_illskel(mutate_chance *c, m5_arena *arena, m5_illskel *m)
{
    m5_illskel_bone *bone = m->num_bones != 0 ? &m->bones[mutate_below(c, m->num_bones)] : NULL;
    mutate_edit e;
    switch (mutate_below(c, 4)) {
    case 0:
        e = mutate_choose(c, m->num_bones);
        m->bones = mutate_apply(&e, arena, m->bones, sizeof *m->bones);
        m->num_bones = mutate_count(&e);
        break;
    case 1:
        if (bone != NULL)
            bone->parent = (int32_t)mutate_index(c, m->num_bones + 1) - 1;
        break;
    default:
        if (bone != NULL)
            mutate_floats(c, bone->matrix[0], 16);
    }
    for (uint32_t i = 0; i < m->num_bones && !mutate_one_in(c, 32); i++)
        if (m->bones[i].parent >= (int32_t)m->num_bones)
            m->bones[i].parent = (int32_t)i - 1;
}

/* ---- illanim --------------------------------------------------------------------------------- */

static void edit_keys(mutate_chance *c, m5_arena *arena, m5_illanim *m)
{
    mutate_edit e = mutate_choose(c, m->num_frames);
    for (uint32_t i = 0; i < m->num_bones; i++)
        m->bones[i].keys = mutate_apply(&e, arena, m->bones[i].keys, sizeof *m->bones[i].keys);
    m->num_frames = mutate_count(&e);
}

static void change_key(mutate_chance *c, m5_illanim *m)
{
    if (m->num_bones == 0 || m->num_frames == 0)
        return;
    m5_illanim_key *key =
        &m->bones[mutate_below(c, m->num_bones)].keys[mutate_below(c, m->num_frames)];
    switch (mutate_below(c, 3)) {
    case 0: mutate_floats(c, key->pos, 3); break;
    case 1: mutate_floats(c, key->rotation, 4); break;
    default: mutate_floats(c, key->scale, 3);
    }
}

void mutate_illanim(mutate_chance *c, m5_arena *arena, m5_illanim *m)
{
    mutate_edit e;
    switch (mutate_below(c, 6)) {
    case 0:
        e = mutate_choose(c, m->num_bones);
        m->bones = mutate_apply(&e, arena, m->bones, sizeof *m->bones);
        m->num_bones = mutate_count(&e);
        break;
    case 1: edit_keys(c, arena, m); break;
    case 2: mutate_floats(c, &m->frame_rate, 1); break;
    default: change_key(c, m);
    }
}
