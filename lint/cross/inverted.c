/* Finds orientations that are inverted in one of the two files, the mesh or the animation. */
#include "bind.h"
#include "lint/core/check.h"
#include "parsers/core/emit.h"
#include "parsers/play/pose.h"

enum { LEAST_JOINTS = 3 };

/* How far joints are turned from the bind pose in a frame, on average, in degrees. */
static void measure_turns(const m5_bind_pair *p, uint32_t frame, double mean[M5_READINGS])
{
    uint32_t joints = 0;
    for (int r = 0; r < M5_READINGS; r++)
        mean[r] = 0;
    for (uint32_t i = 0; i < p->anim->num_joints; i++) {
        if (p->anim->joints[i].parent < 0)
            continue;
        m5_quat here = m5_md5anim_local(p->anim, frame, i).rotation;
        for (int r = 0; r < M5_READINGS; r++)
            mean[r] += M5_DEGREES * m5_quat_angle(m5_bind_turn(p->mesh, i, (m5_reading)r), here);
        joints++;
    }
    for (int r = 0; r < M5_READINGS; r++)
        mean[r] = joints >= LEAST_JOINTS ? mean[r] / joints : NAN;
}

/* Whether a real pose cannot look inverted. It can if all joints turn about one axis, as hinges do,
 * or if no turned joint has a turned parent, as with legs on one body. */
static bool is_tangle(const m5_bind_pair *p)
{
    m5_axes axes = {.any = false};
    bool chained = false;
    for (uint32_t i = 0; i < p->anim->num_joints; i++) {
        int32_t parent = p->anim->joints[i].parent;
        if (parent < 0)
            continue;
        m5_quat turn = m5_bind_turn(p->mesh, i, M5_READ_AS_IS);
        m5_axes_add(&axes, turn);
        chained |= m5_quat_rotates(turn) && p->anim->joints[parent].parent >= 0 &&
                   m5_quat_rotates(m5_bind_turn(p->mesh, (uint32_t)parent, M5_READ_AS_IS));
    }
    return axes.several && chained;
}

/* The reading that is much nearer to the bind pose in all sampled frames. */
static m5_reading find_inverted(const m5_bind_pair *p, double mean[M5_READINGS])
{
    static const double far = 20;
    m5_reading inverted = M5_READ_AS_IS;
    if (!is_tangle(p))
        return M5_READ_AS_IS;
    for (int i = M5_SAMPLES - 1; i >= 0; i--) {
        measure_turns(p, p->frames[i], mean);
        m5_reading best = mean[M5_READ_MESH_INVERTED] < mean[M5_READ_ANIM_INVERTED]
                              ? M5_READ_MESH_INVERTED
                              : M5_READ_ANIM_INVERTED;
        if (!(mean[M5_READ_AS_IS] > far) || !(mean[best] < mean[M5_READ_AS_IS] / 2) ||
            (inverted != M5_READ_AS_IS && best != inverted))
            return M5_READ_AS_IS;
        inverted = best;
    }
    return inverted;
}

/* ---- Exact poses ----------------------------------------------------------------------------- */

static bool say_pose(const m5_bind_pair *p, m5_pose_place at, const char *which, const char *joints)
{
    if (at.joint == M5_NO_INDEX)
        return false;
    m5_diag d = m5_bind_at(p, M5_LINT_ROW(cross_bind_inverted), at, true);
    m5_emit(&p->f->report, &d, 0,
            "the %s's orientations seem to be inverted: after inverting them, frame %u is the "
            "mesh's bind pose, in all joints%s",
            which, at.frame, joints);
    return true;
}

/* The same for a rig in which a pose may look inverted. If the mesh is inverted, joints are in
 * other directions from their parents, which no pose explains. If the animation is, its roots are
 * inverted, too. Returns whether the animation is inverted. */
static bool check_exactly(const m5_bind_pair *p)
{
    static const m5_pose_place none = {M5_NO_INDEX, 0};
    m5_pose_place at = p->mesh_file->inverted ? none
                                              : m5_bind_same_pose(p, M5_READ_MESH_INVERTED, 1);
    if (say_pose(p, at, "mesh", " but the root"))
        return false;
    return say_pose(p, m5_bind_inverted_pose(p), "animation", "");
}

/* That the mesh is inverted may have been reported with it. */
bool m5_check_cross_inverted(const m5_bind_pair *p)
{
    double mean[M5_READINGS];
    m5_pose_place at = {0, 0};
    m5_reading inverted = find_inverted(p, mean);
    if (inverted == M5_READ_AS_IS)
        return check_exactly(p);
    if (inverted == M5_READ_MESH_INVERTED && p->mesh_file->inverted)
        return false;
    while (p->anim->joints[at.joint].parent < 0)
        at.joint++;
    m5_diag d = m5_bind_at(p, M5_LINT_ROW(cross_bind_inverted), at, true);
    if (inverted == M5_READ_MESH_INVERTED) /* without numbers: it is one cause in all animations */
        m5_emit(&p->f->report, &d, 0,
                "the mesh's orientations seem to be inverted: after inverting them, frame 0 is far "
                "nearer to the mesh's bind pose");
    else
        m5_emit(&p->f->report, &d, 0,
                "the animation's orientations seem to be inverted: in frame 0, joints are rotated "
                "by %.3g degrees on average from the mesh's bind pose, and by %.3g after inverting "
                "them",
                mean[M5_READ_AS_IS], mean[inverted]);
    return inverted == M5_READ_ANIM_INVERTED;
}
