/* The program md5lint: reads files and shows findings. The libraries do everything in between. */
#define _POSIX_C_SOURCE 200809L

#include "job.h"
#include "pool.h"
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

typedef struct program {
    m5_options options;
    m5_writer out, err;
    void *report; /* of options.reporter */
    m5_totals totals;
    m5_inputs inputs;
    m5_job *jobs;         /* one for each input */
    m5_lint_file **files; /* of the jobs */
    m5_rig *rigs;         /* of the inputs */
    void *pairs_memory;
    m5_pairs pairs;
    size_t *group_ends; /* in the order of pairs */
    m5_progress progress;
} program;

/* ---- Output ---------------------------------------------------------------------------------- */

static void write_stream(void *user, const void *bytes, size_t count)
{
    fwrite(bytes, 1, count, user); /* finish() checks for errors once, at the end */
}

static bool wants_color(const m5_options *o)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    if (o->color >= 0)
        return o->color != 0;
    return isatty(STDOUT_FILENO) && (no_color == NULL || *no_color == '\0') &&
           (term == NULL || strcmp(term, "dumb") != 0);
}

/* 0 if `fd` is not a terminal. */
static uint32_t terminal_width(int fd)
{
    struct winsize size;
    if (!isatty(fd))
        return 0;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* ---- One file -------------------------------------------------------------------------------- */

static void report_error(program *p, const m5_job *w)
{
    fflush(stdout);
    m5_output_string(&p->err, "md5lint: ");
    m5_output_safe(&p->err, w->input->name, strlen(w->input->name));
    m5_write(&p->err, ": %s", w->error);
    m5_output_string(&p->err, "\n");
    p->totals.unreadable++;
}

static void show_file(program *p, m5_job *w)
{
    m5_result r = {.path = w->input->name,
                   .error = w->error,
                   .format = w->file.model.format,
                   .file = &w->file};
    p->totals.files++;
    if (w->error != NULL) {
        report_error(p, w);
    } else {
        m5_collector_pick(&w->found, p->options.max_per_file, &r.shown);
        p->totals.errors += w->file.report.errors;
        p->totals.warnings += w->file.report.warnings;
        p->totals.notes += w->file.report.notes;
    }
    p->options.reporter->file(p->report, &r);
    if (w->error == NULL && (w->error = m5_bytes_lost(&w->bytes)) != NULL)
        report_error(p, w);
}

/* ---- All files, group by group --------------------------------------------------------------- */

static bool run_pool(program *p, void (*work)(void *, size_t, size_t, m5_step),
                     void (*show)(void *, size_t), size_t groups)
{
    size_t count = p->inputs.count;
    unsigned threads = p->options.jobs != 0 ? p->options.jobs : m5_pool_default();
    m5_pool pool = {
        .ends = p->group_ends, .num_groups = groups, .work = work, .show = show, .user = p};
    return m5_pool_run(&pool, threads < count ? threads : (unsigned)count);
}

static void scan_item(void *user, size_t group, size_t item, m5_step step)
{
    program *p = user;
    (void)group;
    if (step != M5_STEP_ALONE)
        return;
    m5_progress_file(&p->progress, p->inputs.list[item].name);
    m5_job_scan(&p->jobs[item], &p->rigs[item]);
}

static void show_nothing(void *user, size_t group)
{
    (void)user;
    (void)group;
}

static void lint_item(void *user, size_t group, size_t item, m5_step step)
{
    program *p = user;
    uint32_t which = p->pairs.order[item];
    m5_job *w = &p->jobs[which];
    (void)group;
    m5_progress_file(&p->progress, w->input->name);
    if (step == M5_STEP_ALONE) {
        m5_job_lint(w, &p->options);
        m5_progress_done(&p->progress, w->bytes.size);
    } else if (w->error == NULL) {
        m5_job_lint_pair(w, p->files, &p->pairs, which);
    }
}

static void show_group(void *user, size_t group)
{
    program *p = user;
    size_t begin = group == 0 ? 0 : p->group_ends[group - 1], end = p->group_ends[group];
    m5_progress_pause(&p->progress);
    for (size_t i = begin; i < end; i++)
        show_file(p, &p->jobs[p->pairs.order[i]]);
    m5_progress_resume(&p->progress);
    for (size_t i = begin; i < end; i++)
        m5_job_free(&p->jobs[p->pairs.order[i]]);
}

/* Finds out which files belong together. */
static bool find_pairs(program *p)
{
    size_t count = p->inputs.count;
    for (size_t i = 0; i < count; i++) {
        p->jobs[i].input = &p->inputs.list[i];
        p->files[i] = &p->jobs[i].file;
        p->group_ends[i] = i + 1;
    }
    if (!run_pool(p, scan_item, show_nothing, count))
        return false;
    m5_pairs_find(&p->pairs, p->rigs, (uint32_t)count, true, p->pairs_memory);
    return true;
}

static bool lint_groups(program *p)
{
    uint32_t groups = 0;
    for (uint32_t end = 0; end < p->pairs.count;)
        p->group_ends[groups++] = end = m5_pairs_end(&p->pairs, end);
    return run_pool(p, lint_item, show_group, groups);
}

static bool lint_all(program *p)
{
    m5_keep_memory();
    m5_progress_begin(&p->progress, &p->err, terminal_width(STDERR_FILENO),
                      (unsigned)p->inputs.count);
    bool done = find_pairs(p) && lint_groups(p);
    m5_progress_end(&p->progress);
    return done;
}

/* ---- The program ----------------------------------------------------------------------------- */

static int exit_status(const program *p)
{
    const m5_totals *t = &p->totals;
    uint64_t failing = t->errors;
    if (p->options.fail_on <= M5_WARNING)
        failing += t->warnings;
    if (p->options.fail_on <= M5_NOTE)
        failing += t->notes;
    if (t->unreadable != 0)
        return 2;
    return failing != 0;
}

static bool find_inputs(program *p)
{
    bool room = true;
    for (int i = 0; i < p->options.num_arguments && room; i++)
        room = m5_inputs_add(&p->inputs, p->options.arguments[i]);
    p->jobs = calloc(p->inputs.count, sizeof *p->jobs);
    p->files = calloc(p->inputs.count, sizeof *p->files);
    p->group_ends = calloc(p->inputs.count, sizeof *p->group_ends);
    p->rigs = calloc(p->inputs.count, sizeof *p->rigs);
    p->pairs_memory = malloc(m5_pairs_memory(p->inputs.count));
    return room && p->jobs != NULL && p->files != NULL && p->group_ends != NULL &&
           p->rigs != NULL && p->pairs_memory != NULL;
}

static int run(program *p)
{
    const m5_reporter *reporter = p->options.reporter;
    uint32_t width = terminal_width(STDOUT_FILENO);
    m5_look look = {wants_color(&p->options), p->options.show_pairs, width != 0 ? width : 100};
    bool done = (p->report = reporter->begin(&p->out, &look)) != NULL;
    if (done) {
        done = find_inputs(p) && lint_all(p);
        reporter->end(p->report, &p->totals);
    }
    if (!done)
        m5_output_string(&p->err, "md5lint: out of memory\n");
    for (size_t i = 0; i < p->inputs.count && p->jobs != NULL; i++)
        m5_job_free(&p->jobs[i]);
    free(p->jobs);
    free(p->files);
    free(p->group_ends);
    free(p->rigs);
    free(p->pairs_memory);
    m5_inputs_free(&p->inputs);
    return done ? exit_status(p) : 2;
}

/* A report that could not be written must not look like success. */
static int finish(program *p, int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout) && fclose(stdout) == 0)
        return status;
    m5_output_string(&p->err, "md5lint: cannot write to standard output\n");
    return 2;
}

int main(int argc, char **argv)
{
    program p = {.out = {write_stream, stdout}, .err = {write_stream, stderr}};
    m5_options_read(&p.options, argc, argv, &p.out, &p.err);
    if (p.options.action == M5_ACT_DONE)
        return finish(&p, 0);
    return finish(&p, p.options.action == M5_ACT_USAGE ? 2 : run(&p));
}
