/* Levels that a user may choose for a rule instead of its own. */
#ifndef M5_OTHER_LEVELS_H
#define M5_OTHER_LEVELS_H

#include "all_rules.h"

/* At none, the first, second or third of these levels a rule reports what it always does. With
 * lower and higher limits it reports other findings. */
enum { OTHER_OFF, OTHER_NOTE, OTHER_WARNING, OTHER_ERROR, OTHER_LOWER, OTHER_HIGHER, OTHER_LEVELS };

static inline m5_levels other_levels(const m5_rule *rule, unsigned how)
{
    m5_levels own = all_rules()[rule->number];
    double least = fmin(own.note, fmin(own.warning, own.error));
    switch (how) {
    case OTHER_NOTE: return (m5_levels){least, M5_NEVER, M5_NEVER};
    case OTHER_WARNING: return (m5_levels){M5_NEVER, least, M5_NEVER};
    case OTHER_ERROR: return (m5_levels){M5_NEVER, M5_NEVER, least};
    case OTHER_LOWER: return (m5_levels){least > 0 ? least / 16 : M5_ALWAYS, least, M5_NEVER};
    case OTHER_HIGHER: return (m5_levels){M5_NEVER, 2 * least + 1, M5_NEVER};
    default: return (m5_levels)M5_IS_OFF;
    }
}

#endif
