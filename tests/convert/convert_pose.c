/* Computes the joints of an MD5 pair in the bind pose and in each frame. */
#include "convert_pose.h"

#include <math.h>

vec vec_as_float(vec v)
{
    return (vec){as_float(v.x), as_float(v.y), as_float(v.z)};
}

/* Computes w, the component of the quaternion that MD5 leaves out, which is never positive. */
static pose pose_of(const double place[3], const double orient[3])
{
    vec v = {orient[0], orient[1], orient[2]};
    double rest = 1 - vec_dot(v, v);
    quat turn = {v, rest > 0 ? -sqrt(rest) : 0};
    return (pose){{place[0], place[1], place[2]}, quat_unit(turn)};
}

void pose_bind(const pair *p, pose *out)
{
    for (uint32_t i = 0; i < p->mesh->num_joints; i++) {
        const m5_md5_pose *from = &p->mesh->bind[i];
        const double place[3] = {from->pos[0], from->pos[1], from->pos[2]};
        const double orient[3] = {from->orient[0], from->orient[1], from->orient[2]};
        out[i] = pose_of(place, orient);
    }
}

/* From the last joint to the first, so that the parent is still in model space. */
void pose_bind_in_parent(const pair *p, pose *out)
{
    pose_bind(p, out);
    for (uint32_t i = p->mesh->num_joints; i-- > 0;) {
        int32_t parent = p->mesh->joints[i].parent;
        if (parent < 0)
            continue;
        quat back = quat_inverse(out[parent].turn);
        out[i].at = quat_rotate(back, vec_sub(out[i].at, out[parent].at));
        out[i].turn = quat_unit(quat_times(back, out[i].turn));
    }
}

/* The baseframe's components, except those that the frame replaces. */
void pose_frame_in_parent(const pair *p, uint32_t frame, pose *out)
{
    const m5_md5anim *a = p->anim;
    const float *values = a->components + (size_t)frame * a->num_components;
    for (uint32_t i = 0; i < a->num_joints; i++) {
        const m5_md5_pose *base = &a->base[i];
        const float *next = values + a->channels[i].start;
        double six[6];
        for (uint32_t c = 0; c < 6; c++) {
            six[c] = c < 3 ? base->pos[c] : base->orient[c - 3];
            if (a->channels[i].flags & 1u << c)
                six[c] = *next++;
        }
        out[i] = pose_of(six, six + 3);
    }
}

void pose_frame(const pair *p, uint32_t frame, pose *out)
{
    pose_frame_in_parent(p, frame, out);
    for (uint32_t i = 0; i < p->anim->num_joints; i++) {
        int32_t parent = p->anim->joints[i].parent;
        if (parent < 0)
            continue;
        const pose *up = &out[parent];
        out[i].at = vec_add(up->at, quat_rotate(up->turn, out[i].at));
        out[i].turn = quat_unit(quat_times(up->turn, out[i].turn));
    }
}

/* The columns are the directions of the three axes. */
matrix matrix_of(const pose *p)
{
    vec x = quat_rotate(p->turn, (vec){1, 0, 0});
    vec y = quat_rotate(p->turn, (vec){0, 1, 0});
    vec z = quat_rotate(p->turn, (vec){0, 0, 1});
    return (matrix){{{x.x, y.x, z.x, p->at.x}, {x.y, y.y, z.y, p->at.y}, {x.z, y.z, z.z, p->at.z}}};
}

static double row_times(const double row[4], vec v)
{
    return row[0] * v.x + row[1] * v.y + row[2] * v.z + row[3];
}

vec matrix_times(const matrix *m, vec v)
{
    return (vec){row_times(m->row[0], v), row_times(m->row[1], v), row_times(m->row[2], v)};
}
