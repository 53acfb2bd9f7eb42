/* Checks what the contract says about a flawed model: values that could not be read are marked as
 * its header describes, all others are in range, and a part that is called whole has nothing
 * marked. */
#ifndef M5_CHECK_FLAWED_H
#define M5_CHECK_FLAWED_H

#include "check_clean.h"

#include <math.h>

/* Whether all values are finite. Those that are not must be NaN, unless `marked` is set: then only
 * the first value has to be marked, and the others may be anything. */
static inline bool harness_finite(const float *values, size_t count, bool marked)
{
    bool finite = true;
    for (size_t i = 0; i < count; i++) {
        HARNESS_ASSERT(marked || isfinite(values[i]) || isnan(values[i]));
        finite &= isfinite(values[i]) != 0;
    }
    return finite;
}

static inline void harness_flawed_joints(const m5_md5_joint *joints, uint32_t count, uint32_t size,
                                         bool whole)
{
    for (uint32_t i = 0; i < count; i++) {
        int32_t parent = joints[i].parent;
        bool named = joints[i].name.offset != 0;
        HARNESS_ASSERT(parent == M5_BROKEN_PARENT || (parent >= -1 && parent < (int64_t)i));
        HARNESS_ASSERT(named || (!whole && parent == M5_BROKEN_PARENT));
        HARNESS_ASSERT((uint64_t)joints[i].name.offset + joints[i].name.length <= size);
        HARNESS_ASSERT(joints[i].offset < size);
    }
}

static inline void harness_flawed_poses(const m5_md5_pose *poses, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!isnan(poses[i].pos[0]))
            HARNESS_ASSERT(harness_finite(poses[i].pos, 3, true) &&
                           harness_finite(poses[i].orient, 3, true));
}

static inline void harness_flawed_mesh(const m5_md5mesh *m, const m5_md5mesh_mesh *mesh)
{
    bool skin = false, marked = false;
    for (uint32_t i = 0; i < mesh->num_verts; i++) {
        const m5_md5mesh_vert *v = &mesh->verts[i];
        bool broken = v->start == M5_BROKEN;
        HARNESS_ASSERT(broken ? v->count == 0
                              : v->count > 0 && (uint64_t)v->start + v->count <= mesh->num_weights);
        skin |= broken;
    }
    for (uint32_t i = 0; i < mesh->num_tris; i++) {
        const uint32_t *t = mesh->tris[i].vert;
        bool broken = t[0] == M5_BROKEN;
        for (int k = 0; k < 3; k++)
            HARNESS_ASSERT(t[k] < mesh->num_verts || (broken && t[k] == M5_BROKEN));
        marked |= broken;
    }
    for (uint32_t i = 0; i < mesh->num_weights; i++) {
        const m5_md5mesh_weight *x = &mesh->weights[i];
        bool broken = x->joint == M5_BROKEN;
        HARNESS_ASSERT(broken || (x->joint < m->num_joints && isfinite(x->bias)));
        HARNESS_ASSERT(isnan(x->bias) || harness_finite(x->pos, 3, true));
        skin |= broken;
    }
    HARNESS_ASSERT(!(mesh->skin_whole && skin));
    HARNESS_ASSERT(!(mesh->whole && (skin || marked)));
}

static inline void harness_flawed_md5mesh(const m5_md5mesh *m)
{
    harness_flawed_joints(m->joints, m->num_joints, m->source->size, m->joints_whole);
    harness_flawed_poses(m->bind, m->num_joints);
    for (uint32_t i = 0; i < m->num_meshes; i++)
        harness_flawed_mesh(m, &m->meshes[i]);
}

static inline void harness_flawed_md5anim(const m5_md5anim *m)
{
    harness_flawed_joints(m->joints, m->num_joints, m->source->size, m->joints_whole);
    harness_flawed_poses(m->base, m->num_base);
    for (uint32_t i = 0; i < m->num_joints; i++) {
        const m5_md5anim_channel *ch = &m->channels[i];
        bool broken = ch->flags == M5_BROKEN;
        HARNESS_ASSERT(broken ? !m->channels_whole
                              : ch->flags < 64 &&
                                    (uint64_t)ch->start + m5_md5anim_count_flags(ch->flags) <=
                                        m->num_components);
    }
    HARNESS_ASSERT(m->joints_whole || !m->channels_whole);
    for (uint32_t i = 0; i < m->num_bounds; i++)
        if (!isnan(m->bounds[i].min[0]))
            HARNESS_ASSERT(harness_finite(m->bounds[i].min, 3, true) &&
                           harness_finite(m->bounds[i].max, 3, true));
    for (uint32_t i = 0; i < m->num_frames; i++)
        HARNESS_ASSERT(m->frames[i] < m->source->size);
    for (uint32_t i = 0; i < m->num_frames && m->num_components != 0; i++) {
        const float *values = m->components + (size_t)i * m->num_components;
        bool marked = isnan(values[0]);
        HARNESS_ASSERT(marked ? !m->frames_whole : harness_finite(values, m->num_components, true));
    }
    HARNESS_ASSERT(m->frames_in_place || !m->frames_whole);
    HARNESS_ASSERT(!m->base_in_place || m->num_base == m->num_joints);
}

