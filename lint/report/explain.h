/* The rules in prose, each from its row. */
#ifndef M5_LINT_REPORT_EXPLAIN_H
#define M5_LINT_REPORT_EXPLAIN_H

#include "report.h"

/* --explain, --list-rules and RULES.md, all from the rows. */
void m5_explain(const m5_writer *out, const m5_rule *rule);
void m5_list_rules(const m5_writer *out);
void m5_list_rules_markdown(const m5_writer *out);

#endif
