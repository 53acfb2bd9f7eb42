/* Splits MD5 text into tokens; reports what is wrong with comments, strings and line endings. */
#include "lex.h"
#include "../core/emit.h"
#include "../core/ends.h"

#include <stdarg.h>

void m5_lex_init(m5_lex *lx, m5_report *report, bool fast)
{
    const m5_source *s = report->source;
    *lx = (m5_lex){.report = report};
    lx->p = lx->base = lx->last = s->bytes;
    lx->end = s->bytes + s->size;
    lx->safe = fast && s->size > M5_FAST_BYTES ? lx->end - M5_FAST_BYTES : s->bytes;
    lx->record = lx->line = lx->p;
    lx->gap = M5_GAP_SKIPPED | M5_GAP_NEW_LINE;
}

static m5_span span_of(const m5_lex *lx, const uint8_t *from, const uint8_t *to)
{
    return (m5_span){(uint32_t)(from - lx->base), (uint32_t)(to - from)};
}

/* ---- Diagnostics --------------------------------------------------------------------------- */

/* Whether this is the first finding of its kind on its line, with no error before it. All errors
 * are one kind, and each warning is a kind of its own. A finding that is silent hides no other. */
static bool first_on_line(m5_lex *lx, const m5_rule *rule, uint32_t offset)
{
    const uint8_t *at = lx->base + offset;
    uint64_t *said = &lx->said[rule->number / 64], bit = (uint64_t)1 << rule->number % 64;
    if (lx->line_end == NULL || at > lx->line_end) {
        const uint8_t *lf = memchr(at, '\n', (size_t)(lx->end - at));
        lx->line_end = lf ? lf : lx->end;
        lx->said_error = false;
        memset(lx->said, 0, sizeof lx->said);
    }
    bool first = !lx->said_error && (*said & bit) == 0;
    if (m5_would_say(lx->report, rule, 0) != M5_SILENT) {
        lx->said_error |= m5_judge(&rule->levels, 0) == M5_ERROR;
        *said |= bit;
    }
    return first;
}

void m5_lex_say(m5_lex *lx, const m5_rule *rule, m5_span at, const char *format, ...)
{
    if (lx->ended || !first_on_line(lx, rule, at.offset))
        return;
    m5_diag d = m5_found(rule, at);
    d.path = lx->path;
    va_list args;
    va_start(args, format);
    m5_emit_list(lx->report, &d, 0, format, args);
    va_end(args);
}

static void too_early(m5_lex *lx, const char *what)
{
    if (!lx->ended)
        m5_lex_say(lx, M5_ROW(md5_unexpected_eof), m5_source_end(lx->report->source),
                   "the file ends where %s was expected", what);
    lx->ended = true;
}

static bool ends_file(const m5_lex *lx, m5_token t)
{
    return t.kind == M5_TOKEN_END ||
           (t.kind == M5_TOKEN_WORD && lx->base + t.span.offset + t.span.length == lx->end);
}

static bool is_open_string(const m5_lex *lx, m5_token t)
{
    return t.kind == M5_TOKEN_STRING &&
           (t.span.length < 2 || m5_lex_text(lx, t.span)[t.span.length - 1] != '"');
}

void m5_lex_expected(m5_lex *lx, m5_token found, const char *what)
{
    if (ends_file(lx, found))
        too_early(lx, what);
    else if (is_open_string(lx, found) && !found.new_line)
        m5_lex_say(lx, M5_ROW(md5_string_unterminated), found.span,
                   "the string has no closing quote on this line");
    else if (found.new_line)
        m5_lex_say(lx, M5_ROW(md5_record_syntax), span_of(lx, lx->last, lx->last),
                   "expected %s, found the end of the line", what);
    else
        m5_lex_say(lx, M5_ROW(md5_record_syntax), found.span, "expected %s, found '%.*s'", what,
                   (int)found.span.length, m5_lex_text(lx, found.span));
}

bool m5_lex_is_cut(m5_lex *lx, m5_token t)
{
    if (!ends_file(lx, t))
        return false;
    m5_lex_take(lx, t);
    too_early(lx, "the rest of the word");
    return true;
}

/* ---- Gaps: white space and comments -------------------------------------------------------- */

/* Reported once for each file, whatever else was reported on the line. */
static void say_once(m5_lex *lx, bool *said, const m5_rule *rule, const uint8_t *p,
                     const char *message)
{
    m5_diag d = m5_found(rule, span_of(lx, p, p + 1));
    if (!*said)
        m5_emit(lx->report, &d, 0, "%s", message);
    *said = true;
}

/* The file ends here, as it does for every loader in C. If more than white space follows, or only
 * NUL bytes follow, nothing else is reported about the end. */
