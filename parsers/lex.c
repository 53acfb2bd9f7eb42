#include "lex.h"

#include <stdarg.h>

/* What a gap between two tokens was made of. */
enum { GAP_SKIPPED = 1, GAP_BLANK = 2, GAP_NEW_LINE = 4 };

void m5_lex_init(m5_lex *lx, m5_report *report, bool fast)
{
    const m5_source *s = report->source;
    *lx = (m5_lex){.report = report};
    lx->p = lx->base = lx->last = s->bytes;
    lx->end = s->bytes + s->size;
    lx->safe = fast && s->size > M5_FAST_BYTES ? lx->end - M5_FAST_BYTES : s->bytes;
    lx->gap = GAP_SKIPPED | GAP_NEW_LINE;
}

static m5_span span_of(const m5_lex *lx, const uint8_t *from, const uint8_t *to)
{
    return (m5_span){(uint32_t)(from - lx->base), (uint32_t)(to - from)};
}

static const char *text_at(const m5_lex *lx, m5_span s)
{
    return (const char *)lx->base + s.offset;
}

/* ---- Diagnostics --------------------------------------------------------------------------- */

/* Whether this is the first of its kind on its line: all errors are one kind, and each warning
 * of a parser has a bit of its own as long as their rows stand close together. */
static bool first_on_line(m5_lex *lx, const m5_rule *rule, uint32_t offset)
{
    const uint8_t *at = lx->base + offset;
    bool error = m5_judge(&rule->levels, 0) == M5_ERROR;
    uint64_t bit = error ? 1 : (uint64_t)1 << (1 + rule->number % 63);
    if (lx->line_end == NULL || at > lx->line_end) {
        const uint8_t *lf = memchr(at, '\n', (size_t)(lx->end - at));
        lx->line_end = lf ? lf : lx->end;
        lx->said = 0;
    }
    bool first = (lx->said & bit) == 0;
    lx->said |= bit;
    return first;
}

bool m5_lex_say(m5_lex *lx, const m5_rule *rule, m5_span at, const char *format, ...)
{
    if (!first_on_line(lx, rule, at.offset))
        return false;
    m5_diag d = m5_found(rule, at);
    d.path = lx->path;
    va_list args;
    va_start(args, format);
    m5_emit_list(lx->report, &d, 0, format, args);
    va_end(args);
    return true;
}

static void too_early(m5_lex *lx, const char *what)
{
    if (!lx->ended)
        m5_lex_say(lx, M5_ROW(md5_unexpected_eof), m5_source_end(lx->report->source),
                   "the file ends where %s was expected", what);
    lx->ended = true;
}

void m5_lex_expected(m5_lex *lx, m5_token found, const char *what)
{
    if (found.kind == M5_TOKEN_END)
        too_early(lx, what);
    else if (found.new_line)
        m5_lex_say(lx, M5_ROW(md5_record_syntax), span_of(lx, lx->last, lx->last),
                   "expected %s, found the end of the line", what);
    else
        m5_lex_say(lx, M5_ROW(md5_record_syntax), found.span, "expected %s, found '%.*s'", what,
                   (int)found.span.length, text_at(lx, found.span));
}

bool m5_lex_is_cut(m5_lex *lx, m5_token t)
{
    if (t.kind != M5_TOKEN_WORD || lx->base + t.span.offset + t.span.length != lx->end)
        return false;
    m5_lex_take(lx, t);
    too_early(lx, "the rest of a word");
    return true;
}

/* ---- Gaps: blanks and comments ------------------------------------------------------------- */

static void meet_nul(m5_lex *lx, const uint8_t *p)
{
    if (!lx->said_nul)
        m5_lex_say(lx, M5_ROW(md5_embedded_nul), span_of(lx, p, p + 1),
                   "a NUL byte: most loaders take it for the end of the file");
    lx->said_nul = true;
}

/* A CR that no LF follows; CR CR LF is an odd but harmless line end. */
static bool is_bare_cr(const m5_lex *lx, const uint8_t *p)
{
    while (p < lx->end && *p == '\r')
        p++;
    return p == lx->end || *p != '\n';
}

static void meet_cr(m5_lex *lx, const uint8_t *p)
{
    if (!lx->said_cr)
        m5_lex_say(lx, M5_ROW(md5_line_ending_cr), span_of(lx, p, p + 1),
                   "a line ends with CR alone, expected LF or CR LF");
    lx->said_cr = true;
}

