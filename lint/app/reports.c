/* Writes the reports of a run. */
#define _XOPEN_SOURCE 700

#include "reports.h"
#include "paths.h"
#include "whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_pending(m5_open_report *o)
{
    fwrite(o->bytes, 1, o->pending, o->file); /* errors are found at the end */
    o->pending = 0;
}

static void write_file(void *user, const void *bytes, size_t count)
{
    m5_open_report *o = user;
    if (count > sizeof o->bytes - o->pending)
        write_pending(o);
    if (count > sizeof o->bytes) {
        fwrite(bytes, 1, count, o->file);
        return;
    }
    memcpy(o->bytes + o->pending, bytes, count);
    o->pending += count;
}

static void say_error(m5_reports *r, const char *path, const char *error)
{
    m5_output_string(r->err, "md5lint: ");
    m5_output_safe(r->err, path, strlen(path));
    m5_write(r->err, ": %s\n", error);
    r->failed = true;
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* A report grows in a file without a name, of which nothing is left when the program is killed. */
static bool open_file(m5_reports *r, m5_open_report *o, const char *path)
{
    const char *error = m5_whole_file_error(path);
    o->path = path;
    if (error == NULL && (o->file = tmpfile()) == NULL)
        error = strerror(errno);
    if (error != NULL)
        say_error(r, path, error);
    return error == NULL;
}

static const char *put_file(void *user, const m5_writer *out)
{
    FILE *file = user;
    char buffer[1 << 14];
    errno = 0;
    if (fflush(file) != 0 || ferror(file))
        return strerror(errno);
    rewind(file);
    for (size_t count; (count = fread(buffer, 1, sizeof buffer, file)) != 0;)
        m5_output_bytes(out, buffer, count);
    return ferror(file) ? strerror(errno) : NULL;
}

static void close_file(m5_reports *r, m5_open_report *o, bool whole)
{
    const char *error = NULL;
    write_pending(o);
    if (o->appends)
        error = fflush(o->file) != 0 || ferror(o->file) ? strerror(errno) : NULL;
    else if (whole)
        error = m5_whole_file_write(o->path, &(m5_whole_file){put_file, o->file, false});
    if (fclose(o->file) != 0 && error == NULL && whole)
        error = strerror(errno);
    o->file = NULL;
    if (error != NULL)
        say_error(r, o->path, error);
}

/* ---- Reports --------------------------------------------------------------------------------- */

static bool begin_report(m5_open_report *o, const m5_reporter *reporter, m5_writer out,
                         const m5_look *look)
{
    o->reporter = reporter;
    o->out = out;
    o->report = reporter->begin(&o->out, look);
    return o->report != NULL;
}

static bool begin_files(m5_reports *r, const m5_options *options, const m5_look *look)
{
    for (size_t i = 0; i < options->num_outputs; i++) {
        m5_open_report *o = &r->list[r->count++];
        if (!open_file(r, o, options->outputs[i].path) ||
            !begin_report(o, options->outputs[i].reporter, (m5_writer){write_file, o}, look))
            return false;
    }
    return true;
}

/* The value of a variable of the environment, NULL if it is empty. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && *value != '\0' ? value : NULL;
}

static bool is_on_github(void)
{
    const char *value = variable("GITHUB_ACTIONS");
    return value != NULL && strcmp(value, "true") == 0;
}

/* The summary of the job, to which each of its steps appends. */
static bool begin_summary(m5_reports *r, const m5_look *look)
{
    const char *path = variable("GITHUB_STEP_SUMMARY");
    if (path == NULL)
        return true;
    m5_open_report *o = &r->list[r->count++];
    o->path = path;
    o->appends = true;
    o->file = fopen(path, "a");
    if (o->file == NULL)
        say_error(r, path, strerror(errno));
    return o->file != NULL && begin_report(o, &m5_report_summary, (m5_writer){write_file, o}, look);
}

/* ---- Text on GitHub -------------------------------------------------------------------------- */

/* What a file cannot know; false if there is none, which is reported. */
static bool draw_token(m5_reports *r)
{
    static const char path[] = "/dev/urandom";
    uint8_t bytes[M5_TOKEN_BYTES];
    FILE *file = fopen(path, "r");
    bool drawn = file != NULL && fread(bytes, 1, sizeof bytes, file) == sizeof bytes;
    if (!drawn)
        say_error(r, path, strerror(errno));
    for (size_t i = 0; i < 2 * sizeof bytes && drawn; i++)
        r->token[i] = "0123456789abcdef"[bytes[i / 2] >> (i % 2 != 0 ? 4 : 0) & 15];
    if (file != NULL)
        fclose(file);
    return drawn;
}

/* The text shows lines of models as they are, and the runner takes commands out of any line. */
static bool pause_commands(m5_reports *r, m5_open_report *o, const m5_writer *out)
{
    if (!draw_token(r))
        return false;
    o->pauses = true;
    m5_write(out, "::stop-commands::%s\n", r->token);
    return true;
}

static bool end_report(const m5_reports *r, m5_open_report *o, const m5_totals *totals)
{
    bool whole = o->reporter->end(o->report, totals);
    o->report = NULL;
    if (o->pauses)
        m5_write(&o->out, "::%s::\n", r->token);
    return whole;
}

/* ---- Paths from the root --------------------------------------------------------------------- */

/* A path with a `/` at its end, which is freed; NULL without one, or without memory. */
static char *as_folder(char *path)
{
    size_t length = path != NULL ? strlen(path) : 0;
    char *folder = path != NULL ? malloc(length + 2) : NULL;
    if (folder != NULL) {
        memcpy(folder, path, length + 1);
        strcat(folder, length == 0 || path[length - 1] != '/' ? "/" : "");
    }
    free(path);
    return folder;
}

static bool find_root(m5_reports *r, const char *path, m5_root *root)
{
    if (path == NULL)
        return true;
    errno = 0;
    r->root = as_folder(realpath(path, NULL));
    r->folder = as_folder(realpath(".", NULL));
    r->given = r->folder != NULL ? as_folder(m5_path_whole(r->folder, path)) : NULL;
    if (r->root == NULL || r->folder == NULL || r->given == NULL) {
        if (errno != ENOMEM)
            say_error(r, path, strerror(errno));
        return false;
    }
    size_t up = strlen(r->root), here = strlen(r->folder);
    root->path = r->root;
    root->given = r->given;
    root->here = strncmp(r->folder, r->root, up) == 0 ? r->folder + up : "";
    root->below = strncmp(r->root, r->folder, here) == 0 ? r->root + here : "";
    return true;
}

bool m5_reports_begin(m5_reports *r, const m5_options *options, const m5_look *look,
                      const m5_writer *out, const m5_writer *err)
{
    enum { BESIDES = 3 }; /* standard output, and GitHub's */
    bool on_github = is_on_github();
    bool also = on_github && !options->has_format;
    const char *root = on_github ? variable("GITHUB_WORKSPACE") : NULL;
    m5_look first = *look, plain;
    *r = (m5_reports){.list = calloc(options->num_outputs + BESIDES, sizeof *r->list), .err = err};
    if (r->list == NULL || !find_root(r, options->root != NULL ? options->root : root, &first.root))
        return false;
    plain = first;
    plain.color = plain.links = false;
    plain.width = 100;
    if (!begin_files(r, options, &plain))
        return false;
    if ((also || options->reporter == &m5_report_github) && !begin_summary(r, &plain))
        return false;
    m5_open_report *text = &r->list[r->count++];
    if (also && !pause_commands(r, text, out))
        return false;
    return begin_report(text, options->reporter, *out, &first) &&
           (!also || begin_report(&r->list[r->count++], &m5_report_github, *out, &plain));
}

void m5_reports_file(m5_reports *r, const m5_result *result)
{
    for (size_t i = 0; i < r->count; i++)
        r->list[i].reporter->file(r->list[i].report, result);
}

bool m5_reports_end(m5_reports *r, const m5_totals *totals, bool done)
{
    bool room = true;
    for (size_t i = 0; i < r->count; i++) {
        m5_open_report *o = &r->list[i];
        bool whole = end_report(r, o, totals);
        room &= whole;
        if (o->file != NULL)
            close_file(r, o, whole && done);
    }
    return room;
}

void m5_reports_free(m5_reports *r)
{
    static const m5_totals none;
    for (size_t i = 0; i < r->count; i++) {
        m5_open_report *o = &r->list[i];
        if (o->report != NULL)
            end_report(r, o, &none);
        if (o->file != NULL)
            close_file(r, o, false);
    }
    free(r->list);
    free(r->root);
    free(r->given);
    free(r->folder);
}
