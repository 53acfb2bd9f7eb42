/* Reads the options that choose rules and set their severity. */
#define _POSIX_C_SOURCE 200809L /* strndup */

#include "reading.h"
#include "parsers/core/number.h"

#include <stdlib.h>
#include <string.h>

/* Reports what is wrong with a setting. */
static bool is_right(m5_reading *r, const m5_rule_setting *s)
{
    const m5_rule *rule;
    const char *error = m5_choice_error(s, &rule);
    if (error != NULL && rule != NULL)
        m5_wrong_option(r, error, rule->id, NULL);
    else if (error != NULL)
        m5_wrong_option(r, error, s->pattern, m5_choice_nearest(s->pattern));
    return error == NULL;
}

/* Keeps a setting, or frees it. */
static void add_setting(m5_reading *r, m5_rule_setting s)
{
    m5_options *o = r->o;
    m5_rule_setting *list = NULL;
    if (s.pattern == NULL || is_right(r, &s)) {
        if (s.pattern != NULL)
            list = realloc(o->rules, (o->num_rules + 1) * sizeof *list);
        if (list == NULL)
            m5_wrong_option(r, "out of memory", NULL, NULL);
    }
    if (list == NULL) {
        free(s.pattern);
        return;
    }
    o->rules = list;
    o->rules[o->num_rules++] = s;
}

/* Names and patterns, from one comma to the next. */
void m5_read_rules(m5_reading *r, const char *list, m5_choose how, const m5_levels *limits)
{
    size_t length;
    do {
        length = strcspn(list, ",");
        m5_rule_setting s = {strndup(list, length), how, {0, 0, 0}};
        if (limits != NULL)
            s.limits = *limits;
        add_setting(r, s);
        list += length + 1;
    } while (r->o->action != M5_ACT_USAGE && list[-1] == ',');
}

void m5_read_explain(m5_reading *r, const char *list,
                     void (*explain)(const m5_rule *, m5_reading *))
{
    size_t before = r->o->num_rules;
    m5_read_rules(r, list, M5_CHOOSE_ENABLE, NULL);
    for (size_t i = before; i < r->o->num_rules && r->o->action != M5_ACT_USAGE; i++)
        for (unsigned k = 0; k < M5_RULES; k++)
            if (m5_choice_names(r->o->rules[i].pattern, m5_rule_at(k)))
                explain(m5_rule_at(k), r);
}

/* ---- --level --------------------------------------------------------------------------------- */

/* Reads one of three limits; `-` means never. Returns the text after it, or NULL if it is wrong. */
static const char *read_limit(const char *text, double *out)
{
    size_t length = strcspn(text, ",");
    *out = M5_NEVER;
    bool never = length == 1 && *text == '-';
    if (!never && m5_read_double((const uint8_t *)text, length, out) != M5_NUMBER_FINE)
        return NULL;
    return text + length + (text[length] == ',');
}

/* Reads three limits in ascending order. */
static bool read_limits(const char *text, m5_levels *out)
{
    m5_levels l;
    if ((text = read_limit(text, &l.note)) == NULL ||
        (text = read_limit(text, &l.warning)) == NULL ||
        (text = read_limit(text, &l.error)) == NULL || *text != '\0' || text[-1] == ',')
        return false;
    *out = l;
    return m5_choice_ascends(&l);
}

static void read_level_of(m5_reading *r, const char *rules, const char *level)
{
    static const char *const words[] = {"off", "note", "warning", "error", NULL};
    m5_levels limits;
    if (strchr(level, ',') == NULL) {
        int i = m5_read_word(r, level, words, "expected off, note, warning or error, found");
        if (i >= 0)
            m5_read_rules(r, rules, (m5_choose)i, NULL);
    } else if (read_limits(level, &limits)) {
        m5_read_rules(r, rules, M5_CHOOSE_LIMITS, &limits);
    } else {
        m5_wrong_option(r, "expected three limits NOTE,WARNING,ERROR in ascending order, found",
                        level, NULL);
    }
}

void m5_read_level(m5_reading *r, const char *text)
{
    const char *equals = strchr(text, '=');
    char *rules = equals != NULL ? strndup(text, (size_t)(equals - text)) : NULL;
    if (rules != NULL)
        read_level_of(r, rules, equals + 1);
    else if (equals != NULL)
        m5_wrong_option(r, "out of memory", NULL, NULL);
    else
        m5_wrong_option(r, "expected RULES=LEVEL, found", text, NULL);
    free(rules);
}
