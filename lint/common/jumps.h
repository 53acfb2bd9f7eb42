/* Reports jumps, quaternions that change sign and places far away in how joints move. */
#ifndef M5_LINT_COMMON_JUMPS_H
#define M5_LINT_COMMON_JUMPS_H

#include "lint/geometry/motion.h"
#include "lint/lint.h"

/* How a format shows and names a joint in a frame. */
typedef struct m5_tracks_format {
    const m5_rule *jump, *flip, *far; /* flip is NULL if the format has no quaternions */
    const char *joint;
    const char *mistake; /* the end of a message: what m5_motion.otherwise undoes */
    bool sequences;      /* a file has all animations of its model, one after the other */
    m5_diag (*place)(const m5_lint_file *f, const m5_rule *rule, uint32_t frame, uint32_t joint,
                     bool move);
} m5_tracks_format;

/* Finds these things and reports those that matter. `joints`: for each joint of the motion, its
 * number in the file; NULL if they are the same. `rate`: frames a second; if it is low, a single
 * pose may be intended. Works in the file's arena. */
void m5_motion_say(m5_lint_file *f, const m5_tracks_format *format, const m5_motion *motion,
                   const uint32_t *joints, double rate);

#endif
