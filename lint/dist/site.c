/* The site's index, and its files. */
#include "site.h"
#include "lint/lint.h"
#include "lint/report/explain.h"

#include <errno.h>
#include <string.h>

/* ---- The index ------------------------------------------------------------------------------- */

/* The first word of a rule's id: what it is about. */
static size_t subject_of(const m5_rule *rule)
{
    return strcspn(rule->id, "-");
}

/* Whether two rules are about the same. */
static bool is_alike(const m5_rule *a, const m5_rule *b)
{
    return b != NULL && subject_of(a) == subject_of(b) && memcmp(a->id, b->id, subject_of(a)) == 0;
}

/* Whether no rule before it is about the same. */
static bool is_first(const m5_rule *rule)
{
    unsigned i = 0;
    while (!is_alike(rule, m5_rule_at(i)))
        i++;
    return i == rule->number;
}

static void put_filter(const m5_writer *out)
{
    m5_output_string(
        out,
        "<div id=\"filter\" role=\"search\" hidden>\n"
        "<label for=\"words\">Search</label> <input type=\"search\" id=\"words\">\n"
        "<label for=\"format\">Format</label> <select id=\"format\"><option value=\"\">all</option>");
    for (unsigned i = 0; m5_format_at(i) != NULL; i++)
        m5_write(out, "<option>%s</option>", m5_format_at(i)->name);
    m5_output_string(out,
                     "</select>\n<label for=\"severity\">Severity</label> <select id=\"severity\">"
                     "<option value=\"\">all</option><option>error</option><option>warning</option>"
                     "<option>note</option><option>off</option></select>\n"
                     "<span id=\"count\" role=\"status\"></span>\n</div>\n");
}

static void put_subjects(const m5_writer *out)
{
    m5_output_string(out, "<nav class=\"subjects\" aria-label=\"Subjects\">");
    for (unsigned i = 0; i < M5_RULES; i++)
        if (is_first(m5_rule_at(i)))
            m5_write(out, "<a href=\"#%.*s\">%.*s</a> ", (int)subject_of(m5_rule_at(i)),
                     m5_rule_at(i)->id, (int)subject_of(m5_rule_at(i)), m5_rule_at(i)->id);
    m5_output_string(out, "</nav>\n");
}

/* A rule in the list. The script finds it by data-text, too. */
static void put_item(const m5_writer *out, const m5_rule *rule)
{
    char names[128] = "";
    m5_text formats = {names, sizeof names, 0, false};
    m5_write(out, "<li data-formats=\"%s\" data-text=\"", m5_formats_text(rule, &formats));
    m5_html_text(out, rule->why, strlen(rule->why));
    m5_write(out, "\"><a href=\"%s.html\">%s</a> <span>", rule->id, rule->id);
    m5_html_text(out, rule->summary, strlen(rule->summary));
    m5_output_string(out, "</span> <span>");
    m5_html_levels(out, rule);
    m5_output_string(out, "</span></li>\n");
}

static void put_section(const m5_writer *out, const m5_rule *first)
{
    int length = (int)subject_of(first);
    m5_write(out, "<section>\n<h2 id=\"%.*s\">%.*s</h2>\n<ul class=\"rules\">\n", length, first->id,
             length, first->id);
    for (unsigned i = first->number; i < M5_RULES; i++)
        if (is_alike(first, m5_rule_at(i)))
            put_item(out, m5_rule_at(i));
    m5_output_string(out, "</ul>\n</section>\n");
}

static void put_index(const m5_writer *out)
{
    m5_html_begin(out, "The rules of md5lint");
    m5_write(
        out,
        "<h1>The rules of md5lint</h1>\n<p class=\"summary\">What md5lint finds in skeletal models: %u rules.</p>\n",
        (unsigned)M5_RULES);
    put_filter(out);
    put_subjects(out);
    for (unsigned i = 0; i < M5_RULES; i++)
        if (is_first(m5_rule_at(i)))
            put_section(out, m5_rule_at(i));
    m5_output_string(out, "<script src=\"search.js\"></script>\n");
    m5_html_end(out);
}

/* ---- Its files ------------------------------------------------------------------------------- */

static void write_stream(void *user, const void *bytes, size_t count)
{
    fwrite(bytes, 1, count, user);
}

static FILE *open_in(const char *folder, const char *name, const char *extension, const char *mode)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s%s", folder, name, extension);
    errno = ENAMETOOLONG;
    return length > 0 && (size_t)length < sizeof path ? fopen(path, mode) : NULL;
}

/* Closes a page; whether all of it could be written. */
static bool is_written(FILE *page)
{
    bool failed = ferror(page) != 0;
    return fclose(page) == 0 && !failed;
}

static bool write_rule(const char *folder, const char *shown, const m5_rule *rule)
{
    FILE *example = open_in(shown, rule->id, ".txt", "r");
    FILE *page = open_in(folder, rule->id, ".html", "w");
    if (page != NULL)
        m5_site_rule(&(m5_writer){write_stream, page}, rule, example);
    if (example != NULL)
        fclose(example);
    return page != NULL && is_written(page);
}

bool m5_site(const char *folder, const char *shown)
{
    FILE *index = open_in(folder, "index", ".html", "w");
    if (index == NULL)
        return false;
    put_index(&(m5_writer){write_stream, index});
    bool written = is_written(index);
    for (unsigned i = 0; i < M5_RULES && written; i++)
        written = write_rule(folder, shown, m5_rule_at(i));
    return written;
}
