/* The site: a page for each rule and a list of them, as HTML. */
#ifndef M5_LINT_DIST_SITE_H
#define M5_LINT_DIST_SITE_H

#include "lint/report/report.h"

#include <stdio.h>

/* Writes index.html and a page RULE.html for each rule into `folder`. `shown` is a folder with a
 * text RULE.txt for each rule that has an example of a finding. Returns false if a page cannot be
 * written. */
bool m5_site(const char *folder, const char *shown);

/* The page of a rule; `example` is such a text, or NULL. */
void m5_site_rule(const m5_writer *out, const m5_rule *rule, FILE *example);

/* Text in HTML, its markup escaped. In prose, the ids of rules are links and what is between
 * backquotes is code. */
void m5_html_text(const m5_writer *out, const char *text, size_t count);
void m5_html_prose(const m5_writer *out, const char *text);

/* What all pages begin and end with; `title` is a constant of ours. */
void m5_html_begin(const m5_writer *out, const char *title);
void m5_html_end(const m5_writer *out);

/* The severities that findings of a rule can have, worst first, each as a label. */
void m5_html_levels(const m5_writer *out, const m5_rule *rule);

#endif
