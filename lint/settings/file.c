/* Reads a file of settings: see file.h. */
#include "file.h"
#include "lint/core/nearest.h"
#include "lint/targets/targets.h"
#include "parsers/core/text.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* A value's place in the file, as a JSON pointer: the key or index, and the value that it is in. */
typedef struct place {
    const struct place *in;
    const char *key; /* NULL: `index` counts */
    size_t index;
} place;

typedef struct reading {
    m5_settings_file *file;
    m5_settings_error *error;
} reading;

/* ---- Errors ---------------------------------------------------------------------------------- */

static void add(m5_text *t, const char *text)
{
    m5_text_add(t, text, strlen(text));
}

static void add_key(m5_text *t, const char *key)
{
    for (; *key != '\0'; key++)
        if (*key == '~' || *key == '/')
            add(t, *key == '~' ? "~0" : "~1");
        else
            m5_text_add(t, key, 1);
}

static void add_place(m5_text *t, const place *at)
{
    if (at == NULL)
        return;
    add_place(t, at->in);
    add(t, "/");
    if (at->key != NULL)
        add_key(t, at->key);
    else
        m5_text_int(t, (int64_t)at->index);
}

/* `nearest` may be NULL. Returns false. */
static bool wrong(reading *r, const place *at, const char *what, const char *nearest)
{
    m5_text t = {r->error->text, sizeof r->error->text - 1, 0, false};
    add_place(&t, at);
    add(&t, at != NULL ? ": " : "");
    add(&t, what);
    if (nearest != NULL) {
        add(&t, "; did you mean '");
        add(&t, nearest);
        add(&t, "'?");
    }
    return false;
}

static bool no_memory(reading *r)
{
    return wrong(r, NULL, "out of memory", NULL);
}

/* ---- Values ---------------------------------------------------------------------------------- */

static bool read_bool(reading *r, const place *at, const json_t *value, bool *out)
{
    if (!json_is_boolean(value))
        return wrong(r, at, "expected true or false", NULL);
    *out = json_is_true(value);
    return true;
}

static bool read_strings(reading *r, const place *at, const json_t *value, m5_strings *out)
{
    if (!json_is_array(value))
        return wrong(r, at, "expected a list of strings", NULL);
    size_t count = json_array_size(value);
    out->list = malloc((count + 1) * sizeof *out->list);
    if (out->list == NULL)
        return no_memory(r);
    for (; out->count < count; out->count++) {
        const json_t *item = json_array_get(value, out->count);
        place here = {at, NULL, out->count};
        if (!json_is_string(item) || json_string_length(item) == 0)
            return wrong(r, &here, "expected a string that is not empty", NULL);
        out->list[out->count] = json_string_value(item);
    }
    return true;
}

static bool read_string(reading *r, const place *at, const json_t *value, const char **out)
{
    if (!json_is_string(value) || json_string_length(value) == 0)
        return wrong(r, at, "expected a string that is not empty", NULL);
    *out = json_string_value(value);
    return true;
}

static const char *const level_words[] = {"off", "note", "warning", "error"};

/* The index of a word among the levels from `first` on; -1 if it is none. */
static int level_of(const json_t *value, int first)
{
    for (int i = first; i < 4 && json_is_string(value); i++)
        if (strcmp(json_string_value(value), level_words[i]) == 0)
            return i;
    return -1;
}

static bool read_fail_on(reading *r, const place *at, const json_t *value)
{
    int level = level_of(value, 1);
    if (level < 0)
        return wrong(r, at, "expected \"note\", \"warning\" or \"error\"", NULL);
    r->file->fail_on = (m5_severity)level;
    return true;
}

