/* Writes the rules of a SARIF report, from their rows. */
#include "sarif_rules.h"
#include "lint/report/escape.h"

#include <string.h>

uint32_t m5_sarif_rule_index(m5_sarif_rules *rules, unsigned number)
{
    if (rules->index_of[number] == 0) {
        rules->order[rules->count] = number;
        rules->index_of[number] = ++rules->count;
    }
    return rules->index_of[number] - 1;
}

/* The worst that a rule reports by its own levels. One that is off reports notes. */
static m5_severity worst_of(const m5_rule *rule)
{
    return rule->levels.error != M5_NEVER     ? M5_ERROR
           : rule->levels.warning != M5_NEVER ? M5_WARNING
                                              : M5_NOTE;
}

/* Whether a rule measures something, and how much is too much was a choice. */
static bool is_graded(const m5_rule *rule)
{
    return (rule->levels.note != M5_NEVER) + (rule->levels.warning != M5_NEVER) +
               (rule->levels.error != M5_NEVER) >
           1;
}

static void put_member(const m5_writer *out, const char *name, const char *text)
{
    m5_write(out, ",\"%s\":{\"text\":\"", name);
    m5_put_json(out, text);
    m5_output_string(out, "\"}");
}

static void put_markdown(const m5_writer *out, const char *text)
{
    for (; *text != '\0'; text++) {
        const char letter[] = {*text, '\0'};
        m5_output_string(out, strchr("\\`*_[]<>&#", *text) != NULL ? "\\\\" : "");
        m5_put_json(out, letter);
    }
}

/* Why it matters and what to do, as text and as Markdown. */
static void put_help(const m5_writer *out, const m5_rule *rule)
{
    m5_output_string(out, ",\"help\":{\"text\":\"");
    m5_put_json(out, rule->why);
    m5_output_string(out, "\\n\\nHow to fix it: ");
    m5_put_json(out, rule->fix);
    m5_output_string(out, "\",\"markdown\":\"");
    put_markdown(out, rule->why);
    m5_output_string(out, "\\n\\n**How to fix it:** ");
    put_markdown(out, rule->fix);
    m5_output_string(out, "\"}");
}

/* The rule's family, which is the first word of its id, and the formats that it is about. */
static void put_tags(const m5_writer *out, const m5_rule *rule)
{
    size_t family = strcspn(rule->id, "-");
    m5_output_string(out, "\"tags\":[\"");
    m5_output_bytes(out, rule->id, family);
    for (unsigned i = 0; i < M5_FORMATS; i++) {
        const char *name = m5_format_at(i)->name;
        bool same = strlen(name) == family && strncmp(name, rule->id, family) == 0;
        if ((rule->formats >> i & 1) != 0 && !same)
            m5_write(out, "\",\"%s", name);
    }
    m5_output_string(out, "\"]");
}

static void put_rule(const m5_writer *out, const m5_rule *rule)
{
    m5_severity worst = worst_of(rule);
    const char *level = m5_severity_name(worst);
    bool off = rule->levels.note == M5_NEVER && worst == M5_NOTE;
    m5_write(out, "{\"id\":\"%s\"", rule->id);
    put_member(out, "shortDescription", rule->summary);
    put_member(out, "fullDescription", rule->why);
    put_help(out, rule);
    if (m5_has_rule_url()) {
        m5_output_string(out, ",\"helpUri\":\"");
        m5_put_rule_url(out, rule);
        m5_output_string(out, "\"");
    }
    m5_write(out, ",\"defaultConfiguration\":{%s\"level\":\"%s\"},\"properties\":{",
             off ? "\"enabled\":false," : "", level);
    put_tags(out, rule);
    m5_write(out, ",\"precision\":\"%s\",\"problem.severity\":\"%s\"}}",
             is_graded(rule) ? "high" : "very-high", worst == M5_NOTE ? "recommendation" : level);
}

void m5_sarif_put_tool(const m5_sarif_rules *rules, const m5_writer *out)
{
    m5_output_string(out, "\"tool\":{\"driver\":{\"name\":\"md5lint\",\"semanticVersion\":"
                          "\"" M5_VERSION "\",\"rules\":[");
    for (uint32_t i = 0; i < rules->count; i++) {
        m5_output_string(out, i != 0 ? ",\n" : "\n");
        put_rule(out, m5_rule_at(rules->order[i]));
    }
    m5_output_string(out, "]}}");
}
