/* Private: numbers as the file writes them. */
#ifndef M5_LINT_FIX_NUMBERS_H
#define M5_LINT_FIX_NUMBERS_H

#include "fixes.h"

/* How many digits a number has after its point; at least 6 if it has an exponent. */
unsigned m5_fix_decimals(const m5_source *source, m5_span number);

/* Where the numbers of a box of an md5anim are: the minimum, and the maximum. */
void m5_fix_corners(const m5_fixing *x, uint32_t box, m5_span at[6]);

/* How a decimal is rounded. DOWN and UP: the number that a float reader gets is not above, or not
 * below the value. */
typedef enum m5_fix_rounding {
    M5_ROUND_NEAREST,
    M5_ROUND_DOWN,
    M5_ROUND_UP,
    M5_ROUND_TO_ZERO
} m5_fix_rounding;

/* The float nearest to a value, or the nearest that is not above it, or not below it. */
float m5_fix_float(double value, m5_fix_rounding rounding);

/* Replaces a number by a value with so many decimals, at most 9; there are fewer if the value is
 * large. Leaves it alone if it already is that number. */
void m5_fix_number(m5_fixing *x, m5_span at, double value, unsigned decimals,
                   m5_fix_rounding rounding);

#endif
