/* All checks of an illmesh, illskel or illanim by itself. Each may be called for any model, flawed
 * or not. */
#ifndef M5_LINT_ILL_CHECKS_H
#define M5_LINT_ILL_CHECKS_H

#include "lint/lint.h"

void m5_check_illmesh(m5_lint_file *f);
void m5_check_illskel(m5_lint_file *f);
void m5_check_illanim(m5_lint_file *f);

/* Whether an animation's quaternions seem to have w first, judging by their numbers alone. */
bool m5_check_is_w_first(const m5_illanim *anim);

#endif
