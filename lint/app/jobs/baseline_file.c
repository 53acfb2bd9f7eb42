/* Finds, reads and writes files of baselines: see baseline_file.h. */
#define _XOPEN_SOURCE 700 /* realpath, strdup */

#include "baseline_file.h"
#include "baseline_name.h"
#include "lint/app/inputs/bytes.h"
#include "lint/app/system/paths.h"
#include "lint/app/system/whole_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void *need(m5_baselines *all, void *memory)
{
    all->settings->no_room |= memory == NULL;
    return memory;
}

/* ---- What was given -------------------------------------------------------------------------- */

/* A folder from the root on, without symbolic links if it is there; the root is empty. */
static char *resolve(m5_baselines *all, const char *path)
{
    char *whole = need(all, m5_path_whole(all->settings->here, path));
    char *real = whole != NULL ? realpath(*whole != '\0' ? whole : "/", NULL) : NULL;
    if (real == NULL)
        return whole;
    free(whole);
    if (strcmp(real, "/") == 0)
        *real = '\0';
    return real;
}

/* Whether a path is a folder, or in it. */
static bool is_in(const char *whole, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(whole, folder, length) == 0 && (whole[length] == '\0' || whole[length] == '/');
}

/* Whether all that a baseline names is in the folder of a game. */
static bool names_game_only(m5_baselines *all, const m5_baseline_file *f)
{
    const m5_options *o = all->settings->options;
    size_t count = 0;
    for (size_t i = 0; i < o->games.count; i++) {
        char *game = resolve(all, o->games.list[i]);
        char *name = game != NULL ? need(all, m5_baseline_name(f->folder, game)) : NULL;
        for (size_t k = 0; k < f->baseline.count && name != NULL; k++)
            count += is_in(f->baseline.list[k].file, name);
        free(name);
        free(game);
    }
    return count >= f->baseline.count && o->games.count != 0;
}

/* Whether all that may be in a baseline was given, so that what belongs together is there. */
static bool covers(m5_baselines *all, const m5_baseline_file *f)
{
    const m5_options *o = all->settings->options;
    bool any = names_game_only(all, f);
    size_t count = (size_t)o->num_arguments + o->games.count;
    for (size_t i = 0; i < count && !any; i++) {
        bool game = i >= (size_t)o->num_arguments;
        const char *name = game ? o->games.list[i - (size_t)o->num_arguments] : o->arguments[i];
        char *given = resolve(all, name);
        any = given != NULL && is_in(f->folder, given);
        free(given);
    }
    return any;
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* Reads what is there. False, and an error, if anything is wrong. */
static bool read_bytes(m5_baseline_file *f, m5_settings_error *error)
{
    m5_input input = {.name = f->whole};
    m5_bytes bytes = m5_bytes_read(&input, M5_MAP_NEVER);
    bool fine = bytes.error == NULL;
    *error = (m5_settings_error){{0}};
    if (fine)
        fine = m5_baseline_read(&f->baseline, (const char *)bytes.bytes, bytes.size, error);
    else
        strncat(error->text, bytes.error, sizeof error->text - 1);
    m5_bytes_free(&bytes);
    return fine;
}

static void read_file(m5_baselines *all, m5_baseline_file *f)
{
    m5_settings_error error;
    if (!read_bytes(f, &error))
        m5_settings_report(all->settings, m5_settings_shorten(all->settings, f->whole), error.text);
}

static bool is_same(const struct stat *file, int fd)
{
    struct stat other;
    return fstat(fd, &other) == 0 && file->st_dev == other.st_dev && file->st_ino == other.st_ino;
}

/* Why a baseline may not be written there, or NULL. What is there must be one, too: it is read,
 * since a part of it may stay. */
static const char *refuse(m5_baseline_file *f)
{
    struct stat status;
    m5_settings_error error;
    if (m5_format_by_name(f->whole) != NULL)
        return "this is the name of a model, not of a baseline";
    const char *cannot = m5_whole_file_error(f->whole);
    if (cannot != NULL || stat(f->whole, &status) != 0)
        return cannot;
    if (is_same(&status, STDOUT_FILENO) || is_same(&status, STDERR_FILENO))
        return "the output of md5lint goes there";
    bool fine = status.st_size == 0 || read_bytes(f, &error);
    return fine ? NULL : "this is not a baseline, or a broken one; remove it to write a new one";
}

/* The folder that a file is in. */
static char *folder_of(const char *whole)
{
    const char *slash = strrchr(whole, '/');
    return strndup(whole, slash != NULL ? (size_t)(slash - whole) : 0);
}

/* Takes over the path, NULL without memory. */
static m5_baseline_file *add_file(m5_baselines *all, char *whole)
{
    m5_baseline_file *f = whole != NULL ? calloc(1, sizeof *f) : NULL;
    char *folder = f != NULL ? folder_of(whole) : NULL;
    if (need(all, folder) == NULL) {
        free(f);
        free(whole);
        return NULL;
    }
    *f = (m5_baseline_file){.whole = whole, .folder = folder};
    if (all->last != NULL)
        all->last->next = f;
    else
        all->files = f;
    all->last = f;
    return f;
}

m5_baseline_file *m5_baseline_file_find(m5_baselines *all, const char *path)
{
    char *whole = need(all, m5_path_real(path));
    for (m5_baseline_file *f = all->files; f != NULL && whole != NULL; f = f->next)
        if (strcmp(f->whole, whole) == 0) {
            free(whole);
            return f;
        }
    m5_baseline_file *f = add_file(all, whole);
    if (f == NULL)
        return NULL;
    if (all->settings->options->writes_baseline) {
        const char *error = refuse(f);
        if (error != NULL)
            m5_settings_report(all->settings, m5_settings_shorten(all->settings, f->whole), error);
    } else {
        read_file(all, f);
    }
    f->covered = covers(all, f);
    return f;
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* A baseline that is being written. */
typedef struct writing {
    m5_whole_file file;
    uint64_t bytes;
} writing;

static void write_bytes(void *user, const void *bytes, size_t count)
{
    writing *w = user;
    w->bytes += count;
    m5_whole_file_write(&w->file, bytes, count);
}

static const char *write_whole(const char *path, const m5_baseline *b)
{
    writing w = {.bytes = 0};
    const char *error = m5_whole_file_begin(&w.file, path);
    if (error != NULL)
        return error;
    if (!m5_baseline_write(b, &(m5_writer){write_bytes, &w}))
        error = "out of memory";
    else if (w.bytes > M5_BASELINE_MOST)
        error = "it would be too large";
    if (error == NULL)
        return m5_whole_file_end(&w.file, M5_WHOLE_LASTS);
    m5_whole_file_drop(&w.file);
    return error;
}

void m5_baseline_file_write(m5_baselines *all, const m5_baseline_file *f, const m5_baseline *b,
                            uint64_t count, const char *what)
{
    const m5_writer *err = all->settings->err;
    const char *shown = m5_settings_shorten(all->settings, f->whole);
    const char *error = write_whole(f->whole, b);
    if (error != NULL) {
        m5_settings_report(all->settings, shown, error);
        all->failed = true;
    } else if (!all->settings->options->quiet) {
        m5_output_string(err, "md5lint: ");
        m5_output_safe(err, shown, strlen(shown));
        m5_output_string(err, ": ");
        m5_output_number(err, count);
        m5_write(err, " finding%s %s\n", count == 1 ? "" : "s", what);
    }
}
