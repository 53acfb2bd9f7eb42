/* Weights outside 0 to 1. If most weights of a mesh are, one cause is likely, such as percentages:
 * then only one of them is reported. */
#ifndef M5_LINT_COMMON_WEIGHTS_H
#define M5_LINT_COMMON_WEIGHTS_H

#include "lint/lint.h"

/* A float nearest to a decimal limit is still within the limit. */
#define M5_BIAS_ROUNDING 1e-7

/* How far a weight is outside 0 to 1. */
static inline double m5_weight_beyond(double weight)
{
    return (weight < 0 ? -weight : weight - 1) - M5_BIAS_ROUNDING;
}

/* The weights of a mesh: begins as zeros. */
typedef struct m5_weight_range {
    uint32_t all, beyond; /* `beyond`: those that the rule would report */
    m5_severity worst;    /* of these */
} m5_weight_range;

/* Adds a weight, and returns how severely the rule would report it. */
m5_severity m5_weight_range_add(m5_weight_range *range, const m5_report *report,
                                const m5_rule *rule, double weight);

/* Whether only the first of the worst weights is to be reported. */
bool m5_weight_range_is_one(const m5_weight_range *range);

enum { M5_WEIGHT_RANGE_TEXT = 72 };

/* Prints what the message then ends with. `sum`: of the weights of one vertex. */
void m5_weight_range_print(const m5_weight_range *range, double sum,
                           char out[M5_WEIGHT_RANGE_TEXT]);

#endif
