/* Reads and writes baselines: see baseline.h. */
#include "baseline.h"
#include "aliases.h"
#include "json_place.h"
#include "lint/core/check.h"
#include "lint/core/nearest.h"
#include "parsers/core/write.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMA = 1, PATH_TEXT = 200 };

static const char *const top_keys[] = {"schema", "findings", NULL};
static const char *const finding_keys[] = {"file",  "rule",  "path", "severity",
                                           "limit", "count", NULL};

static const char *top_key_at(unsigned i)
{
    return top_keys[i];
}

static const char *finding_key_at(unsigned i)
{
    return finding_keys[i];
}

static const char *rule_name_at(unsigned i)
{
    return i < M5_RULES ? m5_rule_at(i)->id : NULL;
}

/* ---- Errors ---------------------------------------------------------------------------------- */

/* The text that is read, and the value that is looked at: see m5_json_find. */
typedef struct reading {
    m5_baseline *out;
    m5_settings_error *error;
    const char *text;
    size_t steps[3], num_steps;
} reading;

static void begin_error(m5_text *t, m5_settings_error *error, m5_json_place at)
{
    *t = (m5_text){error->text, sizeof error->text - 1, 0, false};
    m5_text_int(t, at.line);
    m5_text_add(t, ":", 1);
    m5_text_int(t, at.column);
    m5_text_add(t, ": ", 2);
}

/* `word` and `nearest` may be NULL. Returns false. */
static bool wrong(reading *r, const char *what, const char *word, const char *nearest)
{
    m5_text t;
    begin_error(&t, r->error, m5_json_find(r->text, r->steps, r->num_steps));
    const char *parts[] = {what,
                           word != NULL ? " '" : "",
                           word != NULL ? word : "",
                           word != NULL ? "'" : "",
                           nearest != NULL ? "; did you mean '" : "",
                           nearest != NULL ? nearest : "",
                           nearest != NULL ? "'?" : ""};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        m5_text_add(&t, parts[i], strlen(parts[i]));
    return false;
}

