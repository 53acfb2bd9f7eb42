/* The checks of MD4, a file for each concern. Each may be called for any model, flawed or not, but
 * for geometry. */
#ifndef M5_LINT_MD4_CHECKS_H
#define M5_LINT_MD4_CHECKS_H

#include "lint/common/checks.h"

enum { M5_CHECK_MD4_MIN_LOD = 140 }; /* from a surface's start on */

void m5_check_md4_bones(m5_lint_file *f);
bool m5_check_md4_frames(m5_lint_file *f); /* whether all matrices are rotations */
void m5_check_md4_surfaces(m5_lint_file *f);

/* Of models that are clean; `rigid`: whether all matrices are rotations. */
void m5_check_md4_geometry(m5_lint_file *f, bool rigid);

/* The corner of a frame's box that is wrong, 0 for its minimum and 1 for its maximum: where the
 * middle of the box is not localOrigin, and the other corner is as far from there as the radius
 * says. -1 if neither is known to be. */
int m5_check_md4_wrong_corner(const m5_md4_frame *frame);

/* `budget`: vertices that may be replaced, of all surfaces; when it is spent, nothing is said. */
void m5_check_md4_collapse(m5_lint_file *f, const m5_md4_body *body, uint64_t *budget);

/* Whether it was told that bones or weights are not what they should be, and where the model is
 * says nothing. `size` is that of the model in frame 0, or 0. */
bool m5_check_md4_torn(m5_lint_file *f, double size);

#endif
