/* The rules in a SARIF report: those that have results, in the order of their first. */
#ifndef M5_LINT_REPORT_FORMATS_SARIF_RULES_H
#define M5_LINT_REPORT_FORMATS_SARIF_RULES_H

#include "lint/report/report.h"

/* Zeroed at first. */
typedef struct m5_sarif_rules {
    uint32_t count;
    uint32_t order[M5_RULES];    /* numbers of rules */
    uint32_t index_of[M5_RULES]; /* in order, + 1 */
} m5_sarif_rules;

/* The index of a rule, which is added if it is new. */
uint32_t m5_sarif_rule_index(m5_sarif_rules *rules, unsigned number);

/* The member `tool`. */
void m5_sarif_put_tool(const m5_sarif_rules *rules, const m5_writer *out);

#endif
