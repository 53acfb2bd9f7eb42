/* Computes where the joints of each format are: in the bind pose, in a frame, between two frames.
 */
#include "pose.h"
#include "algebra.h"

m5_transform m5_md5_transform(const m5_md5_pose *pose)
{
    return (m5_transform){m5_vec_of(pose->pos), m5_quat_complete(pose->orient)};
}

/* ---- MD5 ------------------------------------------------------------------------------------- */

/* Returns three components: the baseframe's, except that those with a flag are replaced. Usually
 * none or all have one. */
static const float *replace(const float base[3], uint32_t flags, const float **value, float room[3])
{
    const float *all = *value;
    if (flags == 0)
        return base;
    for (uint32_t k = 0; k < 3 && flags != 7; k++)
        room[k] = flags >> k & 1 ? *(*value)++ : base[k];
    if (flags != 7)
        return room;
    *value += 3;
    return all;
}

m5_transform m5_md5anim_local(const m5_md5anim *anim, uint32_t frame, uint32_t joint)
{
    const m5_md5anim_channel *channel = &anim->channels[joint];
    const float *value = anim->components + (size_t)frame * anim->num_components + channel->start;
    if (channel->flags == M5_MD5ANIM_ALL)
        return (m5_transform){m5_vec_of(value), m5_quat_complete(value + 3)};
    float pos_room[3], orient_room[3];
    const float *pos = replace(anim->base[joint].pos, channel->flags & 7, &value, pos_room);
    const float *orient = replace(anim->base[joint].orient, channel->flags >> 3, &value,
                                  orient_room);
    return (m5_transform){m5_vec_of(pos), m5_quat_complete(orient)};
}

/* Puts a joint where its parent is; parents come first. */
static m5_transform put(const m5_md5anim *anim, uint32_t joint, m5_transform place,
                        const m5_transform *all)
{
    int32_t parent = anim->joints[joint].parent;
    return parent < 0 ? place : m5_transform_times(&all[parent], &place);
}

void m5_md5anim_pose(const m5_md5anim *anim, uint32_t frame, m5_transform *out)
{
    for (uint32_t i = 0; i < anim->num_joints; i++)
        out[i] = put(anim, i, m5_md5anim_local(anim, frame, i), out);
}

void m5_md5anim_base_pose(const m5_md5anim *anim, m5_transform *out)
{
    for (uint32_t i = 0; i < anim->num_joints; i++)
        out[i] = put(anim, i, m5_md5_transform(&anim->base[i]), out);
}

void m5_pose_interpolate(const m5_transform *a, const m5_transform *b, uint32_t count, double t,
                         m5_quat_mix *mix, bool shortest, m5_transform *out)
{
    for (uint32_t i = 0; i < count; i++) {
        m5_vec way = m5_vec_sub(b[i].pos, a[i].pos);
        out[i] = (m5_transform){m5_vec_add(a[i].pos, m5_vec_times(way, t)),
                                mix(a[i].rotation, b[i].rotation, t, shortest)};
    }
}

/* ---- ill* and MD4 ---------------------------------------------------------------------------- */

m5_matrix m5_illskel_matrix(const m5_illskel *skel, uint32_t bone)
{
    m5_matrix out;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            out.row[i][k] = (double)skel->bones[bone].matrix[i][k];
    return out;
}

static m5_transform transform_of(const m5_illanim_key *key)
{
    const float *q = key->rotation;
    m5_quat turn = {(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
    return (m5_transform){m5_vec_of(key->pos), m5_quat_unit(turn)};
}

static m5_matrix scaled(const m5_transform *place, m5_vec scale)
{
    const double by[] = {scale.x, scale.y, scale.z};
    m5_matrix out = m5_matrix_of(place);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            out.row[i][k] *= by[k];
    return out;
}

m5_matrix m5_illanim_matrix(const m5_illanim_key *key)
{
    m5_transform place = transform_of(key);
    return scaled(&place, m5_vec_of(key->scale));
}

m5_matrix m5_illanim_interpolate(const m5_illanim_key *a, const m5_illanim_key *b, double t,
                                 m5_quat_mix *mix, bool shortest)
{
    m5_transform from = transform_of(a), to = transform_of(b), place;
    m5_vec scale = m5_vec_of(a->scale), change = m5_vec_sub(m5_vec_of(b->scale), scale);
    m5_pose_interpolate(&from, &to, 1, t, mix, shortest, &place);
    return scaled(&place, m5_vec_add(scale, m5_vec_times(change, t)));
}

void m5_illskel_pose(const m5_illskel *skel, m5_matrix *out)
{
    for (uint32_t i = 0; i < skel->num_bones; i++) {
        uint32_t bone = skel->order[i];
        int32_t parent = skel->bones[bone].parent;
        m5_matrix own = m5_illskel_matrix(skel, bone);
        out[bone] = parent < 0 ? own : m5_matrix_times(&out[parent], &own);
    }
}

m5_matrix m5_md4_matrix(const m5_md4 *model, uint32_t frame, uint32_t bone)
{
    float m[3][4];
    m5_md4_matrix_at(model, frame, bone, m);
    m5_matrix out;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            out.row[i][k] = (double)m[i][k];
    return out;
}
