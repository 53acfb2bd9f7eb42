/* Chooses rules and their severity: see choice.h. */
#include "choice.h"
#include "aliases.h"
#include "lint/core/check.h"
#include "lint/core/glob.h"
#include "lint/core/nearest.h"

#include <math.h>
#include <string.h>

/* ---- Names and patterns ---------------------------------------------------------------------- */

static const char *rule_name_at(unsigned i)
{
    return i < M5_RULES ? m5_rule_at(i)->id : NULL;
}

static bool is_pattern(const char *text)
{
    return text[strcspn(text, "*?[")] != '\0';
}

bool m5_choice_names(const char *pattern, const m5_rule *rule)
{
    return is_pattern(pattern) ? m5_glob_matches(pattern, rule->id, false)
                               : strcmp(m5_alias_find(m5_aliases, pattern), rule->id) == 0;
}

/* Without its stars, a pattern may be near to the name of a rule. */
const char *m5_choice_nearest(const char *pattern)
{
    char bare[M5_NEAREST_MAX + 1];
    size_t length = 0;
    for (; *pattern != '\0' && length < M5_NEAREST_MAX; pattern++)
        if (*pattern != '*')
            bare[length++] = *pattern;
    bare[length] = '\0';
    return m5_nearest(bare, rule_name_at);
}

/* ---- Levels ---------------------------------------------------------------------------------- */

/* Whether a rule measures something and so has limits. Other rules always measure 0, and limits
 * would switch them off. */
static bool is_graded(const m5_rule *rule)
{
    const double limit[] = {rule->levels.note, rule->levels.warning, rule->levels.error};
    for (int i = 0; i < 3; i++)
        if (limit[i] != M5_NEVER && limit[i] != M5_ALWAYS)
            return true;
    return false;
}

/* The level `named` for a rule that measures something. It still reports nothing below its lowest
 * limit. */
static m5_levels from_least(m5_levels row, m5_levels named)
{
    double least = m5_lowest_limit(&row);
    return (m5_levels){named.note < least ? least : named.note,
                       named.warning < least ? least : named.warning,
                       named.error < least ? least : named.error};
}

bool m5_choice_ascends(const m5_levels *l)
{
    double warning = l->warning == M5_NEVER ? l->error : l->warning;
    double note = l->note == M5_NEVER ? warning : l->note;
    return note >= 0 && note <= warning && warning <= l->error;
}

static m5_levels level_of(const m5_rule *rule, m5_choose how)
{
    static const m5_levels levels[] = {M5_IS_OFF, M5_IS_NOTE, M5_IS_WARNING, M5_IS_ERROR};
    return is_graded(rule) && how != M5_CHOOSE_OFF ? from_least(rule->levels, levels[how])
                                                   : levels[how];
}

/* What the rule's row says; a note if it is off there. */
static m5_levels enabled(const m5_rule *rule)
{
    return m5_lowest_limit(&rule->levels) == M5_NEVER ? level_of(rule, M5_CHOOSE_NOTE)
                                                      : rule->levels;
}

/* ---- Settings -------------------------------------------------------------------------------- */

void m5_choice_init(m5_choice *c)
{
    for (unsigned i = 0; i < M5_RULES; i++)
        c->levels[i] = m5_rule_at(i)->levels;
}

static void apply_to(m5_choice *c, const m5_rule_setting *s, const m5_rule *rule)
{
    m5_levels *l = &c->levels[rule->number];
    bool exact = !is_pattern(s->pattern), show = true;
    switch (s->how) {
    case M5_CHOOSE_OFF:
        *l = level_of(rule, M5_CHOOSE_OFF);
        show = false;
        break;
    case M5_CHOOSE_NOTE:
    case M5_CHOOSE_WARNING:
    case M5_CHOOSE_ERROR:
        if (!exact && m5_lowest_limit(&rule->levels) == M5_NEVER)
            return;
        *l = level_of(rule, s->how);
        break;
    case M5_CHOOSE_LIMITS: *l = s->limits; break;
    case M5_CHOOSE_SELECT:
        *l = exact ? enabled(rule) : rule->levels;
        show = exact;
        break;
    case M5_CHOOSE_ENABLE:
        if (m5_lowest_limit(l) == M5_NEVER)
            *l = enabled(rule);
    }
    c->named[rule->number] = true;
    c->shown[rule->number] |= show;
}

/* What no setting has named so far is off. */
static void begin_selection(m5_choice *c)
{
    for (unsigned i = 0; i < M5_RULES && !c->selects; i++)
        if (!c->named[i])
            c->levels[i] = level_of(m5_rule_at(i), M5_CHOOSE_OFF);
    c->selects = true;
}

void m5_choice_apply(m5_choice *c, const m5_rule_setting *s)
{
    if (s->how == M5_CHOOSE_SELECT)
        begin_selection(c);
    for (unsigned i = 0; i < M5_RULES; i++)
        if (m5_choice_names(s->pattern, m5_rule_at(i)))
            apply_to(c, s, m5_rule_at(i));
}

void m5_choice_hide_notes(m5_choice *c)
{
    for (unsigned i = 0; i < M5_RULES; i++)
        if (!c->shown[i])
            c->levels[i].note = M5_NEVER;
}

const char *m5_choice_error(const m5_rule_setting *s, const m5_rule **rule)
{
    bool any = false;
    *rule = NULL;
    for (unsigned i = 0; i < M5_RULES; i++) {
        if (!m5_choice_names(s->pattern, m5_rule_at(i)))
            continue;
        any = true;
        if (s->how != M5_CHOOSE_LIMITS || is_graded(m5_rule_at(i)))
            continue;
        *rule = m5_rule_at(i);
        return "this rule has no limits, since it measures nothing:";
    }
    return any ? NULL : is_pattern(s->pattern) ? "no rule matches" : "unknown rule";
}
