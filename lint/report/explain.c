/* Prints the rules as text and as Markdown, from their rows. */

#include "explain.h"
#include "lint/core/edit.h"
#include "parsers/core/text.h"

#include <string.h>

const char *m5_level_text(const m5_rule *rule, m5_text *t)
{
    static const struct {
        const char *name;
        size_t at;
    } level[] = {{"note", offsetof(m5_levels, note)},
                 {"warning", offsetof(m5_levels, warning)},
                 {"error", offsetof(m5_levels, error)}};
    static const m5_levels mild = M5_NOTE_OR_WARNING, grave = M5_WARNING_OR_ERROR;
    const char *plain = NULL;
    if (memcmp(&rule->levels, &mild, sizeof mild) == 0)
        return "note or warning";
    if (memcmp(&rule->levels, &grave, sizeof grave) == 0)
        return "warning or error";
    for (size_t i = 0; i < 3; i++) {
        double limit;
        memcpy(&limit, (const char *)&rule->levels + level[i].at, sizeof limit);
        if (limit == M5_NEVER)
            continue;
        if (limit == M5_ALWAYS) {
            plain = level[i].name;
            continue;
        }
        m5_text_add(t, t->length ? ", " : "", t->length ? 2 : 0);
        m5_text_add(t, level[i].name, strlen(level[i].name));
        if (limit >= M5_BEYOND)
            continue; /* the text explains when */
        m5_text_add(t, " above ", 7);
        m5_text_float(t, limit, 6);
    }
    if (plain == NULL && t->length == 0)
        plain = "off";
    if (plain != NULL)
        m5_text_add(t, plain, strlen(plain));
    return t->bytes;
}

const char *m5_formats_text(const m5_rule *rule, m5_text *t)
{
    for (unsigned i = 0; rule->formats >> i != 0; i++) {
        if ((rule->formats >> i & 1) == 0)
            continue;
        m5_text_add(t, ", ", t->length ? 2 : 0);
        m5_text_add(t, m5_format_at(i)->name, strlen(m5_format_at(i)->name));
    }
    return t->bytes;
}

/* Rules that speak for others. */
static const struct {
    unsigned rule;
    const char *others;
} speakers[] = {
#define SPEAKS_FOR(symbol, others) {M5_RULE_##symbol, others},
#include "speaks_for.def"
};

const char *m5_spoken_for(const m5_rule *rule)
{
    for (size_t i = 0; i < sizeof speakers / sizeof *speakers; i++)
        if (speakers[i].rule == rule->number)
            return speakers[i].others;
    return NULL;
}

/* ... in a sentence, with `before` and `after` around it. */
static void put_others(const m5_writer *out, const m5_rule *rule, const char *before,
                       const char *after)
{
    const char *others = m5_spoken_for(rule);
    if (others == NULL)
        return;
    m5_output_string(out, before);
    m5_output_string(
        out, "It speaks for these rules, which do not report the same cause, even if it is off: ");
    m5_output_string(out, others);
    m5_output_string(out, after);
}

/* Whether there is a fix, with `before` and `after` around it. */
static void put_fix(const m5_writer *out, const m5_rule *rule, const char *before,
                    const char *after)
{
    if (m5_fix_kind_of(rule) != M5_FIX_NONE)
        m5_write(out, "%s%s%s", before, m5_fix_kind_text(rule), after);
}

/* A paragraph, broken at spaces before column 78 and indented. */
static void put_paragraph(const m5_writer *out, const char *text)
{
    size_t column = 0;
    while (*text != '\0') {
        size_t word = strcspn(text, " ");
        if (column > 0 && column + 1 + word > 76) {
            m5_output_string(out, "\n");
            column = 0;
        }
        m5_output_string(out, column == 0 ? "  " : " ");
        m5_output_bytes(out, text, word);
        column += word + 1;
        text += word;
        text += *text == ' ';
    }
    m5_output_string(out, "\n");
}

static void put_example(const m5_writer *out, const char *text, const char *margin)
{
    while (*text != '\0') {
        size_t line = strcspn(text, "\n");
        m5_output_string(out, margin);
        m5_output_bytes(out, text, line);
        m5_output_string(out, "\n");
        text += line;
        text += *text == '\n';
    }
}

