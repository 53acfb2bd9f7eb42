/* The state while the command line is read, for the files that read it. */
#ifndef M5_LINT_APP_OPTIONS_READING_H
#define M5_LINT_APP_OPTIONS_READING_H

#include "options.h"

typedef struct m5_reading {
    m5_options *o;
    const m5_writer *out, *err;
    const char *option; /* whose value is read; or NULL */
} m5_reading;

/* Reports `md5lint: <--option>: <what> '<word>'`, the nearest correct word if it is not NULL, and
 * where to read more. `word` may be NULL. */
void m5_wrong_option(m5_reading *r, const char *what, const char *word, const char *nearest);

/* The index of a word in a list that ends with NULL; -1 if it is not there, which is reported. */
int m5_read_word(m5_reading *r, const char *word, const char *const *words, const char *what);

/* ---- Rules (levels.c) ------------------------------------------------------------------------ */

/* Adds a setting for each name and pattern in a list with commas. `limits` may be NULL. */
void m5_read_rules(m5_reading *r, const char *list, m5_choose how, const m5_levels *limits);

/* The value of --level. */
void m5_read_level(m5_reading *r, const char *text);

/* Calls a function for each rule that a list names. */
void m5_read_explain(m5_reading *r, const char *list,
                     void (*explain)(const m5_rule *rule, m5_reading *r));

/* ---- Engines (targets.c) --------------------------------------------------------------------- */

void m5_read_targets(m5_reading *r, const char *list);
void m5_read_fail_on_target(m5_reading *r, const char *text);

/* ---- Help (help.c) --------------------------------------------------------------------------- */

void m5_print_help(const m5_writer *out);

#endif
