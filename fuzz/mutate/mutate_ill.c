/* Mutates illmesh, illskel and illanim as models. */
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

static void mend_indices(mutate_chance *c, m5_illmesh *m)
{
    for (uint32_t i = 0; i < m->num_indices && m->num_verts != 0 && !mutate_one_in(c, 64); i++)
        m->indices[i] %= m->num_verts;
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
    mend_indices(c, m);
}

/* Vertices of different layouts cannot be mixed: then all are taken from the other mesh. */
void mutate_cross_illmesh(mutate_chance *c, m5_arena *arena, m5_illmesh *m, m5_illmesh *other,
                          uint32_t by)
{
    (void)by; /* there are no names */
    mutate_splice s;
    if (mutate_one_in(c, 2)) {
        s = mutate_choose_splice(c, m->num_indices / 3, other->num_indices / 3);
        m->indices = mutate_apply_splice(&s, arena, m->indices, other->indices,
                                         3 * sizeof *m->indices);
        m->num_indices = 3 * mutate_spliced(&s);
    } else {
        s = mutate_choose_splice(c, m->num_verts, other->num_verts);
        if (memcmp(m->at, other->at, sizeof m->at) != 0)
            s = (mutate_splice){.count = other->num_verts};
        m->verts = mutate_apply_splice(&s, arena, m->verts, other->verts,
                                       other->stride * sizeof *m->verts);
        m->num_verts = mutate_spliced(&s);
        m->stride = other->stride;
        memcpy(m->at, other->at, sizeof m->at);
    }
    mend_indices(c, m);
}

/* ---- illskel --------------------------------------------------------------------------------- */

static void mend_parents(mutate_chance *c, m5_illskel *m)
{
    for (uint32_t i = 0; i < m->num_bones && !mutate_one_in(c, 32); i++)
        if (m->bones[i].parent >= (int32_t)m->num_bones)
            m->bones[i].parent = (int32_t)i - 1;
}

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
    mend_parents(c, m);
}

void mutate_cross_illskel(mutate_chance *c, m5_arena *arena, m5_illskel *m, m5_illskel *other,
                          uint32_t by)
{
    mutate_splice s = mutate_choose_splice(c, m->num_bones, other->num_bones);
    for (uint32_t i = 0; i < other->num_bones; i++)
        other->bones[i].name.offset += by;
    m->bones = mutate_apply_splice(&s, arena, m->bones, other->bones, sizeof *m->bones);
    m->num_bones = mutate_spliced(&s);
    mend_parents(c, m);
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

/* Gives an animation as many frames as another: repeats the first frame, or removes the last. */
static void fit_frames(m5_arena *arena, m5_illanim *m, uint32_t frames)
{
    mutate_edit e = {MUTATE_CUT, frames, 0, m->num_frames};
    if (frames > m->num_frames)
        e = (mutate_edit){MUTATE_REPEAT, 0, frames - m->num_frames, m->num_frames};
    for (uint32_t i = 0; i < m->num_bones && frames != m->num_frames; i++)
        m->bones[i].keys = mutate_apply(&e, arena, m->bones[i].keys, sizeof *m->bones[i].keys);
    m->num_frames = frames;
}

static void cross_keys(mutate_chance *c, m5_arena *arena, m5_illanim *m, const m5_illanim *other)
{
    mutate_splice s = mutate_choose_splice(c, m->num_frames, other->num_frames);
    for (uint32_t i = 0; i < m->num_bones && other->num_bones != 0; i++)
        m->bones[i].keys = mutate_apply_splice(&s, arena, m->bones[i].keys,
                                               other->bones[i % other->num_bones].keys,
                                               sizeof *m->bones[i].keys);
    m->num_frames = other->num_bones != 0 ? mutate_spliced(&s) : m->num_frames;
}

void mutate_cross_illanim(mutate_chance *c, m5_arena *arena, m5_illanim *m, m5_illanim *other,
                          uint32_t by)
{
    enum { MOST_KEYS = 1 << 16 };
    for (uint32_t i = 0; i < other->num_bones; i++)
        other->bones[i].name.offset += by;
    if ((uint64_t)m->num_bones * other->num_frames > MOST_KEYS ||
        (uint64_t)other->num_bones * m->num_frames > MOST_KEYS)
        return; /* one has few bones and many frames, the other many bones and few frames */
    if (mutate_one_in(c, 3)) {
        cross_keys(c, arena, m, other);
        return;
    }
    if (mutate_one_in(c, 2))
        fit_frames(arena, m, other->num_frames);
    else
        fit_frames(arena, other, m->num_frames);
    mutate_splice s = mutate_choose_splice(c, m->num_bones, other->num_bones);
    m->bones = mutate_apply_splice(&s, arena, m->bones, other->bones, sizeof *m->bones);
    m->num_bones = mutate_spliced(&s);
}