static inline void harness_flawed_md5camera(const m5_md5camera *m)
{
    bool marked = false;
    uint32_t before = 0;
    for (uint32_t i = 0; i < m->num_cuts; i++) {
        uint32_t frame = m->cuts[i].frame;
        HARNESS_ASSERT(m->cuts[i].offset < m->source->size);
        HARNESS_ASSERT(frame == M5_BROKEN ? !m->cuts_whole : frame > 0 && frame < m->num_frames);
        HARNESS_ASSERT(!m->cuts_whole || frame > before);
        before = frame;
    }
    for (uint32_t i = 0; i < m->num_frames; i++) {
        const m5_md5camera_frame *frame = &m->frames[i];
        HARNESS_ASSERT(frame->pose.offset < m->source->size);
        marked |= isnan(frame->pose.pos[0]) != 0;
        if (!isnan(frame->pose.pos[0]))
            HARNESS_ASSERT(harness_finite(frame->pose.pos, 3, true) &&
                           harness_finite(frame->pose.orient, 3, true) &&
                           harness_finite(&frame->fov, 1, true));
    }
    HARNESS_ASSERT(!m->frames_whole || (m->frames_in_place && !marked));
}

/* An MD4's accessors read the bytes: for any file, their values are in range or 0. */
static inline void harness_flawed_md4(const m5_md4 *m)
{
    (void)m;
}

/* An index may refer to a vertex that is declared but missing. */
static inline void harness_flawed_illmesh(const m5_illmesh *m)
{
    bool known = true;
    HARNESS_ASSERT(m->stride != 0 || m->num_verts == 0);
    bool finite = harness_finite(m->verts, (size_t)m->num_verts * m->stride, false);
    HARNESS_ASSERT(finite || !m->verts_whole);
    for (uint32_t i = 0; i < m->num_indices; i++)
        known &= m->indices[i] != UINT32_MAX;
    HARNESS_ASSERT(known || !m->indices_whole);
}

static inline void harness_flawed_illskel(const m5_illskel *m)
{
    bool named = true, finite = true, parents = true;
    for (uint32_t i = 0; i < m->num_bones; i++) {
        const m5_illskel_bone *bone = &m->bones[i];
        HARNESS_ASSERT(bone->parent >= M5_BROKEN_PARENT && bone->parent < (int64_t)m->num_bones);
        HARNESS_ASSERT((uint64_t)bone->name.offset + bone->name.length <= m->source->size);
        named &= bone->name.length != 0;
        parents &= bone->parent != M5_BROKEN_PARENT;
        finite &= harness_finite(&bone->matrix[0][0], 16, false);
    }
    HARNESS_ASSERT((named || !m->names_whole) && (finite || !m->matrices_whole) &&
                   (parents || !m->parents_whole));
}

static inline void harness_flawed_illanim(const m5_illanim *m)
{
    bool finite = true;
    HARNESS_ASSERT(isfinite(m->frame_rate));
    for (uint32_t i = 0; i < m->num_bones; i++) {
        HARNESS_ASSERT((uint64_t)m->bones[i].name.offset + m->bones[i].name.length <=
                       m->source->size);
        for (uint32_t k = 0; k < m->num_frames; k++) {
            const m5_illanim_key *key = &m->bones[i].keys[k];
            finite &= harness_finite(key->pos, 3, false) &&
                      harness_finite(key->rotation, 4, false) &&
                      harness_finite(key->scale, 3, false);
        }
    }
    HARNESS_ASSERT(finite || !m->whole);
}

static inline void harness_flawed_pack(const m5_pack *m)
{
    harness_walk_readable(m);
}

static inline void harness_flawed_def(const m5_def *m)
{
    harness_def_ranges(m);
    harness_walk_def_names(m);
    for (uint32_t i = 0; i < m->num_offsets; i++)
        HARNESS_ASSERT(harness_finite(m->offsets[i].value, 3, true));
}

static inline void harness_check_flawed(const m5_model *m)
{
#define M5_FORMAT(symbol, name, text)                                                              \
    if (m->symbol != NULL)                                                                         \
        harness_flawed_##symbol(m->symbol);
#include "../../parsers/formats.def"
#undef M5_FORMAT
}

#endif
