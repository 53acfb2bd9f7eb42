/* Prints the settings that hold for a path, and writes a first file of settings. */
#define _POSIX_C_SOURCE 200809L

#include "paths.h"
#include "settings.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static json_t *number_or_null(double limit)
{
    return limit == M5_NEVER ? json_null() : json_real(limit);
}

/* A level as a file of settings would have it. */
static json_t *level_of(const m5_levels *l)
{
    static const m5_levels known[] = {M5_IS_OFF, M5_IS_NOTE, M5_IS_WARNING, M5_IS_ERROR};
    static const char *const words[] = {"off", "note", "warning", "error"};
    for (size_t i = 0; i < 4; i++)
        if (memcmp(l, &known[i], sizeof *l) == 0)
            return json_string(words[i]);
    return json_pack("[o,o,o]", number_or_null(l->note), number_or_null(l->warning),
                     number_or_null(l->error));
}

/* The rules that files set, each with the file and the place that count. */
typedef struct shown {
    json_t *files, *rules;
    const m5_settings_found *last;
} shown;

static void show_setting(void *user, const m5_settings_found *file, const char *place,
                         const m5_rule_setting *setting)
{
    shown *s = user;
    if (s->last != file)
        json_array_append_new(s->files, json_string(file->path));
    s->last = file;
    for (unsigned i = 0; i < M5_RULES; i++)
        if (m5_choice_names(setting->pattern, m5_rule_at(i)))
            json_object_set_new(s->rules, m5_rule_at(i)->id,
                                json_pack("{s:s, s:s, s:s}", "file", file->path, "place", place,
                                          "key", setting->pattern));
}

static json_t *names_of(uint32_t targets)
{
    json_t *names = json_array();
    for (unsigned i = 0; i < M5_TARGETS; i++)
        if ((targets >> i & 1) != 0)
            json_array_append_new(names, json_string(m5_targets[i].name));
    return names;
}

bool m5_settings_show(m5_all_settings *all, const char *path, const m5_writer *out)
{
    shown s = {json_array(), json_object(), NULL};
    const m5_levels *levels = m5_settings_levels(
        all, &(m5_input){.name = (char *)(uintptr_t)path, .member = M5_NO_INDEX});
    m5_settings_visit(all, path, show_setting, &s);
    const char *id;
    json_t *rule;
    json_object_foreach(s.rules, id, rule)
    {
        if (levels != NULL)
            json_object_set_new(rule, "level", level_of(&levels[m5_rule_by_id(id)->number]));
    }
    char *whole = m5_path_whole(all->here, path);
    char *baseline = whole != NULL ? m5_settings_baseline(all, whole) : NULL;
    json_t *all_of_it = json_pack("{s:s, s:s, s:o, s:o, s:o}", "path", path, "fail-on",
                                  m5_severity_name(all->options->fail_on), "target",
                                  names_of(all->options->settings.targets), "files", s.files,
                                  "rules", s.rules);
    if (baseline != NULL)
        json_object_set_new(all_of_it, "baseline", json_string(m5_settings_shorten(all, baseline)));
    free(baseline);
    free(whole);
    char *text = all_of_it != NULL ? json_dumps(all_of_it, JSON_INDENT(2)) : NULL;
    if (text != NULL) {
        m5_output_string(out, text);
        m5_output_string(out, "\n");
    }
    free(text);
    json_decref(all_of_it);
    return text != NULL && !all->no_room;
}

const char *m5_settings_init(void)
{
    static const char text[] = "{\n"
                               "  \"root\": true,\n"
                               "  \"fail-on\": \"error\",\n"
                               "  \"exclude\": [],\n"
                               "  \"rules\": {}\n"
                               "}\n";
    int file = open(".md5lint.json", O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (file < 0)
        return strerror(errno);
    bool written = write(file, text, sizeof text - 1) == (ssize_t)sizeof text - 1;
    const char *error = written ? NULL : strerror(errno);
    if (close(file) != 0 && error == NULL)
        error = strerror(errno);
    if (error != NULL)
        unlink(".md5lint.json");
    return error;
}
