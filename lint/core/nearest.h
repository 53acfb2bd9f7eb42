/* Finds the word to suggest for a misspelt one. */
#ifndef M5_LINT_CORE_NEAREST_H
#define M5_LINT_CORE_NEAREST_H

#include "parsers/core/text.h"

/* The word nearest to `word` among those that `at` gives (NULL after the last); NULL if none is
 * near: up to a third of the characters may differ. */
const char *m5_nearest(const char *word, const char *(*at)(unsigned i));

#endif
