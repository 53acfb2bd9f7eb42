/* The program md5lint: reads files and shows findings. The libraries do everything in between. */
#define _POSIX_C_SOURCE 200809L

#include "lint/app/inputs/arguments.h"
#include "lint/app/inputs/file_list.h"
#include "lint/app/inputs/game.h"
#include "lint/app/inputs/git.h"
#include "lint/app/inputs/only.h"
#include "lint/app/jobs/defs.h"
#include "lint/app/jobs/fix.h"
#include "lint/app/jobs/job.h"
#include "lint/app/options/terminal.h"
#include "lint/app/reports/outputs.h"
#include "lint/app/reports/reports.h"
#include "lint/app/settings/settings.h"
#include "lint/app/system/pool.h"
#include "lint/app/system/progress.h"
#include "lint/app/system/signals.h"
#include "lint/report/fold.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct program {
    m5_options options;
    m5_target_rows target_rows;
    m5_writer out, err;
    bool out_failed;
    m5_reports reports;
    m5_totals totals;
    m5_all_settings settings;
    m5_baselines baselines;
    m5_inputs inputs;
    m5_job *jobs;          /* one for each input */
    m5_lint_file **files;  /* of the jobs */
    m5_rig *rigs;          /* of the inputs */
    m5_declared *declared; /* about the inputs */
    void *pairs_memory;
    m5_pairs pairs;
    size_t *group_ends; /* in the order of pairs */
    m5_only only;
    uint8_t *listed;     /* a byte for each input: whether it changed; NULL: all are shown */
    size_t next;         /* the next to be shown, in the order of pairs */
    void *also;          /* of the findings that are folded in the group that is shown */
    bool *linted;        /* of each group */
    bool *shown;         /* of each input */
    m5_fold_file *folds; /* of a group: room for all inputs */
    bool no_room;
    m5_fixer fixer;
    m5_progress progress;
    m5_times times; /* of all jobs that are done */
    uint64_t begun; /* when the program was, see m5_times_now */
} program;

static size_t begin_of(const program *p, size_t group)
{
    return group == 0 ? 0 : p->group_ends[group - 1];
}

/* ---- Output ---------------------------------------------------------------------------------- */

static void write_stream(void *user, const void *bytes, size_t count)
{
    fwrite(bytes, 1, count, user); /* finish() checks for errors once, at the end */
}

static void flush(program *p)
{
    p->out_failed |= fflush(stdout) != 0;
}

/* --time: another part of the work begins. */
static void enter(program *p, unsigned part)
{
    if (p->options.time)
        m5_times_enter(&p->times, part);
}

/* ---- One file -------------------------------------------------------------------------------- */

static void say_error(program *p, const char *name, const char *error)
{
    flush(p);
    m5_output_string(&p->err, "md5lint: ");
    m5_output_safe(&p->err, name, strlen(name));
    m5_write(&p->err, ": %s", error);
    m5_output_string(&p->err, "\n");
}

static void report_error(program *p, const m5_job *w)
{
    say_error(p, w->input->name, w->error);
    p->totals.unreadable++;
}

/* What is wrong with a file whose findings are shown; it may have changed meanwhile. */
static const char *late_error(const program *p, const m5_job *w)
{
    const char *lost = m5_job_late_error(w);
    const char *none = w->file.report.errors != 0 ? "no model in this archive can be read"
                                                  : "this archive has no models";
    return lost != NULL || !w->input->is_empty || p->inputs.any_model ? lost : none;
}

static void count_fixes(program *p, const m5_shown *shown)
{
    for (unsigned i = 0; i < M5_RULES; i++)
        p->totals.not_all_shown |= shown->hidden[i] != 0;
    for (uint32_t i = 0; i < shown->count; i++) {
        const m5_fix *fix = shown->list[i]->fix;
        p->totals.fixable += fix != NULL && fix->safe;
        p->totals.unsafe += fix != NULL && !fix->safe;
    }
}