static bool contains(const uint8_t *p, const uint8_t *end, const char *word)
{
    size_t n = strlen(word);
    for (; (size_t)(end - p) >= n; p++) {
        p = memchr(p, word[0], (size_t)(end - p) - n + 1);
        if (p == NULL)
            return false;
        if (memcmp(p, word, n) == 0)
            return true;
    }
    return false;
}

/* Cube 2 looks for these anywhere in a line, comment or not: for the first ones outside of
 * blocks, for `shader` inside a mesh (but not behind "meshes:", which it looks for first). */
static void check_comment(m5_lex *lx, const uint8_t *p, const uint8_t *end)
{
    static const char *const word[] = {"mesh {", "joints {", "hierarchy {", "bounds {",
                                       "baseframe {"};
    const char *found = NULL, *block = lx->path.step[0].name;
    for (size_t i = 0; i < sizeof word / sizeof *word && block == NULL; i++)
        found = contains(p, end, word[i]) ? word[i] : found;
    if (block != NULL && strcmp(block, "mesh") == 0 && contains(p, end, "shader") &&
        !contains(p, end, "meshes:"))
        found = "shader";
    if (found != NULL)
        m5_lex_say(lx, M5_ROW(md5_comment_keyword), span_of(lx, p, end),
                   "a comment contains '%s'", found);
    const uint8_t *nul = memchr(p, 0, (size_t)(end - p));
    if (nul != NULL)
        meet_nul(lx, nul);
}

static const uint8_t *skip_line_comment(m5_lex *lx, const uint8_t *p)
{
    const uint8_t *end = memchr(p, '\n', (size_t)(lx->end - p));
    if (end == NULL)
        end = lx->end;
    const uint8_t *cr = memchr(p, '\r', (size_t)(end - p));
    if (cr != NULL && is_bare_cr(lx, cr) && cr + 1 < lx->end)
        end = cr;
    check_comment(lx, p, end);
    return end;
}

static const uint8_t *skip_block_comment(m5_lex *lx, const uint8_t *start)
{
    const uint8_t *p = start + 2;
    m5_lex_say(lx, M5_ROW(md5_comment_block), span_of(lx, start, p),
               "a /* */ comment: the format only has // comments");
    for (; lx->end - p >= 2; p++) {
        if (*p == '\n')
            lx->gap |= GAP_NEW_LINE;
        if (p[0] == '*' && p[1] == '/')
            return p + 2;
    }
    m5_lex_say(lx, M5_ROW(md5_comment_unterminated), span_of(lx, start, start + 2),
               "this comment is never closed, so the rest of the file is part of it");
    lx->ended = true;
    return lx->end;
}

static bool at_comment(const m5_lex *lx, const uint8_t *p, char second)
{
    return lx->end - p >= 2 && p[0] == '/' && p[1] == (uint8_t)second;
}

static const uint8_t *skip_comment(m5_lex *lx, const uint8_t *p)
{
    const uint8_t *end = p[1] == '/' ? skip_line_comment(lx, p) : skip_block_comment(lx, p);
    if (lx->comment != NULL)
        lx->comment(lx->comment_user, span_of(lx, p, end));
    return end;
}

/* Moves to the next token, adding up in `gap` what was passed. */
static void skip_gap(m5_lex *lx)
{
    if (lx->gap == 0)
        lx->last = lx->p;
    lx->gap |= GAP_SKIPPED;
    const uint8_t *p = lx->p;
    while (p < lx->end) {
        if (at_comment(lx, p, '/') || at_comment(lx, p, '*')) {
            p = skip_comment(lx, p);
        } else if (*p <= ' ') {
            bool cr = *p == '\r' && is_bare_cr(lx, p);
            if (cr)
                meet_cr(lx, p);
            if (*p == '\0')
                meet_nul(lx, p);
            lx->gap |= *p == '\n' || cr ? GAP_NEW_LINE : 0;
            p++;
        } else {
            break;
        }
        lx->gap |= GAP_BLANK;
    }
    lx->p = p;
}

/* ---- Tokens -------------------------------------------------------------------------------- */

static bool ends_word(const m5_lex *lx, const uint8_t *p)
{
    return *p <= ' ' || *p == '(' || *p == ')' || *p == '{' || *p == '}' || *p == '"' ||
           at_comment(lx, p, '/') || at_comment(lx, p, '*');
}

static const uint8_t *end_of_word(const m5_lex *lx, const uint8_t *p)
{
    while (p < lx->end && !ends_word(lx, p))
        p++;
    return p;
}

