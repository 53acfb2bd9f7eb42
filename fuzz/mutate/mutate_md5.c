/* Mutates md5mesh and md5anim as models. */
#include "mutate.h"
#include "parsers/core/allocate.h"

#include <string.h>

/* ---- md5mesh --------------------------------------------------------------------------------- */

static void edit_skeleton(mutate_chance *c, m5_arena *arena, m5_md5mesh *m)
{
    mutate_edit e = mutate_choose(c, m->num_joints);
    m->joints = mutate_apply(&e, arena, m->joints, sizeof *m->joints);
    m->bind = mutate_apply(&e, arena, m->bind, sizeof *m->bind);
    m->num_joints = mutate_count(&e);
}

static void edit_mesh_list(mutate_chance *c, m5_arena *arena, m5_md5mesh_mesh *m)
{
    mutate_edit e;
    switch (mutate_below(c, 3)) {
    case 0:
        e = mutate_choose(c, m->num_verts);
        m->verts = mutate_apply(&e, arena, m->verts, sizeof *m->verts);
        m->num_verts = mutate_count(&e);
        break;
    case 1:
        e = mutate_choose(c, m->num_tris);
        m->tris = mutate_apply(&e, arena, m->tris, sizeof *m->tris);
        m->num_tris = mutate_count(&e);
        break;
    default:
        e = mutate_choose(c, m->num_weights);
        m->weights = mutate_apply(&e, arena, m->weights, sizeof *m->weights);
        m->num_weights = mutate_count(&e);
    }
}

static void change_vert(mutate_chance *c, const m5_md5mesh_mesh *m, m5_md5mesh_vert *v)
{
    switch (mutate_below(c, 3)) {
    case 0: mutate_floats(c, v->st, 2); break;
    case 1: v->start = mutate_index(c, m->num_weights); break;
    default:
        v->count = mutate_one_in(c, 4) ? mutate_index(c, m->num_weights) : 1 + mutate_below(c, 5);
    }
}

static void change_weight(mutate_chance *c, uint32_t joints, m5_md5mesh_weight *w)
{
    switch (mutate_below(c, 3)) {
    case 0: mutate_floats(c, w->pos, 3); break;
    case 1: mutate_floats(c, &w->bias, 1); break;
    default: w->joint = mutate_index(c, joints);
    }
}

static void change_mesh(mutate_chance *c, uint32_t joints, m5_md5mesh_mesh *m)
{
    switch (mutate_below(c, 3)) {
    case 0:
        if (m->num_verts != 0)
            change_vert(c, m, &m->verts[mutate_below(c, m->num_verts)]);
        break;
    case 1:
        if (m->num_tris != 0)
            m->tris[mutate_below(c, m->num_tris)].vert[mutate_below(c, 3)] = mutate_index(
                c, m->num_verts);
        break;
    default:
        if (m->num_weights != 0)
            change_weight(c, joints, &m->weights[mutate_below(c, m->num_weights)]);
    }
}

/* Changes a joint's parent, mostly to one before it, or its pose. */
static void change_joint(mutate_chance *c, m5_md5_joint *joints, m5_md5_pose *poses, uint32_t count)
{
    uint32_t i = mutate_below(c, count);
    if (count == 0)
        return;
    switch (mutate_below(c, 4)) {
    case 0: joints[i].parent = (int32_t)mutate_below(c, i + 1) - 1; break;
    case 1: joints[i].parent = (int32_t)mutate_index(c, count) - 2; break;
    case 2: mutate_floats(c, poses[i].pos, 3); break;
    default: mutate_floats(c, poses[i].orient, 3);
    }
}

/* Puts every index into range again, as an edit may have shortened lists. */
static void mend_mesh(uint32_t joints, m5_md5mesh_mesh *m)
{
    for (uint32_t i = 0; i < m->num_verts && m->num_weights != 0; i++) {
        m->verts[i].start %= m->num_weights;
        uint32_t left = m->num_weights - m->verts[i].start;
        m->verts[i].count = m->verts[i].count == 0 || m->verts[i].count > left ? 1
                                                                               : m->verts[i].count;
    }
    for (uint32_t i = 0; i < m->num_tris && m->num_verts != 0; i++)
        for (int k = 0; k < 3; k++)
            m->tris[i].vert[k] %= m->num_verts;
    for (uint32_t i = 0; i < m->num_weights && joints != 0; i++)
        m->weights[i].joint %= joints;
}

static void mend_joints(m5_md5_joint *joints, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (joints[i].parent >= (int32_t)i || joints[i].parent < -1)
            joints[i].parent = (int32_t)i - 1;
}

