/* Reads and writes the baselines of a run: see baseline.h. */
#define _POSIX_C_SOURCE 200809L

#include "baseline.h"
#include "baseline_file.h"
#include "baseline_name.h"
#include "job.h"
#include "lint/app/system/paths.h"
#include "lint/core/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usual_name[] = ".md5lint-baseline.json";

static void *need(m5_baselines *all, void *memory)
{
    all->settings->no_room |= memory == NULL;
    return memory;
}

/* ---- Before anything is linted --------------------------------------------------------------- */

void m5_baselines_begin(m5_baselines *all, m5_all_settings *settings)
{
    const m5_options *o = settings->options;
    static const char error[] = "a baseline is a file with a name, not standard input or output";
    *all = (m5_baselines){.settings = settings};
    if (o->baseline != NULL && strcmp(o->baseline, "-") == 0)
        m5_settings_report(settings, "--baseline=-", error);
    if (o->written_baseline != NULL && strcmp(o->written_baseline, "-") == 0)
        m5_settings_report(settings, "--write-baseline=-", error);
}

/* The path of an input from the root on. What follows an archive's is its member's, as it is. */
static char *whole_path(m5_baselines *all, const m5_input *input, bool real)
{
    const m5_archive *a = input->archive;
    char *given = m5_path_whole(all->settings->here, a != NULL ? a->path : input->name);
    char *whole = need(all, given != NULL && real ? m5_path_real(given) : given);
    if (whole != given)
        free(given);
    if (whole == NULL || a == NULL)
        return whole;
    const char *member = input->name + strlen(a->path);
    char *both = realloc(whole, strlen(whole) + strlen(member) + 1);
    if (both == NULL)
        free(whole);
    return need(all, both) != NULL ? strcat(both, member) : NULL;
}

/* The baseline of an input from the root on: that of an option, else of its settings. NULL: none */
static char *path_for(m5_baselines *all, const char *whole)
{
    const m5_options *o = all->settings->options;
    const char *named = o->written_baseline != NULL ? o->written_baseline : o->baseline;
    if (named != NULL)
        return need(all, m5_path_whole(all->settings->here, named));
    char *own = m5_settings_baseline(all->settings, whole, NULL);
    if (own != NULL || !o->writes_baseline)
        return own;
    return need(all, m5_path_whole(all->settings->here, usual_name));
}

/* Takes over the name that a baseline has for the input. */
static void use(m5_baselines *all, m5_hiding *h, m5_baseline_file *f, char *name)
{
    h->old = m5_baseline_of(&f->baseline, name);
    h->whole_run = f->covered;
    for (size_t i = 0; i < h->old.count; i++)
        h->old.list[i].is_input = true;
    if (all->settings->options->writes_baseline) {
        h->into = f;
        h->file = name;
    } else {
        free(name);
    }
}

void m5_baselines_find(m5_baselines *all, m5_job *w)
{
    const m5_options *o = all->settings->options;
    bool weighs = o->fail_on_target != M5_LOADS;
    if (!o->writes_baseline && o->no_baseline && !weighs)
        return;
    if (o->writes_baseline && w->input->is_stdin && o->stdin_name == NULL)
        m5_settings_report(all->settings, "-",
                           "a baseline has names of files: give --stdin-name for standard input");
    char *whole = whole_path(all, w->input, false);
    bool wants = whole != NULL && (o->writes_baseline || !o->no_baseline);
    char *path = wants ? path_for(all, whole) : NULL;
    m5_baseline_file *f = path != NULL ? m5_baseline_file_find(all, path) : NULL;
    char *real = f != NULL ? whole_path(all, w->input, true) : NULL;
    char *name = real != NULL ? need(all, m5_baseline_name(f->folder, real)) : NULL;
    if (name != NULL || weighs)
        w->hiding = need(all, calloc(1, sizeof *w->hiding));
    if (w->hiding != NULL)
        w->hiding->weighs = weighs;
    if (w->hiding != NULL && name != NULL)
        use(all, w->hiding, f, name);
    else
        free(name);
    free(path);
    free(real);
    free(whole);
}

