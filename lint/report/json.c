/* The report for programs. Each file's findings are one JSON object, which is made by jansson and
 * written before the next one, so that memory does not grow with the number of files. */
#include "report.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { REPLACEMENT_BYTES = 3 };

/* A JSON string of any bytes: bytes that are not UTF-8 become U+FFFD. */
static json_t *any_text(const char *text)
{
    size_t count = strlen(text), n = 0;
    const uint8_t *p = (const uint8_t *)text, *end = p + count;
    char *clean = malloc(count * REPLACEMENT_BYTES + 1);
    if (clean == NULL)
        return NULL;
    while (p < end) {
        uint32_t code;
        size_t length = m5_utf8_letter(p, (size_t)(end - p), &code);
        memcpy(clean + n, length != 0 ? (const char *)p : "\xef\xbf\xbd",
               length != 0 ? length : REPLACEMENT_BYTES);
        n += length != 0 ? length : REPLACEMENT_BYTES;
        p += length != 0 ? length : 1;
    }
    json_t *string = json_stringn(clean, n);
    free(clean);
    return string;
}

/* ---- Objects: if one member cannot be made, neither can the object --------------------------- */

typedef struct object {
    json_t *json;
    bool spoilt;
} object;

static object new_object(void)
{
    json_t *json = json_object();
    return (object){json, json == NULL};
}

static void put(object *o, const char *key, json_t *value)
{
    if (json_object_set_new(o->json, key, value) != 0)
        o->spoilt = true;
}

static void put_text(object *o, const char *key, const char *text)
{
    put(o, key, any_text(text));
}

static void put_number(object *o, const char *key, uint64_t number)
{
    put(o, key, json_integer((json_int_t)number));
}

static json_t *finish(object o)
{
    if (!o.spoilt)
        return o.json;
    json_decref(o.json);
    return NULL;
}

/* ---- A file ---------------------------------------------------------------------------------- */

static void put_place(object *o, m5_lines *lines, m5_span at, bool text)
{
    if (text) {
        m5_place place = m5_lines_find(lines, at.offset);
        put_number(o, "line", place.line);
        put_number(o, "column", place.column);
    }
    put_number(o, "offset", at.offset);
    put_number(o, "length", at.length);
}

static json_t *one_related_json(const m5_result *r, m5_both_lines *lines, const m5_related *related)
{
    const m5_source *s = related->source;
    object o = new_object();
    put_text(&o, "file", s->name);
    put_place(&o, m5_lines_of(lines, s), related->at, r->format->text);
    put_text(&o, "message", related->message);
    return finish(o);
}

static json_t *related_json(const m5_result *r, m5_both_lines *lines, const m5_diag *d)
{
    json_t *array = json_array();
    bool whole = array != NULL;
    for (uint32_t i = 0; i < d->num_related && whole; i++)
        whole = json_array_append_new(array, one_related_json(r, lines, &d->related[i])) == 0;
    if (whole)
        return array;
    json_decref(array);
    return NULL;
}

static json_t *finding_json(const m5_result *r, m5_both_lines *lines, const m5_diag *d)
{
    char path[200];
    object o = new_object();
    put_text(&o, "rule", d->rule->id);
    put_text(&o, "severity", m5_severity_name(d->severity));
    put_text(&o, "message", d->message);
    if (d->fix[0] != '\0')
        put_text(&o, "hint", d->fix);
    if (m5_path_text(&d->path, path, sizeof path) != 0)
        put_text(&o, "path", path);
    put_place(&o, &lines->own, d->at, r->format->text);
    if (d->num_related != 0)
        put(&o, "related", related_json(r, lines, d));
    return finish(o);
}

static json_t *more_json(const m5_result *r)
{
    object o = new_object();
    for (unsigned i = 0; i < M5_RULES; i++)
        if (r->shown.hidden[i] != 0)
            put_number(&o, m5_rule_at(i)->id, r->shown.hidden[i]);
    return finish(o);
}

static json_t *findings_json(const m5_result *r)
{
    m5_both_lines lines = {.own = {.source = &r->file->source, .arena = &r->file->arena}};
    json_t *array = json_array();
    for (uint32_t i = 0; i < r->shown.count; i++) {
        if (json_array_append_new(array, finding_json(r, &lines, &r->shown.list[i]->diag)) == 0)
            continue;
        json_decref(array);
        return NULL;
    }
    return array;
}

static json_t *skipped_json(const m5_lint_file *f)
{
    json_t *array = json_array();
    for (unsigned i = 0; i < M5_SKIPPED_KINDS; i++) {
        if ((f->skipped >> i & 1) == 0 ||
            json_array_append_new(array, json_string(m5_skipped_text(i))) == 0)
            continue;
        json_decref(array);
        return NULL;
    }
    return array;
}

static json_t *file_json(const m5_result *r)
{
    object o = new_object();
    put_text(&o, "path", r->path);
    if (r->error != NULL) {
        put_text(&o, "error", r->error);
        return finish(o);
    }
    put_text(&o, "format", r->format->name);
    if (r->file->base != NULL)
        put_text(&o, r->file->base->model.md5mesh != NULL ? "mesh" : "skeleton",
                 r->file->base->source.name);
    put_number(&o, "errors", r->file->report.errors);
    put_number(&o, "warnings", r->file->report.warnings);
    put_number(&o, "notes", r->file->report.notes);
    json_t *more = more_json(r);
    if (more != NULL && json_object_size(more) == 0)
        json_decref(more);
    else
        put(&o, "more", more);
    put(&o, "diagnostics", findings_json(r));
    if (r->file->skipped != 0)
        put(&o, "skipped", skipped_json(r->file));
    return finish(o);
}

/* ---- The report ------------------------------------------------------------------------------ */

typedef struct document {
    const m5_writer *out;
    bool is_begun; /* a file has been written: the next one needs a comma before it */
} document;

static int write_bytes(const char *bytes, size_t count, void *out)
{
    m5_output_bytes(out, bytes, count);
    return 0;
}

/* When out of memory, writes something that is not JSON, so that a reader notices the gap. */
static void write_json(const m5_writer *out, json_t *json)
{
    m5_writer copy = *out;
    if (json == NULL || json_dump_callback(json, write_bytes, &copy, JSON_COMPACT) != 0)
        m5_output_string(out, "<out of memory>");
    json_decref(json);
}

static void *begin(const m5_writer *out, const m5_look *look)
{
    document *d = malloc(sizeof *d);
    (void)look;
    if (d == NULL)
        return NULL;
    *d = (document){.out = out};
    m5_output_string(out, "{\"schema\":1,\"tool\":{\"name\":\"md5lint\",\"version\":\"" M5_VERSION
                          "\"},\n\"files\":[");
    return d;
}

static void show_file(void *report, const m5_result *r)
{
    document *d = report;
    m5_output_string(d->out, d->is_begun ? ",\n" : "\n");
    d->is_begun = true;
    write_json(d->out, file_json(r));
}

static void end(void *report, const m5_totals *t)
{
    const m5_writer *out = ((document *)report)->out;
    object o = new_object();
    put_number(&o, "files", t->files);
    put_number(&o, "errors", t->errors);
    put_number(&o, "warnings", t->warnings);
    put_number(&o, "notes", t->notes);
    m5_output_string(out, "],\n\"summary\":");
    write_json(out, finish(o));
    m5_output_string(out, "}\n");
    free(report);
}

const m5_reporter m5_report_json = {"json", begin, show_file, end};
