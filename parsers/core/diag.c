/* Judges findings by the rows of their rules and the levels in force, and passes them to the sink.
 */
#include "diag.h"
#include "emit.h"
#include "number.h"
#include "text.h"

#include <string.h>

#define M5_RULE(symbol, id, levels, ...) {M5_RULE_##symbol, id, levels, __VA_ARGS__},
const m5_rule m5_parser_rules[M5_PARSER_RULES] = {
#include "../rules.def"
};
#undef M5_RULE

const m5_settings m5_usual_settings = {0};

m5_severity m5_judge(const m5_levels *l, double measure)
{
    if (measure > l->error)
        return M5_ERROR;
    if (measure > l->warning)
        return M5_WARNING;
    return measure > l->note ? M5_NOTE : M5_SILENT;
}

static m5_severity by_levels(const m5_report *r, const m5_rule *rule, double measure)
{
    const m5_levels *levels = m5_settings_of(r)->levels;
    return m5_judge(levels != NULL ? &levels[rule->number] : &rule->levels, measure);
}

/* The row decides on all but notes, so that other findings do not depend on what is shown. */
m5_severity m5_would_say(const m5_report *r, const m5_rule *rule, double measure)
{
    m5_severity own = m5_judge(&rule->levels, measure);
    if (own > M5_NOTE)
        return own;
    bool silent = m5_settings_of(r)->silent != NULL && own == M5_NOTE;
    unsigned minds = r->watch.see != NULL ? r->watch.minds[rule->number] : M5_MINDS_NOT;
    bool watched = minds == M5_MINDS_EVEN_IF_OFF || (minds == M5_MINDS && own != M5_SILENT);
    return silent || watched || by_levels(r, rule, measure) != M5_SILENT ? M5_NOTE : M5_SILENT;
}

const char *m5_severity_name(m5_severity severity)
{
    static const char *const name[] = {"silent", "note", "warning", "error"};
    return name[severity];
}

/* Every byte that stays is safe in any report, and in a word of a shell. */
static bool may_stay(char c)
{
    static const char signs[] = "_/-.~";
    char lower = (char)(c | 0x20);
    return m5_is_digit((uint8_t)c) || (lower >= 'a' && lower <= 'z') ||
           memchr(signs, c, sizeof signs - 1) != NULL;
}

/* FNV-1a. The end of a very long name does not count. */
static uint32_t hash_of(const char *own, uint32_t length)
{
    enum { MOST = 1024 };
    uint32_t hash = 0x811c9dc5 ^ length;
    for (uint32_t i = 0; i < length && i < MOST; i++)
        hash = (hash ^ (uint8_t)own[i]) * 0x01000193;
    return hash;
}

uint32_t m5_path_own(const char *own, uint32_t length, char *out)
{
    enum { KEPT = M5_PATH_OWN - 9 };
    m5_text text = {out, M5_PATH_OWN + 1, 0, false};
    bool whole = length <= M5_PATH_OWN;
    for (uint32_t i = 0; i < length && i < M5_PATH_OWN; i++)
        whole &= may_stay(own[i]);
    for (uint32_t i = 0; i < length && i < (whole ? M5_PATH_OWN : KEPT); i++)
        m5_text_add(&text, may_stay(own[i]) ? &own[i] : "_", 1);
    if (!whole) {
        m5_text_add(&text, "~", 1);
        m5_text_hex(&text, hash_of(own, length));
    }
    return (uint32_t)text.length;
}

static void add_own(m5_text *text, const char *own, uint32_t length)
{
    char name[M5_PATH_OWN + 1];
    m5_text_add(text, name, m5_path_own(own, length, name));
}

size_t m5_path_text(const m5_path *path, char *out, size_t size)
{
    m5_text text = {out, size, 0, false};
    m5_text_add(&text, "", 0);
    for (int i = 0; i < M5_PATH_STEPS && path->step[i].name != NULL; i++) {
        if (i > 0)
            m5_text_add(&text, ".", 1);
        m5_text_add(&text, path->step[i].name, strlen(path->step[i].name));
        if (path->step[i].index == M5_NO_INDEX)
            continue;
        m5_text_add(&text, "[", 1);
        if (path->step[i].own_length != 0)
            add_own(&text, path->step[i].own, path->step[i].own_length);
        else
            m5_text_int(&text, path->step[i].index);
        m5_text_add(&text, "]", 1);
    }
    return text.length;
}

m5_path m5_path1(const char *name, uint32_t index)
{
    return (m5_path){{{.name = name, .index = index}}};
}

m5_path m5_path2(const char *outer, uint32_t i, const char *inner, uint32_t j)
{
    return (m5_path){{{.name = outer, .index = i}, {.name = inner, .index = j}}};
}

m5_path m5_path_to(m5_path from, const char *name, uint32_t index, const m5_source *in, m5_name own)
{
    int i = 0;
    while (from.step[i].name != NULL)
        i++;
    from.step[i].name = name;
    from.step[i].index = index;
    from.step[i].own = (const char *)in->bytes + own.offset;
    from.step[i].own_length = own.length;
    return from;
}

m5_diag m5_found(const m5_rule *rule, m5_span at)
{
    return (m5_diag){.rule = rule, .at = at};
}

void m5_relate(m5_diag *d, const m5_source *source, m5_span at, const char *message)
{
    if (d->num_related < M5_MOST_RELATED)
        d->related[d->num_related++] = (m5_related){source, at, message};
}

static void count(m5_report *r, m5_severity severity)
{
    r->errors += severity == M5_ERROR;
    r->warnings += severity == M5_WARNING;
    r->notes += severity == M5_NOTE;
}

void m5_overlook(m5_report *r, m5_diag *d, double measure)
{
    r->spared_to = d->at.offset + 1;
    if (r->watch.see == NULL)
        return;
    d->own = m5_judge(&d->rule->levels, measure);
    d->severity = by_levels(r, d->rule, measure);
    d->unsaid = true;
    r->watch.see(r->watch.user, d);
}

void m5_emit_list(m5_report *r, m5_diag *d, double measure, const char *format, va_list args)
{
    d->own = m5_judge(&d->rule->levels, measure);
    r->found += d->own != M5_SILENT;
    r->flaws += d->own == M5_ERROR;
    d->severity = by_levels(r, d->rule, measure);
    r->spared_to = 0;
    if (r->watch.see != NULL)
        d->severity = r->watch.see(r->watch.user, d);
    count(r, d->severity);
    if (r->sink.take == NULL)
        return;
    if (d->severity == M5_SILENT) {
        if (m5_settings_of(r)->silent != NULL)
            m5_settings_of(r)->silent(r->sink.user, d);
        return;
    }
    char buffer[512];
    m5_text text = {buffer, sizeof buffer, 0, false};
    m5_text_format(&text, format, args);
    const char *fix = d->fix; /* a finding may be reported again under another rule */
    d->message = buffer;
    d->fix = fix != NULL ? fix : d->rule->fix;
    r->sink.take(r->sink.user, d);
    d->fix = fix;
}

void m5_emit(m5_report *r, m5_diag *d, double measure, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    m5_emit_list(r, d, measure, format, args);
    va_end(args);
}

void m5_emit_once(m5_report *r, m5_once *once, m5_diag *d, double measure, const char *format, ...)
{
    if (!m5_once_open(once, d->at))
        return;
    va_list args;
    va_start(args, format);
    m5_emit_list(r, d, measure, format, args);
    va_end(args);
    m5_once_done(once, r);
}
