/* The program md5lint: reads files and shows findings. The libraries do everything in between. */
#define _POSIX_C_SOURCE 200809L

#include "program.h"
#include "lint/app/inputs/archive.h"
#include "lint/app/inputs/arguments.h"
#include "lint/app/inputs/game.h"
#include "lint/app/jobs/defs.h"
#include "lint/app/jobs/marks.h"
#include "lint/app/jobs/rest.h"
#include "lint/app/options/terminal.h"
#include "lint/app/reports/outputs.h"
#include "lint/app/system/pool.h"
#include "lint/app/system/signals.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- All files, group by group --------------------------------------------------------------- */

static unsigned threads_of(const m5_program *p)
{
    unsigned threads = p->options.jobs != 0 ? p->options.jobs : m5_pool_default();
    return threads < p->inputs.count ? threads : (unsigned)p->inputs.count;
}

typedef struct scan {
    m5_program *p;
    uint32_t *known; /* of m5_job_share_names ... */
    size_t room;     /* ... and how many places it has */
} scan;

static void scan_item(void *user, size_t group, size_t item, m5_step step)
{
    m5_program *p = ((scan *)user)->p;
    (void)group;
    if (step != M5_STEP_ALONE)
        return;
    m5_progress_file(&p->progress, p->inputs.list[item].name);
    m5_job_scan(&p->jobs[item], &p->rigs[item], &p->options);
}

static bool end_scan(void *user, size_t group, size_t part)
{
    scan *s = user;
    (void)part;
    m5_job_share_names(s->p->jobs, s->p->rigs, (uint32_t)group, s->known, s->room);
    return false;
}

/* Compares a file that was linted alone, and keeps no more of it than what is needed later. */
static void lint_together(m5_program *p, size_t group, uint32_t which)
{
    const m5_options *o = &p->options;
    m5_job *w = &p->jobs[which];
    size_t size = p->group_ends[group] - m5_program_begin_of(p, group);
    m5_job_lint_pair(w, p->files, &p->pairs, which);
    bool linted_again = o->fix || o->diff;
    m5_times_enter(w->times, M5_PART_show);
    if (!linted_again && w->error == NULL && !m5_marks_find(&p->fixer, which))
        w->turn->found.lost = true;
    m5_times_enter(w->times, M5_PART_none);
    m5_job_rest(w, o, p->group_leads[group] < size && !m5_marks_wait(&p->fixer, which));
}

static void lint_item(void *user, size_t group, size_t item, m5_step step)
{
    m5_program *p = user;
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
        lint_together(p, group, which);
    }
}

static bool scan_all(m5_program *p)
{
    size_t count = p->inputs.count;
    bool defs = m5_defs_are_likely(&p->inputs);
    for (size_t i = 0; i < count; i++) {
        p->jobs[i].keeps_asset = defs;
        p->files[i] = &p->jobs[i].file;
        p->group_ends[i] = i + 1;
    }
    scan s = {p, calloc(2 * count + 1, sizeof *s.known), 2 * count + 1};
    m5_pool pool = {.num_groups = count,
                    .ends = p->group_ends,
                    .leads = p->group_leads, /* still 0 */
                    .work = scan_item,
                    .show = end_scan,
                    .user = &s};
    bool done = s.known != NULL && m5_pool_run(&pool, threads_of(p));
    free(s.known);
    return done;
}

/* Finds out which files belong together. */
static bool find_pairs(m5_program *p)
{
    size_t count = p->inputs.count;
    bool complete = m5_game_is_complete(&p->inputs);
    if (!m5_defs_lint(p->jobs, count, &p->options, p->declared, complete, p->listed))
        return false;
    m5_pairs_find(&p->pairs, p->rigs, p->declared, (uint32_t)count, !p->inputs.searched,
                  p->pairs_memory);
    for (size_t i = 0; i < count; i++)
        m5_job_free_names(&p->jobs[i]); /* only m5_pairs_find looks at them */
    return !m5_changed_wanted(&p->options) ||
           m5_only_mark_orphans(&p->only, &p->inputs, &p->pairs, p->listed);
}

/* Finds the first files of a group that are linted before any is compared: those that others are
 * compared with, and a few more, so that no thread waits while a large mesh is linted. Returns how
 * many there are. */
static size_t find_leads(const m5_program *p, uint32_t begin, uint32_t end)
{
    enum { MORE = 16 };
    uint32_t needed = m5_pairs_needed(&p->pairs, begin, end);
    for (uint32_t i = begin; i < end; i++) {
        m5_job *w = &p->jobs[p->pairs.order[i]];
        w->needed = i - begin < needed || m5_defs_is_def(w);
    }
    return end - begin - needed < MORE ? end - begin : needed + MORE;
}

static bool lint_groups(m5_program *p)
{
    uint32_t groups = 0;
    m5_changed_list_unread(p);
    for (uint32_t begin = 0, end = 0; end < p->pairs.count; begin = end, groups++) {
        end = m5_pairs_end(&p->pairs, begin);
        p->group_ends[groups] = end;
        p->group_leads[groups] = find_leads(p, begin, end);
        m5_fix_count_joints(&p->fixer, p->pairs.order + begin, end - begin);
        p->linted[groups] = m5_changed_any(p, groups);
    }
    m5_pool pool = {.num_groups = groups,
                    .ends = p->group_ends,
                    .leads = p->group_leads,
                    .work = lint_item,
                    .show = m5_show_part,
                    .end = m5_show_end,
                    .num_outputs = p->reports.num_files,
                    .write = m5_show_output,
                    .user = p};
    return m5_pool_run(&pool, threads_of(p));
}

