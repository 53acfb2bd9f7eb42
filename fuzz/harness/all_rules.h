/* Levels with every rule on: one that is off by itself says notes. Made by the first call, which
 * must be over before there are other threads. */
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
