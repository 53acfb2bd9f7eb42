/* The slow readers of lex.h: punctuation, names and numbers, and the messages about them. */
#include "lex.h"

#include <math.h>

/* ---- The grammar's small parts ------------------------------------------------------------- */

void m5_lex_warn_layout(m5_lex *lx, m5_token t)
{
    if (t.new_line && lx->record_said != lx->record)
        m5_lex_say(lx, M5_ROW(md5_record_multiline), t.span,
                   "the previous record continues on this line, expected one line for each record");
    if (t.new_line)
        lx->record_said = lx->record;
}

void m5_lex_begin(m5_lex *lx, m5_token first)
{
    if (!first.new_line)
        m5_lex_say(lx, M5_ROW(md5_record_shared_line), first.span,
                   "'%.*s' begins in the middle of a line, expected a new line",
                   (int)first.span.length, m5_lex_text(lx, first.span));
    lx->record = lx->base + first.span.offset;
    lx->gap &= ~(unsigned)M5_GAP_NEW_LINE; /* the line break before a record is not within it */
}

static bool ends_record(const m5_lex *lx, m5_token t)
{
    return t.new_line || !(t.kind == M5_TOKEN_CLOSE_PAREN || m5_lex_begins_like_number(lx, t));
}

static void skip_odd_end(m5_lex *lx, m5_token t)
{
    m5_lex_say(lx, M5_ROW(md5_record_syntax), t.span, "expected the end of the line, found '%.*s'",
               (int)t.span.length, m5_lex_text(lx, t.span));
    m5_lex_skip_line(lx);
}

bool m5_lex_end_record(m5_lex *lx)
{
    m5_token t = m5_lex_peek(lx);
    bool ends = ends_record(lx, t);
    if (!ends)
        skip_odd_end(lx, t);
    return ends;
}

m5_token m5_lex_peek_record(m5_lex *lx)
{
    m5_token t = m5_lex_peek(lx);
    if (ends_record(lx, t))
        return t;
    skip_odd_end(lx, t);
    return m5_lex_peek(lx);
}

bool m5_lex_record_slow(m5_lex *lx, const char *keyword)
{
    m5_token t = m5_lex_peek_record(lx);
    if (!m5_lex_is(lx, t, keyword))
        return false;
    m5_lex_begin(lx, t);
    m5_lex_take(lx, t);
    return true;
}

static void warn_tight_paren(m5_lex *lx, m5_token t)
{
    const uint8_t *p = lx->base + t.span.offset;
    bool before = (lx->gap & M5_GAP_BLANK) != 0;
    bool behind = p + 1 == lx->end || p[1] <= ' ' || p[1] == ';' ||
                  p[1] >= 0x80 || /* that is reported as an error */
                  m5_lex_at_comment(lx, p + 1, '/');
    if (!lx->camera && (!before || !behind))
        m5_lex_say(lx, M5_ROW(md5_paren_spacing), t.span, "no space %s '%c'",
                   before ? "after" : "before", *p);
}

/* Whether a brace was written instead of a parenthesis: it does not end the block, since something
 * follows on its line, or the closing brace of the block comes below. */
static bool is_meant(const m5_lex *lx, m5_token t, bool open)
{
    m5_token_kind brace = open ? M5_TOKEN_OPEN_BRACE : M5_TOKEN_CLOSE_BRACE;
    if (t.kind != brace || t.new_line)
        return false;
    m5_token behind = m5_lex_peek_behind(lx, t, 1);
    return !behind.new_line || behind.kind == M5_TOKEN_CLOSE_BRACE;
}

bool m5_lex_paren_slow(m5_lex *lx, char paren)
{
    m5_token t = m5_lex_peek(lx);
    bool open = paren == '(';
    if (t.kind != (open ? M5_TOKEN_OPEN_PAREN : M5_TOKEN_CLOSE_PAREN)) {
        m5_lex_expected(lx, t, open ? "'('" : "')'");
        if (!is_meant(lx, t, open))
            return false;
        m5_lex_take(lx, t);
        return true;
    }
    m5_lex_warn_layout(lx, t);
    warn_tight_paren(lx, t);
    m5_lex_take(lx, t);
    return true;
}

/* Moves to an opening brace on this line, or at the start of the next. If there is none, what is
 * here belongs after the missing brace. */
