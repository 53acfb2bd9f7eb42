/* Looks ahead, skips over tokens that are not read, and finds those of a record again. */
#include "lex.h"

#include <string.h>

m5_lex m5_lex_ahead(const m5_lex *lx, m5_report *silent)
{
    m5_lex ahead = *lx;
    *silent = (m5_report){.source = lx->report->source};
    ahead.report = silent;
    ahead.comment = NULL;
    return ahead;
}

m5_token m5_lex_peek_behind(const m5_lex *lx, m5_token first, unsigned n)
{
    m5_report silent;
    m5_lex ahead = m5_lex_ahead(lx, &silent);
    m5_lex_take(&ahead, first);
    m5_token t = m5_lex_peek(&ahead);
    while (--n > 0) {
        m5_lex_take(&ahead, t);
        t = m5_lex_peek(&ahead);
    }
    return t;
}

static bool ends_line(const m5_lex *lx, m5_token t)
{
    m5_token behind = m5_lex_peek_behind(lx, t, 1);
    return behind.new_line || behind.kind == M5_TOKEN_END;
}

void m5_lex_skip_line(m5_lex *lx)
{
    for (;;) {
        m5_token t = m5_lex_peek(lx);
        if (t.kind == M5_TOKEN_END || t.new_line ||
            (t.kind == M5_TOKEN_CLOSE_BRACE && ends_line(lx, t)))
            return;
        m5_lex_take(lx, t);
    }
}

void m5_lex_skip_record(m5_lex *lx)
{
    m5_lex_skip_line(lx);
    m5_token t = m5_lex_peek(lx);
    while (t.kind == M5_TOKEN_CLOSE_PAREN || m5_lex_begins_like_number(lx, t)) {
        m5_lex_take(lx, t);
        m5_lex_skip_line(lx);
        t = m5_lex_peek(lx);
    }
}

void m5_lex_skip_block(m5_lex *lx)
{
    uint32_t depth = 1;
    while (depth > 0) {
        m5_token t = m5_lex_next(lx);
        if (t.kind == M5_TOKEN_END) {
            m5_lex_expected(lx, t, "'}'");
            return;
        }
        depth += t.kind == M5_TOKEN_OPEN_BRACE;
        depth -= t.kind == M5_TOKEN_CLOSE_BRACE;
    }
}

bool m5_lex_is_sign_alone(const m5_lex *lx, m5_token t)
{
    if (!m5_lex_is(lx, t, "-"))
        return false;
    m5_token digits = m5_lex_peek_behind(lx, t, 1);
    uint8_t c = m5_lex_first_byte(lx, digits);
    return !digits.new_line && (m5_is_digit(c) || c == '.');
}

/* A lone sign and its number are one token, as they are where numbers are read. */
static m5_span next_span(m5_lex *lx)
{
    m5_token t = m5_lex_next(lx);
    if (!m5_lex_is_sign_alone(lx, t))
        return t.span;
    m5_span digits = m5_lex_next(lx).span;
    return (m5_span){t.span.offset, digits.offset + digits.length - t.span.offset};
}

m5_span m5_lex_nth(const m5_source *source, uint32_t offset, uint32_t n)
{
    m5_report silent = {.source = source};
    m5_lex lx;
    m5_lex_init(&lx, &silent, false);
    lx.p = lx.base + offset;
    m5_span span = next_span(&lx);
    while (n-- > 0)
        span = next_span(&lx);
    return span;
}

m5_span m5_lex_word_at(const m5_source *source, uint32_t offset)
{
    enum { LONGEST = 8 };
    uint32_t n = 0;
    while (n < LONGEST && offset + n < source->size && source->bytes[offset + n] >= 'a' &&
           source->bytes[offset + n] <= 'z')
        n++;
    return (m5_span){offset, n};
}

bool m5_lex_begins_like_number(const m5_lex *lx, m5_token t)
{
    uint8_t c = m5_lex_first_byte(lx, t);
    return m5_is_digit(c) || c == '-' || c == '+' || c == '.';
}