static bool read_target(reading *r, const place *at, const json_t *value)
{
    size_t count = json_array_size(value);
    if (count == 0)
        return wrong(r, at, "expected a list of engines, see --list-targets", NULL);
    for (size_t i = 0; i < count; i++) {
        const json_t *item = json_array_get(value, i);
        place here = {at, NULL, i};
        if (!json_is_string(item))
            return wrong(r, &here, "expected a string: an engine, see --list-targets", NULL);
        const char *name = json_string_value(item);
        uint32_t targets = m5_targets_by_name(name, strlen(name));
        if (targets == 0)
            return wrong(r, &here, "unknown target", m5_nearest(name, m5_target_name_at));
        r->file->targets |= targets;
    }
    return true;
}

/* ---- Rules ----------------------------------------------------------------------------------- */

/* Three limits in ascending order; null is never. */
static bool read_limits(const json_t *value, m5_levels *out)
{
    double *limits[] = {&out->note, &out->warning, &out->error};
    if (json_array_size(value) != 3)
        return false;
    for (size_t i = 0; i < 3; i++) {
        const json_t *item = json_array_get(value, i);
        if (!json_is_number(item) && !json_is_null(item))
            return false;
        *limits[i] = json_is_null(item) ? M5_NEVER : json_number_value(item);
    }
    return m5_choice_ascends(out);
}

static bool read_rule(reading *r, const place *at, const json_t *value, m5_rule_setting *out)
{
    int level = level_of(value, 0);
    const m5_rule *one;
    if (level >= 0)
        out->how = (m5_choose)level;
    else if (read_limits(value, &out->limits))
        out->how = M5_CHOOSE_LIMITS;
    else
        return wrong(r, at,
                     "expected \"off\", \"note\", \"warning\", \"error\", or three limits "
                     "[note, warning, error] in ascending order",
                     NULL);
    const char *error = m5_choice_error(out, &one);
    if (error != NULL && one != NULL)
        return wrong(r, at, "a rule with this name has no limits, since it measures nothing", NULL);
    return error == NULL || wrong(r, at, error, m5_choice_nearest(out->pattern));
}

static bool read_rules(reading *r, const place *at, const json_t *value, m5_rule_list *out)
{
    const char *key;
    json_t *item;
    if (!json_is_object(value))
        return wrong(r, at, "expected an object: rules and their levels", NULL);
    out->list = calloc(json_object_size(value) + 1, sizeof *out->list);
    if (out->list == NULL)
        return no_memory(r);
    /* jansson's loop has no version for constants; the value is not changed. */
    json_object_foreach((json_t *)(uintptr_t)value, key, item)
    {
        place here = {at, key, 0};
        m5_rule_setting *s = &out->list[out->count++];
        s->pattern = (char *)(uintptr_t)key;
        if (!read_rule(r, &here, item, s))
            return false;
    }
    return true;
}

/* ---- Objects --------------------------------------------------------------------------------- */

/* The keys of an object; `at` in the table is for m5_nearest. */
static const char *const top_keys[] = {"$schema",  "root",  "fail-on",   "target", "exclude",
                                       "baseline", "rules", "overrides", NULL};
static const char *const override_keys[] = {"files", "rules", NULL};

static const char *top_key_at(unsigned i)
{
    return top_keys[i];
}

static const char *override_key_at(unsigned i)
{
    return override_keys[i];
}

static bool check_keys(reading *r, const place *at, const json_t *value,
                       const char *(*key_at)(unsigned))
{
    const char *key;
    json_t *item;
    json_object_foreach((json_t *)(uintptr_t)value, key, item)
    {
        bool known = false;
        for (unsigned i = 0; key_at(i) != NULL; i++)
            known |= strcmp(key, key_at(i)) == 0;
        place here = {at, key, 0};
        if (!known)
            return wrong(r, &here, "unknown key", m5_nearest(key, key_at));
    }
    return true;
}

