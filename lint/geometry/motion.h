/* How joints move from frame to frame, each by itself: quaternions that change their sign, and
 * jumps. */
#ifndef M5_LINT_GEOMETRY_MOTION_H
#define M5_LINT_GEOMETRY_MOTION_H

#include "parsers/core/arena.h"
#include "parsers/play/vector.h"

/* Joints that move, in any format. Values that cannot be judged are NaN. */
typedef struct m5_motion {
    const void *context;
    uint32_t num_frames, num_joints;
    m5_transform (*at)(const void *context, uint32_t frame,
                       uint32_t joint); /* in its parent's space */
    /* A cheap check, called for each frame from 1 on, and not needed if `plain` is set: marks each
     * joint that may have stirred since the frame before, and may mark others. A joint is still if
     * it turned by no more than M5_STILL, without a change of sign, and moved by no more than the
     * root of `square`. */
    void (*stirs)(const void *context, uint32_t frame, double square, uint8_t *marks);
    /* The joint's rotation in a frame if it was written wrongly in one of a few ways, `way` from 0
     * on; NaN if there is no such way, if it would hardly show, or if it may be intended. */
    m5_quat (*otherwise)(const void *context, uint32_t frame, uint32_t joint, int way);
    double size; /* of the model; 0 if unknown: then positions are not judged */
    bool plain;  /* without the cheap check, with the same result */
} m5_motion;

/* The cosine of half of the largest turn that does not matter: the product of two quaternions. */
#define M5_STILL 0.985

enum { M5_WAYS = 4 };

/* Fewer frames show no jumps. */
enum { M5_MOTION_FRAMES = 6 };

/* A movement that is out of proportion to what the joint does in the frames around it:
 *   a turn or a move to another place that is reversed in the next frame,
 *   a turn by a third of a circle or more, from one frame to the next, that stays,
 *   a move in the first or the last frame that is explained.
 * Or a joint that is over 10000 times the model's size away from its parent, in the first frame or
 * after a move. */
typedef enum m5_jump_kind {
    M5_JUMP_ROTATION,
    M5_JUMP_MOVE,
    M5_JUMP_STEP,
    M5_JUMP_FAR
} m5_jump_kind;

typedef struct m5_jump {
    m5_jump_kind kind;
    uint32_t frame, joint; /* the frame it jumps to */
    double by, around; /* how far it goes, and at most around; in degrees or the model's units */
    double times;      /* `by` divided by the rest of the joint's movement there */
    bool away;         /* of a move there and back: away from the parent, not towards it */
    bool explained;    /* of a turn or a move: written otherwise, it would be no jump */
} m5_jump;

typedef struct m5_flips {
    uint64_t count; /* how often a quaternion is followed by one that is nearer to its negative */
    uint32_t frame, joint; /* the first flip: from the frame before to this frame */
} m5_flips;

/* A place without its rotation (NaN) if that is no unit quaternion, which another rule reports. */
m5_transform m5_motion_or_none(m5_transform at);

/* Whether at most two of the four numbers matter: then the opposite sign of one of them is a plain
 * turn to the other side, as of a lever, a door or a limb that hangs down. */
bool m5_motion_is_plain(m5_quat q);

/* For m5_motion.otherwise: a quaternion with the opposite sign of one of its numbers. */
m5_quat m5_motion_other_sign(m5_quat q, int way);

/* Calls `found` for each jump, frame by frame. Linear in frames and joints. False if the arena
 * has no room to work in. */
bool m5_motion_find(const m5_motion *motion, m5_arena *arena,
                    void (*found)(void *user, const m5_jump *jump), void *user, m5_flips *flips);

#endif
