/* Which rules run, and how severe they are: settings, one after another, as options and files of
 * settings have them. Where several name a rule, the last one counts. */
#ifndef M5_LINT_SETTINGS_CHOICE_H
#define M5_LINT_SETTINGS_CHOICE_H

#include "lint/lint.h"

typedef enum m5_choose {
    M5_CHOOSE_OFF,
    M5_CHOOSE_NOTE,
    M5_CHOOSE_WARNING,
    M5_CHOOSE_ERROR,
    M5_CHOOSE_LIMITS, /* of a rule that measures something */
    M5_CHOOSE_SELECT, /* rules that no other setting names are off */
    M5_CHOOSE_ENABLE  /* show notes, and run what is off by default */
} m5_choose;

/* `pattern` is a rule's id, a former one (see aliases.h), or a pattern as in m5_glob_matches. A
 * pattern does not run rules that are off by default, unless it enables them. */
typedef struct m5_rule_setting {
    char *pattern; /* whoever made the setting frees it */
    m5_choose how;
    m5_levels limits;
} m5_rule_setting;

/* What came of all settings so far. Zero it, then call m5_choice_init. */
typedef struct m5_choice {
    m5_levels levels[M5_RULES];
    bool named[M5_RULES];
    bool shown[M5_RULES]; /* their notes are shown even if no notes are asked for */
    bool selects;
} m5_choice;

/* The levels of the rows. */
void m5_choice_init(m5_choice *choice);
void m5_choice_apply(m5_choice *choice, const m5_rule_setting *setting);

/* After all settings: hides the notes that were not asked for. */
void m5_choice_hide_notes(m5_choice *choice);

/* Whether limits are at least 0, and those of worse severities not lower. */
bool m5_choice_ascends(const m5_levels *limits);

/* Whether a pattern names a rule. */
bool m5_choice_names(const char *pattern, const m5_rule *rule);

/* What is wrong with a setting, as `unknown rule`, or NULL. *rule is set if it is about one rule of
 * several. */
const char *m5_choice_error(const m5_rule_setting *setting, const m5_rule **rule);

/* The rule whose name is nearest to a pattern that names none, or NULL. */
const char *m5_choice_nearest(const char *pattern);

#endif
