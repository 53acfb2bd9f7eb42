/* Finds vertices that are too far away from all others to be intended. */
#ifndef M5_LINT_GEOMETRY_OUTLIERS_H
#define M5_LINT_GEOMETRY_OUTLIERS_H
#include "parsers/play/vector.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct m5_outliers {
    uint32_t first, count; /* the first of them; how many there are, which may be 0 */
    double times;    /* distance of the first, divided by the median distance from the middle */
    double distance; /* distance of the first from the middle */
    m5_vec middle;   /* of the mesh */
    double limit;    /* those farther from it than this are the outliers */
} m5_outliers;

/* Finds none if there are few vertices. Linear in vertices. `alone`: also a single one that is less
 * far, if it is far from all others. */
m5_outliers m5_outliers_find(const m5_vec *pos, uint32_t count, bool alone);

#endif