static bool fail(m5_settings_error *error, const char *what)
{
    m5_text t = {error->text, sizeof error->text - 1, 0, false};
    m5_text_add(&t, what, strlen(what));
    return false;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static char *copy(const char *text)
{
    size_t size = strlen(text) + 1;
    char *made = malloc(size);
    return made != NULL ? memcpy(made, text, size) : NULL;
}

/* Makes room for one more. */
static m5_old *add(m5_baseline *b)
{
    if (b->count == b->room) {
        size_t room = b->room != 0 ? 2 * b->room : 2;
        m5_old *list = realloc(b->list, room * sizeof *list);
        if (list == NULL)
            return NULL;
        b->list = list;
        b->room = room;
    }
    m5_old *o = &b->list[b->count++];
    *o = (m5_old){.number = b->count - 1, .severity = M5_ERROR, .limit = M5_NEVER};
    return o;
}

static bool read_rule(reading *r, const char *id, m5_old *o)
{
    o->rule = m5_rule_by_id(m5_alias_find(m5_aliases, id));
    return o->rule != NULL || wrong(r, "unknown rule", id, m5_nearest(id, rule_name_at));
}

static bool read_count(reading *r, const json_t *value, m5_old *o)
{
    json_int_t count = json_is_integer(value) ? json_integer_value(value) : 0;
    if (count < 1 || count > INT32_MAX)
        return wrong(r, "\"count\" is expected to be an integer from 1 to 2147483647", NULL, NULL);
    o->count = (uint32_t)count;
    return true;
}

static bool read_severity(reading *r, const json_t *value, m5_old *o)
{
    const char *name = json_is_string(value) ? json_string_value(value) : "";
    for (m5_severity s = M5_NOTE; s <= M5_ERROR; s++)
        if (strcmp(name, m5_severity_name(s)) == 0) {
            o->severity = s;
            return true;
        }
    return wrong(r, "\"severity\" is expected to be note, warning or error", NULL, NULL);
}

static bool read_limit(reading *r, const json_t *value, m5_old *o)
{
    o->limit = json_is_number(value) ? json_number_value(value) : -1;
    return o->limit >= 0 || wrong(r, "\"limit\" is expected to be a number from 0 on", NULL, NULL);
}

/* Whether a file is named as a run names it: no `.` and no empty name, and `..` only at the start.
 * After `!` is an archive's member, whose name may be anything. */
static bool is_plain(const char *file)
{
    size_t length;
    bool below = false;
    for (const char *p = file;; p += length + 1) {
        length = strcspn(p, "/!");
        bool up = length == 2 && memcmp(p, "..", 2) == 0;
        if (length == 0 || (length == 1 && *p == '.') || (up && below))
            return false;
        if (p[length] != '/')
            return true;
        below |= !up;
    }
}

static bool read_member(reading *r, const char *key, const json_t *value, m5_old *o)
{
    if (strcmp(key, "count") == 0)
        return read_count(r, value, o);
    if (strcmp(key, "severity") == 0)
        return read_severity(r, value, o);
    if (strcmp(key, "limit") == 0)
        return read_limit(r, value, o);
    for (unsigned i = 0; finding_keys[i] != NULL; i++) {
        if (strcmp(key, finding_keys[i]) != 0)
            continue;
        if (!json_is_string(value) || json_string_length(value) == 0)
            return wrong(r, "expected a string that is not empty, for", key, NULL);
        const char *text = json_string_value(value);
        if (strcmp(key, "rule") == 0)
            return read_rule(r, text, o);
        if (strcmp(key, "file") == 0 && !is_plain(text))
            return wrong(r,
                         "expected a path from the folder of the baseline on, without '.' and "
                         "'//', for",
                         key, NULL);
        char **out = strcmp(key, "file") == 0 ? &o->file : &o->path;
        *out = copy(text);
        return *out != NULL || fail(r->error, "out of memory");
    }
    return wrong(r, "unknown key", key, m5_nearest(key, finding_key_at));
}

static bool read_finding(reading *r, const json_t *value)
{
    const char *key;
    json_t *item;
    m5_old *o = add(r->out);
    if (o == NULL)
        return fail(r->error, "out of memory");
    if (!json_is_object(value))
        return wrong(r, "expected an object: a finding", NULL, NULL);
    r->steps[2] = 0;
    r->num_steps = 3;
    /* jansson's loop has no version for constants; the value is not changed. */
    json_object_foreach((json_t *)(uintptr_t)value, key, item)
    {
        if (!read_member(r, key, item, o))
            return false;
        r->steps[2]++;
    }
    r->num_steps = 2;
    if (o->path == NULL && (o->path = copy("")) == NULL)
        return fail(r->error, "out of memory");
    const char *missing = o->file == NULL   ? "file"
                          : o->rule == NULL ? "rule"
                          : o->count == 0   ? "count"
                                            : NULL;
    return missing == NULL || wrong(r, "missing key", missing, NULL);
}

static bool read_findings(reading *r, const json_t *value)
{
    if (!json_is_array(value))
        return wrong(r, "expected a list of findings", NULL, NULL);
    for (size_t i = 0; i < json_array_size(value); i++) {
        r->steps[1] = i;
        r->num_steps = 2;
        if (!read_finding(r, json_array_get(value, i)))
            return false;
    }
    r->num_steps = 1;
    return true;
}

static bool read_schema(reading *r, const json_t *value)
{
    bool known = json_is_integer(value) && json_integer_value(value) == SCHEMA;
    return known || wrong(r, "expected \"schema\": 1, which is what this version of md5lint reads",
                          NULL, NULL);
}

static bool read_top(reading *r, const json_t *top)
{
    const char *key;
    json_t *value;
    if (!json_is_object(top))
        return wrong(r, "expected an object", NULL, NULL);
    r->num_steps = 1;
    json_object_foreach((json_t *)(uintptr_t)top, key, value)
    {
        bool schema = strcmp(key, "schema") == 0;
        if (!schema && strcmp(key, "findings") != 0)
            return wrong(r, "unknown key", key, m5_nearest(key, top_key_at));
        if (!(schema ? read_schema : read_findings)(r, value))
            return false;
        r->steps[0]++;
    }
    r->num_steps = 0;
    for (unsigned i = 0; top_keys[i] != NULL; i++)
        if (json_object_get(top, top_keys[i]) == NULL)
            return wrong(r, "missing key", top_keys[i], NULL);
    return true;
}

/* ---- Order ----------------------------------------------------------------------------------- */

static int compare_keys(const m5_old *x, const m5_old *y)
{
    int order = strcmp(x->file, y->file);
    if (order == 0)
        order = strcmp(x->rule->id, y->rule->id);
    return order != 0 ? order : strcmp(x->path, y->path);
}

static int compare(const void *a, const void *b)
{
    const m5_old *x = a, *y = b;
    int order = compare_keys(x, y);
    return order != 0 ? order : (x->number > y->number) - (x->number < y->number);
}

static void sort(m5_baseline *b)
{
    if (b->count != 0)
        qsort(b->list, b->count, sizeof *b->list, compare);
}

static bool refuse_duplicates(reading *r)
{
    const m5_baseline *b = r->out;
    for (size_t i = 1; i < b->count; i++) {
        if (compare_keys(&b->list[i - 1], &b->list[i]) != 0)
            continue;
        r->steps[1] = b->list[i].number;
        r->num_steps = 2;
        return wrong(r, "this finding is there twice", NULL, NULL);
    }
    return true;
}

/* The number of the list of findings among the members. */
static size_t findings_at(const json_t *top)
{
    size_t at = 0;
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)top, key, value)
    {
        if (strcmp(key, "findings") == 0)
            break;
        at++;
    }
    return at;
}

