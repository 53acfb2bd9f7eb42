/* The report in the format of JUnit: a suite for each file, and a test for each rule that has
 * findings in it. A test fails if one of them is an error or a warning. */
#include "reporters.h"
#include "lint/report/escape.h"

#include <stdlib.h>
#include <string.h>

typedef struct document {
    const m5_writer *out;
} document;

static void *begin(const m5_writer *out, const m5_look *look)
{
    document *d = malloc(sizeof *d);
    (void)look;
    if (d == NULL)
        return NULL;
    d->out = out;
    m5_output_string(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                          "<testsuites name=\"md5lint\">\n");
    return d;
}

/* ---- A test ---------------------------------------------------------------------------------- */

/* The worst severity of a rule's findings, shown or not; M5_SILENT if all are folded. */
static m5_severity worst_of(const m5_result *r, const m5_counted *rule)
{
    m5_severity worst = M5_SILENT;
    for (m5_severity s = M5_NOTE; s <= M5_ERROR; s++)
        if (m5_shown_made_as(&r->shown, rule, s) != 0)
            worst = s;
    return worst;
}

/* `name` is a rule's, or that of the test of the whole file. */
static void begin_test(const m5_writer *out, const m5_result *r, const char *name)
{
    m5_write(out, "<testcase name=\"%s\" classname=\"", name);
    m5_put_xml(out, r->path);
    m5_output_string(out, "\" time=\"0\"");
}

/* The first message of a rule that is shown. */
static void put_first(const m5_writer *out, const m5_result *r, unsigned rule)
{
    for (uint32_t i = 0; i < r->shown.count; i++) {
        if (r->shown.list[i]->diag.rule->number != rule)
            continue;
        m5_put_message(out, m5_put_xml, r, r->shown.list[i]);
        return;
    }
    m5_put_xml(out, m5_rule_at(rule)->summary);
}

/* All findings of a rule, a line each. */
static void put_findings(const m5_writer *out, const m5_result *r, m5_lines *lines, unsigned rule)
{
    for (uint32_t i = 0; i < r->shown.count; i++) {
        const m5_diag *d = &r->shown.list[i]->diag;
        if (d->rule->number != rule)
            continue;
        m5_put_xml(out, r->path);
        m5_put_position(out, r, lines, d->at.offset);
        m5_write(out, ": %s: ", m5_severity_name(d->severity));
        m5_put_message(out, m5_put_xml, r, r->shown.list[i]);
        m5_output_string(out, "\n");
    }
    if (r->shown.hidden[rule] != 0)
        m5_write(out, "%llu more not shown\n", (unsigned long long)r->shown.hidden[rule]);
    if (m5_rule_at(rule)->fix[0] == '\0')
        return;
    m5_output_string(out, "hint: ");
    m5_put_xml(out, m5_rule_at(rule)->fix);
    m5_output_string(out, "\n");
}

static void put_test(const m5_writer *out, const m5_result *r, m5_lines *lines, unsigned rule,
                     m5_severity worst)
{
    bool fails = worst > M5_NOTE;
    begin_test(out, r, m5_rule_at(rule)->id);
    m5_output_string(out, ">\n");
    if (fails) {
        m5_output_string(out, "<failure message=\"");
        put_first(out, r, rule);
        m5_write(out, "\" type=\"%s\">", m5_severity_name(worst));
    } else {
        m5_output_string(out, "<system-out>");
    }
    put_findings(out, r, lines, rule);
    m5_output_string(out, fails ? "</failure>\n" : "</system-out>\n");
    m5_output_string(out, "</testcase>\n");
}

/* ---- A file ---------------------------------------------------------------------------------- */

static const char *error_of(const m5_result *r)
{
    return r->error != NULL ? r->error : r->late;
}

/* The tests and failures of a file. */
typedef struct counts {
    unsigned tests, failures;
} counts;

static counts count_tests(const m5_result *r)
{
    counts c = {0, 0};
    for (const m5_counted *k = r->shown.from->counts; k != NULL && r->error == NULL; k = k->next) {
        m5_severity worst = worst_of(r, k);
        c.tests += worst != M5_SILENT;
        c.failures += worst > M5_NOTE;
    }
    return c;
}

static void put_tests(const m5_writer *out, const m5_result *r)
{
    m5_lines lines = m5_result_lines(r);
    for (const m5_counted *k = r->shown.from->counts; k != NULL; k = k->next)
        if (worst_of(r, k) != M5_SILENT)
            put_test(out, r, &lines, k->rule, worst_of(r, k));
}

/* The test of a file as a whole: that it can be read, or that nothing was found. */
static void put_whole(const m5_writer *out, const m5_result *r)
{
    begin_test(out, r, "md5lint");
    if (error_of(r) == NULL) {
        m5_output_string(out, "/>\n");
        return;
    }
    m5_output_string(out, ">\n<error message=\"");
    m5_put_xml(out, error_of(r));
    m5_output_string(out, "\" type=\"unread\"/>\n</testcase>\n");
}

static void show_file(void *report, const m5_result *r)
{
    const m5_writer *out = ((document *)report)->out;
    counts c = count_tests(r);
    bool whole = c.tests == 0 || error_of(r) != NULL;
    m5_output_string(out, "<testsuite name=\"");
    m5_put_xml(out, r->path);
    m5_write(out, "\" tests=\"%u\" failures=\"%u\" errors=\"%d\" skipped=\"0\" time=\"0\">\n",
             c.tests + whole, c.failures, error_of(r) != NULL);
    if (r->error == NULL)
        put_tests(out, r);
    if (whole)
        put_whole(out, r);
    m5_output_string(out, "</testsuite>\n");
}

static bool end(void *report, const m5_totals *totals)
{
    (void)totals;
    m5_output_string(((document *)report)->out, "</testsuites>\n");
    free(report);
    return true;
}

const m5_reporter m5_report_junit = {"junit", begin, show_file, end, M5_SHOWS_EACH};
