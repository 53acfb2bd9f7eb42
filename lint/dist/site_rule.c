/* The page of a rule. */
#include "site.h"
#include "lint/lint.h"
#include "lint/report/explain.h"

#include <ctype.h>
#include <string.h>

static void put_heading(const m5_writer *out, const char *id, const char *title)
{
    m5_write(out, "<h2 id=\"%s\">%s</h2>\n", id, title);
}

/* A column that is no sentence: begun with a capital, unless it begins with a name. */
static void put_sentence(const m5_writer *out, const char *text)
{
    size_t word = strspn(text, "abcdefghijklmnopqrstuvwxyz");
    m5_output_string(out, "<p>");
    if (word != 0 && strchr(" ,:", text[word]) != NULL) {
        char first = (char)toupper((unsigned char)*text++);
        m5_output_bytes(out, &first, 1);
    }
    m5_html_prose(out, text);
    m5_output_string(out, ".</p>\n");
}

/* ---- The parts of the page ------------------------------------------------------------------- */

static void put_head(const m5_writer *out, const m5_rule *rule)
{
    char buffer[128] = "", names[128] = "";
    m5_text level = {buffer, sizeof buffer, 0, false}, formats = {names, sizeof names, 0, false};
    m5_write(out, "<h1>%s</h1>\n<p class=\"summary\">", rule->id);
    m5_html_prose(out, rule->summary);
    m5_output_string(out, "</p>\n<p>");
    m5_html_levels(out, rule);
    m5_write(out, "%s; in %s</p>\n", m5_level_text(rule, &level), m5_formats_text(rule, &formats));
}

static void put_example(const m5_writer *out, const m5_rule *rule, FILE *example)
{
    put_heading(out, "example", "Example");
    m5_output_string(out, "<pre>");
    m5_html_text(out, rule->example, strlen(rule->example));
    m5_output_string(out, "</pre>\n");
    if (example == NULL)
        return;
    m5_output_string(out, "<p>What md5lint writes about a small file with this defect:</p>\n<pre>");
    char line[1024];
    while (fgets(line, sizeof line, example) != NULL)
        m5_html_text(out, line, strlen(line));
    m5_output_string(out, "</pre>\n");
}

/* The target whose rows about a rule hold for a target: its own, or those of the one that it is
 * like. */
static int owner_of_rows(const m5_rule *rule, int target)
{
    for (size_t i = 0; i < M5_VERDICTS; i++)
        if (m5_verdicts[i].rule == rule->number && m5_verdicts[i].target == target)
            return target;
    return m5_targets[target].like;
}

static void put_verdict(const m5_writer *out, const m5_verdict *v, int target)
{
    const char *outcome = m5_outcome_name(v->outcome);
    m5_write(out, "<tr><td>%s</td><td><span class=\"outcome %s\">%s</span></td><td>",
             m5_targets[target].name, outcome, outcome);
    if (!m5_output_case(out, v))
        m5_output_string(out, "always");
    m5_output_string(out, "</td><td>");
    m5_html_text(out, v->evidence, strlen(v->evidence));
    m5_output_string(out, "</td></tr>\n");
}

static void put_engines(const m5_writer *out, const m5_rule *rule)
{
    if ((rule->formats & M5_IN_MD5_MODELS) == 0)
        return;
    put_heading(out, "engines", "What engines do");
    m5_output_string(out, "<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">Engine</th>"
                          "<th scope=\"col\">Outcome</th><th scope=\"col\">When</th>"
                          "<th scope=\"col\">Known from</th></tr></thead>\n<tbody>\n");
    for (int target = 0; target < M5_TARGETS; target++) {
        int owner = owner_of_rows(rule, target);
        for (size_t i = 0; i < M5_VERDICTS; i++)
            if (m5_verdicts[i].rule == rule->number && m5_verdicts[i].target == owner)
                put_verdict(out, &m5_verdicts[i], target);
    }
    m5_output_string(out, "</tbody>\n</table></div>\n");
}

static void put_settings(const m5_writer *out, const m5_rule *rule)
{
    put_heading(out, "severity", "Change its severity");
    m5_output_string(out, "<p>On the command line, or in <code>.md5lint.json</code>:</p>\n");
    m5_write(out, "<pre>md5lint --level=%s=warning .\n{ \"rules\": { \"%s\": \"off\" } }</pre>\n",
             rule->id, rule->id);
    if (m5_spoken_for(rule) == NULL)
        return;
    m5_output_string(out, "<p>Even if it is off, these rules do not report the same cause: ");
    m5_html_prose(out, m5_spoken_for(rule));
    m5_output_string(out, ".</p>\n");
}

/* The rules before and after. */
static void put_neighbours(const m5_writer *out, const m5_rule *rule)
{
    const m5_rule *before = rule->number > 0 ? m5_rule_at(rule->number - 1) : NULL;
    const m5_rule *after = m5_rule_at(rule->number + 1);
    m5_output_string(out, "<nav class=\"neighbours\" aria-label=\"Other rules\">");
    if (before != NULL)
        m5_write(out, "<a rel=\"prev\" href=\"%s.html\">%s</a> ", before->id, before->id);
    if (after != NULL)
        m5_write(out, "<a rel=\"next\" href=\"%s.html\">%s</a>", after->id, after->id);
    m5_output_string(out, "</nav>\n");
}

void m5_site_rule(const m5_writer *out, const m5_rule *rule, FILE *example)
{
    m5_html_begin(out, rule->id);
    put_head(out, rule);
    put_heading(out, "why", "Why it matters");
    m5_output_string(out, "<p>");
    m5_html_prose(out, rule->why);
    m5_output_string(out, "</p>\n");
    if (rule->fix[0] != '\0') {
        put_heading(out, "fix", "How to fix it");
        put_sentence(out, rule->fix);
    }
    put_example(out, rule, example);
    put_engines(out, rule);
    put_settings(out, rule);
    put_heading(out, "source", "Source of the rule");
    put_sentence(out, rule->origin);
    put_neighbours(out, rule);
    m5_html_end(out);
}
