/* Vertices far away from all others, where none can be meant to be. */
#ifndef M5_LINT_GEOMETRY_OUTLIERS_H
#define M5_LINT_GEOMETRY_OUTLIERS_H
#include "parsers/play/vector.h"

#include <stdint.h>

typedef struct m5_outliers {
    uint32_t first, count; /* the first of them; how many there are, 0 for none */
    double times;          /* the first, as many times as far from the middle as half of all are */
    double distance;       /* ... from there */
} m5_outliers;

/* None where there are few vertices. Linear in vertices. */
m5_outliers m5_outliers_find(const m5_vec *pos, uint32_t count);

#endif