void m5_baselines_check(m5_baselines *all)
{
    const m5_options *o = all->settings->options;
    static const char error[] = "there is no baseline: give --baseline=FILE, or name one in "
                                ".md5lint.json";
    if (all->files != NULL || all->settings->failed)
        return;
    if (o->prunes_baseline)
        m5_settings_report(all->settings, "--prune-baseline", error);
    else if (o->fail_on_stale)
        m5_settings_report(all->settings, "--fail-on-stale", error);
}

/* ---- While files are linted ------------------------------------------------------------------ */

/* Whether the findings of a rule depend on other files. */
static bool needs_others(const m5_rule *rule)
{
    return strncmp(rule->id, "cross-", 6) == 0 || strncmp(rule->id, "def-", 4) == 0 ||
           strncmp(rule->id, "pack-", 5) == 0;
}

/* Keeps what a new finding is to targets, which do not care whether it is reported. */
static void weigh(m5_job *w, const m5_diag *diag)
{
    uint8_t outcome[M5_TARGETS];
    const m5_targets_state *s = w->file.targets;
    if (!w->hiding->weighs || s == NULL)
        return;
    m5_targets_effect(s, &w->file.source, diag, outcome);
    for (unsigned i = 0; i < M5_TARGETS; i++)
        if (outcome[i] > w->hiding->worst[i])
            w->hiding->worst[i] = outcome[i];
}

/* A finding that is not old, which may be why others are not found. */
static void count_new(m5_hiding *h, const m5_diag *diag)
{
    h->new_errors += diag->own == M5_ERROR;
    h->new_others += diag->own >= M5_WARNING && needs_others(diag->rule);
}

static bool hides(void *job, const m5_diag *diag, bool silent)
{
    m5_job *w = job;
    m5_hiding *h = w->hiding;
    if (h->into == NULL) {
        bool old = m5_old_take(&h->old, diag, silent);
        if (!old)
            count_new(h, diag);
        if (!old)
            weigh(w, diag);
        return old && !silent;
    }
    if (silent || diag->severity < w->turn->found.least)
        return false;
    h->no_room |= !m5_baseline_add(&h->recorded, h->file, diag, &w->levels[diag->rule->number]);
    return true;
}

/* A file that is linted again, after a fix, takes the same old findings once more. */
static void begin_again(m5_hiding *h)
{
    for (size_t i = 0; i < h->old.count; i++)
        h->old.list[i].hidden = h->old.list[i].silent = 0;
    h->new_errors = h->new_others = 0;
    memset(h->worst, 0, sizeof h->worst);
}

void m5_baseline_watch(m5_job *w)
{
    m5_hiding *h = w->hiding;
    if (h == NULL)
        return;
    begin_again(h);
    w->turn->found.hides = hides;
    w->turn->found.hider = w;
    if (h->old.count != 0 || h->weighs)
        w->turn->settings.silent = m5_collect_silent;
}

void m5_hiding_free(m5_hiding *h)
{
    if (h == NULL)
        return;
    free(h->file);
    m5_baseline_free(&h->recorded);
    free(h);
}

/* ---- Once a file is shown -------------------------------------------------------------------- */

/* Whether all of a file was looked at. What is broken now may be why the rest was not; what was
 * broken when the baseline was made was no reason then. */
static bool is_complete(const m5_job *w, const m5_options *o)
{
    bool broken = w->file.status != M5_CLEAN || w->file.skipped != 0;
    uint64_t old_errors = w->turn != NULL ? w->turn->found.old[M5_ERROR] : 0;
    bool as_before = old_errors != 0 && w->file.report.errors == old_errors &&
                     (w->hiding == NULL || w->hiding->new_errors == 0);
    return w->error == NULL && (!broken || as_before) && !o->settings.no_geometry;
}

