/* Private: what fixes of MD4 share. */
#ifndef M5_LINT_FIX_MD4_H
#define M5_LINT_FIX_MD4_H

#include "fixes.h"

/* Writes a word, little-endian, if it is another one. */
void m5_fix_word(m5_fixing *x, uint32_t at, uint32_t word);

#endif
