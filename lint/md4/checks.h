/* The checks of MD4, one file for each concern. Each may be called for any model, even a flawed
 * one, except m5_check_md4_geometry. */
#ifndef M5_LINT_MD4_CHECKS_H
#define M5_LINT_MD4_CHECKS_H

#include "lint/common/checks.h"
#include "parsers/play/algebra.h"

enum { M5_CHECK_MD4_MIN_LOD = 140 }; /* offset from the start of a surface */

void m5_check_md4_bones(m5_lint_file *f);
bool m5_check_md4_frames(m5_lint_file *f); /* returns whether all matrices are rotations */
void m5_check_md4_surfaces(m5_lint_file *f);

/* Only for models without errors; `rigid`: whether all matrices are rotations. */
void m5_check_md4_geometry(m5_lint_file *f, bool rigid);

/* The corner of a frame's box that is wrong: 0 for the minimum, 1 for the maximum. It is wrong if
 * the centre of the box is not localOrigin, and only the other corner is as far from localOrigin as
 * the radius says. -1 if neither is known to be wrong. */
int m5_check_md4_wrong_corner(const m5_md4_frame *frame);

/* Whether localOrigin is not the centre of the box and no corner is known to be wrong, or radius is
 * wrong. */
bool m5_check_md4_is_sphere_off(const m5_md4_frame *frame);

/* Compares localOrigin and radius with the box, but not in frames where m5_check_md4_geometry found
 * the box to be wrong, because localOrigin and radius fit the mesh. */
void m5_check_md4_spheres(m5_lint_file *f);

/* Whether localOrigin and radius fit the mesh, perhaps with a margin, and so much of the mesh is
 * outside the box that this is reported as a warning. `mesh`: its box in this frame. */
bool m5_check_md4_is_sphere_right(const m5_lint_file *f, const m5_md4_frame *frame,
                                  const m5_box *mesh);

/* `budget`: how many vertices of all surfaces may be replaced; when it is spent, nothing is
 * reported. */
void m5_check_md4_collapse(m5_lint_file *f, const m5_md4_body *body, uint64_t *budget);

/* Reports matrices or offsets in the wrong space. Returns whether it did so as a warning or more:
 * then vertex positions mean nothing. `size`: of the model in frame 0, or 0. */
bool m5_check_md4_torn(m5_lint_file *f, double size);

#endif