static bool find_brace(m5_lex *lx)
{
    enum { MOST = 16 }; /* tokens that may come before it */
    m5_report silent;
    m5_lex ahead = m5_lex_ahead(lx, &silent);
    m5_token t = m5_lex_peek(&ahead);
    unsigned before = 0;
    for (; before < MOST && !t.new_line && t.kind != M5_TOKEN_OPEN_BRACE &&
           t.kind != M5_TOKEN_CLOSE_BRACE;
         before++) {
        m5_lex_take(&ahead, t);
        t = m5_lex_peek(&ahead);
    }
    bool found = t.kind == M5_TOKEN_OPEN_BRACE;
    for (; found && before > 0; before--)
        m5_lex_next(lx);
    return found;
}

bool m5_lex_open_brace(m5_lex *lx)
{
    m5_token t = m5_lex_peek(lx);
    if (t.kind != M5_TOKEN_OPEN_BRACE) {
        m5_lex_expected(lx, t, "'{'");
        if (t.kind == M5_TOKEN_CLOSE_BRACE && !t.new_line &&
            m5_lex_peek_behind(lx, t, 1).new_line) { /* written instead of it */
            m5_lex_take(lx, t);
            return true;
        }
        if (!find_brace(lx))
            return !lx->ended;
        t = m5_lex_peek(lx);
    }
    if (t.new_line)
        m5_lex_say(lx, M5_ROW(md5_brace_newline), t.span, "'{' is not on the line of its keyword");
    m5_lex_take(lx, t);
    return true;
}

void m5_lex_close_brace(m5_lex *lx, m5_token t)
{
    const uint8_t *p = lx->base + t.span.offset;
    bool harmless = lx->camera && t.new_line; /* an indented brace, to loaders of cameras */
    if (p > lx->base && /* no file begins with a brace that closes. LCOV_EXCL_BR_LINE */
        p[-1] != '\n' && p[-1] != '\r' && !harmless)
        m5_lex_say(lx, M5_ROW(md5_brace_close_column), t.span, "'}' is %s",
                   t.new_line ? "indented, expected at the start of the line"
                              : "not on a line of its own");
    m5_lex_take(lx, t);
}

/* Whether a string goes on right after its last quote, up to another one in the line. Then what
 * comes after it is reported. */
static bool goes_on(const m5_lex *lx)
{
    const uint8_t *p = lx->p;
    if (p == lx->end || *p <= ' ' || memchr("/(){}", *p, 5) != NULL)
        return false;
    while (p < lx->end && *p != '\n' && *p != '"')
        p++;
    return p < lx->end && *p == '"';
}

/* The first and last byte inside a string show how it ended. */
static bool string_inside(m5_lex *lx, m5_token t, m5_name *out)
{
    const char *s = m5_lex_text(lx, t.span);
    bool closed = t.span.length >= 2 && s[t.span.length - 1] == '"';
    *out = (m5_name){t.span.offset + 1, t.span.length - (closed ? 2 : 1)};
    if (!closed) {
        m5_lex_say(lx, M5_ROW(md5_string_unterminated), t.span,
                   "the string has no closing quote on this line");
        return false;
    }
    const uint8_t *inside = lx->base + out->offset;
    if (memchr(inside, '\n', out->length) != NULL)
        m5_lex_say(lx, M5_ROW(md5_string_multiline), t.span,
                   "the string has no closing quote on its line and continues on the next");
    else if (out->length > 0 && inside[out->length - 1] == '\\' && !lx->camera && !goes_on(lx))
        m5_lex_say(
            lx, M5_ROW(md5_string_backslash_quote), t.span,
            "the string ends with a backslash: some loaders read \\\" as a quote inside the string");
    return true;
}

/* How many of these bytes, one or more, are such a mark; 0: it is none. */
static uint32_t odd_quote(const char *p, uint32_t length)
{
    bool typographic = length >= 3 && memcmp(p, "\xe2\x80", 2) == 0 &&
                       ((uint8_t)p[2] & 0xf8) == 0x98;
    return typographic ? 3 : *p == '\'';
}

m5_span m5_lex_inside_quotes(const char *text, m5_span at)
{
    uint32_t first = odd_quote(text, at.length), last = 0;
    for (uint32_t n = 1; n <= 3 && first + n < at.length; n += 2)
        last = odd_quote(text + at.length - n, n) == n ? n : last;
    return first != 0 && last != 0 ? (m5_span){at.offset + first, at.length - first - last} : at;
}