bool m5_baseline_read(m5_baseline *out, const char *bytes, size_t count, m5_settings_error *error)
{
    json_error_t json = {.line = 1};
    reading r = {.out = out, .error = error, .text = bytes};
    memset(out, 0, sizeof *out);
    memset(error, 0, sizeof *error);
    if (count > M5_BASELINE_MOST)
        return fail(error, "the baseline is larger than 64 MiB");
    json_t *top = json_loadb(bytes, count, JSON_REJECT_DUPLICATES, &json);
    if (top == NULL) {
        m5_text t;
        uint32_t column = json.column > 0 ? (uint32_t)json.column : 1;
        begin_error(&t, error, (m5_json_place){(uint32_t)json.line, column});
        m5_text_add(&t, json.text, strlen(json.text));
        return false;
    }
    bool fine = read_top(&r, top);
    if (fine) {
        sort(out);
        r.steps[0] = findings_at(top);
        fine = refuse_duplicates(&r);
    }
    json_decref(top);
    if (!fine)
        m5_baseline_free(out);
    return fine;
}

void m5_baseline_free(m5_baseline *b)
{
    for (size_t i = 0; i < b->count; i++) {
        free(b->list[i].file);
        free(b->list[i].path);
    }
    free(b->list);
    memset(b, 0, sizeof *b);
}

/* ---- Finding --------------------------------------------------------------------------------- */