/* Repairs three in four of the models. */
static void mend_md5mesh(mutate_chance *c, m5_md5mesh *m)
{
    if (mutate_one_in(c, 4))
        return;
    mend_joints(m->joints, m->num_joints);
    for (uint32_t i = 0; i < m->num_meshes; i++)
        mend_mesh(m->num_joints, &m->meshes[i]);
}

void mutate_md5mesh(mutate_chance *c, m5_arena *arena, m5_md5mesh *m)
{
    m5_md5mesh_mesh *mesh = m->num_meshes != 0 ? &m->meshes[mutate_below(c, m->num_meshes)] : NULL;
    uint32_t what = mutate_below(c, 10);
    if (what == 0) {
        edit_skeleton(c, arena, m);
    } else if (what == 1) {
        mutate_edit e = mutate_choose(c, m->num_meshes);
        m->meshes = mutate_apply(&e, arena, m->meshes, sizeof *m->meshes);
        m->num_meshes = mutate_count(&e);
    } else if (what < 4) {
        change_joint(c, m->joints, m->bind, m->num_joints);
    } else if (mesh != NULL && what < 6) {
        edit_mesh_list(c, arena, mesh);
    } else if (mesh != NULL) {
        change_mesh(c, m->num_joints, mesh);
    }
    mend_md5mesh(c, m);
}

static void shift_md5mesh(m5_md5mesh *m, uint32_t by)
{
    for (uint32_t i = 0; i < m->num_joints; i++)
        m->joints[i].name.offset += by;
    for (uint32_t i = 0; i < m->num_meshes; i++)
        m->meshes[i].shader.offset += by;
}

static void cross_mesh_list(mutate_chance *c, m5_arena *arena, m5_md5mesh_mesh *m,
                            const m5_md5mesh_mesh *other)
{
    mutate_splice s;
    switch (mutate_below(c, 3)) {
    case 0:
        s = mutate_choose_splice(c, m->num_verts, other->num_verts);
        m->verts = mutate_apply_splice(&s, arena, m->verts, other->verts, sizeof *m->verts);
        m->num_verts = mutate_spliced(&s);
        break;
    case 1:
        s = mutate_choose_splice(c, m->num_tris, other->num_tris);
        m->tris = mutate_apply_splice(&s, arena, m->tris, other->tris, sizeof *m->tris);
        m->num_tris = mutate_spliced(&s);
        break;
    default:
        s = mutate_choose_splice(c, m->num_weights, other->num_weights);
        m->weights = mutate_apply_splice(&s, arena, m->weights, other->weights, sizeof *m->weights);
        m->num_weights = mutate_spliced(&s);
    }
}

void mutate_cross_md5mesh(mutate_chance *c, m5_arena *arena, m5_md5mesh *m, m5_md5mesh *other,
                          uint32_t by)
{
    mutate_splice s;
    shift_md5mesh(other, by);
    switch (mutate_below(c, 4)) {
    case 0:
        s = mutate_choose_splice(c, m->num_joints, other->num_joints);
        m->joints = mutate_apply_splice(&s, arena, m->joints, other->joints, sizeof *m->joints);
        m->bind = mutate_apply_splice(&s, arena, m->bind, other->bind, sizeof *m->bind);
        m->num_joints = mutate_spliced(&s);
        break;
    case 1:
        s = mutate_choose_splice(c, m->num_meshes, other->num_meshes);
        m->meshes = mutate_apply_splice(&s, arena, m->meshes, other->meshes, sizeof *m->meshes);
        m->num_meshes = mutate_spliced(&s);
        break;
    default:
        if (m->num_meshes != 0 && other->num_meshes != 0)
            cross_mesh_list(c, arena, &m->meshes[mutate_below(c, m->num_meshes)],
                            &other->meshes[mutate_below(c, other->num_meshes)]);
    }
    mend_md5mesh(c, m);
}

/* ---- md5anim --------------------------------------------------------------------------------- */

static void edit_anim_joints(mutate_chance *c, m5_arena *arena, m5_md5anim *m)
{
    mutate_edit e = mutate_choose(c, m->num_joints);
    m->joints = mutate_apply(&e, arena, m->joints, sizeof *m->joints);
    m->channels = mutate_apply(&e, arena, m->channels, sizeof *m->channels);
    m->base = mutate_apply(&e, arena, m->base, sizeof *m->base);
    m->num_joints = m->num_base = mutate_count(&e);
}