/* The quote that ends a string whose line ends first: on the next line, if that line has an odd
 * number of them. Otherwise the quote was forgotten, and NULL is returned. */
static const uint8_t *closing_quote_below(const m5_lex *lx, const uint8_t *lf)
{
    const uint8_t *first = NULL;
    unsigned quotes = 0;
    for (const uint8_t *p = lf + 1; p < lx->end && *p != '\n'; p++) {
        if (*p != '"')
            continue;
        first = first ? first : p;
        quotes++;
    }
    return quotes % 2 ? first : NULL;
}

/* A string runs to the next quote on its line. One that is not closed there ends with the line,
 * or with the next line's odd quote. */
static const uint8_t *end_of_string(const m5_lex *lx, const uint8_t *p)
{
    const uint8_t *q = p + 1;
    while (q < lx->end && *q != '"' && *q != '\n')
        q++;
    if (q < lx->end && *q == '"')
        return q + 1;
    const uint8_t *below = q < lx->end ? closing_quote_below(lx, q) : NULL;
    if (below != NULL)
        return below + 1;
    while (q > p + 1 && q[-1] == '\r')
        q--;
    return q;
}

m5_token m5_lex_peek(m5_lex *lx)
{
    skip_gap(lx);
    const uint8_t *p = lx->p;
    m5_token t = {.new_line = (lx->gap & GAP_NEW_LINE) != 0, .span = span_of(lx, p, p)};
    if (p == lx->end)
        return t;
    t.span.length = 1;
    switch (*p) {
    case '(': t.kind = M5_TOKEN_OPEN_PAREN; break;
    case ')': t.kind = M5_TOKEN_CLOSE_PAREN; break;
    case '{': t.kind = M5_TOKEN_OPEN_BRACE; break;
    case '}': t.kind = M5_TOKEN_CLOSE_BRACE; break;
    case '"':
        t.kind = M5_TOKEN_STRING;
        t.span = span_of(lx, p, end_of_string(lx, p));
        break;
    default:
        t.kind = M5_TOKEN_WORD;
        t.span = span_of(lx, p, end_of_word(lx, p));
    }
    return t;
}

void m5_lex_take(m5_lex *lx, m5_token t)
{
    lx->p = lx->base + t.span.offset + t.span.length;
    lx->gap = 0;
}

m5_token m5_lex_next(m5_lex *lx)
{
    m5_token t = m5_lex_peek(lx);
    m5_lex_take(lx, t);
    return t;
}

m5_token m5_lex_peek_second(const m5_lex *lx, m5_token first)
{
    m5_report silent = {.source = lx->report->source};
    m5_lex ahead = *lx;
    ahead.report = &silent;
    m5_lex_take(&ahead, first);
    return m5_lex_peek(&ahead);
}

bool m5_lex_is(const m5_lex *lx, m5_token t, const char *word)
{
    return t.kind == M5_TOKEN_WORD && t.span.length == strlen(word) &&
           memcmp(text_at(lx, t.span), word, t.span.length) == 0;
}

/* ---- The grammar's small parts ------------------------------------------------------------- */

static void warn_layout(m5_lex *lx, m5_token t)
{
    if (t.new_line)
        m5_lex_say(lx, M5_ROW(md5_record_multiline), t.span,
                   "a record goes on on a second line");
}

void m5_lex_begin(m5_lex *lx, m5_token first)
{
    if (!first.new_line)
        m5_lex_say(lx, M5_ROW(md5_record_shared_line), first.span,
                   "'%.*s' begins on a line that holds something else already",
                   (int)first.span.length, text_at(lx, first.span));
    lx->gap &= ~(unsigned)GAP_NEW_LINE; /* the break before a record is none within it */
}

static bool begins_like_number(const m5_lex *lx, m5_token t)
{
    uint8_t c = t.span.length > 0 ? lx->base[t.span.offset] : 0;
    return t.kind == M5_TOKEN_WORD && (m5_is_digit(c) || c == '-' || c == '+' || c == '.');
}

