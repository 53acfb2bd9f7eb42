/* Former names of rules. Options, settings and baselines that have one mean the rule of today. */
#ifndef M5_LINT_SETTINGS_ALIASES_H
#define M5_LINT_SETTINGS_ALIASES_H

typedef struct m5_alias {
    const char *former, *id;
} m5_alias;

/* All of them, each to a rule that there is; ends with NULL. To rename a rule, add a line. */
extern const m5_alias m5_aliases[];

/* The name of today: that of the table for a former name, else `id` itself. */
const char *m5_alias_find(const m5_alias *table, const char *id);

#endif
