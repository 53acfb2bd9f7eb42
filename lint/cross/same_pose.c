/* Whether a frame has exactly the joints of the bind pose, if one of the two files is read in
 * another way. A rig of two or three bones is too small to compare lengths and angles on average,
 * but all its numbers do not match by chance. */
#include "cross.h"
#include "lint/geometry/compare.h"
#include "parsers/play/algebra.h"
#include "parsers/play/pose.h"

static const double NEAR = 1e-3, NOWHERE = 1e-5; /* rounding, as a share and in units */
static const double DEGREES = 0.5;

/* Where a joint of the mesh is, relative to its parent, if the mesh is read in some way. */
static m5_transform bind_of(const m5_md5mesh *m, uint32_t joint, m5_reading reading)
{
    m5_transform own = m5_md5_transform(&m->bind[joint]);
    if (reading == M5_READ_ONE_SPACE)
        return own;
    m5_transform outer = m5_md5_transform(&m->bind[m->joints[joint].parent]);
    m5_quat back = m5_quat_inverse(outer.rotation);
    if (reading == M5_READ_MESH_INVERTED) {
        back = outer.rotation;
        own.rotation = m5_quat_inverse(own.rotation);
    }
    return (m5_transform){m5_quat_rotate(back, m5_vec_sub(own.pos, outer.pos)),
                          m5_quat_times(back, own.rotation)};
}

static bool is_near(m5_vec a, m5_vec b)
{
    return m5_vec_distance(a, b) <= NEAR * m5_vec_length(a) + NOWHERE;
}

/* Whether the joint is in the bind pose, read in some way; `elsewhere`: but not as it is. */
static bool is_equal(const m5_same_pose *s, uint32_t joint, m5_reading reading, double scale,
                     bool *elsewhere)
{
    m5_transform own = bind_of(s->mesh, joint, reading);
    m5_transform here = m5_md5anim_local(s->anim, s->frame, joint);
    own.pos = m5_vec_times(own.pos, scale);
    *elsewhere = !is_near(bind_of(s->mesh, joint, M5_READ_AS_IS).pos, here.pos);
    return is_near(own.pos, here.pos) &&
           M5_DEGREES * m5_quat_angle(own.rotation, here.rotation) <= DEGREES;
}

uint32_t m5_check_same_pose(const m5_same_pose *s, m5_reading reading, double scale)
{
    enum { LEAST = 2 };
    uint32_t joints = 0, differ = 0, first = M5_NO_INDEX;
    for (uint32_t i = 0; i < s->mesh->num_joints; i++) {
        bool elsewhere;
        if (s->mesh->joints[i].parent < 0)
            continue;
        if (!is_equal(s, i, reading, scale, &elsewhere))
            return M5_NO_INDEX;
        first = elsewhere && differ == 0 ? i : first;
        differ += elsewhere;
        joints++;
    }
    return differ >= LEAST && 2 * differ > joints ? first : M5_NO_INDEX;
}
