/* Levels with every rule on: a rule that is off by default reports notes. The first call makes
 * them; it must have returned before other threads are started. */
#ifndef M5_ALL_RULES_H
#define M5_ALL_RULES_H

#include "lint/lint.h"
#include "parsers/core/emit.h"

#include <float.h>

static inline const m5_levels *all_rules(void)
{
    static m5_levels all[M5_RULES];
    static bool made;
    if (made)
        return all;
    for (unsigned i = 0; i < M5_RULES; i++) {
        all[i] = m5_rule_at(i)->levels;
        if (m5_judge(&all[i], DBL_MAX) == M5_SILENT)
            all[i] = (m5_levels)M5_IS_NOTE;
    }
    made = true;
    return all;
}

#endif
