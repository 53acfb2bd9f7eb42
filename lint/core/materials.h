/* What the name of a material says. */
#ifndef M5_LINT_CORE_MATERIALS_H
#define M5_LINT_CORE_MATERIALS_H

#include "lint/lint.h"

/* Whether a material of this name is never drawn, such as textures/common/collision. */
bool m5_check_is_unseen(const m5_source *source, m5_name material);

#endif
