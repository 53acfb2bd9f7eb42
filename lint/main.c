/* md5lint: files in, findings out. Everything in between is in the libraries. */
#define _POSIX_C_SOURCE 200809L

#include "input.h"
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* A file on the command line. */
typedef struct work {
    const char *path;
    const char *error; /* why it was not linted */
    const m5_format *format;
    m5_input input;
    void *memory;
    size_t memory_size;
    m5_lint_file file;
    m5_collector found;
} work;

typedef struct program {
    m5_options options;
    m5_out out, err;
    m5_look look;
    m5_totals totals;
    work *works;
    size_t num_works;
    bool any_shown;
} program;

/* ---- Output ---------------------------------------------------------------------------------- */

static void write_stream(void *user, const char *bytes, size_t count)
{
    fwrite(bytes, 1, count, user); /* errors are asked for once, at the end */
}

static bool wants_color(const m5_options *o)
{
    const char *no_color = getenv("NO_COLOR");
    if (o->color >= 0)
        return o->color != 0;
    return isatty(STDOUT_FILENO) && (no_color == NULL || *no_color == '\0');
}

static uint32_t terminal_width(void)
{
    struct winsize size;
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 100;
}

/* ---- One file -------------------------------------------------------------------------------- */

/* No file has more findings than bytes by much, and no reader wants that many. */
static size_t findings_kept(const program *p, size_t size)
{
    size_t most = size / 4 + 2000, asked = (size_t)p->options.max_per_rule * M5_RULES;
    return asked != 0 && asked < most ? asked : most;
}

static uint64_t budget(const m5_options *o)
{
    return o->geometry_budget != 0 ? o->geometry_budget * UINT64_C(1000000) : UINT64_MAX;
}

static const char *prepare(program *p, work *w)
{
    size_t size = w->input.size;
    w->memory_size = m5_lint_memory(size, findings_kept(p, size));
    w->memory = m5_reserve(w->memory_size);
    if (w->memory == NULL)
        return "out of memory";
    w->file = (m5_lint_file){.source = {w->path, w->input.bytes, (uint32_t)size}};
    w->file.no_geometry = p->options.no_geometry;
    w->file.geometry_budget = budget(&p->options);
    m5_arena_init(&w->file.arena, w->memory, w->memory_size);
    m5_collector_init(&w->found, &w->file.arena, p->options.max_per_rule);
    w->file.report = (m5_report){.source = &w->file.source, .sink = {m5_collect, &w->found},
                                 .levels = p->options.levels,
                                 .ill_layout = p->options.ill_layout};
    return NULL;
}

static const char *judge_format(const work *w)
{
    if (w->format == NULL)
        return "neither its name nor its content tell which format it is in";
    return w->format->parse == NULL ? "this format is not supported yet" : NULL;
}

/* Where the name does not tell, the content must, before groups can be made. */
static void choose_format(work *w)
{
    w->format = m5_format_by_name(w->path);
    if (w->format != NULL)
        return;
    w->input = m5_input_read(w->path);
    if (w->input.error == NULL)
        w->format = m5_format_by_content(w->input.bytes, w->input.size);
}

static void lint_file(program *p, work *w)
{
    if (w->input.bytes == NULL && w->input.error == NULL)
        w->input = m5_input_read(w->path);
    w->error = w->input.error;
    if (w->error == NULL)
        w->error = judge_format(w);
    if (w->error == NULL)
        w->error = prepare(p, w);
    if (w->error != NULL)
        return;
    if (m5_parse(w->format, &w->file.report, &w->file.arena, &w->file.model) == M5_NO_MEMORY)
        w->error = "out of memory";
    else
        m5_lint_model(&w->file);
}

static void free_file(work *w)
{
    m5_input_free(&w->input);
    m5_unreserve(w->memory, w->memory_size);
}

static void tell_error(program *p, const work *w)
{
    m5_out_string(&p->err, "md5lint: ");
    m5_out_safe(&p->err, w->path, strlen(w->path));
    m5_out_format(&p->err, ": %s", w->error);
    m5_out_string(&p->err, "\n");
    p->totals.unreadable++;
}

static void show_file(program *p, work *w)
{
    m5_result r = {.path = w->path, .error = w->error, .format = w->format, .file = &w->file};
    p->totals.files++;
    if (w->error != NULL) {
        fflush(stdout);
        tell_error(p, w);
    } else {
        m5_collector_pick(&w->found, p->options.max_per_file, &r.shown);
        p->totals.errors += w->file.report.errors;
        p->totals.warnings += w->file.report.warnings;
        p->totals.notes += w->file.report.notes;
    }
    p->options.reporter->file(&p->out, &r, &p->look, !p->any_shown);
    p->any_shown = true;
}

/* ---- All files, group by group --------------------------------------------------------------- */

static void lint_group(program *p, size_t begin, size_t end, m5_lint_file **files)
{
    for (size_t i = begin; i < end; i++) {
        work *w = &p->works[i];
        lint_file(p, w);
        files[i - begin] = w->error == NULL ? &w->file : NULL;
    }
    m5_lint_group(files, end - begin);
    for (size_t i = begin; i < end; i++)
        show_file(p, &p->works[i]);
    for (size_t i = begin; i < end; i++)
        free_file(&p->works[i]);
}

static bool lint_all(program *p)
{
    m5_lint_file **files = malloc(p->num_works * sizeof *files);
    const m5_format **formats = malloc(p->num_works * sizeof *formats);
    const char **names = malloc(p->num_works * sizeof *names);
    bool room = files != NULL && formats != NULL && names != NULL;
    for (size_t i = 0; room && i < p->num_works; i++) {
        formats[i] = p->works[i].format;
        names[i] = p->works[i].path;
    }
    for (size_t begin = 0, end; room && begin < p->num_works; begin = end) {
        end = m5_group_end(formats, names, begin, p->num_works);
        lint_group(p, begin, end, files);
    }
    if (!room)
        m5_out_string(&p->err, "md5lint: out of memory\n");
    free(files);
    free(formats);
    free(names);
    return room;
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

static int run(program *p)
{
    p->num_works = (size_t)p->options.num_files;
    p->works = calloc(p->num_works, sizeof *p->works);
    if (p->works == NULL) {
        m5_out_string(&p->err, "md5lint: out of memory\n");
        return 2;
    }
    for (size_t i = 0; i < p->num_works; i++) {
        p->works[i].path = p->options.files[i];
        choose_format(&p->works[i]);
    }
    p->options.reporter->begin(&p->out);
    bool done = lint_all(p);
    p->options.reporter->end(&p->out, &p->totals, &p->look);
    free(p->works);
    return done ? exit_status(p) : 2;
}

/* Nothing was said if it could not be written. */
static int finish(program *p, int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout) && fclose(stdout) == 0)
        return status;
    m5_out_string(&p->err, "md5lint: standard output could not be written\n");
    return 2;
}

int main(int argc, char **argv)
{
    program p = {.out = {write_stream, stdout}, .err = {write_stream, stderr}};
    m5_options_read(&p.options, argc, argv, &p.out, &p.err);
    p.look = (m5_look){wants_color(&p.options), terminal_width()};
    if (p.options.action == M5_ACT_DONE)
        return finish(&p, 0);
    return finish(&p, p.options.action == M5_ACT_USAGE ? 2 : run(&p));
}
