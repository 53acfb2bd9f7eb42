/* The report for programs that read line by line: a JSON object for each finding, written as soon
 * as its file is done. */
#include "json_parts.h"

#include <stdlib.h>

typedef struct stream {
    const m5_writer *out;
    bool spoilt; /* there was no memory for a line */
} stream;

static void *begin(const m5_writer *out, const m5_look *look)
{
    stream *s = malloc(sizeof *s);
    (void)look;
    if (s != NULL)
        *s = (stream){.out = out};
    return s;
}

/* What each line has: which file it is about. */
static m5_json new_line(const m5_result *r)
{
    m5_json o = m5_json_new();
    m5_json_put_text(&o, "file", r->path);
    if (r->archive != NULL)
        m5_json_put_text(&o, "archive", r->archive);
    return o;
}

static void put_line(stream *s, m5_json o)
{
    s->spoilt |= !m5_json_write(s->out, m5_json_finish(o));
    m5_output_string(s->out, "\n");
}

static void put_error(stream *s, const m5_result *r, const char *error)
{
    m5_json o = new_line(r);
    m5_json_put_text(&o, "error", error);
    put_line(s, o);
}

static void show_file(void *report, const m5_result *r)
{
    stream *s = report;
    if (r->error != NULL) {
        put_error(s, r, r->error);
        return;
    }
    m5_both_lines lines = {.own = {.source = &r->file->source, .arena = &r->file->arena}};
    for (uint32_t i = 0; i < r->shown.count; i++) {
        m5_json o = new_line(r);
        m5_json_put_text(&o, "format", r->format->name);
        m5_json_put_finding(&o, r, &lines, r->shown.list[i]);
        put_line(s, o);
    }
    if (r->late != NULL)
        put_error(s, r, r->late);
}

static bool end(void *report, const m5_totals *totals)
{
    stream *s = report;
    bool whole = !s->spoilt;
    (void)totals;
    free(s);
    return whole;
}

const m5_reporter m5_report_jsonl = {"jsonl", begin, show_file, end, true, true};