static void show_file(program *p, m5_job *w)
{
    m5_result r = {.path = w->input->name,
                   .archive = m5_job_is_member(w) ? w->input->archive->path : NULL,
                   .error = w->error,
                   .format = w->file.model.format,
                   .file = &w->file};
    if (w->unread)
        return;
    p->totals.files++;
    m5_outcomes_add(&p->totals.outcomes, &r);
    if (w->error != NULL) {
        report_error(p, w);
        m5_reports_show(&p->reports, &r);
        return;
    }
    bool edits = m5_options_shows(&p->options) & M5_SHOWS_EDITS;
    if (!m5_defs_is_def(w) && !m5_job_is_member(w)) /* --fix changes no archive */
        p->no_room |= !m5_fix_mark(&p->fixer, (uint32_t)(w - p->jobs), edits);
    w->turn->found.max_per_rule = p->options.max_per_rule;
    p->no_room |= !m5_collector_pick(&w->turn->found, p->options.max_per_file, &r.shown);
    m5_totals_add(&p->totals, &r);
    count_fixes(p, &r.shown);
    r.late = late_error(p, w);
    w->error = w->unfixed != NULL ? w->unfixed : r.late;
    m5_reports_show(&p->reports, &r);
    if (w->error != NULL)
        report_error(p, w);
    m5_baselines_take(&p->baselines, w);
}

/* ---- Only what changed ----------------------------------------------------------------------- */

static bool wants_changed_only(const m5_options *o)
{
    return o->only.count != 0 || o->ask_git;
}

/* A game is there to be looked up in, and only what is named besides is of interest. */
static bool wants_named_only(const m5_options *o)
{
    return o->games.count != 0 && (o->num_arguments != 0 || o->lists.count != 0);
}

static bool take_changed(void *user, const char *entry)
{
    return m5_only_add(user, NULL, entry);
}

/* Finds the inputs that changed, or that were named besides a game. */
static bool list_changed(program *p)
{
    bool changed = wants_changed_only(&p->options), named = wants_named_only(&p->options);
    if (!changed && !named)
        return true;
    p->totals.only_some = true;
    for (size_t i = 0; i < p->inputs.count; i++) /* without folders that have no models */
        p->totals.inputs += !p->inputs.list[i].is_empty || p->inputs.list[i].archive != NULL;
    p->listed = calloc(p->inputs.count + 1, 1);
    if (p->listed == NULL || (changed && !m5_only_mark(&p->only, &p->inputs, p->listed)))
        return false;
    for (size_t i = 0; i < p->inputs.count && named; i++) {
        bool listed = p->inputs.list[i].is_named && (!changed || p->listed[i] != 0);
        p->listed[i] = listed ? M5_LISTED_ITSELF : 0;
    }
    return true;
}

/* Reads the lists of what changed. Returns false if that is not known, which is reported, or when
 * out of memory. */
static bool find_changed(program *p, bool *room)
{
    const m5_options *o = &p->options;
    const char *error = NULL;
    *room = !wants_changed_only(o) || m5_only_begin(&p->only);
    for (size_t i = 0; i < o->only.count && *room && error == NULL; i++) {
        *room = m5_file_list_read(o->only.list[i], o->nul, take_changed, &p->only, &error);
        if (error != NULL)
            say_error(p, o->only.list[i], error);
    }
    m5_git_result git = M5_GIT_DONE;
    if (o->ask_git && *room && error == NULL)
        git = m5_git_changed(&p->only, o->since);
    if (git == M5_GIT_FAILED)
        m5_output_string(&p->err, "md5lint: --changed-from-git: git does not know what changed\n");
    *room &= git != M5_GIT_NO_MEMORY;
    return *room && error == NULL && git == M5_GIT_DONE;
}

static bool is_any_listed(const program *p, size_t group)
{
    bool any = p->listed == NULL;
    for (size_t i = begin_of(p, group); i < p->group_ends[group] && !any; i++)
        any = p->listed[p->pairs.order[i]];
    return any;
}