void m5_explain(const m5_writer *out, const m5_rule *rule)
{
    char buffer[128] = "", names[128] = "";
    m5_text level = {buffer, sizeof buffer, 0, false}, formats = {names, sizeof names, 0, false};
    m5_write(out, "%s: ", rule->id);
    m5_output_string(out, rule->summary);
    m5_write(out, "\n  severity: %s; format: %s", m5_level_text(rule, &level),
             m5_formats_text(rule, &formats));
    put_fix(out, rule, "; fix: ", "");
    m5_output_string(out, "\n\n");
    m5_output_string(out, "Why it matters\n");
    put_paragraph(out, rule->why);
    if (rule->fix[0] != '\0') {
        m5_output_string(out, "\nHow to fix it\n");
        put_paragraph(out, rule->fix);
    }
    put_others(out, rule, "\n", "\n");
    m5_output_string(out, "\nExample\n");
    put_example(out, rule->example, "    ");
    m5_explain_targets(out, rule, false);
    m5_output_string(out, "\nSource of the rule\n");
    put_paragraph(out, rule->origin);
}

void m5_list_rules(const m5_writer *out)
{
    for (unsigned i = 0; i < M5_RULES; i++) {
        const m5_rule *rule = m5_rule_at(i);
        char buffer[128] = "";
        m5_text level = {buffer, sizeof buffer, 0, false};
        m5_output_string(out, rule->id);
        for (size_t n = strlen(rule->id); n < 34; n++)
            m5_output_string(out, " ");
        m5_output_string(out, rule->summary);
        m5_write(out, " (%s)", m5_level_text(rule, &level));
        put_fix(out, rule, " [fix: ", "]");
        m5_output_string(out, "\n");
    }
}

/* The table of contents: a row for each rule, with a link to its section. */
static void list_contents(const m5_writer *out)
{
    m5_output_string(
        out, "\n| rule | severity | format | fix | what is wrong |\n|---|---|---|---|---|\n");
    for (unsigned i = 0; i < M5_RULES; i++) {
        const m5_rule *rule = m5_rule_at(i);
        char buffer[128] = "", names[128] = "";
        m5_text level = {buffer, sizeof buffer, 0, false},
                formats = {names, sizeof names, 0, false};
        m5_write(out, "| [%s](#%s) | %s | %s | %s | ", rule->id, rule->id,
                 m5_level_text(rule, &level), m5_formats_text(rule, &formats),
                 m5_fix_kind_text(rule));
        m5_output_string(out, rule->summary);
        m5_output_string(out, " |\n");
    }
}

void m5_list_rules_markdown(const m5_writer *out)
{
    m5_write(out,
             "# Rules\n\n%u rules. This file is generated by `make rules` from parsers/*/*.def and "
             "lint/*/*.def. To change it, edit those files and run `make rules`.\n",
             (unsigned)M5_RULES);
    list_contents(out);
    for (unsigned i = 0; i < M5_RULES; i++) {
        const m5_rule *rule = m5_rule_at(i);
        char buffer[128] = "", names[128] = "";
        m5_text level = {buffer, sizeof buffer, 0, false},
                formats = {names, sizeof names, 0, false};
        m5_write(out, "\n## %s\n\n", rule->id);
        m5_output_string(out, rule->summary);
        m5_write(out, " (severity: %s; format: %s)\n\n", m5_level_text(rule, &level),
                 m5_formats_text(rule, &formats));
        m5_output_string(out, rule->why);
        if (rule->fix[0] != '\0') {
            m5_output_string(out, "\n\nHow to fix it: ");
            m5_output_string(out, rule->fix);
            m5_output_string(out, ".");
        }
        put_others(out, rule, "\n\n", ".");
        m5_output_string(out, "\n\n```\n");
        put_example(out, rule->example, "");
        m5_output_string(out, "```\n\nSource: ");
        m5_output_string(out, rule->origin);
        m5_output_string(out, ".\n");
        m5_explain_targets(out, rule, true);
    }
}