/* Whether a rule compares the file with no other than its mesh or skeleton. */
static bool is_about_base(const m5_rule *rule)
{
    return strncmp(rule->id, "cross-", 6) == 0;
}

/* Whether an old finding would have been found, shown or not. */
static bool is_looked_for(const m5_job *w, const m5_old *old)
{
    const m5_rule *rule = old->rule;
    const m5_lint_file *base = w->file.base;
    double lowest = m5_lowest_limit(&w->levels[rule->number]);
    if (lowest == M5_NEVER || lowest > old->limit)
        return false;
    if (is_about_base(rule))
        return base != NULL && base->source.bytes != NULL && base->status == M5_CLEAN &&
               base->skipped == 0;
    return !needs_others(rule) ||
           (w->hiding->whole_run && w->hiding->new_errors == 0 && w->hiding->new_others == 0);
}

/* Whether a finding of a rule may be missing since another file was not looked at: the one that
 * this file would be compared with, unless it is named like it. */
static bool needs_all(const m5_job *w, const m5_rule *rule)
{
    bool sure = w->file.reason == M5_PAIR_NAME || w->file.reason == M5_PAIR_DECLARED;
    return is_about_base(rule) ? !sure : needs_others(rule);
}

void m5_baselines_take(m5_baselines *all, m5_job *w)
{
    m5_hiding *h = w->hiding;
    bool complete = is_complete(w, all->settings->options);
    all->complete += complete && !w->input->is_shadowed;
    if (h == NULL)
        return;
    for (size_t i = 0; i < h->old.count && (complete || h->into != NULL); i++) {
        m5_old *o = &h->old.list[i];
        o->is_known = h->into != NULL || is_looked_for(w, o);
        o->needs_all = needs_all(w, o->rule);
    }
    for (unsigned i = 0; i < M5_TARGETS; i++)
        if (h->worst[i] > all->worst[i])
            all->worst[i] = h->worst[i];
    all->no_room |= h->no_room;
    if (h->into != NULL)
        all->no_room |= !m5_baseline_move(&h->into->recorded, &h->recorded);
}

/* ---- When all is shown ----------------------------------------------------------------------- */

static bool has_input(const m5_baseline *b)
{
    for (size_t i = 0; i < b->count; i++)
        if (b->list[i].is_input)
            return true;
    return false;
}

/* Whether each input was shown, all of it was looked at, and none was left out. */
static bool is_all_there(const m5_baselines *all, const m5_inputs *inputs)
{
    size_t count = 0;
    for (size_t i = 0; i < inputs->count; i++)
        count += !inputs->list[i].is_shadowed;
    return all->complete >= count && !inputs->left_out;
}

/* Something was not looked at: what may be about it is not known to be gone. */
static void forget_others(const m5_baseline_file *f)
{
    for (size_t i = 0; i < f->baseline.count; i++)
        f->baseline.list[i].is_known &= !f->baseline.list[i].needs_all;
}

/* What is recorded of files that are no more is gone; but if none of its files was given, the
 * baseline may have been moved, and is still good there. */
static void find_missing(m5_baselines *all, const m5_baseline_file *f, const m5_inputs *inputs)
{
    bool writes = all->settings->options->writes_baseline;
    bool missing = false, any = writes || has_input(&f->baseline);
    for (size_t i = 0; i < f->baseline.count && any; i++) {
        m5_old *o = &f->baseline.list[i];
        if (o->is_input)
            continue;
        if (i == 0 || strcmp(o[-1].file, o->file) != 0)
            missing = m5_baseline_is_missing(f->folder, o->file, inputs, all->settings->here);
        o->is_known = missing;
    }
}