static void meet_nul(m5_lex *lx, const uint8_t *p)
{
    bool zeros = m5_source_ends_in_zeros(lx->report->source, (uint32_t)(p - lx->base));
    say_once(lx, &lx->said_nul, M5_ROW(md5_embedded_nul), p,
             zeros ? "the file has only NUL bytes from here to its end"
                   : "a NUL byte (byte 0): most loaders treat it as the end of the file");
    const uint8_t *rest = p;
    while (rest < lx->end && *rest <= ' ')
        rest++;
    lx->ended |= rest < lx->end || zeros;
    lx->end = p;
    lx->safe = lx->base;
}

/* The end of a run of CRs, and whether no LF follows it. CR CR LF is an odd but harmless line
 * ending, and so is CR at the end of the file. */
static const uint8_t *end_of_crs(const m5_lex *lx, const uint8_t *p, bool *bare)
{
    while (p < lx->end && *p == '\r')
        p++;
    *bare = p < lx->end && *p != '\n' && *p != '\0';
    return p;
}

static void meet_cr(m5_lex *lx, const uint8_t *p)
{
    say_once(lx, &lx->said_cr, M5_ROW(md5_line_ending_cr), p,
             "a line ends with CR only, expected LF or CR LF");
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

/* Cube 2 looks for these anywhere in a line, comment or not: for the words of the table outside of
 * blocks, for `shader` inside a mesh (but not after "meshes:", which it looks for first). */
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
                   "a comment contains '%s', which some loaders read as a keyword", found);
    const uint8_t *nul = memchr(p, 0, (size_t)(end - p));
    if (nul != NULL)
        meet_nul(lx, nul);
}

/* To the end of the line, which is a CR in a file that has CRs only. */
static const uint8_t *skip_line_comment(m5_lex *lx, const uint8_t *start)
{
    const uint8_t *p = start;
    while (p < lx->end && *p != '\n') {
        bool bare = false;
        const uint8_t *next = *p == '\r' ? end_of_crs(lx, p, &bare) : p + 1;
        if (bare)
            break;
        p = next;
    }
    check_comment(lx, start, p);
    return p;
}

/* NULL if it is never closed. */
static const uint8_t *end_of_block_comment(const m5_lex *lx, const uint8_t *p)
{
    for (p += 2; lx->end - p >= 2; p++)
        if (p[0] == '*' && p[1] == '/')
            return p + 2;
    return NULL;
}

static const uint8_t *skip_block_comment(m5_lex *lx, const uint8_t *p)
{
    const uint8_t *end = end_of_block_comment(lx, p);
    if (end == NULL) {
        m5_lex_say(lx, M5_ROW(md5_comment_unterminated), span_of(lx, p, p + 2),
                   "the comment is never closed, so the rest of the file is part of it");
        lx->ended = true;
        return NULL;
    }
    m5_lex_say(lx, M5_ROW(md5_comment_block), span_of(lx, p, p + 2),
               "a /* */ comment, expected //: the format has no other comments");
    if (memchr(p, '\n', (size_t)(end - p)) != NULL)
        lx->gap |= M5_GAP_NEW_LINE;
    check_comment(lx, p, end);
    return end;
}

static const uint8_t *skip_comment(m5_lex *lx, const uint8_t *p)
{
    const uint8_t *end = p[1] == '/' ? skip_line_comment(lx, p) : skip_block_comment(lx, p);
    if (end == NULL)
        return lx->end;
    if (lx->comment != NULL)
        lx->comment(lx->comment_user, span_of(lx, p, end));
    return end;
}

static const uint8_t *skip_blank(m5_lex *lx, const uint8_t *p)
{
    bool bare = false;
    const uint8_t *end = *p == '\r' ? end_of_crs(lx, p, &bare) : p + 1;
    if (bare)
        meet_cr(lx, p);
    if (*p == '\0')
        meet_nul(lx, p);
    if (*p != '\n' && !bare)
        return end;
    lx->gap |= M5_GAP_NEW_LINE;
    m5_lex_pass_line(lx, p);
    return end;
}

/* U+00A0 in UTF-8, which looks like a space. */
static bool at_no_break_space(const m5_lex *lx, const uint8_t *p)
{
    return lx->end - p >= 2 && p[0] == 0xc2 && p[1] == 0xa0;
}

static const uint8_t *skip_no_break_space(m5_lex *lx, const uint8_t *p)
{
    say_once(
        lx, &lx->said_no_break, M5_ROW(md5_record_syntax), p,
        "a no-break space (U+00A0), expected a plain space: many loaders read it as part of a word");
    return p + 2;
}

/* Moves to the next token, and adds to `gap` what was passed. */
static void skip_gap(m5_lex *lx)
{
    if (lx->gap == 0)
        lx->last = lx->p;
    lx->gap |= M5_GAP_SKIPPED;
    const uint8_t *p = lx->p;
    while (p < lx->end) {
        if (*p == ' ' || *p == '\t')
            p++;
        else if (*p < ' ')
            p = skip_blank(lx, p);
        else if (m5_lex_at_comment(lx, p, '/') || m5_lex_at_comment(lx, p, '*'))
            p = skip_comment(lx, p);
        else if (at_no_break_space(lx, p))
            p = skip_no_break_space(lx, p);
        else
            break;
        lx->gap |= M5_GAP_BLANK;
    }
    lx->p = p < lx->end ? p : lx->end;
}