static bool read_override(reading *r, const place *at, const json_t *value, m5_override *out)
{
    if (!json_is_object(value))
        return wrong(r, at, "expected an object with \"files\" and \"rules\"", NULL);
    const json_t *files = json_object_get(value, "files"), *rules = json_object_get(value, "rules");
    place at_files = {at, "files", 0}, at_rules = {at, "rules", 0};
    if (!check_keys(r, at, value, override_key_at) ||
        !read_strings(r, &at_files, files, &out->files) ||
        !read_rules(r, &at_rules, rules, &out->rules))
        return false;
    out->used = calloc(out->files.count + 1, sizeof *out->used);
    return out->used != NULL || no_memory(r);
}

static bool read_overrides(reading *r, const place *at, const json_t *value)
{
    m5_settings_file *f = r->file;
    if (!json_is_array(value))
        return wrong(r, at, "expected a list of objects", NULL);
    size_t count = json_array_size(value);
    f->overrides = calloc(count + 1, sizeof *f->overrides);
    if (f->overrides == NULL)
        return no_memory(r);
    while (f->num_overrides < count) {
        place here = {at, NULL, f->num_overrides};
        const json_t *item = json_array_get(value, f->num_overrides);
        if (!read_override(r, &here, item, &f->overrides[f->num_overrides++]))
            return false;
    }
    return true;
}

static bool read_member(reading *r, const char *key, const json_t *value)
{
    m5_settings_file *f = r->file;
    place here = {NULL, key, 0};
    if (strcmp(key, "root") == 0)
        return read_bool(r, &here, value, &f->root);
    if (strcmp(key, "fail-on") == 0)
        return read_fail_on(r, &here, value);
    if (strcmp(key, "target") == 0)
        return read_target(r, &here, value);
    if (strcmp(key, "exclude") == 0)
        return read_strings(r, &here, value, &f->exclude);
    if (strcmp(key, "baseline") == 0)
        return read_string(r, &here, value, &f->baseline);
    if (strcmp(key, "rules") == 0)
        return read_rules(r, &here, value, &f->rules);
    if (strcmp(key, "overrides") == 0)
        return read_overrides(r, &here, value);
    return json_is_string(value) || wrong(r, &here, "expected a string", NULL);
}

static bool read_all(reading *r, const json_t *top)
{
    const char *key;
    json_t *value;
    if (!json_is_object(top))
        return wrong(r, NULL, "expected an object", NULL);
    if (!check_keys(r, NULL, top, top_key_at))
        return false;
    json_object_foreach((json_t *)(uintptr_t)top, key, value)
    {
        if (!read_member(r, key, value))
            return false;
    }
    return true;
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* jansson knows the line and column of what is no JSON. */
static void say_syntax(m5_settings_error *error, const json_error_t *json)
{
    m5_text t = {error->text, sizeof error->text - 1, 0, false};
    m5_text_int(&t, json->line);
    add(&t, ":");
    m5_text_int(&t, json->column > 0 ? json->column : 1);
    add(&t, ": ");
    add(&t, json->text);
}

bool m5_settings_file_read(m5_settings_file *file, const char *bytes, size_t count,
                           m5_settings_error *error)
{
    json_error_t json = {.line = 1};
    reading r = {file, error};
    memset(file, 0, sizeof *file);
    memset(error, 0, sizeof *error);
    if (count > M5_SETTINGS_MOST)
        return wrong(&r, NULL, "the file is larger than 1 MiB", NULL);
    json_t *top = json_loadb(bytes, count, JSON_REJECT_DUPLICATES, &json);
    if (top == NULL) {
        say_syntax(error, &json);
        return false;
    }
    file->json = top;
    if (read_all(&r, top))
        return true;
    m5_settings_file_free(file);
    return false;
}

void m5_settings_file_free(m5_settings_file *f)
{
    for (size_t i = 0; i < f->num_overrides; i++) {
        free(f->overrides[i].files.list);
        free(f->overrides[i].used);
        free(f->overrides[i].rules.list);
    }
    free(f->overrides);
    free(f->exclude.list);
    free(f->rules.list);
    json_decref(f->json);
    memset(f, 0, sizeof *f);
}
