/* Shows what was found: standard output's reports at once, those in files by all threads. */
#define _POSIX_C_SOURCE 200809L

#include "program.h"
#include "lint/app/jobs/defs.h"
#include "lint/app/jobs/marks.h"
#include "lint/app/jobs/rest.h"
#include "lint/app/system/signals.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Output ---------------------------------------------------------------------------------- */

void m5_program_flush(m5_program *p)
{
    p->out_failed |= fflush(stdout) != 0;
}

void m5_program_say_error(m5_program *p, const char *name, const char *error)
{
    m5_program_flush(p);
    m5_output_string(&p->err, "md5lint: ");
    m5_output_safe(&p->err, name, strlen(name));
    m5_write(&p->err, ": %s", error);
    m5_output_string(&p->err, "\n");
}

/* --time: another part of the work begins. */
static void enter(m5_program *p, unsigned part)
{
    if (p->options.time)
        m5_times_enter(&p->times, part);
}

/* ---- One file -------------------------------------------------------------------------------- */

static void report_error(m5_program *p, const m5_job *w)
{
    m5_program_say_error(p, w->input->name, w->error);
    p->totals.unreadable++;
}

static size_t number_of(const m5_program *p, const m5_lint_file *file)
{
    const char *job = (const char *)file - offsetof(m5_job, file);
    return (size_t)((const m5_job *)(const void *)job - p->jobs);
}

/* What is wrong with a file whose findings are shown: it, or what it was compared with, may have
 * changed meanwhile. */
static const char *late_error(const m5_program *p, const m5_job *w)
{
    const m5_lint_file *base = w->file.base;
    const char *lost = m5_job_late_error(w);
    if (lost == NULL && base != NULL && m5_job_changed(&p->jobs[number_of(p, base)]) != NULL)
        lost = "the file that it was compared with changed while it was being read";
    const char *none = w->file.report.flaws != 0 ? "no model in this archive can be read"
                                                 : "this archive has no models";
    return lost != NULL || !w->input->is_empty || p->inputs.any_model ? lost : none;
}

static void count_fixes(m5_program *p, const m5_shown *shown)
{
    for (unsigned i = 0; i < M5_RULES; i++)
        p->totals.not_all_shown |= shown->hidden[i] != 0;
    for (uint32_t i = 0; i < shown->count; i++) {
        const m5_fix *fix = shown->list[i]->fix;
        p->totals.fixable += fix != NULL && fix->safe;
        p->totals.unsafe += fix != NULL && !fix->safe;
    }
}

/* Whether findings of a file are folded with those of others. */
static bool shares_any(const m5_collector *c)
{
    const m5_finding *f = c->first;
    while (f != NULL && !f->folded && f->num_also == 0)
        f = f->next;
    return f != NULL;
}

/* Finds the fixes of a file's findings, and chooses those that are shown; in `each` for reports
 * that show what is folded, if that is another choice: then it is returned. */
static const m5_shown *pick_findings(m5_program *p, m5_job *w, m5_shown *shown, m5_shown *each)
{
    uint32_t which = (uint32_t)(w - p->jobs);
    if (p->options.fix || p->options.diff)
        p->no_room |= !m5_marks_find(&p->fixer, which);
    p->no_room |= !m5_marks_end(&p->fixer, which);
    w->turn->found.max_per_rule = p->options.max_per_rule;
    p->no_room |= !m5_collector_pick(&w->turn->found, p->options.max_per_file, shown);
    if (!(m5_options_shows(&p->options) & M5_SHOWS_EACH) || !shares_any(&w->turn->found))
        return NULL;
    p->no_room |= !m5_collector_pick_each(&w->turn->found, p->options.max_per_file, each);
    return each;
}

static void show_file(m5_program *p, m5_job *w)
{
    static const m5_collector nothing = {0}; /* in a file whose memory was given back */
    m5_result r = {.path = w->input->name,
                   .archive = m5_job_is_member(w) ? w->input->archive->path : NULL,
                   .error = w->error,
                   .format = w->file.model.format,
                   .file = &w->file,
                   .shown.from = &nothing};
    if (w->unread)
        return;
    p->totals.files++;
    m5_outcomes_add(&p->totals.outcomes, &r);
    if (w->error != NULL) {
        report_error(p, w);
        m5_reports_show(&p->reports, &r, NULL);
        return;
    }
    if (!m5_job_wake(w, &p->options)) {
        p->no_room = true;
        return;
    }
    m5_shown room;
    const m5_shown *each = w->turn != NULL ? pick_findings(p, w, &r.shown, &room) : NULL;
    r.late = late_error(p, w);
    if (r.late != NULL && w->turn != NULL)
        m5_marks_drop(&w->turn->found);
    m5_totals_add(&p->totals, &r);
    count_fixes(p, &r.shown);
    w->error = w->unfixed != NULL ? w->unfixed : r.late;
    m5_reports_show(&p->reports, &r, each);
    if (w->error != NULL)
        report_error(p, w);
    m5_baselines_take(&p->baselines, w);
}