/* ---- Tokens -------------------------------------------------------------------------------- */

static bool ends_word(const m5_lex *lx, const uint8_t *p)
{
    bool never = *p > ')' && *p != '/' && *p != '{' && *p != '}' && *p != 0xc2;
    if (never) /* letters, digits, signs and points, that is most */
        return false;
    return *p <= ' ' || *p == '(' || *p == ')' || *p == '{' || *p == '}' || *p == '"' ||
           m5_lex_at_comment(lx, p, '/') || m5_lex_at_comment(lx, p, '*') ||
           at_no_break_space(lx, p);
}

static bool ends_in_nan(const uint8_t *from, const uint8_t *to)
{
    return to - from >= 3 && to - from <= 4 && (to[-3] | 0x20) == 'n' && (to[-2] | 0x20) == 'a' &&
           (to[-1] | 0x20) == 'n';
}

static const uint8_t *end_of_word(m5_lex *lx, const uint8_t *p)
{
    const uint8_t *start = p;
    while (p < lx->end && !ends_word(lx, p))
        p++;
    if (p < lx->end && *p == '(' && ends_in_nan(start, p)) /* -nan(ind), as Windows writes it */
        while (p<lx->end && * p> ' ' && *p++ != ')')
            ;
    if (p < lx->end && *p == '\0')
        meet_nul(lx, p);
    return p;
}

/* The closing quote of a string that is not closed on its line: it is on the next line, if that
 * line has an odd number of quotes and does not begin with one. Otherwise the quote is missing:
 * NULL. */
static const uint8_t *closing_quote_below(const m5_lex *lx, const uint8_t *lf)
{
    const uint8_t *first = NULL, *p = lf + 1;
    unsigned quotes = 0;
    while (p < lx->end && (*p == ' ' || *p == '\t'))
        p++;
    if (p < lx->end && *p == '"')
        return NULL;
    for (; p < lx->end && *p != '\n'; p++) {
        if (*p != '"')
            continue;
        first = first ? first : p;
        quotes++;
    }
    return quotes % 2 ? first : NULL;
}

/* A string ends at the next quote on its line. If there is none, it ends with the line, or at the
 * odd quote of the next line. */
static const uint8_t *end_of_string(m5_lex *lx, const uint8_t *p)
{
    const uint8_t *q = p + 1;
    for (; q < lx->end && *q != '"' && *q != '\n'; q++)
        if (*q == '\0')
            meet_nul(lx, q);
    if (q < lx->end && *q == '"')
        return q + 1;
    const uint8_t *below = q < lx->end ? closing_quote_below(lx, q) : NULL;
    if (below != NULL)
        return below + 1;
    while (q > p + 1 && q[-1] == '\r')
        q--;
    return q;
}

enum { MERGE_MARK = 7 };

/* Seven equal characters at the start of a line: a marker that a merge leaves. */
static bool is_merge_mark(const m5_lex *lx, const uint8_t *p)
{
    return (p == lx->base || p[-1] == '\n') && lx->end - p > MERGE_MARK && p[MERGE_MARK] <= ' ' &&
           memchr("<|=>", *p, 4) != NULL && memcmp(p, p + 1, MERGE_MARK - 1) == 0;
}

/* Everything after the marker may be there twice or be wrong, so it is not read. */
static void meet_merge_mark(m5_lex *lx, const uint8_t *p)
{
    m5_lex_say(lx, M5_ROW(md5_merge_conflict), span_of(lx, p, p + MERGE_MARK),
               "'%.*s' is a merge conflict marker: the merge is not finished", MERGE_MARK,
               (const char *)p);
    lx->ended = true;
    lx->end = p;
    lx->safe = lx->base;
}

m5_token m5_lex_peek(m5_lex *lx)
{
    skip_gap(lx);
    const uint8_t *p = lx->p;
    m5_token t = {.new_line = (lx->gap & M5_GAP_NEW_LINE) != 0, .span = span_of(lx, p, p)};
    if (p < lx->end && *p >= '<' && is_merge_mark(lx, p))
        meet_merge_mark(lx, p);
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
    default: t.kind = M5_TOKEN_WORD; t.span = span_of(lx, p, end_of_word(lx, p));
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

bool m5_lex_is(const m5_lex *lx, m5_token t, const char *word)
{
    return t.kind == M5_TOKEN_WORD && t.span.length == strlen(word) &&
           memcmp(m5_lex_text(lx, t.span), word, t.span.length) == 0;
}

/* ---- Skipping ------------------------------------------------------------------------------ */

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
