/* Did you mean ...? */
#ifndef M5_NEAREST_H
#define M5_NEAREST_H

#include <stdint.h>

enum { M5_NEAREST_MAX = 256 };

/* Levenshtein's distance of two names; UINT32_MAX when one is longer than M5_NEAREST_MAX. */
uint32_t m5_edit_distance(const void *a, uint32_t a_length, const void *b, uint32_t b_length);

/* The word nearest to `word` of those that `at` gives (NULL past the last); NULL when none is
 * near: a third of the letters may differ. */
const char *m5_nearest(const char *word, const char *(*at)(unsigned i));

#endif