bool m5_lex_name(m5_lex *lx, m5_name *out)
{
    m5_token t = m5_lex_peek(lx);
    *out = t.span;
    if (t.kind == M5_TOKEN_STRING) {
        m5_lex_warn_layout(lx, t);
        m5_lex_take(lx, t);
        return string_inside(lx, t, out);
    }
    if (t.kind != M5_TOKEN_WORD || t.new_line || m5_lex_begins_like_number(lx, t) ||
        m5_lex_is_cut(lx, t)) {
        m5_lex_expected(lx, t, "a quoted string");
        return false;
    }
    const char *text = m5_lex_text(lx, t.span);
    const uint8_t *end = lx->base + t.span.offset + t.span.length;
    m5_token behind = m5_lex_peek_behind(lx, t, 1);
    if (behind.kind == M5_TOKEN_STRING && !behind.new_line && *end != '"') {
        m5_lex_expected(lx, t, "a quoted string");
        return false;
    }
    if (*end == '"') { /* the file does not end with the word: that would be cut */
        m5_lex_say(lx, M5_ROW(md5_string_unterminated), t.span, "no opening quote before '%.*s'",
                   (int)t.span.length, m5_lex_text(lx, t.span));
        return false;
    }
    bool odd = odd_quote(text, t.span.length) != 0;
    m5_lex_say(lx, M5_ROW(md5_name_unquoted), t.span, "'%.*s' is not quoted%s", (int)t.span.length,
               m5_lex_text(lx, t.span), odd ? " with plain \"" : "");
    m5_lex_take(lx, t);
    *out = m5_lex_inside_quotes(text, t.span);
    return true;
}

/* ---- Numbers ------------------------------------------------------------------------------- */

static const m5_rule *rule_of(m5_number_flaw flaw, bool integer)
{
    switch (flaw) {
    case M5_NUMBER_FINE: return NULL;
    case M5_NUMBER_PLUS_SIGN: return M5_ROW(md5_float_plus_sign);
    case M5_NUMBER_UPPER_EXPONENT: return M5_ROW(md5_float_exponent_upper);
    case M5_NUMBER_LEADING_ZERO: return M5_ROW(md5_int_leading_zero);
    case M5_NUMBER_IS_FLOAT: return M5_ROW(md5_number_float_for_int);
    case M5_NUMBER_EXPONENT_HUGE: return M5_ROW(md5_float_exponent_huge);
    case M5_NUMBER_OVERFLOW: return integer ? M5_ROW(md5_int_overflow) : M5_ROW(md5_float_overflow);
    case M5_NUMBER_HEX: return M5_ROW(md5_int_hex);
    case M5_NUMBER_COMMA: return M5_ROW(md5_float_comma);
    case M5_NUMBER_NOT_FINITE: return M5_ROW(md5_float_non_finite);
    default: return M5_ROW(md5_number_syntax);
    }
}

/* Whether a comma is between two numbers and not within one. */
static bool is_separator(const uint8_t *text, uint32_t length)
{
    return memchr(text, '.', length) != NULL || text[length - 1] == ',';
}

static const char *wording(m5_number_flaw flaw, bool integer, const uint8_t *text, uint32_t length)
{
    switch (flaw) {
    case M5_NUMBER_PLUS_SIGN: return "has a plus sign";
    case M5_NUMBER_UPPER_EXPONENT: return "has an exponent with a capital E";
    case M5_NUMBER_LEADING_ZERO:
        return integer ? "has a leading zero: some loaders read it as octal"
                       : "has a leading zero: Doom 3 reads it as octal, or as two numbers";
    case M5_NUMBER_IS_FLOAT: return "is not an integer";
    case M5_NUMBER_EXPONENT_HUGE: return "has an exponent above 38 or below -324";
    case M5_NUMBER_OVERFLOW:
        return integer ? "is outside the range of a 32-bit integer"
                       : "is outside the range of a float";
    case M5_NUMBER_HEX: return "is not a decimal number";
    case M5_NUMBER_COMMA:
        if (is_separator(text, length))
            return "has a comma, expected a space between numbers";
        return integer ? "has a comma, expected an integer"
                       : "has a comma, expected a decimal point";
    case M5_NUMBER_NOT_FINITE: return "is not a finite number";
    default: return integer ? "is not an integer" : "is not a number";
    }
}

