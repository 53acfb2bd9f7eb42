/* What the JSON reports write of a finding, and how their objects are made. */
#include "json_parts.h"

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

/* ---- Objects --------------------------------------------------------------------------------- */

m5_json m5_json_new(void)
{
    json_t *json = json_object();
    return (m5_json){json, json == NULL};
}

void m5_json_put(m5_json *o, const char *key, json_t *value)
{
    if (json_object_set_new(o->json, key, value) != 0)
        o->spoilt = true;
}

void m5_json_put_text(m5_json *o, const char *key, const char *text)
{
    m5_json_put(o, key, any_text(text));
}

void m5_json_put_number(m5_json *o, const char *key, uint64_t number)
{
    m5_json_put(o, key, json_integer((json_int_t)number));
}

json_t *m5_json_finish(m5_json o)
{
    if (!o.spoilt)
        return o.json;
    json_decref(o.json);
    return NULL;
}

/* ---- A finding ------------------------------------------------------------------------------- */

static void put_place(m5_json *o, m5_lines *lines, m5_span at, bool text)
{
    if (text) {
        m5_place from = m5_lines_find(lines, at.offset);
        m5_place to = m5_lines_find(lines, at.offset + at.length);
        m5_json_put_number(o, "line", from.line);
        m5_json_put_number(o, "column", from.column);
        m5_json_put_number(o, "endLine", to.line);
        m5_json_put_number(o, "endColumn", to.column);
    }
    m5_json_put_number(o, "offset", at.offset);
    m5_json_put_number(o, "length", at.length);
}

static json_t *one_related_json(const m5_result *r, m5_both_lines *lines, const m5_related *related)
{
    const m5_source *s = related->source;
    m5_json o = m5_json_new();
    m5_json_put_text(&o, "file", s->name);
    put_place(&o, m5_lines_of(lines, s), related->at, r->format->text);
    m5_json_put_text(&o, "message", related->message);
    return m5_json_finish(o);
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

static json_t *also_json(const m5_finding *f)
{
    json_t *array = json_array();
    bool whole = array != NULL;
    for (uint32_t i = 0; i < f->num_also && whole; i++)
        whole = json_array_append_new(array, any_text(f->also[i])) == 0;
    if (whole)
        return array;
    json_decref(array);
    return NULL;
}

/* What the targets make of a finding, without those that it is harmless to. */
static json_t *effects_json(const m5_result *r, const m5_diag *d)
{
    const m5_targets_state *s = r->file->targets;
    uint8_t outcome[M5_TARGETS];
    m5_json o = m5_json_new();
    m5_targets_effect(&r->file->source, s->format, d, outcome);
    for (unsigned i = 0; i < M5_TARGETS; i++)
        if ((s->chosen >> i & 1) != 0 && outcome[i] != M5_LOADS)
            m5_json_put_text(&o, m5_targets[i].name, m5_outcome_name(outcome[i]));
    return m5_json_finish(o);
}

/* Which of its rule's cases a finding is. */
static void put_kind(m5_json *o, const m5_source *s, const m5_diag *d)
{
    const char *record = m5_record_of(s, d);
    if (record[0] != '\0')
        m5_json_put_text(o, "record", record);
    m5_json_put_text(o, "tag", m5_tag_name(m5_tag_of(s, d)));
}

/* Whether JSON can have all texts of a fix as they are. */
static bool are_utf8(const m5_fix *fix)
{
    for (uint32_t i = 0; i < fix->count; i++) {
        const uint8_t *p = (const uint8_t *)fix->edits[i].text;
        for (size_t left = fix->edits[i].length, length; left != 0; p += length, left -= length) {
            uint32_t code;
            length = m5_utf8_letter(p, left, &code);
            if (length == 0)
                return false;
        }
    }
    return true;
}

static json_t *edit_json(const m5_edit *e)
{
    m5_json o = m5_json_new();
    m5_json_put_number(&o, "offset", e->at.offset);
    m5_json_put_number(&o, "length", e->at.length);
    m5_json_put(&o, "text", json_stringn(e->length != 0 ? e->text : "", e->length));
    return m5_json_finish(o);
}

static json_t *fix_json(const m5_fix *fix)
{
    m5_json o = m5_json_new();
    json_t *edits = json_array();
    m5_json_put(&o, "safe", json_boolean(fix->safe));
    for (uint32_t i = 0; i < fix->count; i++)
        o.spoilt |= json_array_append_new(edits, edit_json(&fix->edits[i])) != 0;
    m5_json_put(&o, "edits", edits);
    return m5_json_finish(o);
}

void m5_json_put_finding(m5_json *o, const m5_result *r, m5_both_lines *lines, const m5_finding *f)
{
    const m5_diag *d = &f->diag;
    char path[200];
    m5_json_put_text(o, "rule", d->rule->id);
    m5_json_put_text(o, "severity", m5_severity_name(d->severity));
    m5_json_put_text(o, "message", d->message);
    if (d->fix[0] != '\0')
        m5_json_put_text(o, "hint", d->fix);
    if (f->fix != NULL && are_utf8(f->fix))
        m5_json_put(o, "fix", fix_json(f->fix));
    if (m5_path_text(&d->path, path, sizeof path) != 0)
        m5_json_put_text(o, "path", path);
    put_place(o, &lines->own, d->at, r->format->text);
    if (r->format->text)
        put_kind(o, &r->file->source, d);
    if (r->file->targets != NULL)
        m5_json_put(o, "targets", effects_json(r, d));
    if (d->num_related != 0)
        m5_json_put(o, "related", related_json(r, lines, d));
    if (f->num_also != 0)
        m5_json_put(o, "also", also_json(f));
}

/* ---- Writing --------------------------------------------------------------------------------- */

static int write_bytes(const char *bytes, size_t count, void *out)
{
    m5_output_bytes(out, bytes, count);
    return 0;
}

bool m5_json_write(const m5_writer *out, json_t *json)
{
    m5_writer copy = *out;
    bool whole = json != NULL && json_dump_callback(json, write_bytes, &copy, JSON_COMPACT) == 0;
    if (!whole)
        m5_output_string(out, "<out of memory>");
    json_decref(json);
    return whole;
}
