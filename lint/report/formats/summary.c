/* The summary of a GitHub job, in Markdown: how many findings there are of each rule, and the worst
 * ones. It stays below the 1 MiB that GitHub shows, since long texts are cut. */
#include "reporters.h"
#include "lint/report/buffer.h"
#include "lint/report/escape.h"
#include "lint/report/table.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SHOWN = 20, LONGEST = 1000 };

typedef struct document {
    const m5_writer *out;
    m5_table *table;
    m5_ranked worst;
    uint64_t unread;
} document;

static void *begin(const m5_writer *out, const m5_look *look)
{
    document *d = malloc(sizeof *d);
    (void)look;
    if (d == NULL)
        return NULL;
    *d = (document){.out = out, .worst.most = MOST_SHOWN};
    d->table = calloc(1, sizeof *d->table);
    if (d->table != NULL)
        return d;
    free(d);
    return NULL;
}

/* A longer text is cut, and what may be left of a letter is not UTF-8. */
static void put_cut(const m5_writer *out, const char *text)
{
    char cut[LONGEST + 1];
    size_t length = strlen(text);
    if (length <= LONGEST) {
        m5_put_markdown(out, text);
        return;
    }
    memcpy(cut, text, LONGEST);
    cut[LONGEST] = '\0';
    m5_put_markdown(out, cut);
    m5_output_string(out, "...");
}

/* Not `:100:2`, as `:100:` is a picture on GitHub, nor `@0x40`, which names a person. */
static void put_place(const m5_writer *out, const m5_result *r, m5_lines *lines, uint32_t offset)
{
    m5_place at = r->format->text ? m5_lines_find(lines, offset) : (m5_place){0, 0};
    if (r->format->text)
        m5_write(out, ", line %u:%u", at.line, at.column);
    else
        m5_write(out, ", byte %u", offset);
}

static void put_finding(document *d, const m5_result *r, m5_lines *lines, const m5_finding *f)
{
    m5_buffer *buffer = m5_ranked_add(&d->worst, f->diag.severity);
    if (buffer == NULL)
        return;
    m5_writer out = m5_buffer_writer(buffer);
    m5_output_string(&out, "| ");
    put_cut(&out, r->path);
    put_place(&out, r, lines, f->diag.at.offset);
    m5_write(&out, " | %s | ", m5_severity_name(f->diag.severity));
    m5_put_message(&out, put_cut, r, f);
    m5_write(&out, " | %s |\n", f->diag.rule->id);
}

static void put_error(document *d, const m5_result *r, const char *error)
{
    m5_buffer *buffer = m5_ranked_add(&d->worst, M5_ERROR);
    d->unread++;
    if (buffer == NULL)
        return;
    m5_writer out = m5_buffer_writer(buffer);
    m5_output_string(&out, "| ");
    put_cut(&out, r->path);
    m5_output_string(&out, " | error | not checked: ");
    put_cut(&out, error);
    m5_output_string(&out, " | |\n");
}

static void show_file(void *report, const m5_result *r)
{
    document *d = report;
    if (r->error != NULL || r->late != NULL)
        put_error(d, r, r->error != NULL ? r->error : r->late);
    if (r->error != NULL)
        return;
    m5_lines lines = m5_result_lines(r);
    for (uint32_t i = 0; i < r->shown.count; i++)
        put_finding(d, r, &lines, r->shown.list[i]);
    m5_table_add(d->table, &r->shown);
}

static void put_count(const m5_writer *out, const char *before, uint64_t count, const char *what)
{
    m5_write(out, "%s%llu %s%s", before, (unsigned long long)count, what, count == 1 ? "" : "s");
}

static void put_rules(const document *d)
{
    m5_table_row rows[M5_RULES * M5_ERROR];
    uint32_t count = m5_table_rows(d->table, rows);
    if (count != 0)
        m5_output_string(d->out, "\n| rule | severity | findings | files |\n|---|---|--:|--:|\n");
    for (uint32_t i = 0; i < count; i++)
        m5_write(d->out, "| %s | %s | %llu | %llu |\n", rows[i].rule->id,
                 m5_severity_name(rows[i].severity), (unsigned long long)rows[i].findings,
                 (unsigned long long)rows[i].files);
}

/* What of a baseline is gone, which may be why the job fails. */
static void put_gone(const m5_writer *out, const m5_old_totals *old)
{
    if (old->gone == 0)
        return;
    m5_output_string(out, "\n| old findings that are gone | rule | place | findings |\n"
                          "|---|---|---|--:|\n");
    for (size_t i = 0; i < old->num_list && i < MOST_SHOWN; i++) {
        const m5_gone *g = &old->list[i];
        m5_output_string(out, "| ");
        put_cut(out, g->file);
        m5_write(out, " | %s | ", g->rule->id);
        put_cut(out, g->path);
        m5_write(out, " | %u |\n", g->count);
    }
    if (old->num_list > MOST_SHOWN)
        m5_write(out, "| and %llu more | | | |\n",
                 (unsigned long long)(old->num_list - MOST_SHOWN));
}

static bool end(void *report, const m5_totals *t)
{
    document *d = report;
    const m5_writer *out = d->out;
    m5_output_string(out, "\n## md5lint\n\n"); /* what is there may not end its line */
    put_count(out, "", t->files, "file");
    put_count(out, ": ", t->errors, "error");
    put_count(out, ", ", t->warnings, "warning");
    if (t->notes != 0)
        put_count(out, ", ", t->notes, "note");
    if (d->unread != 0)
        m5_write(out, ", %llu not checked", (unsigned long long)d->unread);
    if (t->old.hidden != 0) {
        put_count(out, ", ", t->old.hidden, "old finding");
        m5_output_string(out, " hidden");
    }
    if (t->old.gone != 0) {
        put_count(out, ", ", t->old.gone, "old finding");
        m5_output_string(out, " gone");
    }
    m5_output_string(out, "\n");
    put_gone(out, &t->old);
    put_rules(d);
    if (d->unread + d->table->shown != 0) {
        m5_output_string(out, "\n| place | severity | finding | rule |\n|---|---|---|---|\n");
        m5_ranked_put(&d->worst, out, MOST_SHOWN, "\n");
        m5_output_string(out, "\n");
    }
    bool whole = m5_ranked_free(&d->worst);
    m5_table_free(d->table);
    free(d);
    return whole;
}

const m5_reporter m5_report_summary = {"summary", begin, show_file, end, 0};