static void edit_frames(mutate_chance *c, m5_arena *arena, m5_md5anim *m)
{
    mutate_edit e = mutate_choose(c, m->num_frames);
    m->bounds = mutate_apply(&e, arena, m->bounds, sizeof *m->bounds);
    m->components = mutate_apply(&e, arena, m->components,
                                 m->num_components * sizeof *m->components);
    m->num_frames = m->num_bounds = mutate_count(&e);
}

/* Makes each joint's values follow those of the joint before, as many as its flags say. */
static void mend_channels(m5_arena *arena, m5_md5anim *m)
{
    uint32_t before = m->num_components, total = 0;
    for (uint32_t i = 0; i < m->num_joints; i++) {
        m->channels[i].flags &= 63;
        m->channels[i].start = m->channels[i].flags != 0 ? total : 0;
        total += m5_md5anim_count_flags(m->channels[i].flags);
    }
    float *values = m5_arena_take(arena, (size_t)m->num_frames * total, sizeof *values);
    for (uint32_t f = 0; f < m->num_frames && values != NULL; f++)
        for (uint32_t i = 0; i < total; i++)
            values[(size_t)f * total + i] = before != 0
                                                ? m->components[(size_t)f * before + i % before]
                                                : 0;
    if (values == NULL)
        return;
    m->components = values;
    m->num_components = total;
}

static void change_channel(mutate_chance *c, m5_md5anim *m)
{
    m5_md5anim_channel *channel = &m->channels[mutate_below(c, m->num_joints)];
    if (m->num_joints == 0)
        return;
    if (mutate_one_in(c, 2))
        channel->flags = mutate_below(c, mutate_one_in(c, 16) ? 100 : 64);
    else
        channel->start = mutate_index(c, m->num_components);
}

static void change_frames(mutate_chance *c, m5_md5anim *m)
{
    if (m->num_frames == 0)
        return;
    m5_md5anim_bounds *box = &m->bounds[mutate_below(c, m->num_frames)];
    if (mutate_one_in(c, 3))
        mutate_floats(c, mutate_one_in(c, 2) ? box->min : box->max, 3);
    else
        mutate_floats(c, m->components, m->num_frames * m->num_components);
}

static void mend_md5anim(mutate_chance *c, m5_arena *arena, m5_md5anim *m)
{
    if (mutate_one_in(c, 4))
        return;
    mend_joints(m->joints, m->num_joints);
    mend_channels(arena, m);
}

void mutate_md5anim(mutate_chance *c, m5_arena *arena, m5_md5anim *m)
{
    switch (mutate_below(c, 8)) {
    case 0: edit_anim_joints(c, arena, m); break;
    case 1: edit_frames(c, arena, m); break;
    case 2: m->frame_rate = mutate_index(c, 100); break;
    case 3: change_channel(c, m); break;
    case 4: change_joint(c, m->joints, m->base, m->num_joints); break;
    default: change_frames(c, m);
    }
    mend_md5anim(c, arena, m);
}

static void cross_skeletons(mutate_chance *c, m5_arena *arena, m5_md5anim *m,
                            const m5_md5anim *other)
{
    mutate_splice s = mutate_choose_splice(c, m->num_joints, other->num_joints);
    m->joints = mutate_apply_splice(&s, arena, m->joints, other->joints, sizeof *m->joints);
    m->channels = mutate_apply_splice(&s, arena, m->channels, other->channels, sizeof *m->channels);
    m->base = mutate_apply_splice(&s, arena, m->base, other->base, sizeof *m->base);
    m->num_joints = m->num_base = mutate_spliced(&s);
}

/* Frames of different lengths cannot be mixed: then all are taken from the other animation. */
static void cross_frames(mutate_chance *c, m5_arena *arena, m5_md5anim *m, const m5_md5anim *other)
{
    mutate_splice s = mutate_choose_splice(c, m->num_frames, other->num_frames);
    if (m->num_components != other->num_components)
        s = (mutate_splice){.count = other->num_frames};
    m->bounds = mutate_apply_splice(&s, arena, m->bounds, other->bounds, sizeof *m->bounds);
    m->components = mutate_apply_splice(&s, arena, m->components, other->components,
                                        other->num_components * sizeof *m->components);
    m->num_frames = m->num_bounds = mutate_spliced(&s);
    m->num_components = other->num_components;
}

void mutate_cross_md5anim(mutate_chance *c, m5_arena *arena, m5_md5anim *m, m5_md5anim *other,
                          uint32_t by)
{
    for (uint32_t i = 0; i < other->num_joints; i++)
        other->joints[i].name.offset += by;
    if (mutate_one_in(c, 2))
        cross_skeletons(c, arena, m, other);
    else
        cross_frames(c, arena, m, other);
    mend_md5anim(c, arena, m);
}