/* The first that does not come before a file's. */
static size_t first_of(const m5_baseline *b, const char *file)
{
    size_t low = 0, high = b->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(b->list[middle].file, file) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

m5_old_list m5_baseline_of(const m5_baseline *b, const char *file)
{
    size_t first = first_of(b, file), end = first;
    while (end < b->count && strcmp(b->list[end].file, file) == 0)
        end++;
    return end > first ? (m5_old_list){&b->list[first], end - first} : (m5_old_list){NULL, 0};
}

static m5_old *find(const m5_old_list *of_file, const m5_rule *rule, const char *path)
{
    size_t low = 0, high = of_file->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        m5_old *o = &of_file->list[middle];
        int order = strcmp(rule->id, o->rule->id);
        if (order == 0)
            order = strcmp(path, o->path);
        if (order == 0)
            return o;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

bool m5_old_take(const m5_old_list *of_file, const m5_diag *diag, bool silent)
{
    char path[PATH_TEXT];
    m5_path_text(&diag->path, path, sizeof path);
    m5_old *o = find(of_file, diag->rule, path);
    if (o == NULL)
        return false;
    bool worse = diag->own > o->severity;
    uint32_t *found = silent || worse ? &o->silent : &o->hidden;
    if (*found == o->count)
        return false;
    ++*found;
    return !worse;
}

uint32_t m5_old_gone(const m5_old *o)
{
    uint64_t found = (uint64_t)o->hidden + o->silent;
    return o->is_known && found < o->count ? o->count - (uint32_t)found : 0;
}

/* ---- Making ---------------------------------------------------------------------------------- */

bool m5_baseline_add(m5_baseline *b, const char *file, const m5_diag *diag, const m5_levels *levels)
{
    bool graded = m5_lowest_limit(&diag->rule->levels) != M5_NEVER;
    char path[PATH_TEXT];
    m5_path_text(&diag->path, path, sizeof path);
    m5_old *o = add(b);
    if (o == NULL)
        return false;
    o->rule = diag->rule;
    o->count = 1;
    o->severity = diag->own > M5_NOTE ? diag->own : M5_NOTE;
    o->limit = graded && diag->own == M5_SILENT ? fmax(m5_lowest_limit(levels), 0) : M5_NEVER;
    o->file = copy(file);
    o->path = copy(path);
    return o->file != NULL && o->path != NULL;
}

bool m5_baseline_move(m5_baseline *to, m5_baseline *from)
{
    size_t count = to->count + from->count;
    if (count > to->room) {
        size_t room = count > 2 * to->room ? count : 2 * to->room;
        m5_old *list = realloc(to->list, room * sizeof *list);
        if (list == NULL)
            return false;
        to->list = list;
        to->room = room;
    }
    if (from->count != 0)
        memcpy(to->list + to->count, from->list, from->count * sizeof *from->list);
    to->count = count;
    free(from->list);
    memset(from, 0, sizeof *from);
    return true;
}

static void drop(m5_old *o)
{
    free(o->file);
    free(o->path);
}

static void merge(m5_old *kept, const m5_old *same)
{
    kept->count += same->count;
    kept->severity = same->severity > kept->severity ? same->severity : kept->severity;
    kept->limit = fmin(kept->limit, same->limit);
}

void m5_baseline_sort(m5_baseline *b)
{
    size_t kept = 0;
    sort(b);
    for (size_t i = 0; i < b->count; i++) {
        if (kept != 0 && compare_keys(&b->list[kept - 1], &b->list[i]) == 0) {
            merge(&b->list[kept - 1], &b->list[i]);
            drop(&b->list[i]);
            continue;
        }
        b->list[kept++] = b->list[i];
    }
    b->count = kept;
}

uint64_t m5_baseline_prune(m5_baseline *b)
{
    uint64_t all = 0;
    size_t kept = 0;
    for (size_t i = 0; i < b->count; i++) {
        uint32_t gone = m5_old_gone(&b->list[i]);
        all += gone;
        b->list[i].count -= gone;
        if (b->list[i].count == 0)
            drop(&b->list[i]);
        else
            b->list[kept++] = b->list[i];
    }
    b->count = kept;
    return all;
}

/* ---- Writing --------------------------------------------------------------------------------- */

static int write_bytes(const char *bytes, size_t count, void *out)
{
    const m5_writer *w = out;
    w->write(w->user, bytes, count);
    return 0;
}

static bool write_finding(const m5_old *o, const m5_writer *out)
{
    m5_writer copied = *out;
    json_t *json = json_pack("{s:s, s:s}", "file", o->file, "rule", o->rule->id);
    bool whole = json != NULL;
    if (whole && *o->path != '\0')
        whole = json_object_set_new(json, "path", json_string(o->path)) == 0;
    if (whole && o->severity != M5_ERROR)
        whole = json_object_set_new(json, "severity", json_string(m5_severity_name(o->severity))) ==
                0;
    if (whole && o->limit != M5_NEVER)
        whole = json_object_set_new(json, "limit", json_real(o->limit)) == 0;
    whole = whole && json_object_set_new(json, "count", json_integer(o->count)) == 0 &&
            json_dump_callback(json, write_bytes, &copied, JSON_REAL_PRECISION(15)) == 0;
    json_decref(json);
    return whole;
}

bool m5_baseline_write(const m5_baseline *b, const m5_writer *out)
{
    bool whole = true;
    m5_write(out, "{\n  \"schema\": %d,\n  \"findings\": [", (int)SCHEMA);
    for (size_t i = 0; i < b->count && whole; i++) {
        m5_write(out, "%s\n    ", i != 0 ? "," : "");
        whole = write_finding(&b->list[i], out);
    }
    m5_write(out, "%s]\n}\n", b->count != 0 ? "\n  " : "");
    return whole;
}
