/* An MD4's geometry, surface by surface. */
#ifndef M5_CHECK_MD4_BODY_H
#define M5_CHECK_MD4_BODY_H

#include "lint/core/check.h"
#include "lint/geometry/vector.h"

typedef struct md4_body {
    uint32_t index;
    const m5_md4_surface *surface;
    const m5_vec *pos; /* where the bones put its vertices in frame 0 */
    const uint32_t (*tris)[3];
} md4_body;

/* The corner of a frame's box that is wrong, 0 for its minimum and 1 for its maximum: where the
 * middle of the box is not localOrigin, and the other corner is as far from there as the radius says.
 * -1 if neither is known to be. */
int check_md4_wrong_corner(const m5_md4_frame *frame);

void check_md4_shape(m5_lint_file *f, const md4_body *body);
void check_md4_far(m5_lint_file *f, const md4_body *body);
/* `budget`: vertices that may be replaced, of all surfaces; when it is spent, nothing is said. */
void check_md4_collapse(m5_lint_file *f, const md4_body *body, uint64_t *budget);

/* Whether it was told that bones or weights are not what they should be, and where the model is says
 * nothing. `size` is that of the model in frame 0, or 0. */
bool check_md4_torn(m5_lint_file *f, double size);

/* Of all bones, whose matrices are rotations: `size` is that of the model in frame 0, or 0. */
void check_md4_motion(m5_lint_file *f, double size);

#endif
