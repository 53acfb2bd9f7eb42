/* The report for editors and CI services, which recognise gcc's messages: one line for each
 * finding. */
#include "reporters.h"

#include <stdlib.h>
#include <string.h>

typedef struct lines {
    const m5_writer *out;
} lines;

static void *begin(const m5_writer *out, const m5_look *look)
{
    (void)look;
    lines *l = malloc(sizeof *l);
    if (l != NULL)
        *l = (lines){out};
    return l;
}

/* In a binary file an offset alone says little, so the name of the field is written as well. */
static void put_path(const m5_writer *out, const m5_path *path)
{
    char name[200];
    if (m5_path_text(path, name, sizeof name) != 0)
        m5_write(out, "%s: ", name);
}

static void show_file(void *report, const m5_result *r)
{
    const m5_writer *out = ((lines *)report)->out;
    if (r->error != NULL)
        return;
    m5_lines found = m5_result_lines(r);
    for (uint32_t i = 0; i < r->shown.count; i++) {
        const m5_diag *d = &r->shown.list[i]->diag;
        m5_output_place(out, &r->file->source, &found, d->at.offset, r->format->text);
        m5_write(out, ": %s: ", m5_severity_name(d->severity));
        if (!r->format->text)
            put_path(out, &d->path);
        m5_output_safe(out, d->message, strlen(d->message));
        m5_output_also(out, r, r->shown.list[i], "; ", "");
        m5_write(out, " [%s]", d->rule->id);
        m5_output_effects(out, r, d);
        m5_output_string(out, "\n");
    }
    m5_output_hidden(out, r);
}

static bool end(void *report, const m5_totals *totals)
{
    const lines *l = report;
    m5_outcomes_put(&totals->outcomes, l->out);
    free(report);
    return true;
}

const m5_reporter m5_report_gcc = {"gcc", begin, show_file, end, 0};
