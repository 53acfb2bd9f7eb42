/* The skeleton of an MD5 pair: the poses of its joints, in the bind pose and in each frame. */
#ifndef CONVERT_POSE_H
#define CONVERT_POSE_H

#include "convert_bytes.h"
#include "tests/generate/space.h"

/* A joint's position and orientation, in model space or in parent space. */
typedef struct pose {
    vec at;
    quat turn; /* unit */
} pose;

/* The same as a matrix of three rows: a rotation, and the position as the fourth column. */
typedef struct matrix {
    double row[3][4];
} matrix;

/* A clean mesh and a clean animation of the same joints. */
typedef struct pair {
    const m5_md5mesh *mesh;
    const m5_md5anim *anim;
    uint32_t copies; /* how many copies of the joints md4 and illskel get */
} pair;

/* All joints, in model space (`bind`, `frame`) or in parent space. */
void pose_bind(const pair *p, pose *out);
void pose_bind_in_parent(const pair *p, pose *out);
void pose_frame(const pair *p, uint32_t frame, pose *out);
void pose_frame_in_parent(const pair *p, uint32_t frame, pose *out);

/* See as_float. */
vec vec_as_float(vec v);

matrix matrix_of(const pose *p);
vec matrix_times(const matrix *m, vec v);

#endif