m5_token m5_lex_peek_record(m5_lex *lx)
{
    m5_token t = m5_lex_peek(lx);
    if (t.new_line || !(t.kind == M5_TOKEN_CLOSE_PAREN || begins_like_number(lx, t)))
        return t;
    m5_lex_say(lx, M5_ROW(md5_record_syntax), t.span, "expected the end of the line, found '%.*s'",
               (int)t.span.length, text_at(lx, t.span));
    m5_lex_skip_line(lx);
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
    bool before = (lx->gap & GAP_BLANK) != 0;
    bool behind = p + 1 == lx->end || p[1] <= ' ' || at_comment(lx, p + 1, '/');
    if (!before || !behind)
        m5_lex_say(lx, M5_ROW(md5_paren_spacing), t.span, "no blank %s '%c'",
                   before ? "behind" : "before", *p);
}

bool m5_lex_paren_slow(m5_lex *lx, char paren)
{
    m5_token t = m5_lex_peek(lx);
    bool open = paren == '(';
    if (t.kind != (open ? M5_TOKEN_OPEN_PAREN : M5_TOKEN_CLOSE_PAREN)) {
        m5_lex_expected(lx, t, open ? "'('" : "')'");
        return false;
    }
    warn_layout(lx, t);
    warn_tight_paren(lx, t);
    m5_lex_take(lx, t);
    return true;
}

bool m5_lex_open_brace(m5_lex *lx)
{
    m5_token t = m5_lex_peek(lx);
    if (t.kind != M5_TOKEN_OPEN_BRACE) {
        m5_lex_expected(lx, t, "'{'");
        return false;
    }
    if (t.new_line)
        m5_lex_say(lx, M5_ROW(md5_brace_newline), t.span, "'{' is not on its keyword's line");
    m5_lex_take(lx, t);
    return true;
}

void m5_lex_close_brace(m5_lex *lx, m5_token t)
{
    const uint8_t *p = lx->base + t.span.offset;
    if (p > lx->base && p[-1] != '\n' && p[-1] != '\r')
        m5_lex_say(lx, M5_ROW(md5_brace_close_column), t.span, "'}' is %s",
                   t.new_line ? "indented" : "not on a line of its own");
    m5_lex_take(lx, t);
}

/* The first and last byte of a string's inside tell how it ended. */
static bool string_inside(m5_lex *lx, m5_token t, m5_name *out)
{
    const char *s = text_at(lx, t.span);
    bool closed = t.span.length >= 2 && s[t.span.length - 1] == '"';
    *out = (m5_name){t.span.offset + 1, t.span.length - (closed ? 2 : 1)};
    if (!closed) {
        m5_lex_say(lx, M5_ROW(md5_string_unterminated), t.span, "no closing quote on this line");
        return false;
    }
    const uint8_t *inside = lx->base + out->offset;
    const uint8_t *nul = memchr(inside, 0, out->length);
    if (nul != NULL)
        meet_nul(lx, nul);
    if (memchr(inside, '\n', out->length) != NULL)
        m5_lex_say(lx, M5_ROW(md5_string_multiline), t.span, "a string goes over two lines");
    else if (out->length > 0 && inside[out->length - 1] == '\\')
        m5_lex_say(lx, M5_ROW(md5_string_backslash_quote), t.span,
                   "a string ends in a backslash, which some loaders read as an escaped quote");
    return true;
}

bool m5_lex_name(m5_lex *lx, m5_name *out)
{
    m5_token t = m5_lex_peek(lx);
    *out = t.span;
    if (t.kind == M5_TOKEN_STRING) {
        warn_layout(lx, t);
        m5_lex_take(lx, t);
        return string_inside(lx, t, out);
    }
    if (t.kind != M5_TOKEN_WORD || t.new_line) {
        m5_lex_expected(lx, t, "a quoted string");
        return false;
    }
    const uint8_t *end = lx->base + t.span.offset + t.span.length;
    if (end < lx->end && *end == '"') {
        m5_lex_say(lx, M5_ROW(md5_string_unterminated), t.span, "no opening quote before '%.*s'",
                   (int)t.span.length, text_at(lx, t.span));
        return false;
    }
    m5_lex_say(lx, M5_ROW(md5_name_unquoted), t.span, "'%.*s' is not quoted",
               (int)t.span.length, text_at(lx, t.span));
    m5_lex_take(lx, t);
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
    case M5_NUMBER_OVERFLOW:
        return integer ? M5_ROW(md5_int_overflow) : M5_ROW(md5_float_overflow);
    case M5_NUMBER_HEX: return M5_ROW(md5_int_hex);
    case M5_NUMBER_COMMA: return M5_ROW(md5_float_comma);
    case M5_NUMBER_NOT_FINITE: return M5_ROW(md5_float_non_finite);
    case M5_NUMBER_SYNTAX: break;
    }
    return M5_ROW(md5_number_syntax);
}

