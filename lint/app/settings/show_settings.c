/* Prints the settings that hold for a path, and writes a first file of settings. */
#define _POSIX_C_SOURCE 200809L

#include "settings.h"
#include "lint/app/system/paths.h"
#include "lint/report/escape.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A path or a pattern, with U+FFFD for bytes that are not UTF-8, which jansson refuses. */
static json_t *text_of(const char *text)
{
    size_t left = strlen(text), count = 0;
    char *valid = malloc(3 * left + 1);
    for (const uint8_t *p = (const uint8_t *)text; valid != NULL && left != 0;) {
        uint32_t code;
        size_t length = m5_utf8_letter(p, left, &code), step = length != 0 ? length : 1;
        memcpy(valid + count, length != 0 ? (const char *)p : "\xef\xbf\xbd",
               length != 0 ? length : 3);
        count += length != 0 ? length : 3;
        p += step;
        left -= step;
    }
    json_t *json = valid != NULL ? json_stringn(valid, count) : NULL;
    free(valid);
    return json;
}

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

static json_t *setting_from(const char *file, const char *place, const char *pattern)
{
    return file != NULL ? json_pack("{s:o, s:s, s:o}", "file", text_of(file), "place", place, "key",
                                    text_of(pattern))
                        : json_pack("{s:s, s:o}", "place", "command line", "key", text_of(pattern));
}

/* Notes for each rule that a setting names that it is the last to do so. `file` may be NULL. */
static void put_setting(json_t *rules, const char *file, const char *place,
                        const m5_rule_setting *setting)
{
    for (unsigned i = 0; i < M5_RULES; i++)
        if (m5_choice_names(setting->pattern, m5_rule_at(i)))
            json_object_set_new(rules, m5_rule_at(i)->id,
                                setting_from(file, place, setting->pattern));
}

static void show_setting(void *rules, const m5_settings_found *file, const char *place,
                         const m5_rule_setting *setting)
{
    put_setting(rules, file->path, place, setting);
}

static void show_file(void *files, const m5_settings_found *file)
{
    json_array_append_new(files, text_of(file->path));
}

/* The rules that settings and options name, with the place that counts and their levels. */
static json_t *rules_of(m5_all_settings *all, const char *path)
{
    const m5_levels *levels = m5_settings_levels(
        all, &(m5_input){.name = (char *)(uintptr_t)path, .member = M5_NO_INDEX});
    json_t *rules = json_object(), *rule;
    const char *id;
    m5_settings_visit(all, path, show_setting, rules);
    for (size_t i = 0; i < all->options->num_rules; i++)
        put_setting(rules, NULL, NULL, &all->options->rules[i]);
    json_object_foreach(rules, id, rule)
    {
        if (levels != NULL)
            json_object_set_new(rule, "level", level_of(&levels[m5_rule_by_id(id)->number]));
    }
    return rules;
}

static json_t *names_of(uint32_t targets)
{
    json_t *names = json_array();
    for (unsigned i = 0; i < M5_TARGETS; i++)
        if ((targets >> i & 1) != 0)
            json_array_append_new(names, json_string(m5_targets[i].name));
    return names;
}

/* Nothing for what is built in. */
static void put_origin(json_t *from, const char *key, m5_origin origin)
{
    char place[16] = "/";
    strncat(place, key, sizeof place - 2);
    if (origin.option)
        json_object_set_new(from, key, json_pack("{s:s}", "place", "command line"));
    else if (origin.file != NULL)
        json_object_set_new(
            from, key, json_pack("{s:o, s:s}", "file", text_of(origin.file->path), "place", place));
}

/* Adds the baseline of a path, if it has one. */
static void put_baseline(m5_all_settings *all, const char *path, json_t *to, json_t *from)
{
    const m5_options *o = all->options;
    m5_origin origin = {.option = o->baseline != NULL};
    char *whole = m5_path_whole(all->here, path);
    char *named = whole != NULL ? m5_settings_baseline(all, whole, &origin.file) : NULL;
    const char *shown = origin.option ? o->baseline : named;
    if (shown != NULL && !o->no_baseline) {
        json_object_set_new(to, "baseline", text_of(m5_settings_shorten(all, shown)));
        put_origin(from, "baseline", origin);
    }
    all->no_room |= whole == NULL;
    free(named);
    free(whole);
}

bool m5_settings_show(m5_all_settings *all, const char *path, const m5_writer *out)
{
    json_t *files = json_array(), *from = json_object(), *shown = json_object();
    json_object_set_new(shown, "path", text_of(path));
    json_object_set_new(shown, "fail-on", json_string(m5_severity_name(all->options->fail_on)));
    put_origin(from, "fail-on", all->fail_on);
    json_object_set_new(shown, "target", names_of(all->options->settings.targets));
    put_origin(from, "target", all->targets);
    put_baseline(all, path, shown, from);
    json_object_set_new(shown, "from", from);
    m5_settings_visit_files(all, path, show_file, files);
    json_object_set_new(shown, "files", files);
    json_object_set_new(shown, "rules", rules_of(all, path));
    char *text = json_dumps(shown, JSON_INDENT(2));
    if (text != NULL) {
        m5_put_json_text(out, text);
        m5_output_string(out, "\n");
    }
    free(text);
    json_decref(shown);
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
