/* Counts weights outside 0 to 1, in any format. */
#include "weights.h"
#include "lint/core/check.h"
#include "parsers/core/emit.h"

#include <math.h>

m5_severity m5_weight_range_add(m5_weight_range *range, const m5_report *report,
                                const m5_rule *rule, double weight)
{
    m5_severity level = m5_would_say(report, rule, m5_weight_beyond(weight));
    range->all++;
    range->beyond += level != M5_SILENT;
    range->worst = level > range->worst ? level : range->worst;
    return level;
}

bool m5_weight_range_is_one(const m5_weight_range *range)
{
    enum { FEW = 3 };
    return range->beyond > FEW && 2 * (uint64_t)range->beyond > range->all;
}

void m5_weight_range_print(const m5_weight_range *range, double sum, char out[M5_WEIGHT_RANGE_TEXT])
{
    static const double rounding = 0.1;
    m5_check_print(out, M5_WEIGHT_RANGE_TEXT, " (%u of %u weights)%s", range->beyond, range->all,
                   fabs(sum - 100) < rounding ? ": they seem to be percentages" : "");
}
