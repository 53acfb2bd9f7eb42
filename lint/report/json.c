/* The report for programs. Each file's findings are one JSON object, which is made by jansson and
 * written before the next one, so that memory does not grow with the number of files. */
#include "json_parts.h"

#include <stdlib.h>

/* ---- A file ---------------------------------------------------------------------------------- */

static json_t *more_json(const m5_result *r)
{
    m5_json o = m5_json_new();
    for (unsigned i = 0; i < M5_RULES; i++)
        if (r->shown.hidden[i] != 0)
            m5_json_put_number(&o, m5_rule_at(i)->id, r->shown.hidden[i]);
    return m5_json_finish(o);
}

static json_t *finding_json(const m5_result *r, m5_both_lines *lines, const m5_finding *f)
{
    m5_json o = m5_json_new();
    m5_json_put_finding(&o, r, lines, f);
    return m5_json_finish(o);
}

static json_t *findings_json(const m5_result *r)
{
    m5_both_lines lines = {.own = {.source = &r->file->source, .arena = &r->file->arena}};
    json_t *array = json_array();
    for (uint32_t i = 0; i < r->shown.count; i++) {
        if (json_array_append_new(array, finding_json(r, &lines, r->shown.list[i])) == 0)
            continue;
        json_decref(array);
        return NULL;
    }
    return array;
}

static json_t *skipped_json(const m5_lint_file *f)
{
    json_t *array = json_array();
    for (unsigned i = 0; i < M5_SKIPPED_KINDS; i++) {
        if ((f->skipped >> i & 1) == 0 ||
            json_array_append_new(array, json_string(m5_skipped_text(i))) == 0)
            continue;
        json_decref(array);
        return NULL;
    }
    return array;
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

static json_t *outcome_json(const m5_outcome_total *t)
{
    m5_json o = m5_json_new();
    m5_json_put_text(&o, "outcome", m5_outcome_name(t->outcome));
    if (t->unknown != 0)
        m5_json_put_number(&o, "unknown", t->unknown);
    if (t->rule != NULL)
        m5_json_put_text(&o, "by", t->rule->id);
    if (t->limit != NULL) {
        m5_json_put_text(&o, "by", m5_measure_name(t->limit->measure));
        m5_json_put_number(&o, "found", t->measured);
        m5_json_put_number(&o, "limit", t->limit->value);
    }
    if (t->alone != 0)
        m5_json_put_number(&o, "alone", t->alone);
    if (t->file != NULL)
        m5_json_put_text(&o, "file", t->file);
    if (t->rule != NULL || t->limit != NULL) {
        m5_json_put_number(&o, "line", t->line);
        m5_json_put_number(&o, "column", t->column);
    }
    return m5_json_finish(o);
}

static json_t *outcomes_json(const m5_outcomes *all)
{
    m5_json o = m5_json_new();
    for (unsigned i = 0; i < M5_TARGETS; i++)
        if (m5_outcomes_has(all, i))
            m5_json_put(&o, m5_targets[i].name, outcome_json(&all->total[i]));
    return m5_json_finish(o);
}

static json_t *gone_json(const m5_old_totals *old)
{
    json_t *array = json_array();
    bool whole = array != NULL;
    for (size_t i = 0; i < old->num_list && whole; i++) {
        m5_json o = m5_json_new();
        m5_json_put_text(&o, "file", old->list[i].file);
        m5_json_put_text(&o, "rule", old->list[i].rule->id);
        if (*old->list[i].path != '\0')
            m5_json_put_text(&o, "path", old->list[i].path);
        m5_json_put_number(&o, "count", old->list[i].count);
        whole = json_array_append_new(array, m5_json_finish(o)) == 0;
    }
    if (whole)
        return array;
    json_decref(array);
    return NULL;
}

static json_t *file_json(const m5_result *r)
{
    m5_json o = m5_json_new();
    m5_json_put_text(&o, "path", r->path);
    if (r->archive != NULL)
        m5_json_put_text(&o, "archive", r->archive);
    if (r->error != NULL) {
        m5_json_put_text(&o, "error", r->error);
        return m5_json_finish(o);
    }
    if (r->late != NULL)
        m5_json_put_text(&o, "late", r->late);
    m5_json_put_text(&o, "format", r->format->name);
    if (r->file->base != NULL)
        m5_json_put_text(&o, r->file->base->model.md5mesh != NULL ? "mesh" : "skeleton",
                         r->file->base->source.name);
    put_counts(&o, r);
    json_t *more = more_json(r);
    if (more != NULL && json_object_size(more) == 0)
        json_decref(more);
    else
        m5_json_put(&o, "more", more);
    m5_json_put(&o, "diagnostics", findings_json(r));
    if (r->file->skipped != 0)
        m5_json_put(&o, "skipped", skipped_json(r->file));
    if (r->file->targets != NULL && (m5_format_bit(r->format) & M5_IN_MD5_MODELS) != 0) {
        m5_outcomes own = {.chosen = r->file->targets->chosen};
        m5_outcomes_add(&own, r);
        m5_json_put(&o, "targets", outcomes_json(&own));
    }
    return m5_json_finish(o);
}

/* ---- The report ------------------------------------------------------------------------------ */

typedef struct document {
    const m5_writer *out;
    bool is_begun; /* a file has been written: the next one needs a comma before it */
    bool spoilt;   /* there was no memory for a part */
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
    d->spoilt |= !m5_json_write(d->out, file_json(r));
}

static bool end(void *report, const m5_totals *t)
{
    document *d = report;
    m5_json o = m5_json_new();
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
    m5_output_string(d->out, "],\n\"summary\":");
    d->spoilt |= !m5_json_write(d->out, m5_json_finish(o));
    if (t->outcomes.chosen != 0) {
        m5_output_string(d->out, ",\n\"targets\":");
        d->spoilt |= !m5_json_write(d->out, outcomes_json(&t->outcomes));
    }
    if (t->old.gone != 0) {
        m5_output_string(d->out, ",\n\"gone\":");
        d->spoilt |= !m5_json_write(d->out, gone_json(&t->old));
    }
    m5_output_string(d->out, "}\n");
    bool whole = !d->spoilt;
    free(d);
    return whole;
}

const m5_reporter m5_report_json = {"json", begin, show_file, end, true, true};
