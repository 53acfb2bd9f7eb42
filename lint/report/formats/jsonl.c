/* The report for programs that read line by line: a JSON object for each finding, written as soon
 * as its file is done. */
#include "json_parts.h"
#include "reporters.h"

static void *begin(const m5_writer *out, const m5_look *look)
{
    (void)look;
    return (void *)(uintptr_t)out;
}

/* What each line has: which file it is about. */
static m5_json begin_line(const m5_writer *out, const m5_result *r)
{
    m5_json o = m5_json_begin(out);
    m5_json_put_text(&o, "file", r->path);
    if (r->archive != NULL)
        m5_json_put_text(&o, "archive", r->archive);
    return o;
}

static void end_line(const m5_json *o)
{
    m5_json_end(o);
    m5_output_string(o->out, "\n");
}

static void put_error(const m5_writer *out, const m5_result *r, const char *error)
{
    m5_json o = begin_line(out, r);
    m5_json_put_text(&o, "error", error);
    end_line(&o);
}

static void show_file(void *report, const m5_result *r)
{
    const m5_writer *out = report;
    if (r->error != NULL) {
        put_error(out, r, r->error);
        return;
    }
    m5_both_lines lines = {.own = m5_result_lines(r)};
    for (uint32_t i = 0; i < r->shown.count; i++) {
        m5_json o = begin_line(out, r);
        m5_json_put_text(&o, "format", r->format->name);
        m5_json_put_finding(&o, r, &lines, r->shown.list[i]);
        end_line(&o);
    }
    if (r->late != NULL)
        put_error(out, r, r->late);
}

static bool end(void *report, const m5_totals *totals)
{
    (void)report;
    (void)totals;
    return true;
}

const m5_reporter m5_report_jsonl = {"jsonl", begin, show_file, end, M5_SHOWS_EDITS};