static size_t number_of(const program *p, const m5_lint_file *file)
{
    const char *job = (const char *)file - offsetof(m5_job, file);
    return (size_t)((const m5_job *)(const void *)job - p->jobs);
}

/* Finds out which files of a group are listed, or are compared with one that is, or changed. */
static void choose_shown(program *p, size_t group)
{
    for (size_t i = begin_of(p, group); i < p->group_ends[group]; i++) {
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

/* ---- All files, group by group --------------------------------------------------------------- */

static unsigned threads_of(const program *p)
{
    unsigned threads = p->options.jobs != 0 ? p->options.jobs : m5_pool_default();
    return threads < p->inputs.count ? threads : (unsigned)p->inputs.count;
}

static void scan_item(void *user, size_t group, size_t item, m5_step step)
{
    program *p = user;
    (void)group;
    if (step != M5_STEP_ALONE)
        return;
    m5_progress_file(&p->progress, p->inputs.list[item].name);
    m5_job_scan(&p->jobs[item], &p->rigs[item], &p->options);
}

static bool show_nothing(void *user, size_t group)
{
    (void)user;
    (void)group;
    return false;
}

static void lint_item(void *user, size_t group, size_t item, m5_step step)
{
    program *p = user;
    uint32_t which = p->pairs.order[item];
    m5_job *w = &p->jobs[which];
    if (!p->linted[group])
        return;
    m5_progress_file(&p->progress, w->input->name);
    if (step == M5_STEP_ALONE) {
        if (!m5_defs_is_def(w))
            m5_job_lint(w, &p->options);
        m5_progress_done(&p->progress, w->bytes.size);
    } else if (w->error == NULL) {
        m5_job_lint_pair(w, p->files, &p->pairs, which);
    }
}

/* Folds the findings of the files of a group that are shown. Free the result after that. */
static void *fold_group(program *p, size_t group)
{
    size_t count = 0;
    for (size_t i = begin_of(p, group); i < p->group_ends[group]; i++) {
        m5_job *w = &p->jobs[p->pairs.order[i]];
        if (p->shown[p->pairs.order[i]] && w->error == NULL && !w->unread)
            p->folds[count++] = (m5_fold_file){&w->file, &w->turn->found};
    }
    void *also = m5_fold(p->folds, count);
    p->no_room |= also == NULL;
    return also;
}

/* Fixes the listed files of a group. What belongs to a mesh or skeleton comes after it, and is
 * linted again if that was changed. */
static void fix_group(program *p, size_t group)
{
    size_t begin = begin_of(p, group), end = p->group_ends[group];
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
static void begin_group(program *p, size_t group)
{
    size_t begin = begin_of(p, group), end = p->group_ends[group];
    choose_shown(p, group);
    if ((p->options.fix || p->options.diff) && p->linted[group])
        fix_group(p, group);
    for (size_t i = begin; i < end; i++)
        m5_fix_put(&p->fixer, p->pairs.order[i]);
    enter(p, M5_PART_show);
    p->also = p->options.fold && end - begin > 1 ? fold_group(p, group) : NULL;
    enter(p, M5_PART_none);
}

/* Shows the next files of a group. */
static void show_files(program *p, size_t end)
{
    sigset_t signals = m5_signals_hold();
    m5_progress_pause(&p->progress);
    enter(p, M5_PART_show);
    m5_reports_written(&p->reports);
    for (size_t left = M5_RESULTS_MOST; p->next < end && left > 0; p->next++, left--)
        if (p->shown[p->pairs.order[p->next]])
            show_file(p, &p->jobs[p->pairs.order[p->next]]);
    flush(p);
    enter(p, M5_PART_none);
    m5_progress_resume(&p->progress);
    m5_signals_release(signals);
}

static void end_group(program *p, size_t group)
{
    free(p->also);
    p->also = NULL;
    for (size_t i = begin_of(p, group); i < p->group_ends[group]; i++) {
        m5_job *w = &p->jobs[p->pairs.order[i]];
        m5_times_add(&p->times, w->times);
        if (!m5_defs_is_def(w))
            m5_job_free(w);
    }
}

static bool show_group(void *user, size_t group)
{
    program *p = user;
    if (p->next == begin_of(p, group))
        begin_group(p, group);
    bool more = p->next < p->group_ends[group];
    if (more)
        show_files(p, p->group_ends[group]);
    else
        end_group(p, group);
    return more;
}

static void write_output(void *user, size_t output)
{
    program *p = user;
    m5_reports_write(&p->reports, output, p->options.time);
}

static bool scan_all(program *p)
{
    size_t count = p->inputs.count;
    bool defs = m5_defs_are_likely(&p->inputs);
    for (size_t i = 0; i < count; i++) {
        p->jobs[i].keeps_asset = defs;
        p->files[i] = &p->jobs[i].file;
        p->group_ends[i] = i + 1;
    }
    m5_pool pool = {.num_groups = count,
                    .ends = p->group_ends,
                    .work = scan_item,
                    .show = show_nothing,
                    .user = p};
    return m5_pool_run(&pool, threads_of(p));
}

/* Finds out which files belong together. */
static bool find_pairs(program *p)
{
    size_t count = p->inputs.count;
    bool complete = m5_game_is_complete(&p->inputs);
    if (!m5_defs_lint(p->jobs, count, &p->options, p->declared, complete, p->listed))
        return false;
    m5_pairs_find(&p->pairs, p->rigs, p->declared, (uint32_t)count, !p->inputs.searched,
                  p->pairs_memory);
    return !wants_changed_only(&p->options) ||
           m5_only_mark_orphans(&p->only, &p->inputs, &p->pairs, p->listed);
}

static bool lint_groups(program *p)
{
    uint32_t groups = 0;
    for (uint32_t end = 0; end < p->pairs.count; groups++) {
        p->group_ends[groups] = end = m5_pairs_end(&p->pairs, end);
        p->linted[groups] = is_any_listed(p, groups);
    }
    m5_pool pool = {.num_groups = groups,
                    .ends = p->group_ends,
                    .work = lint_item,
                    .show = show_group,
                    .num_outputs = p->reports.num_files,
                    .write = write_output,
                    .user = p};
    return m5_pool_run(&pool, threads_of(p));
}

static bool lint_all(program *p)
{
    m5_keep_memory();
    p->fixer = (m5_fixer){
        .o = &p->options, .out = &p->out, .jobs = p->jobs, .files = p->files, .pairs = &p->pairs};
    m5_progress_begin(&p->progress, &p->err, m5_terminal_width(STDERR_FILENO),
                      (unsigned)p->inputs.count);
    bool done = list_changed(p) && scan_all(p) && find_pairs(p) && lint_groups(p);
    m5_progress_end(&p->progress);
    return done;
}

/* ---- The program ----------------------------------------------------------------------------- */

/* What counts of a target: with a baseline, its limits and the new findings. */
static m5_outcome outcome_for(const program *p, unsigned target)
{
    const m5_outcome_total *t = &p->totals.outcomes.total[target];
    bool counts = !p->totals.old.any || t->rule == NULL;
    return counts ? t->outcome : (m5_outcome)p->baselines.worst[target];
}

static int exit_status(const program *p)
{
    const m5_totals *t = &p->totals;
    uint64_t failing = t->errors;
    if (p->options.fail_on <= M5_WARNING)
        failing += t->warnings;
    if (p->options.fail_on <= M5_NOTE)
        failing += t->notes;
    for (unsigned i = 0; i < M5_TARGETS && p->options.fail_on_target != M5_LOADS; i++)
        failing += m5_outcomes_has(&t->outcomes, i) &&
                   outcome_for(p, i) >= p->options.fail_on_target;
    failing += p->options.fail_on_stale && t->old.gone != 0;
    if (t->unreadable != 0)
        return 2;
    if (p->options.diff && p->fixer.changed != 0)
        return 1;
    if (p->options.exit_zero)
        return 0;
    return failing != 0 || t->warnings > p->options.max_warnings;
}

/* Finds the settings of each input, and its baseline. */
static bool find_settings(program *p)
{
    for (size_t i = 0; i < p->inputs.count && !p->settings.no_room; i++) {
        p->jobs[i].input = &p->inputs.list[i];
        p->jobs[i].levels = m5_settings_levels(&p->settings, &p->inputs.list[i]);
        m5_baselines_find(&p->baselines, &p->jobs[i]);
    }
    m5_baselines_check(&p->baselines);
    return !p->settings.no_room;
}

static bool find_inputs(program *p)
{
    const m5_options *o = &p->options;
    bool room = true;
    p->inputs.exclude = o->exclude.list;
    p->inputs.num_exclude = o->exclude.count;
    p->inputs.excludes = m5_settings_exclude;
    p->inputs.user = &p->settings;
    p->inputs.stdin_name = o->stdin_name;
    p->inputs.follow_links = o->fix || o->diff;
    p->inputs.rules = (m5_game_rules)o->rules_of;
    for (size_t i = 0; i < o->games.count && room; i++)
        room = m5_inputs_add_game(&p->inputs, o->games.list[i]);
    for (int i = 0; i < o->num_arguments && room; i++)
        room = m5_inputs_add(&p->inputs, o->arguments[i]);
    for (size_t i = 0; i < o->lists.count && room; i++)
        room = m5_inputs_add_list(&p->inputs, o->lists.list[i], o->nul);
    if (!room || !m5_inputs_finish(&p->inputs))
        return false;
    p->jobs = calloc(p->inputs.count, sizeof *p->jobs);
    p->files = calloc(p->inputs.count, sizeof *p->files);
    p->group_ends = calloc(p->inputs.count, sizeof *p->group_ends);
    p->rigs = calloc(p->inputs.count, sizeof *p->rigs);
    p->declared = calloc(p->inputs.count, sizeof *p->declared);
    p->shown = calloc(p->inputs.count, sizeof *p->shown);
    p->linted = calloc(p->inputs.count, sizeof *p->linted);
    p->folds = calloc(p->inputs.count, sizeof *p->folds);
    p->pairs_memory = malloc(m5_pairs_memory(p->inputs.count));
    return p->jobs != NULL && p->files != NULL && p->group_ends != NULL && p->rigs != NULL &&
           p->declared != NULL && p->shown != NULL && p->linted != NULL && p->folds != NULL &&
           p->pairs_memory != NULL;
}

static void free_all(program *p)
{
    for (size_t i = 0; i < p->inputs.count && p->jobs != NULL; i++)
        m5_job_free(&p->jobs[i]);
    free(p->jobs);
    free(p->files);
    free(p->group_ends);
    free(p->rigs);
    free(p->declared);
    free(p->pairs_memory);
    m5_inputs_free(&p->inputs);
    m5_baselines_free(&p->baselines);
    m5_settings_end(&p->settings);
    m5_only_free(&p->only);
    free(p->listed);
    free(p->shown);
    free(p->linted);
    free(p->folds);
}

static void write_nothing(void *user, const void *bytes, size_t count)
{
    (void)user;
    (void)bytes;
    (void)count;
}

/* Where the report goes: nowhere, if a difference or a fixed file is to be on standard output. */
static const m5_writer *report_to(const program *p)
{
    static const m5_writer nowhere = {write_nothing, NULL};
    bool silent = p->options.diff || p->options.fix_only;
    for (size_t i = 0; i < p->inputs.count && p->options.fix && !silent; i++)
        silent = p->inputs.list[i].is_stdin;
    return silent ? &nowhere : &p->out;
}

/* What is gone, if the report is for programs that would not know such lines. */
static void say_gone(program *p)
{
    flush(p);
    if (!(p->options.reporter->shows & M5_SHOWS_GONE) && (!p->options.quiet || p->totals.old.fails))
        m5_output_gone(&p->err, &p->totals.old);
}

static int run(program *p)
{
    uint32_t width = m5_terminal_width(STDOUT_FILENO);
    m5_look look = {.color = m5_terminal_color(&p->options),
                    .links = m5_terminal_links(&p->options),
                    .show_pairs = p->options.show_pairs,
                    .table = p->options.fold,
                    .quiet = p->options.quiet,
                    .statistics = p->options.statistics,
                    .width = width != 0 ? width : 100};
    bool room, known = find_changed(p, &room);
    m5_settings_begin(&p->settings, &p->options, &p->err);
    m5_baselines_begin(&p->baselines, &p->settings);
    p->totals.outcomes.chosen = p->options.settings.targets;
    m5_target_rows_find(p->options.settings.targets, &p->target_rows);
    p->options.settings.target_rows = &p->target_rows;
    if (p->options.fail_on_target != M5_LOADS && p->totals.outcomes.chosen == 0)
        m5_settings_report(&p->settings, "--fail-on-target",
                           "this needs --target, or \"target\" in the settings");
    bool done = known && !p->settings.no_room && find_inputs(p) && find_settings(p);
    if (done)
        m5_outputs_check(&p->settings, &p->inputs, &p->baselines);
    done = done && !p->settings.no_room;
    if (p->settings.failed)
        known = done = false;
    look.only_new = p->baselines.files != NULL;
    done = done && m5_reports_begin(&p->reports, &p->options, &look, report_to(p), &p->err);
    if (done) {
        done = lint_all(p) && !p->no_room;
        m5_outcomes_finish(&p->totals.outcomes);
        m5_signals_hold(); /* what follows takes no time */
        if (done)
            m5_baselines_finish(&p->baselines, &p->inputs, &p->totals);
        done = done && !p->baselines.no_room;
        p->totals.fixed = p->fixer.fixed;
        p->totals.changed = p->fixer.changed;
        done &= m5_reports_end(&p->reports, &p->totals, done);
        say_gone(p);
        if (p->inputs.searched)
            m5_settings_report_unused(&p->settings);
        for (size_t i = 0; i < p->reports.num_files; i++)
            m5_times_add(&p->times, &p->reports.list[i].times);
        if (p->options.time)
            m5_times_put(&p->times, m5_times_now() - p->begun, threads_of(p), &p->err);
    }
    if (!done && (known || !room) && !p->reports.failed)
        m5_output_string(&p->err, "md5lint: out of memory\n");
    m5_reports_free(&p->reports);
    int status = done && !p->reports.failed && !p->baselines.failed ? exit_status(p) : 2;
    free_all(p);
    return status;
}

/* --show-config */
static int show_settings(program *p)
{
    m5_settings_begin(&p->settings, &p->options, &p->err);
    bool shown = !p->settings.no_room &&
                 m5_settings_show(&p->settings, p->options.show_config, &p->out);
    if (!shown)
        m5_output_string(&p->err, "md5lint: out of memory\n");
    bool failed = p->settings.failed || !shown;
    m5_settings_end(&p->settings);
    return failed ? 2 : 0;
}

/* --init */
static int write_settings(program *p)
{
    const char *error = m5_settings_init();
    if (error != NULL)
        say_error(p, ".md5lint.json", error);
    return error != NULL ? 2 : 0;
}

/* A report that could not be written must not look like success. */
static int finish(program *p, int status)
{
    flush(p);
    if (!p->out_failed && !ferror(stdout) && fclose(stdout) == 0)
        return status;
    m5_output_string(&p->err, "md5lint: cannot write to standard output\n");
    return 2;
}

int main(int argc, char **argv)
{
    program p = {
        .out = {write_stream, stdout}, .err = {write_stream, stderr}, .begun = m5_times_now()};
    m5_options_read(&p.options, argc, argv, &p.out, &p.err);
    int status = p.options.action == M5_ACT_DONE ? 0 : 2;
    if (p.options.action == M5_ACT_LINT)
        status = run(&p);
    if (p.options.action == M5_ACT_SHOW_CONFIG)
        status = show_settings(&p);
    if (p.options.action == M5_ACT_INIT)
        status = write_settings(&p);
    m5_options_free(&p.options);
    return finish(&p, status);
}
