/* Ratios of units that models are exported in. */
#ifndef M5_LINT_GEOMETRY_UNITS_H
#define M5_LINT_GEOMETRY_UNITS_H

#include <stdbool.h>
#include <stdint.h>

/* All are above 1: first those of lengths (millimetre, centimetre, inch, foot, metre), then those
 * of games and programs. */
enum { M5_UNITS_OF_LENGTH = 7, M5_UNITS = 13 };
extern const double m5_units[M5_UNITS];

/* Whether a scale is as good as such a ratio, or 1 divided by one. */
bool m5_is_unit(double scale);

/* Whether bones that are all `scale` times as long must have another scale, and not another pose:
 * there are many of them, or the scale is a ratio of two units, such as inches and metres, or 2. */
bool m5_is_other_scale(double scale, uint32_t bones);

#endif
