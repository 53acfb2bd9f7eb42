/* Poses: where the joints or bones are in a frame, and between two frames. MD5 format text,
 * sections "Building the frame skeletons" and "Skeleton Interpolation".
 *
 * All functions need a clean model, and indices below its counts: they check nothing. Positions are
 * in the file's units. A file has x, y, z of a quaternion; its w is -sqrt(1 - x2 - y2 - z2),
 * negative as the format text has it, and 0 where the sum of squares is over 1. Results go into the
 * caller's array, one element for each joint or bone. Nothing is allocated or kept, and any number
 * of threads may play one model. */
#ifndef M5_POSE_H
#define M5_POSE_H

#include "vector.h"
#include "../ill/illanim.h"
#include "../ill/illskel.h"
#include "../md4/md4.h"
#include "../md5/md5anim.h"
#include "../md5/md5mesh.h"

M5_BEGIN_C

/* Returns a record of a mesh's skeleton (in model space) or of a baseframe (relative to the
 * parent). */
m5_transform m5_md5_transform(const m5_md5_pose *pose);

/* Returns a joint in a frame, relative to its parent: the baseframe with the components that the
 * frame replaces. */
m5_transform m5_md5anim_local(const m5_md5anim *anim, uint32_t frame, uint32_t joint);

/* Computes all num_joints joints of a frame, in model space. */
void m5_md5anim_pose(const m5_md5anim *anim, uint32_t frame, m5_transform *out);

/* Computes all num_joints joints of the baseframe, in model space. */
void m5_md5anim_base_pose(const m5_md5anim *anim, m5_transform *out);

/* Interpolates `count` joints, from pose `a` at t = 0 to `b` at t = 1: positions linearly,
 * rotations by `mix`, which is m5_quat_lerp or m5_quat_slerp. `out` may be `a` or `b`. Both poses
 * are in model space, as the format text has it (bones then change their length on the way), or
 * both relative to the parents (they do not; m5_matrix_of and m5_matrix_times then lead to model
 * space). */
typedef m5_quat m5_quat_mix(m5_quat a, m5_quat b, double t, bool shortest);
void m5_pose_interpolate(const m5_transform *a, const m5_transform *b, uint32_t count, double t,
                         m5_quat_mix *mix, bool shortest, m5_transform *out);

/* Returns a bone of an illskel in the bind pose, relative to its parent. */
m5_matrix m5_illskel_matrix(const m5_illskel *skel, uint32_t bone);

/* Returns a key of an illanim, relative to the bone's parent: position * rotation * scale. The
 * quaternion is normalised; one of length 0 counts as no rotation. */
m5_matrix m5_illanim_matrix(const m5_illanim_key *key);

/* Returns the bone between two of its keys, from `a` at t = 0 to `b` at t = 1: position and scale
 * linearly, rotation by `mix`, which is m5_quat_lerp or m5_quat_slerp. */
m5_matrix m5_illanim_interpolate(const m5_illanim_key *a, const m5_illanim_key *b, double t,
                                 m5_quat_mix *mix, bool shortest);

/* Computes all num_bones bones of an illskel in the bind pose, in model space. */
void m5_illskel_pose(const m5_illskel *skel, m5_matrix *out);

/* Returns a bone of an MD4 in a frame, in model space. For a pose between two frames, turn both
 * into transforms (m5_transform_of), interpolate, and turn them back (m5_matrix_of). */
m5_matrix m5_md4_matrix(const m5_md4 *model, uint32_t frame, uint32_t bone);

M5_END_C

#endif
