/* Skeletons: where the joints are in a frame, and between two. Format text of MD5: "Building the
 * frame skeletons", "Skeleton Interpolation". Everything here wants a clean model and indices in
 * range. */
#ifndef M5_LINT_GEOMETRY_POSE_H
#define M5_LINT_GEOMETRY_POSE_H

#include "vector.h"
#include "parsers/m5.h"

/* A joint of a mesh's skeleton or of a baseframe. */
m5_transform m5_md5_transform(const m5_md5_pose *pose);

/* A joint in a frame, relative to its parent: the baseframe's, with what the frame replaces. */
m5_transform m5_md5anim_local(const m5_md5anim *anim, uint32_t frame, uint32_t joint);

/* Frames that stand for all, i from 0 on: the first, one in the middle, the last. */
enum { M5_SAMPLES = 3 };
uint32_t m5_sample_frame(uint32_t num_frames, int i);

/* All joints in a frame, in model space. */
void m5_md5anim_pose(const m5_md5anim *anim, uint32_t frame, m5_transform *out);

/* All joints of the baseframe, in model space. */
void m5_md5anim_base_pose(const m5_md5anim *anim, m5_transform *out);

/* The skeleton part way from `a` to `b`, t from 0 to 1; `turn` is m5_quat_lerp or m5_quat_slerp.
 * `out` may be one of the two. */
typedef m5_quat m5_quat_mix(m5_quat a, m5_quat b, double t, bool shortest);
void m5_pose_interpolate(const m5_transform *a, const m5_transform *b, uint32_t count, double t,
                         m5_quat_mix *turn, bool shortest, m5_transform *out);

/* A bone of an illskel in its bind pose and of an illanim in a frame, relative to its parent:
 * the key is position * rotation * scale. */
m5_matrix m5_illskel_matrix(const m5_illskel *skel, uint32_t bone);
m5_matrix m5_illanim_matrix(const m5_illanim_key *key);

/* All bones of an illskel in model space. */
void m5_illskel_pose(const m5_illskel *skel, m5_matrix *out);

/* A bone of an MD4 in a frame, in model space. */
m5_matrix m5_md4_matrix(const m5_md4 *model, uint32_t frame, uint32_t bone);

#endif