static bool lint_all(m5_program *p)
{
    m5_keep_memory();
    p->fixer = (m5_fixer){
        .o = &p->options, .out = &p->out, .jobs = p->jobs, .files = p->files, .pairs = &p->pairs};
    m5_progress_begin(&p->progress, &p->err, m5_terminal_width(STDERR_FILENO),
                      (unsigned)p->inputs.count);
    bool done = m5_changed_list(p) && scan_all(p) && find_pairs(p) && lint_groups(p);
    m5_progress_end(&p->progress);
    return done;
}

/* ---- The program ----------------------------------------------------------------------------- */

/* What counts of a target: with a baseline, its limits and the new findings. */
static m5_outcome outcome_for(const m5_program *p, unsigned target)
{
    const m5_outcome_total *t = &p->totals.outcomes.total[target];
    bool counts = !p->totals.old.any || t->rule == NULL;
    return counts ? t->outcome : (m5_outcome)p->baselines.worst[target];
}

static int exit_status(const m5_program *p)
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
static bool find_settings(m5_program *p)
{
    for (size_t i = 0; i < p->inputs.count && !p->settings.no_room; i++) {
        p->jobs[i].input = &p->inputs.list[i];
        p->jobs[i].levels = m5_settings_levels(&p->settings, &p->inputs.list[i]);
        m5_baselines_find(&p->baselines, &p->jobs[i]);
    }
    m5_baselines_check(&p->baselines);
    return !p->settings.no_room;
}

static bool find_inputs(m5_program *p)
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
    p->group_leads = calloc(p->inputs.count, sizeof *p->group_leads);
    p->rigs = calloc(p->inputs.count, sizeof *p->rigs);
    p->declared = calloc(p->inputs.count, sizeof *p->declared);
    p->shown = calloc(p->inputs.count, sizeof *p->shown);
    p->linted = calloc(p->inputs.count, sizeof *p->linted);
    p->folds = calloc(p->inputs.count, sizeof *p->folds);
    p->pairs_memory = malloc(m5_pairs_memory(p->inputs.count));
    return p->jobs != NULL && p->files != NULL && p->group_ends != NULL && p->group_leads != NULL &&
           p->rigs != NULL && p->declared != NULL && p->shown != NULL && p->linted != NULL &&
           p->folds != NULL && p->pairs_memory != NULL;
}

/* Lists the archives for reports. False when out of memory. */
static bool list_archives(m5_program *p, m5_root *root)
{
    size_t count = 0;
    for (const m5_archive *a = p->inputs.archives; a != NULL; a = a->next)
        count++;
    p->archives = calloc(count + 1, sizeof *p->archives);
    if (p->archives == NULL)
        return false;
    for (const m5_archive *a = p->inputs.archives; a != NULL; a = a->next)
        p->archives[root->num_archives++] = a->path;
    root->archives = p->archives;
    return true;
}

static void free_all(m5_program *p)
{
    free(p->archives);
    for (size_t i = 0; i < p->inputs.count && p->jobs != NULL; i++)
        m5_job_free(&p->jobs[i]);
    free(p->jobs);
    free(p->files);
    free(p->group_ends);
    free(p->group_leads);
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
static const m5_writer *report_to(const m5_program *p)
{
    static const m5_writer nowhere = {write_nothing, NULL};
    bool silent = p->options.diff || p->options.fix_only;
    for (size_t i = 0; i < p->inputs.count && p->options.fix && !silent; i++)
        silent = p->inputs.list[i].is_stdin;
    return silent ? &nowhere : &p->out;
}

/* What is gone, if the report is for programs that would not know such lines. */
static void say_gone(m5_program *p)
{
    m5_program_flush(p);
    if (!(p->options.reporter->shows & M5_SHOWS_GONE) && (!p->options.quiet || p->totals.old.fails))
        m5_output_gone(&p->err, "md5lint: ", &p->totals.old);
}

static int run(m5_program *p)
{
    uint32_t width = m5_terminal_width(STDOUT_FILENO);
    m5_look look = {.color = m5_terminal_color(&p->options),
                    .links = m5_terminal_links(&p->options),
                    .show_pairs = p->options.show_pairs,
                    .table = p->options.fold,
                    .quiet = p->options.quiet,
                    .statistics = p->options.statistics,
                    .width = width != 0 ? width : 100};
    bool room, known = m5_changed_read(p, &room);
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
    done = done && list_archives(p, &look.root);
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
static int show_settings(m5_program *p)
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
static int write_settings(m5_program *p)
{
    const char *error = m5_settings_init();
    if (error != NULL)
        m5_program_say_error(p, ".md5lint.json", error);
    return error != NULL ? 2 : 0;
}

/* A report that could not be written must not look like success. */
static int finish(m5_program *p, int status)
{
    m5_program_flush(p);
    if (!p->out_failed && !ferror(stdout) && fclose(stdout) == 0)
        return status;
    m5_output_string(&p->err, "md5lint: cannot write to standard output\n");
    return 2;
}

static void write_stream(void *user, const void *bytes, size_t count)
{
    fwrite(bytes, 1, count, user); /* finish() checks for errors once, at the end */
}

/* A file that is opened must not be taken for a stream that was closed: its number stays in use,
 * and the stream fails. */
static void hold_closed_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
    hold_closed_streams();
    signal(SIGXFSZ, SIG_IGN); /* a file that would be too large is an error of its write */
    m5_program p = {
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
