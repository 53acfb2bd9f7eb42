/* Prints the rules as text and as Markdown, from their rows. */
#ifndef M5_LINT_REPORT_EXPLAIN_H
#define M5_LINT_REPORT_EXPLAIN_H

#include "report.h"
#include "parsers/core/text.h"

/* A rule's severity by default, as `warning` or `note above 0, error above 2`, and its formats,
 * with commas between. 128 bytes are enough; returns the text's bytes. */
const char *m5_level_text(const m5_rule *rule, m5_text *text);
const char *m5_formats_text(const m5_rule *rule, m5_text *text);

/* The rules that a rule speaks for, in words: `md5mesh-joint-far, and cross-bounds-mesh for its
 * boxes`; they do not report the same cause. NULL if it speaks for none. */
const char *m5_spoken_for(const m5_rule *rule);

/* What --explain, --list-rules and --list-rules=markdown (RULES.md) print. */
void m5_explain(const m5_writer *out, const m5_rule *rule);
void m5_list_rules(const m5_writer *out);
void m5_list_rules_markdown(const m5_writer *out);

#endif
