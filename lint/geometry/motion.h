/* How joints move from frame to frame, each by itself: quaternions that change their sign, and
 * jumps. */
#ifndef M5_LINT_GEOMETRY_MOTION_H
#define M5_LINT_GEOMETRY_MOTION_H

#include "parsers/core/arena.h"
#include "parsers/play/vector.h"

/* Joints that move, in whatever format. Of what cannot be judged, a NaN is given. */
typedef struct m5_motion {
    const void *context;
    uint32_t num_frames, num_joints;
    m5_transform (*at)(const void *context, uint32_t frame,
                       uint32_t joint); /* in its parent's space */
    /* A cheap look, for frame after frame from 1 on: marks each joint that may have stirred since
     * the one before, and may mark others. Still is one that turned by no more than M5_STILL,
     * without a change of sign, and moved by no more than the root of `square`. */
    void (*stirs)(const void *context, uint32_t frame, double square, uint8_t *marks);
    double size; /* of the model; 0 where that is not known: then positions are not judged */
    bool plain;  /* without the cheap look, with the same result */
} m5_motion;

/* The cosine of half of a turn that does not matter, as the product of two quaternions gives it. */
#define M5_STILL 0.985

/* Out of proportion to what the joint does in the frames around:
 *   a turn or a move to another place that is taken back in the next frame,
 *   a turn of a third of a circle and more, from one frame to the next, that stays.
 * Or a place that is over 10000 times as far from the parent as the model is large: in the first
 * frame, or where the joint has moved. */
typedef enum m5_jump_kind {
    M5_JUMP_ROTATION,
    M5_JUMP_MOVE,
    M5_JUMP_STEP,
    M5_JUMP_FAR
} m5_jump_kind;

typedef struct m5_jump {
    m5_jump_kind kind;
    uint32_t frame, joint; /* where it comes to */
    double by, around;     /* how far, and at most around; in degrees, or in the model's units */
    double times;          /* as much as all else that the joint does there */
    bool away;             /* of a move there and back: from the parent, not to it */
} m5_jump;

typedef struct m5_flips {
    uint64_t count;        /* how often a quaternion is followed by one nearer to its opposite */
    uint32_t frame, joint; /* the first: from the frame before to this one */
} m5_flips;

/* Calls `found` for each jump, frame by frame, in time linear in frames and joints. False when the
 * arena has no room to work in. */
bool m5_motion_find(const m5_motion *motion, m5_arena *arena,
                    void (*found)(void *user, const m5_jump *jump), void *user, m5_flips *flips);

#endif
