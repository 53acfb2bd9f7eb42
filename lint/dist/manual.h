/* What is installed beside the program, made from the options and the rules. */
#ifndef M5_LINT_DIST_MANUAL_H
#define M5_LINT_DIST_MANUAL_H

#include "lint/report/report.h"

/* An option as options.def has it. */
typedef struct m5_option {
    const char *name, *value, *text;
    char letter; /* or 0 */
} m5_option;

/* The options in order; the last has no name. */
extern const m5_option m5_option_list[];

/* How the completions name the values that a shell can list. */
typedef enum m5_value_kind {
    M5_VALUE_NONE,    /* the option has no value */
    M5_VALUE_WORDS,   /* one of a few words */
    M5_VALUE_RULES,   /* ids of rules, with commas between */
    M5_VALUE_FILE,    /* a file */
    M5_VALUE_ANYTHING /* what a shell does not know */
} m5_value_kind;

/* The kind of an option's value; in *words, for M5_VALUE_WORDS, the words with blanks between. */
m5_value_kind m5_kind_of(const m5_option *option, const char **words);

/* Whether the value may be missing. */
bool m5_value_is_optional(const m5_option *option);

void m5_put_bash(const m5_writer *out);
void m5_put_zsh(const m5_writer *out);
void m5_put_fish(const m5_writer *out);

#endif
