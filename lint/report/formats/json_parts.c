/* Writes JSON, and what the JSON reports have of a finding. */
#include "json_parts.h"
#include "lint/report/escape.h"

#include <string.h>

/* ---- Objects and arrays ---------------------------------------------------------------------- */

/* Keys are short, and so are values that are written with them. */
enum { MEMBER_ROOM = 64 };

/* Puts what comes before the value of a member or element. Returns its end. */
static char *begin(m5_json *json, const char *key, char *to)
{
    if (json->any)
        *to++ = ',';
    json->any = true;
    if (key == NULL)
        return to;
    size_t length = strlen(key);
    *to++ = '"';
    memcpy(to, key, length);
    to += length;
    *to++ = '"';
    *to++ = ':';
    return to;
}

/* A value of bytes as they are. */
static void put_plain(m5_json *json, const char *key, const char *bytes, size_t count)
{
    char member[MEMBER_ROOM], *value = begin(json, key, member);
    memcpy(value, bytes, count);
    m5_output_bytes(json->out, member, (size_t)(value - member) + count);
}

m5_json m5_json_begin(const m5_writer *out)
{
    m5_output_bytes(out, "{", 1);
    return (m5_json){out, '}', false};
}

void m5_json_end(const m5_json *json)
{
    m5_output_bytes(json->out, &json->end, 1);
}

m5_json m5_json_put_object(m5_json *o, const char *key)
{
    put_plain(o, key, "{", 1);
    return (m5_json){o->out, '}', false};
}

m5_json m5_json_put_array(m5_json *o, const char *key)
{
    put_plain(o, key, "[", 1);
    return (m5_json){o->out, ']', false};
}

static void put_text(m5_json *o, const char *key, const char *text, size_t count)
{
    put_plain(o, key, "\"", 1);
    m5_put_json_bytes(o->out, text, count);
    m5_output_bytes(o->out, "\"", 1);
}

void m5_json_put_text(m5_json *o, const char *key, const char *text)
{
    put_text(o, key, text, strlen(text));
}

void m5_json_put_number(m5_json *o, const char *key, uint64_t number)
{
    char text[20];
    size_t n = sizeof text;
    do
        text[--n] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    put_plain(o, key, text + n, sizeof text - n);
}

m5_json m5_json_add_object(m5_json *array)
{
    return m5_json_put_object(array, NULL);
}

void m5_json_add_text(m5_json *array, const char *text)
{
    m5_json_put_text(array, NULL, text);
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

static void add_related(m5_json *array, const m5_result *r, m5_both_lines *lines,
                        const m5_related *related)
{
    const m5_source *s = related->source;
    m5_json o = m5_json_add_object(array);
    m5_json_put_text(&o, "file", s->name);
    put_place(&o, m5_lines_of(lines, s), related->at, r->format->text);
    m5_json_put_text(&o, "message", related->message);
    m5_json_end(&o);
}

/* What the targets make of a finding, without those that it is harmless to. */
static void put_effects(m5_json *of, const m5_result *r, const m5_diag *d)
{
    const m5_targets_state *s = r->file->targets;
    uint8_t outcome[M5_TARGETS];
    m5_json o = m5_json_put_object(of, "targets");
    m5_targets_effect(s, &r->file->source, d, outcome);
    for (unsigned i = 0; i < M5_TARGETS; i++)
        if ((s->chosen >> i & 1) != 0 && outcome[i] != M5_LOADS)
            m5_json_put_text(&o, m5_targets[i].name, m5_outcome_name(outcome[i]));
    m5_json_end(&o);
}

/* Which of its rule's cases a finding is. */
static void put_kind(m5_json *o, const m5_source *s, const m5_diag *d)
{
    const char *record = m5_record_of(s, d);
    if (record[0] != '\0')
        m5_json_put_text(o, "record", record);
    m5_json_put_text(o, "tag", m5_tag_name(m5_tag_of(s, d)));
}

static bool can_hold(const m5_edit *e)
{
    const uint8_t *p = (const uint8_t *)e->text;
    for (size_t left = e->length, length; left != 0; p += length, left -= length) {
        uint32_t code;
        length = *p < 0x80 ? 1 : m5_utf8_letter(p, left, &code);
        if (length == 0)
            return false;
    }
    return true;
}

bool m5_json_can_hold(const m5_fix *fix)
{
    for (uint32_t i = 0; i < fix->count; i++)
        if (!can_hold(&fix->edits[i]))
            return false;
    return true;
}

static void put_hex(m5_json *o, const char *bytes, size_t count)
{
    put_plain(o, "hex", "\"", 1);
    for (size_t i = 0; i < count; i++) {
        static const char digits[] = "0123456789abcdef";
        uint8_t byte = (uint8_t)bytes[i];
        m5_output_bytes(o->out, (char[2]){digits[byte >> 4], digits[byte & 15]}, 2);
    }
    m5_output_bytes(o->out, "\"", 1);
}

static void add_edit(m5_json *array, const m5_edit *e, bool text)
{
    m5_json o = m5_json_add_object(array);
    m5_json_put_number(&o, "offset", e->at.offset);
    m5_json_put_number(&o, "length", e->at.length);
    if (text && can_hold(e))
        put_text(&o, "text", e->length != 0 ? e->text : "", e->length);
    else
        put_hex(&o, e->text, e->length);
    m5_json_end(&o);
}

static void put_fix(m5_json *of, const m5_fix *fix, bool text)
{
    m5_json o = m5_json_put_object(of, "fix");
    put_plain(&o, "safe", fix->safe ? "true" : "false", fix->safe ? 4 : 5);
    if (fix->cut > 0) {
        put_plain(&o, "cut", "", 0);
        m5_write(o.out, "%.6g", fix->cut);
    }
    m5_json edits = m5_json_put_array(&o, "edits");
    for (uint32_t i = 0; i < fix->count; i++)
        add_edit(&edits, &fix->edits[i], text);
    m5_json_end(&edits);
    m5_json_end(&o);
}

static void put_related(m5_json *of, const m5_result *r, m5_both_lines *lines, const m5_diag *d)
{
    m5_json array = m5_json_put_array(of, "related");
    for (uint32_t i = 0; i < d->num_related; i++)
        add_related(&array, r, lines, &d->related[i]);
    m5_json_end(&array);
}

static void put_also(m5_json *of, const m5_finding *f)
{
    m5_json array = m5_json_put_array(of, "also");
    for (uint32_t i = 0; i < f->num_also; i++)
        m5_json_add_text(&array, f->also[i]);
    m5_json_end(&array);
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
    if (f->fix != NULL)
        put_fix(o, f->fix, r->format->text);
    if (m5_path_text(&d->path, path, sizeof path) != 0)
        m5_json_put_text(o, "path", path);
    put_place(o, &lines->own, d->at, r->format->text);
    if (r->format->text)
        put_kind(o, &r->file->source, d);
    if (r->file->targets != NULL)
        put_effects(o, r, d);
    if (d->num_related != 0)
        put_related(o, r, lines, d);
    if (f->num_also != 0)
        put_also(o, f);
}
