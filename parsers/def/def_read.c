/* Takes the tokens of declarations one by one, and reports what is wrong with them. */
#include "def_parser.h"

#include <stdarg.h>
#include <string.h>

/* ---- Findings -------------------------------------------------------------------------------- */

m5_diag m5_def_found(const m5_def_parser *p, const m5_rule *rule, m5_span at)
{
    m5_diag d = m5_found(rule, at);
    d.path = p->path;
    return d;
}

static bool is_hidden(const m5_def_parser *p, uint32_t at)
{
    for (unsigned i = 0; i < 2; i++)
        if (at >= p->hidden[i].offset && at - p->hidden[i].offset < p->hidden[i].length)
            return true;
    return false;
}

/* What else is wrong on the line may be due to what is wrong here. The line before stays hidden: it
 * may still be reported on, as tokens are looked at ahead. */
static void hide_line(m5_def_parser *p, uint32_t at)
{
    if (is_hidden(p, at))
        return;
    const uint8_t *bytes = p->source->bytes, *lf = memchr(bytes + at, '\n', p->source->size - at);
    uint32_t from = at, to = lf != NULL ? (uint32_t)(lf - bytes) + 1 : UINT32_MAX;
    while (from > 0 && bytes[from - 1] != '\n')
        from--;
    p->hidden[1] = p->hidden[0];
    p->hidden[0] = (m5_span){from, to - from};
}

void m5_def_report(m5_def_parser *p, m5_diag *d, double measure, const char *format, ...)
{
    uint32_t at = d->at.offset;
    bool ended = p->peeked && p->next.kind == M5_DEF_END;
    p->report->spared_to = at + 1;
    if (is_hidden(p, at) || (ended && p->cut))
        return;
    if (m5_judge(&d->rule->levels, measure) == M5_ERROR)
        hide_line(p, at);
    va_list args;
    va_start(args, format);
    m5_emit_list(p->report, d, measure, format, args);
    va_end(args);
}

void m5_def_say_no_end(m5_def_parser *p, m5_span name)
{
    m5_def_token t = m5_def_peek(p);
    m5_diag d = m5_def_found(p, M5_ROW(def_brace_missing), (m5_span){p->at, 0});
    m5_relate(&d, p->source, name, "the block that it would end");
    if (t.kind == M5_DEF_END)
        m5_def_report(p, &d, 0,
                      "'}' is missing at the end of the file: the block of '%.*s' is open",
                      M5_DEF_TEXT(p, name));
    else
        m5_def_report(p, &d, 0, "'}' is missing before '%.*s': the block of '%.*s' is open",
                      M5_DEF_TEXT(p, t.span), M5_DEF_TEXT(p, name));
}

/* ---- Tokens ---------------------------------------------------------------------------------- */

m5_def_token m5_def_peek(m5_def_parser *p)
{
    if (!p->peeked)
        p->next = m5_def_scan(p->source, p->at);
    p->peeked = true;
    return p->next;
}

/* One is reported, all hide what else is on their lines. */
static void say_odd_byte(m5_def_parser *p, m5_span at)
{
    m5_diag d = m5_def_found(p, M5_ROW(def_character), at);
    if (!m5_once_open(&p->said_odd_byte, at)) {
        hide_line(p, at.offset);
        return;
    }
    m5_def_report(p, &d, 0, "no name, number or sign begins with '%.*s'", M5_DEF_TEXT(p, at));
    m5_once_done(&p->said_odd_byte, p->report);
}

m5_def_token m5_def_next(m5_def_parser *p)
{
    m5_def_token t = m5_def_peek(p);
    p->at = m5_def_end(t);
    p->peeked = false;
    if (t.flaw == M5_DEF_OPEN_STRING) {
        m5_diag d = m5_def_found(p, M5_ROW(def_string_unterminated), t.span);
        m5_def_report(p, &d, 0, "the string has no closing quote on its line");
    } else if (t.flaw == M5_DEF_ODD_BYTE) {
        say_odd_byte(p, t.span);
    }
    return t;
}

m5_def_token m5_def_peek_sound(m5_def_parser *p)
{
    while (m5_def_peek(p).flaw == M5_DEF_ODD_BYTE)
        m5_def_next(p);
    return m5_def_peek(p);
}

void m5_def_skip_line(m5_def_parser *p)
{
    for (m5_def_token t = m5_def_peek(p);
         t.kind != M5_DEF_END && !t.new_line && !m5_def_is_brace(p, t); t = m5_def_peek(p))
        m5_def_next(p);
}

/* In a declaration that is not known, a line such as `model x {` may be its own; so it is taken for
 * the next declaration only if a brace is missing somewhere. */
void m5_def_skip_block(m5_def_parser *p, m5_span name)
{
    uint32_t depth = 0;
    do {
        m5_def_token t = m5_def_peek(p);
        if (t.kind == M5_DEF_END || (!p->balanced && m5_def_begins_declaration(p, t))) {
            m5_def_say_no_end(p, name);
            return;
        }
        depth += m5_def_is_sign(p, t, '{');
        depth -= m5_def_is_sign(p, t, '}');
        m5_def_next(p);
    } while (depth != 0);
}

/* ---- Names ----------------------------------------------------------------------------------- */

/* A word ends at a minus sign, unlike in a string: models/my-mod is three tokens. All are taken. */
static void check_cut(m5_def_parser *p, m5_def_token name, m5_name *out)
{
    m5_def_token sign = m5_def_peek(p);
    bool cut = (name.kind == M5_DEF_WORD || name.kind == M5_DEF_NUMBER) && sign.glued &&
               (sign.kind == M5_DEF_WORD || sign.flaw == M5_DEF_ODD_BYTE ||
                m5_def_is_sign(p, sign, '-') || m5_def_is_sign(p, sign, '+') ||
                m5_def_is_sign(p, sign, '#'));
    if (!cut)
        return;
    m5_diag d = m5_def_found(p, M5_ROW(def_name_unquoted), name.span);
    if (sign.flaw == M5_DEF_FINE)
        m5_def_report(p, &d, 0, "without quotes the name ends before '%.*s'",
                      M5_DEF_TEXT(p, sign.span));
    while (sign.glued && !m5_def_is_brace(p, sign) && sign.kind != M5_DEF_END) {
        m5_def_next(p);
        sign = m5_def_peek(p);
    }
    out->length = p->at - out->offset;
}

bool m5_def_read_name(m5_def_parser *p, m5_span keyword, const char *what, m5_name *out)
{
    m5_def_token t = m5_def_peek(p);
    bool other = t.new_line &&
                 (m5_def_model_key(p, t.text, false) != NULL || m5_def_begins_declaration(p, t));
    if (!m5_def_is_name(t) || other) {
        m5_diag d = m5_def_found(p, M5_ROW(def_value_missing), keyword);
        m5_def_report(p, &d, 0, "'%.*s' needs %s, found %s%.*s%s", M5_DEF_TEXT(p, keyword), what,
                      t.new_line || t.kind == M5_DEF_END ? "the end of the line" : "'",
                      t.new_line ? 0 : (int)t.span.length,
                      (const char *)p->source->bytes + t.span.offset,
                      t.new_line || t.kind == M5_DEF_END ? "" : "'");
        return false;
    }
    m5_def_next(p);
    *out = t.text;
    check_cut(p, t, out);
    return true;
}