static const char *wording(m5_number_flaw flaw, bool integer)
{
    switch (flaw) {
    case M5_NUMBER_PLUS_SIGN: return "a number with a plus sign";
    case M5_NUMBER_UPPER_EXPONENT: return "an exponent written with a capital E";
    case M5_NUMBER_LEADING_ZERO: return "a leading zero, which some loaders read as octal";
    case M5_NUMBER_IS_FLOAT: return "expected a whole number";
    case M5_NUMBER_EXPONENT_HUGE: return "the exponent is beyond 38";
    case M5_NUMBER_OVERFLOW:
        return integer ? "beyond the range of a 32-bit integer" : "beyond the range of a float";
    case M5_NUMBER_HEX: return "expected a decimal number";
    case M5_NUMBER_COMMA: return "expected a decimal point, found a comma";
    case M5_NUMBER_NOT_FINITE: return "expected a finite number";
    default: return integer ? "expected a whole number" : "expected a number";
    }
}

/* Reports what is wrong with a number; returns whether its value may be used. */
static bool judge_number(m5_lex *lx, m5_token t, m5_number_flaw flaw, bool integer)
{
    const m5_rule *rule = rule_of(flaw, integer);
    bool cut = flaw == M5_NUMBER_SYNTAX && m5_lex_is_cut(lx, t);
    if (rule != NULL && !cut)
        m5_lex_say(lx, rule, t.span, "'%.*s': %s", (int)t.span.length, text_at(lx, t.span),
                   wording(flaw, integer));
    return flaw <= M5_NUMBER_IS_FLOAT;
}

/* `- 5`: a lone sign in front of a digit. Takes the sign and makes the digits the token. */
static bool join_sign(m5_lex *lx, m5_token *t)
{
    if (!m5_lex_is(lx, *t, "-"))
        return false;
    m5_token digits = m5_lex_peek_second(lx, *t);
    uint8_t c = digits.span.length > 0 ? lx->base[digits.span.offset] : 0;
    if (digits.new_line || digits.kind != M5_TOKEN_WORD || !(m5_is_digit(c) || c == '.'))
        return false;
    m5_lex_say(lx, M5_ROW(md5_float_sign_space), t->span,
               "a blank stands between the minus sign and its number");
    m5_lex_take(lx, *t);
    *t = m5_lex_peek(lx);
    return true;
}

static bool next_number(m5_lex *lx, m5_token *t, bool *negate)
{
    *t = m5_lex_peek(lx);
    if (t->kind != M5_TOKEN_WORD || (t->new_line && !begins_like_number(lx, *t))) {
        m5_lex_expected(lx, *t, "a number");
        return false;
    }
    warn_layout(lx, *t);
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
    *out = negate && *out != INT32_MIN ? -*out : *out;
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

/* Three small letters, and no spelling of nan or inf: perhaps a keyword after a missing brace. */
static bool begins_like_keyword(const m5_lex *lx, m5_token t)
{
    const char *s = text_at(lx, t.span);
    for (int i = 0; i < 3; i++)
        if (t.span.length < 3 || s[i] < 'a' || s[i] > 'z')
            return false;
    return memcmp(s, "nan", 3) != 0 && memcmp(s, "inf", 3) != 0;
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

/* ---- Skipping ------------------------------------------------------------------------------ */

void m5_lex_skip_line(m5_lex *lx)
{
    for (;;) {
        m5_token t = m5_lex_peek(lx);
        if (t.kind == M5_TOKEN_END || t.kind == M5_TOKEN_CLOSE_BRACE || t.new_line)
            return;
        m5_lex_take(lx, t);
    }
}

void m5_lex_skip_block(m5_lex *lx)
{
    uint32_t depth = 1;
    while (depth > 0) {
        m5_token t = m5_lex_next(lx);
        if (t.kind == M5_TOKEN_END) {
            too_early(lx, "'}'");
            return;
        }
        depth += t.kind == M5_TOKEN_OPEN_BRACE;
        depth -= t.kind == M5_TOKEN_CLOSE_BRACE;
    }
}

m5_span m5_lex_nth(const m5_source *source, uint32_t offset, uint32_t n)
{
    m5_report silent = {.source = source};
    m5_lex lx;
    m5_lex_init(&lx, &silent, false);
    lx.p = lx.base + offset;
    m5_token t = m5_lex_next(&lx);
    while (n-- > 0)
        t = m5_lex_next(&lx);
    return t.span;
}
