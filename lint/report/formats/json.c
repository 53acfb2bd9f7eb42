/* The report for programs. Each file's findings are one JSON object, which is written before the
 * next one, so that memory does not grow with the number of files. */
#include "json_parts.h"
#include "reporters.h"

#include <stdlib.h>

/* ---- A file ---------------------------------------------------------------------------------- */

static void put_more(m5_json *of, const m5_result *r)
{
    unsigned first = 0;
    while (first < M5_RULES && r->shown.hidden[first] == 0)
        first++;
    if (first == M5_RULES)
        return;
    m5_json o = m5_json_put_object(of, "more");
    for (unsigned i = first; i < M5_RULES; i++)
        if (r->shown.hidden[i] != 0)
            m5_json_put_number(&o, m5_rule_at(i)->id, r->shown.hidden[i]);
    m5_json_end(&o);
}

static void put_findings(m5_json *of, const m5_result *r)
{
    m5_both_lines lines = {.own = m5_result_lines(r)};
    m5_json array = m5_json_put_array(of, "diagnostics");
    for (uint32_t i = 0; i < r->shown.count; i++) {
        m5_json o = m5_json_add_object(&array);
        m5_json_put_finding(&o, r, &lines, r->shown.list[i]);
        m5_json_end(&o);
    }
    m5_json_end(&array);
}

static void put_skipped(m5_json *of, const m5_lint_file *f)
{
    m5_json array = m5_json_put_array(of, "skipped");
    for (unsigned i = 0; i < M5_SKIPPED_KINDS; i++)
        if ((f->skipped >> i & 1) != 0)
            m5_json_add_text(&array, m5_skipped_text(i));
    m5_json_end(&array);
}

/* Without the folded findings, which count where they are shown, and without old ones. */
static void put_counts(m5_json *o, const m5_result *r)
{
    m5_totals own = {0};
    m5_totals_add(&own, r);
    m5_json_put_number(o, "errors", own.errors);
    m5_json_put_number(o, "warnings", own.warnings);
    m5_json_put_number(o, "notes", own.notes);
    if (own.folded != 0)
        m5_json_put_number(o, "folded", own.folded);
    if (own.old.hidden != 0)
        m5_json_put_number(o, "old", own.old.hidden);
    if (own.suppressed != 0)
        m5_json_put_number(o, "suppressed", own.suppressed);
}

static void put_outcome(m5_json *of, const char *target, const m5_outcome_total *t)
{
    m5_json o = m5_json_put_object(of, target);
    m5_json_put_text(&o, "outcome", m5_outcome_name(t->outcome));
    if (t->unknown != 0)
        m5_json_put_number(&o, "unknown", t->unknown);
    if (t->limit != NULL) {
        m5_json_put_text(&o, "by", m5_measure_name(t->limit->measure));
        m5_json_put_number(&o, "found", t->measured);
        m5_json_put_number(&o, "limit", t->limit->value);
    } else if (t->rule != NULL) {
        m5_json_put_text(&o, "by", t->rule->id);
    }
    if (t->alone != 0)
        m5_json_put_number(&o, "alone", t->alone);
    if (t->file != NULL)
        m5_json_put_text(&o, "file", t->file);
    if (t->rule != NULL || t->limit != NULL) {
        m5_json_put_number(&o, "line", t->line);
        m5_json_put_number(&o, "column", t->column);
    }
    m5_json_end(&o);
}

static void put_outcomes(m5_json *o, const m5_outcomes *all)
{
    for (unsigned i = 0; i < M5_TARGETS; i++)
        if (m5_outcomes_has(all, i))
            put_outcome(o, m5_targets[i].name, &all->total[i]);
    m5_json_end(o);
}

static void put_gone(m5_json *of, const m5_old_totals *old)
{
    m5_json array = m5_json_put_array(of, "gone");
    for (size_t i = 0; i < old->num_list; i++) {
        m5_json o = m5_json_add_object(&array);
        m5_json_put_text(&o, "file", old->list[i].file);
        m5_json_put_text(&o, "rule", old->list[i].rule->id);
        if (*old->list[i].path != '\0')
            m5_json_put_text(&o, "path", old->list[i].path);
        m5_json_put_number(&o, "count", old->list[i].count);
        m5_json_end(&o);
    }
    m5_json_end(&array);
}