bool m5_lex_may_be_fraction(const uint8_t *text, uint32_t length)
{
    bool whole = true, zero = true;
    for (uint32_t i = text[0] == '-'; i < length; i++) {
        whole &= m5_is_digit(text[i]);
        zero &= text[i] == '0';
    }
    return whole && !zero;
}

/* Reports what is wrong with a number; returns whether its value may be used. A fraction in the
 * place of an index is probably the number of another column. */
static bool judge_number(m5_lex *lx, m5_token t, m5_number_flaw flaw, bool integer)
{
    const m5_rule *rule = rule_of(flaw, integer);
    const uint8_t *text = lx->base + t.span.offset;
    bool cut = flaw == M5_NUMBER_SYNTAX && m5_lex_is_cut(lx, t);
    int32_t value = 0;
    if (flaw == M5_NUMBER_IS_FLOAT)
        m5_read_int(text, t.span.length, &value);
    if (lx->may_cut && value > 0)
        m5_lex_say_as(lx, rule, M5_MILD, t.span,
                      "'%.*s' is not an integer: some loaders cut it to %d", (int)t.span.length,
                      (const char *)text, value);
    else if (rule != NULL && !cut)
        m5_lex_say_as(lx, rule, M5_GRAVE, t.span, "'%.*s' %s", (int)t.span.length,
                      (const char *)text, wording(flaw, integer, text, t.span.length));
    if (flaw == M5_NUMBER_LEADING_ZERO && !integer)
        return !m5_lex_may_be_fraction(text, t.span.length);
    return flaw < M5_NUMBER_IS_FLOAT;
}

/* `- 5`: a lone sign before a digit. Takes the sign and makes the digits the token. */
static bool join_sign(m5_lex *lx, m5_token *t)
{
    if (!m5_lex_is_sign_alone(lx, *t))
        return false;
    m5_lex_say(lx, M5_ROW(md5_float_sign_space), t->span,
               "a space separates the minus sign from its number");
    m5_lex_take(lx, *t);
    *t = m5_lex_peek(lx);
    return true;
}

static bool next_number(m5_lex *lx, m5_token *t, bool *negate)
{
    *t = m5_lex_peek(lx);
    if (t->kind != M5_TOKEN_WORD || (t->new_line && !m5_lex_begins_like_number(lx, *t))) {
        m5_lex_expected(lx, *t, "a number");
        return false;
    }
    m5_lex_warn_layout(lx, *t);
    *negate = join_sign(lx, t);
    m5_lex_take(lx, *t);
    return true;
}

bool m5_lex_int_slow(m5_lex *lx, int32_t *out)
{
    m5_token t;
    bool negate;
    if (!next_number(lx, &t, &negate))
        return false;
    m5_number_flaw flaw = m5_read_int(lx->base + t.span.offset, t.span.length, out);
    if (!judge_number(lx, t, flaw, true))
        return false;
    *out = negate ? -*out : *out; /* digits follow a lone sign, so it was positive */
    return true;
}

static bool read_float(m5_lex *lx, m5_token t, bool negate, float *out)
{
    m5_number_flaw flaw = m5_read_float(lx->base + t.span.offset, t.span.length, out);
    if (!judge_number(lx, t, flaw, false))
        return false;
    *out = negate ? -*out : *out;
    return true;
}

bool m5_lex_float_slow(m5_lex *lx, float *out)
{
    m5_token t;
    bool negate;
    return next_number(lx, &t, &negate) && read_float(lx, t, negate, out);
}

/* Whether a word begins with a letter and is not a spelling of nan or inf: perhaps it is a keyword
 * after a missing brace. */
static bool begins_like_keyword(const m5_lex *lx, m5_token t)
{
    const uint8_t *s = lx->base + t.span.offset;
    float value;
    uint8_t c = s[0] | 0x20;
    return t.span.length >= 3 && c >= 'a' && c <= 'z' &&
           m5_read_float(s, t.span.length, &value) != M5_NUMBER_NOT_FINITE;
}

bool m5_lex_value_slow(m5_lex *lx, float *out)
{
    m5_token t = m5_lex_peek(lx);
    if (t.kind != M5_TOKEN_WORD || (t.new_line && begins_like_keyword(lx, t)))
        return false;
    bool negate = join_sign(lx, &t);
    m5_lex_take(lx, t);
    if (!read_float(lx, t, negate, out))
        *out = (float)NAN;
    return true;
}
