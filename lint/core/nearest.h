/* Did you mean ...? */
#ifndef M5_LINT_CORE_NEAREST_H
#define M5_LINT_CORE_NEAREST_H

#include "parsers/core/text.h"

/* The word nearest to `word` of those that `at` gives (NULL past the last); NULL when none is
 * near: a third of the letters may differ. */
const char *m5_nearest(const char *word, const char *(*at)(unsigned i));

#endif
