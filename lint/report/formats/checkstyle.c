/* The report in the format of Checkstyle 4.3, which many CI services and editors read. */
#include "reporters.h"
#include "lint/report/escape.h"

#include <stdlib.h>

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
                          "<checkstyle version=\"4.3\">\n");
    return d;
}

static const char *severity_of(m5_severity severity)
{
    return severity == M5_NOTE ? "info" : m5_severity_name(severity);
}

/* Every error has a line, as some readers need one: in a binary file it is 1. */
static void put_finding(const m5_writer *out, const m5_result *r, m5_lines *lines,
                        const m5_finding *f)
{
    const m5_diag *d = &f->diag;
    m5_place place = {1, 1};
    if (r->format->text)
        place = m5_lines_find(lines, d->at.offset);
    m5_write(out, "<error line=\"%u\" column=\"%u\" severity=\"%s\" message=\"", place.line,
             place.column, severity_of(d->severity));
    m5_put_message(out, m5_put_xml, r, f);
    m5_write(out, "\" source=\"md5lint.%s\"/>\n", d->rule->id);
}

static void put_error(const m5_writer *out, const char *error)
{
    m5_output_string(out, "<error line=\"1\" severity=\"error\" message=\"not checked: ");
    m5_put_xml(out, error);
    m5_output_string(out, "\" source=\"md5lint.unread\"/>\n");
}

static void show_file(void *report, const m5_result *r)
{
    const m5_writer *out = ((document *)report)->out;
    m5_output_string(out, "<file name=\"");
    m5_put_xml(out, r->path);
    m5_output_string(out, "\">\n");
    if (r->error != NULL) {
        put_error(out, r->error);
    } else {
        m5_lines lines = m5_result_lines(r);
        for (uint32_t i = 0; i < r->shown.count; i++)
            put_finding(out, r, &lines, r->shown.list[i]);
    }
    if (r->late != NULL)
        put_error(out, r->late);
    m5_output_string(out, "</file>\n");
}

static bool end(void *report, const m5_totals *totals)
{
    (void)totals;
    m5_output_string(((document *)report)->out, "</checkstyle>\n");
    free(report);
    return true;
}

const m5_reporter m5_report_checkstyle = {"checkstyle", begin, show_file, end, M5_SHOWS_EACH};
