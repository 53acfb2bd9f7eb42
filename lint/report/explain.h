/* Prints the rules as text and as Markdown, from their rows. */
#ifndef M5_LINT_REPORT_EXPLAIN_H
#define M5_LINT_REPORT_EXPLAIN_H

#include "report.h"

/* What --explain, --list-rules and --list-rules=markdown (RULES.md) print. */
void m5_explain(const m5_writer *out, const m5_rule *rule);
void m5_list_rules(const m5_writer *out);
void m5_list_rules_markdown(const m5_writer *out);

#endif