static void put_result(m5_json *o, const m5_result *r)
{
    if (r->late != NULL)
        m5_json_put_text(o, "late", r->late);
    m5_json_put_text(o, "format", r->format->name);
    if (r->file->base != NULL)
        m5_json_put_text(o, r->file->base->model.md5mesh != NULL ? "mesh" : "skeleton",
                         r->file->base->source.name);
    put_counts(o, r);
    put_more(o, r);
    put_findings(o, r);
    if (r->file->skipped != 0)
        put_skipped(o, r->file);
    if (r->file->targets != NULL) {
        m5_outcomes own = {.chosen = r->file->targets->chosen};
        m5_outcomes_add(&own, r);
        m5_json targets = m5_json_put_object(o, "targets");
        put_outcomes(&targets, &own);
    }
}

/* ---- The report ------------------------------------------------------------------------------ */

typedef struct document {
    const m5_writer *out;
    bool is_begun; /* a file has been written: the next one needs a comma before it */
} document;

static void *begin(const m5_writer *out, const m5_look *look)
{
    document *d = malloc(sizeof *d);
    (void)look;
    if (d == NULL)
        return NULL;
    *d = (document){.out = out};
    m5_output_string(out, "{\"schema\":1,\"tool\":{\"name\":\"md5lint\",\"version\":\"" M5_VERSION
                          "\"},\n\"files\":[");
    return d;
}

static void show_file(void *report, const m5_result *r)
{
    document *d = report;
    m5_output_string(d->out, d->is_begun ? ",\n" : "\n");
    d->is_begun = true;
    m5_json o = m5_json_begin(d->out);
    m5_json_put_text(&o, "path", r->path);
    if (r->archive != NULL)
        m5_json_put_text(&o, "archive", r->archive);
    if (r->error != NULL)
        m5_json_put_text(&o, "error", r->error);
    else
        put_result(&o, r);
    m5_json_end(&o);
}

static void put_summary(const m5_writer *out, const m5_totals *t)
{
    m5_json o = m5_json_begin(out);
    m5_json_put_number(&o, "files", t->files);
    if (t->only_some)
        m5_json_put_number(&o, "of", t->inputs);
    m5_json_put_number(&o, "errors", t->errors);
    m5_json_put_number(&o, "warnings", t->warnings);
    m5_json_put_number(&o, "notes", t->notes);
    m5_json_put_number(&o, "unread", t->unreadable);
    if (t->fixed != 0) {
        m5_json_put_number(&o, "fixed", t->fixed);
        m5_json_put_number(&o, "changed", t->changed);
    }
    if (t->folded != 0)
        m5_json_put_number(&o, "folded", t->folded);
    if (t->suppressed != 0)
        m5_json_put_number(&o, "suppressed", t->suppressed);
    if (t->old.any) {
        m5_json_put_number(&o, "old", t->old.hidden);
        m5_json_put_number(&o, "gone", t->old.gone);
    }
    m5_json_end(&o);
}

static bool end(void *report, const m5_totals *t)
{
    document *d = report;
    m5_output_string(d->out, "],\n\"summary\":");
    put_summary(d->out, t);
    if (t->outcomes.chosen != 0) {
        m5_output_string(d->out, ",\n\"targets\":");
        m5_json targets = m5_json_begin(d->out);
        put_outcomes(&targets, &t->outcomes);
    }
    if (t->old.gone != 0) {
        m5_output_string(d->out, ",\n");
        m5_json last = {d->out, '}', false};
        put_gone(&last, &t->old);
    }
    m5_output_string(d->out, "}\n");
    free(d);
    return true;
}

const m5_reporter m5_report_json = {"json", begin, show_file, end, M5_SHOWS_EDITS | M5_SHOWS_GONE};