/* ---- A group --------------------------------------------------------------------------------- */

/* Finds out which files of a group are listed, or are compared with one that is, or changed. */
static void choose_shown(m5_program *p, size_t group)
{
    for (size_t i = m5_program_begin_of(p, group); i < p->group_ends[group]; i++) {
        uint32_t which = p->pairs.order[i];
        const m5_lint_file *base = p->files[which]->base;
        bool listed = p->listed == NULL || p->listed[which];
        if (p->jobs[which].error == NULL)
            p->jobs[which].error = m5_job_late_error(&p->jobs[which]);
        if (listed)
            p->shown[which] = true;
        if (base != NULL && listed)
            p->shown[number_of(p, base)] = true;
        if (base != NULL && p->listed != NULL && p->listed[number_of(p, base)])
            p->shown[which] = true;
    }
}

/* Folds the findings of the files of a group that are shown. Free the result after that. */
static void *fold_group(m5_program *p, size_t group)
{
    size_t count = 0;
    for (size_t i = m5_program_begin_of(p, group); i < p->group_ends[group]; i++) {
        m5_job *w = &p->jobs[p->pairs.order[i]];
        if (p->shown[p->pairs.order[i]] && w->error == NULL && w->turn != NULL && !w->unread)
            p->folds[count++] = (m5_fold_file){&w->file, &w->turn->found};
    }
    void *also = m5_fold(p->folds, count);
    p->no_room |= also == NULL;
    return also;
}

/* Fixes the listed files of a group. What belongs to a mesh or skeleton comes after it, and is
 * linted again if that was changed. */
static void fix_group(m5_program *p, size_t group)
{
    size_t begin = m5_program_begin_of(p, group), end = p->group_ends[group];
    for (size_t i = begin; i < end; i++) {
        uint32_t which = p->pairs.order[i];
        m5_job *w = &p->jobs[which];
        bool passed = p->listed != NULL && !p->listed[which];
        if (passed || w->error != NULL || w->unread || m5_defs_is_def(w))
            continue;
        if (m5_fix_file(&p->fixer, which) && end - begin > 1)
            m5_fix_lint_again(&p->fixer, p->pairs.order + begin, end - begin);
    }
}

/* What is done with a group before it is shown. */
static void begin_group(m5_program *p, size_t group)
{
    size_t begin = m5_program_begin_of(p, group), end = p->group_ends[group];
    choose_shown(p, group);
    if ((p->options.fix || p->options.diff) && p->linted[group])
        fix_group(p, group);
    for (size_t i = begin; i < end; i++)
        m5_fix_put(&p->fixer, p->pairs.order[i]);
    p->awake = p->written = begin;
    enter(p, M5_PART_show);
    p->also = p->options.fold && end - begin > 1 ? fold_group(p, group) : NULL;
    enter(p, M5_PART_none);
}

/* Gives back the memory of files whose part is written: that before the last. */
static void end_written(m5_program *p)
{
    for (; p->awake < p->written; p->awake++)
        m5_job_end_rest(&p->jobs[p->pairs.order[p->awake]]);
    p->written = p->next;
}

/* Shows the next files of a group, as a part. */
static void show_files(m5_program *p, size_t end, size_t part)
{
    sigset_t signals = m5_signals_hold();
    m5_progress_pause(&p->progress);
    enter(p, M5_PART_show);
    end_written(p);
    m5_reports_begin_part(&p->reports, part);
    for (size_t left = M5_RESULTS_MOST; p->next < end && left > 0; p->next++, left--)
        if (p->shown[p->pairs.order[p->next]])
            show_file(p, &p->jobs[p->pairs.order[p->next]]);
    m5_program_flush(p);
    enter(p, M5_PART_none);
    m5_progress_resume(&p->progress);
    m5_signals_release(signals);
}

void m5_show_end(void *user, size_t group)
{
    m5_program *p = user;
    free(p->also);
    p->also = NULL;
    for (size_t i = m5_program_begin_of(p, group); i < p->group_ends[group]; i++) {
        m5_job *w = &p->jobs[p->pairs.order[i]];
        m5_times_add(&p->times, w->times);
        if (!m5_defs_is_def(w))
            m5_job_free(w);
    }
}

bool m5_show_part(void *user, size_t group, size_t part)
{
    m5_program *p = user;
    if (p->next == m5_program_begin_of(p, group))
        begin_group(p, group);
    show_files(p, p->group_ends[group], part);
    return p->next < p->group_ends[group];
}

void m5_show_output(void *user, size_t part, size_t output)
{
    m5_program *p = user;
    m5_reports_write(&p->reports, part, output, p->options.time);
}
