/* Compares the files that reports are written to with those that are read. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include "outputs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file by whatever path: itself, or if it is not there, its folder and its name in that. */
typedef struct spot {
    dev_t device;
    ino_t number;
    const char *name; /* NULL: it is there */
    bool known;
} spot;

static spot spot_of(const char *path)
{
    struct stat status;
    const char *slash = strrchr(path, '/');
    spot s = {.known = stat(path, &status) == 0};
    if (!s.known) {
        char *folder = slash != NULL ? strndup(path, (size_t)(slash - path) + 1) : NULL;
        const char *in = slash != NULL ? folder : ".";
        s.name = slash != NULL ? slash + 1 : path;
        s.known = in != NULL && stat(in, &status) == 0;
        free(folder);
    }
    s.device = s.known ? status.st_dev : 0;
    s.number = s.known ? status.st_ino : 0;
    return s;
}

static spot spot_of_stdin(void)
{
    struct stat status;
    if (fstat(STDIN_FILENO, &status) != 0)
        return (spot){.known = false};
    return (spot){status.st_dev, status.st_ino, NULL, true};
}

static bool are_same(spot a, spot b)
{
    bool same = a.known && b.known && a.device == b.device && a.number == b.number;
    bool there = a.name == NULL || b.name == NULL;
    return same && (there ? a.name == b.name : strcmp(a.name, b.name) == 0);
}

typedef struct outputs {
    m5_all_settings *settings;
    const m5_output *list;
    spot *spots;
    size_t count;
} outputs;

/* Reports each of the first `count` outputs that is this file, which is shown as `what`. */
static void check(const outputs *o, size_t count, spot file, const char *what)
{
    for (size_t i = 0; i < count; i++)
        if (are_same(o->spots[i], file))
            m5_settings_report(o->settings, o->list[i].path, what);
}

static void check_inputs(const outputs *o, const m5_inputs *inputs)
{
    static const char what[] = "a report would replace what is linted";
    for (size_t i = 0; i < inputs->count; i++) {
        const m5_input *input = &inputs->list[i];
        check(o, o->count, spot_of(input->name), what);
        if (input->is_stdin)
            check(o, o->count, spot_of_stdin(), what);
    }
}

static void check_lists(const outputs *o, const m5_values *lists)
{
    for (size_t i = 0; i < lists->count; i++)
        check(o, o->count, spot_of(lists->list[i]), "a report would replace a list of files");
}

static void check_settings(const outputs *o)
{
    static const char what[] = "a report would replace settings";
    for (const m5_settings_found *f = o->settings->files; f != NULL; f = f->next)
        check(o, o->count, spot_of(f->path), what);
    if (o->settings->options->config != NULL)
        check(o, o->count, spot_of(o->settings->options->config), what);
}

static void check_baselines(const outputs *o, const m5_baselines *baselines)
{
    static const char what[] = "a report would replace a baseline";
    for (const m5_baseline_file *f = baselines->files; f != NULL; f = f->next)
        check(o, o->count, spot_of(f->whole), what);
}

void m5_outputs_check(m5_all_settings *settings, const m5_inputs *inputs,
                      const m5_baselines *baselines)
{
    const m5_options *options = settings->options;
    outputs o = {settings, options->outputs, NULL, options->num_outputs};
    if (o.count == 0)
        return;
    o.spots = calloc(o.count, sizeof *o.spots);
    settings->no_room |= o.spots == NULL;
    if (o.spots == NULL)
        return;
    for (size_t i = 0; i < o.count; i++) {
        o.spots[i] = spot_of(o.list[i].path);
        check(&o, i, o.spots[i], "two reports for the same file");
    }
    check_inputs(&o, inputs);
    check_lists(&o, &options->lists);
    check_lists(&o, &options->only);
    check_settings(&o);
    check_baselines(&o, baselines);
    free(o.spots);
}
