/* Skeletons: where the joints are in a frame, and between two. Format text of MD5: "Building the
 * frame skeletons", "Skeleton Interpolation".
 *
 * Wanted: a clean model, and indices below its counts; nothing is checked. Positions are in the
 * file's units, in the parent's space (local) or in the model's. The w of a quaternion in a file is
 * -sqrt(1 - x2 - y2 - z2), negative as the format text has it, and 0 where nothing is left of 1.
 * Results are written to the caller's arrays, of as many as there are joints or bones; nothing is
 * kept, nothing is allocated, and any number of threads may call this on one model. */
#ifndef M5_POSE_H
#define M5_POSE_H

#include "vector.h"
#include "../ill/illanim.h"
#include "../ill/illskel.h"
#include "../md4/md4.h"
#include "../md5/md5anim.h"
#include "../md5/md5mesh.h"

M5_BEGIN_C

/* A joint of a mesh's skeleton or of a baseframe. */
m5_transform m5_md5_transform(const m5_md5_pose *pose);

/* A joint in a frame, relative to its parent: the baseframe's, with what the frame replaces. */
m5_transform m5_md5anim_local(const m5_md5anim *anim, uint32_t frame, uint32_t joint);

/* All joints in a frame, in model space. */
void m5_md5anim_pose(const m5_md5anim *anim, uint32_t frame, m5_transform *out);

/* All joints of the baseframe, in model space. */
void m5_md5anim_base_pose(const m5_md5anim *anim, m5_transform *out);

/* The skeleton part way from `a` to `b`, t from 0 to 1; `mix` is m5_quat_lerp or m5_quat_slerp.
 * `out` may be one of the two. Both are local, or both in model space, where bones change their
 * length on the way; m5_matrix_of, and m5_matrix_times with the parent's, bring a local one there.
 */
typedef m5_quat m5_quat_mix(m5_quat a, m5_quat b, double t, bool shortest);
void m5_pose_interpolate(const m5_transform *a, const m5_transform *b, uint32_t count, double t,
                         m5_quat_mix *mix, bool shortest, m5_transform *out);

/* A bone of an illskel in its bind pose and of an illanim in a frame, relative to its parent:
 * the key is position * rotation * scale. */
m5_matrix m5_illskel_matrix(const m5_illskel *skel, uint32_t bone);
m5_matrix m5_illanim_matrix(const m5_illanim_key *key);

/* All bones of an illskel in model space. */
void m5_illskel_pose(const m5_illskel *skel, m5_matrix *out);

/* A bone of an MD4 in a frame, in model space. */
m5_matrix m5_md4_matrix(const m5_md4 *model, uint32_t frame, uint32_t bone);

M5_END_C

#endif
