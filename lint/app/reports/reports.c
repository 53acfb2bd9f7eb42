/* Writes the reports of a run. */
#define _XOPEN_SOURCE 700

#include "reports.h"
#include "lint/app/system/paths.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char step_summary[] = "GITHUB_STEP_SUMMARY";

static void say_error(m5_reports *r, const char *path, const char *error)
{
    m5_output_string(r->err, "md5lint: ");
    m5_output_safe(r->err, path, strlen(path));
    m5_write(r->err, ": %s\n", error);
    r->failed = true;
}

/* A path that a variable of a GitHub job names, as in a container without its folders, is not what
 * the user asked for: the run goes on without it. */
static void say_unusable(m5_reports *r, const char *name, const char *path, const char *error)
{
    m5_write(r->err, "md5lint: %s is not used: ", name);
    m5_output_safe(r->err, path, strlen(path));
    m5_write(r->err, ": %s\n", error);
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

/* Begins a report in the file that is open in the next place of the list. */
static bool begin_file(m5_reports *r, const m5_reporter *reporter, const char *path,
                       const m5_look *look)
{
    m5_open_report *o = &r->list[r->count];
    o->path = path;
    r->num_files = ++r->count;
    return begin_report(o, reporter, (m5_writer){m5_whole_file_write, &o->file}, look);
}

static bool begin_files(m5_reports *r, const m5_options *options, const m5_look *look)
{
    for (size_t i = 0; i < options->num_outputs; i++) {
        const char *path = options->outputs[i].path;
        const char *error = m5_whole_file_begin(&r->list[r->count].file, path);
        if (error != NULL)
            say_error(r, path, error);
        if (error != NULL || !begin_file(r, options->outputs[i].reporter, path, look))
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

static bool has_github(const m5_options *options)
{
    bool any = options->reporter == &m5_report_github;
    for (size_t i = 0; i < options->num_outputs; i++)
        any |= options->outputs[i].reporter == &m5_report_github;
    return any;
}

/* The summary of the job, to which each of its steps appends. */
static bool begin_summary(m5_reports *r, const m5_look *look)
{
    const char *path = variable(step_summary);
    if (path == NULL)
        return true;
    const char *error = m5_whole_file_append(&r->list[r->count].file, path);
    if (error == NULL)
        return begin_file(r, &m5_report_summary, path, look);
    say_unusable(r, step_summary, path, error);
    return true;
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

/* The whole path of a folder. */
static char *find_folder(const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISDIR(status.st_mode)) {
        errno = ENOTDIR;
        return NULL;
    }
    return as_folder(realpath(path, NULL));
}

/* `given`: of --root; NULL: not given, and looked for only if a report needs it. */
static bool find_root(m5_reports *r, const char *given, bool needed, m5_root *root)
{
    static const char name[] = "GITHUB_WORKSPACE";
    const char *path = given == NULL && needed && is_on_github() ? variable(name) : given;
    if (path == NULL)
        return true;
    errno = 0;
    r->root = find_folder(path);
    if (given == NULL && r->root == NULL && errno != ENOMEM) {
        say_unusable(r, name, path, strerror(errno));
        return true;
    }
    r->folder = as_folder(realpath(".", NULL));
    r->given = r->folder != NULL ? as_folder(m5_path_whole(r->folder, path)) : NULL;
    if (r->root == NULL || r->folder == NULL || r->given == NULL) {
        if (errno != ENOMEM)
            say_error(r, path, strerror(errno));
        return false;
    }
    root->path = r->root;
    root->given = r->given;
    root->folder = r->folder;
    return true;
}

bool m5_reports_begin(m5_reports *r, const m5_options *options, const m5_look *look,
                      const m5_writer *out, const m5_writer *err)
{
    enum { BESIDES = 3 }; /* standard output, and GitHub's */
    bool also = is_on_github() && !options->has_format;
    m5_look first = *look, plain;
    *r = (m5_reports){.list = calloc(options->num_outputs + BESIDES, sizeof *r->list), .err = err};
    r->kept = calloc(2, sizeof *r->kept);
    bool paths = also || (m5_options_shows(options) & M5_SHOWS_PATHS) != 0;
    if (r->list == NULL || r->kept == NULL || !find_root(r, options->root, paths, &first.root))
        return false;
    plain = first;
    plain.color = plain.links = false;
    plain.width = 100;
    if (!begin_files(r, options, &plain))
        return false;
    if ((also || has_github(options)) && !begin_summary(r, &plain))
        return false;
    m5_open_report *text = &r->list[r->count++];
    if (also && !pause_commands(r, text, out))
        return false;
    return begin_report(text, options->reporter, *out, &first) &&
           (!also || begin_report(&r->list[r->count++], &m5_report_github, *out, &plain));
}

/* ---- Results --------------------------------------------------------------------------------- */

void m5_reports_begin_part(m5_reports *r, size_t part)
{
    r->part = &r->kept[part % 2];
    r->part->count = 0;
}

/* Where lines begin is found once, for all reports. */
static const struct m5_kept_result *keep(m5_kept_part *part, const m5_result *result,
                                         const m5_shown *each)
{
    struct m5_kept_result *k = &part->list[part->count++];
    k->result = k->each = *result;
    k->each.shown = each != NULL ? *each : result->shown;
    if (result->error != NULL)
        return k;
    bool any = (result->shown.count != 0 || k->each.shown.count != 0) && result->format->text;
    k->lines = (m5_lines){.source = &result->file->source,
                          .arena = any ? &result->file->arena : NULL};
    if (any)
        m5_lines_find(&k->lines, k->lines.source->size);
    k->result.lines = k->each.lines = &k->lines;
    return k;
}

static void show(const m5_open_report *o, const struct m5_kept_result *k)
{
    o->reporter->file(o->report, o->reporter->shows & M5_SHOWS_EACH ? &k->each : &k->result);
}

void m5_reports_show(m5_reports *r, const m5_result *result, const m5_shown *each)
{
    const struct m5_kept_result *kept = keep(r->part, result, each);
    for (size_t i = r->num_files; i < r->count; i++)
        show(&r->list[i], kept);
}

void m5_reports_write(m5_reports *r, size_t part, size_t file, bool time)
{
    m5_open_report *o = &r->list[file];
    const m5_kept_part *kept = &r->kept[part % 2];
    if (time)
        m5_times_enter(&o->times, M5_PART_show);
    for (size_t i = 0; i < kept->count; i++)
        show(o, &kept->list[i]);
    if (time)
        m5_times_enter(&o->times, M5_PART_none);
}

/* ---- The end --------------------------------------------------------------------------------- */

static bool end_report(m5_reports *r, m5_open_report *o, const m5_totals *totals, bool done)
{
    bool whole = o->report == NULL || o->reporter->end(o->report, totals);
    const char *error = NULL;
    o->report = NULL;
    if (o->pauses)
        m5_write(&o->out, "::%s::\n", r->token);
    o->pauses = false;
    if (o->path != NULL && (o->file.target == NULL || (whole && done)))
        error = m5_whole_file_end(&o->file, 0);
    else if (o->path != NULL)
        m5_whole_file_drop(&o->file);
    if (error != NULL && o->reporter == &m5_report_summary)
        say_unusable(r, step_summary, o->path, error);
    else if (error != NULL)
        say_error(r, o->path, error);
    return whole;
}

bool m5_reports_end(m5_reports *r, const m5_totals *totals, bool done)
{
    bool room = true;
    for (size_t i = 0; i < r->count; i++)
        room &= end_report(r, &r->list[i], totals, done);
    r->count = 0;
    return room;
}

void m5_reports_free(m5_reports *r)
{
    static const m5_totals none;
    m5_reports_end(r, &none, false);
    free(r->list);
    free(r->kept);
    free(r->root);
    free(r->given);
    free(r->folder);
}
