/* What there is to say of how the joints of a file move. */
#ifndef M5_LINT_COMMON_JUMPS_H
#define M5_LINT_COMMON_JUMPS_H

#include "lint/geometry/motion.h"
#include "lint/lint.h"

/* How a format shows and names a joint in a frame. */
typedef struct m5_tracks_format {
    const m5_rule *jump, *flip, *far; /* flip NULL: there are no quaternions in it */
    const char *joint;
    bool sequences; /* a file has all animations of its model, one behind the other */
    m5_diag (*place)(const m5_lint_file *f, const m5_rule *rule, uint32_t frame, uint32_t joint,
                     bool move);
} m5_tracks_format;

/* Finds jumps and quaternions that change their sign, and says what is worth it. `joints`: which
 * joint of the file each of the motion's is; NULL: the same. `rate`: frames a second; where these
 * are few, a pose may be meant to be seen by itself. Works in the file's arena. */
void m5_motion_say(m5_lint_file *f, const m5_tracks_format *format, const m5_motion *motion,
                   const uint32_t *joints, double rate);

#endif
