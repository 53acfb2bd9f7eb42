/* Files of a group that another one is compared with. */
#ifndef M5_LINT_COMMON_SAME_RIG_H
#define M5_LINT_COMMON_SAME_RIG_H

#include "lint/lint.h"

/* Other files that may be of the same character, by their numbers. */
typedef struct m5_same_rig {
    m5_lint_file *const *files;
    const uint32_t *list;
    uint32_t count;
} m5_same_rig;

#endif