/* Lists what is gone, for the report. */
static void list_gone(m5_baselines *all, m5_old_totals *totals)
{
    size_t room = 0;
    for (const m5_baseline_file *f = all->files; f != NULL; f = f->next)
        for (size_t i = 0; i < f->baseline.count; i++)
            room += m5_old_gone(&f->baseline.list[i]) != 0;
    all->gone = calloc(room + 1, sizeof *all->gone);
    all->no_room |= all->gone == NULL;
    for (const m5_baseline_file *f = all->files; f != NULL && all->gone != NULL; f = f->next)
        for (size_t i = 0; i < f->baseline.count; i++) {
            const m5_old *o = &f->baseline.list[i];
            uint32_t count = m5_old_gone(o);
            if (count == 0)
                continue;
            all->gone[totals->num_list++] = (m5_gone){o->file, o->path, o->rule, count};
            totals->gone += count;
        }
    totals->list = all->gone;
}

/* What is recorded of files that were not looked at, and are still there, stays. */
static void record(m5_baselines *all, m5_baseline_file *f)
{
    uint64_t count = f->recorded.count, kept = 0;
    m5_baseline_prune(&f->baseline);
    for (size_t i = 0; i < f->baseline.count; i++)
        kept += f->baseline.list[i].count;
    all->no_room |= !m5_baseline_move(&f->recorded, &f->baseline);
    if (all->no_room)
        return;
    m5_baseline_sort(&f->recorded);
    char what[100] = "recorded";
    if (kept != 0)
        snprintf(what, sizeof what, "recorded; %llu of files that were not looked at kept",
                 (unsigned long long)kept);
    m5_baseline_file_write(all, f, &f->recorded, count, what);
}

/* Most likely the baseline, or the project, was moved. */
static void warn_if_unused(const m5_baselines *all, const m5_baseline_file *f,
                           const m5_inputs *inputs, const m5_totals *totals)
{
    const m5_writer *err = all->settings->err;
    const char *shown = m5_settings_shorten(all->settings, f->whole);
    bool any_new = totals->errors + totals->warnings + totals->notes != 0;
    if (f->baseline.count == 0 || has_input(&f->baseline) || !any_new || !inputs->searched ||
        all->settings->options->quiet)
        return;
    m5_output_string(err, "md5lint: ");
    m5_output_safe(err, shown, strlen(shown));
    m5_output_string(err, ": note: it names none of the files that were given\n");
}

static void finish(m5_baselines *all, m5_baseline_file *f, const m5_totals *totals)
{
    const m5_options *o = all->settings->options;
    if (o->writes_baseline && totals->unreadable != 0) {
        char error[100];
        snprintf(error, sizeof error, "not written: %llu file%s could not be read",
                 (unsigned long long)totals->unreadable, totals->unreadable == 1 ? "" : "s");
        m5_settings_report(all->settings, m5_settings_shorten(all->settings, f->whole), error);
    } else if (o->writes_baseline) {
        record(all, f);
    } else if (o->prunes_baseline) {
        uint64_t gone = m5_baseline_prune(&f->baseline);
        if (gone != 0)
            m5_baseline_file_write(all, f, &f->baseline, gone, "gone, and removed");
    }
}

void m5_baselines_finish(m5_baselines *all, const m5_inputs *inputs, m5_totals *totals)
{
    const m5_options *o = all->settings->options;
    bool all_there = is_all_there(all, inputs);
    totals->old.any = all->files != NULL;
    totals->old.fails = o->fail_on_stale;
    for (m5_baseline_file *f = all->files; f != NULL; f = f->next) {
        if (!all_there && !o->writes_baseline)
            forget_others(f);
        find_missing(all, f, inputs);
        if (!o->writes_baseline)
            warn_if_unused(all, f, inputs, totals);
        finish(all, f, totals);
    }
    if (!o->writes_baseline)
        list_gone(all, &totals->old);
}

void m5_baselines_free(m5_baselines *all)
{
    while (all->files != NULL) {
        m5_baseline_file *next = all->files->next;
        m5_baseline_free(&all->files->baseline);
        m5_baseline_free(&all->files->recorded);
        free(all->files->whole);
        free(all->files->folder);
        free(all->files);
        all->files = next;
    }
    free(all->gone);
}
