/* Whether a frame has exactly the joints of the bind pose, if one of the two files is read in
 * another way. A rig of two or three bones is too small to compare lengths and angles on average,
 * but all its numbers do not match by chance. */
#include "bind.h"
#include "lint/core/check.h"
#include "lint/core/frame_values.h"
#include "parsers/core/emit.h"
#include "parsers/play/pose.h"

static const double NEAR = 1e-3, NOWHERE = 1e-5; /* rounding, as a share and in units */
static const double DEGREES = 0.5;
enum { BASEFRAME_LAST = 9 };

m5_quat m5_bind_turn(const m5_md5mesh *m, uint32_t joint, m5_reading reading)
{
    m5_quat own = m5_md5_transform(&m->bind[joint]).rotation;
    int32_t parent = m->joints[joint].parent;
    if (parent < 0 || reading == M5_READ_ONE_SPACE)
        return own;
    m5_quat outer = m5_md5_transform(&m->bind[parent]).rotation;
    if (reading == M5_READ_MESH_INVERTED)
        return m5_quat_times(outer, m5_quat_inverse(own));
    own = m5_quat_times(m5_quat_inverse(outer), own);
    return reading == M5_READ_ANIM_INVERTED ? m5_quat_inverse(own) : own;
}

/* Where a joint of the mesh is, relative to its parent, if the mesh is read in some way. */
static m5_vec bind_pos(const m5_md5mesh *m, uint32_t joint, m5_reading reading)
{
    m5_vec own = m5_vec_of(m->bind[joint].pos);
    if (reading == M5_READ_ONE_SPACE)
        return own;
    m5_transform outer = m5_md5_transform(&m->bind[m->joints[joint].parent]);
    m5_quat back = m5_quat_inverse(outer.rotation);
    if (reading == M5_READ_MESH_INVERTED)
        back = outer.rotation;
    return m5_quat_rotate(back, m5_vec_sub(own, outer.pos));
}

static bool is_near(m5_vec a, m5_vec b)
{
    return m5_vec_distance(a, b) <= NEAR * m5_vec_length(a) + NOWHERE;
}

static bool is_same_turn(m5_quat a, m5_quat b)
{
    return M5_DEGREES * m5_quat_angle(a, b) <= DEGREES;
}

/* Whether the joint is in the bind pose, read in some way; `elsewhere`: but not as it is. */
static bool is_equal(const m5_bind_pair *p, m5_pose_place at, m5_reading reading, double scale,
                     bool *elsewhere)
{
    m5_transform here = m5_md5anim_local(p->anim, at.frame, at.joint);
    m5_vec pos = m5_vec_times(bind_pos(p->mesh, at.joint, reading), scale);
    *elsewhere = !is_near(bind_pos(p->mesh, at.joint, M5_READ_AS_IS), here.pos);
    return is_near(pos, here.pos) &&
           is_same_turn(m5_bind_turn(p->mesh, at.joint, reading), here.rotation);
}

/* The first joint that is elsewhere; M5_NO_INDEX if the frame does not have that pose. */
static uint32_t first_elsewhere(const m5_bind_pair *p, uint32_t frame, m5_reading reading,
                                double scale)
{
    enum { LEAST = 2 };
    uint32_t joints = 0, differ = 0, first = M5_NO_INDEX;
    for (uint32_t i = 0; i < p->mesh->num_joints; i++) {
        bool elsewhere;
        if (p->mesh->joints[i].parent < 0)
            continue;
        if (!is_equal(p, (m5_pose_place){i, frame}, reading, scale, &elsewhere))
            return M5_NO_INDEX;
        first = elsewhere && differ == 0 ? i : first;
        differ += elsewhere;
        joints++;
    }
    return differ >= LEAST && 2 * differ > joints ? first : M5_NO_INDEX;
}

m5_pose_place m5_bind_same_pose(const m5_bind_pair *p, m5_reading reading, double scale)
{
    m5_pose_place at = {M5_NO_INDEX, 0};
    for (int i = 0; i < M5_SAMPLES && at.joint == M5_NO_INDEX; i++)
        at = (m5_pose_place){first_elsewhere(p, p->frames[i], reading, scale), p->frames[i]};
    return at;
}

/* ---- Inverted orientations ------------------------------------------------------------------- */

/* A root whose turn looks the same inverted, or a joint that has another turn, ends the search: if
 * only some joints are inverted, it is a pose. */
static uint32_t first_inverted(const m5_bind_pair *p, uint32_t frame)
{
    enum { LEAST = 3 };
    uint32_t differ = 0, first = M5_NO_INDEX;
    m5_axes axes = {.any = false};
    for (uint32_t i = 0; i < p->mesh->num_joints; i++) {
        m5_quat bind = m5_bind_turn(p->mesh, i, M5_READ_AS_IS);
        m5_quat here = m5_md5anim_local(p->anim, frame, i).rotation;
        bool root = p->mesh->joints[i].parent < 0, other = !is_same_turn(bind, here);
        if (!is_same_turn(m5_quat_inverse(bind), here) || (root && !other))
            return M5_NO_INDEX;
        if (!other)
            continue;
        m5_axes_add(&axes, bind);
        first = !root && differ == 0 ? i : first;
        differ += !root;
    }
    return differ >= LEAST && axes.several ? first : M5_NO_INDEX;
}

m5_pose_place m5_bind_inverted_pose(const m5_bind_pair *p)
{
    m5_pose_place at = {M5_NO_INDEX, 0};
    for (int i = 0; i < M5_SAMPLES && at.joint == M5_NO_INDEX; i++)
        at = (m5_pose_place){first_inverted(p, p->frames[i]), p->frames[i]};
    return at;
}

/* ---- Places ---------------------------------------------------------------------------------- */

m5_diag m5_bind_at(const m5_bind_pair *p, const m5_rule *rule, m5_pose_place at, bool turn)
{
    static const double same =
        0.05; /* the relative difference of positions that only were rounded */
    const m5_md5anim_channel *c = &p->anim->channels[at.joint];
    m5_transform here = m5_md5anim_local(p->anim, at.frame, at.joint);
    bool from_base = m5_check_has_base(p->anim, at.joint);
    if (from_base) {
        m5_transform base = m5_md5_transform(&p->anim->base[at.joint]);
        from_base = turn ? m5_quat_angle(base.rotation, here.rotation) < 0.1
                         : m5_vec_distance(base.pos, here.pos) <= same * m5_vec_length(here.pos);
    }
    m5_diag d;
    if (from_base) {
        d = m5_check_at_record(p->f, rule, p->anim->base[at.joint].offset, BASEFRAME_LAST);
        d.path = m5_path1("baseframe", at.joint);
    } else {
        uint32_t value = c->start + (turn ? m5_md5anim_count_flags(c->flags & 7) : 0);
        d = m5_found(rule, m5_check_value_at(p->f, at.frame, value));
        d.path = m5_path2("frame", at.frame, "value", value);
    }
    m5_relate(&d, &p->mesh_file->source,
              m5_check_at(p->mesh_file, NULL, p->mesh->bind[at.joint].offset, 0).at,
              "the mesh's joint");
    return d;
}
