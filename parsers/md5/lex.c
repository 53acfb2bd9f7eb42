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
 * are one kind, and each warning is a kind of its own. A finding that is silent hides no other, nor
 * does that a word is too long: what the word says is another matter. */
static bool first_on_line(m5_lex *lx, const m5_rule *rule, double measure, uint32_t offset)
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
    if (m5_would_say(lx->report, rule, measure) != M5_SILENT) {
        lx->said_error |= m5_judge(&rule->levels, measure) == M5_ERROR &&
                          rule != M5_ROW(md5_word_length);
        *said |= bit;
    }
    return first;
}

static void say_list(m5_lex *lx, const m5_rule *rule, double measure, m5_span at,
                     const char *format, va_list args)
{
    if (lx->ended)
        return;
    m5_diag d = m5_found(rule, at);
    d.path = lx->path;
    if (!first_on_line(lx, rule, measure, at.offset)) {
        m5_overlook(lx->report, &d, measure);
        return;
    }
    m5_emit_list(lx->report, &d, measure, format, args);
    if (m5_settings_of(lx->report)->targets != 0) /* what none of them minds hides nothing */
        lx->said_error &= d.severity == M5_ERROR;
}

void m5_lex_say(m5_lex *lx, const m5_rule *rule, m5_span at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say_list(lx, rule, 0, at, format, args);
    va_end(args);
}

void m5_lex_say_as(m5_lex *lx, const m5_rule *rule, double measure, m5_span at, const char *format,
                   ...)
{
    va_list args;
    va_start(args, format);
    say_list(lx, rule, measure, at, format, args);
    va_end(args);
}

static void too_early(m5_lex *lx, const char *what)
{
    if (!lx->ended)
        m5_lex_say(lx, M5_ROW(md5_unexpected_eof), m5_source_end(lx->report->source),
                   "the file ends where %s was expected", what);
    lx->ended = lx->lacks = true;
}

void m5_lex_finish(m5_lex *lx, bool complete)
{
    if (lx->rest == NULL)
        return;
    m5_diag d = m5_found(lx->rest, lx->rest_at);
    m5_emit(lx->report, &d, complete && !lx->lacks ? M5_MILD : M5_GRAVE, "%s", lx->rest_says);
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
static void say_once(m5_lex *lx, m5_once *once, const m5_rule *rule, double measure,
                     const uint8_t *p, const char *message)
{
    m5_diag d = m5_found(rule, span_of(lx, p, p + 1));
    m5_emit_once(lx->report, once, &d, measure, "%s", message);
}

/* The file ends here, as it does for every loader in C. If more than white space follows, or only
 * NUL bytes follow, nothing else is reported about the end. What follows is lost, unless it is
 * padding: then m5_lex_finish reports it. */
static void meet_nul(m5_lex *lx, const uint8_t *p)
{
    bool zeros = m5_source_ends_in_zeros(lx->report->source, (uint32_t)(p - lx->base));
    const m5_rule *rule = M5_ROW(md5_embedded_nul);
    const char *message = zeros
                              ? "the file has only NUL bytes from here to its end"
                              : "a NUL byte (byte 0): most loaders treat it as the end of the file";
    const uint8_t *rest = p;
    while (rest < lx->end && *rest <= ' ')
        rest++;
    if (rest < lx->end) {
        say_once(lx, &(m5_once){lx->said_nul, 0}, rule, M5_GRAVE, p, message);
    } else {
        lx->rest = rule;
        lx->rest_at = span_of(lx, p, p + 1);
        lx->rest_says = message;
    }
    lx->said_nul = true;
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

/* Whether a CR is only white space between two numbers: no loader loses anything. */
static bool is_between_numbers(const m5_lex *lx, const uint8_t *p, const uint8_t *behind)
{
    const uint8_t *before = p;
    while (before > lx->line && (before[-1] == ' ' || before[-1] == '\t'))
        before--;
    while (behind < lx->end && (*behind == ' ' || *behind == '\t'))
        behind++;
    bool number = behind < lx->end && (m5_is_digit(*behind) || *behind == '-' || *behind == ')');
    return number && before > lx->line && (m5_is_digit(before[-1]) || before[-1] == '(');
}

/* Returns whether the CR ends a line. Once one does, each does. */
static bool meet_cr(m5_lex *lx, const uint8_t *p, const uint8_t *behind)
{
    bool mild = !lx->ends_in_cr && is_between_numbers(lx, p, behind);
    lx->ends_in_cr |= !mild;
    say_once(lx, mild ? &lx->said_odd_cr : &lx->said_cr, M5_ROW(md5_line_ending_cr),
             mild ? M5_MILD : M5_GRAVE, p,
             mild ? "a CR without LF, expected a space or a line ending"
                  : "a line ends with CR only, expected LF or CR LF");
    return !mild;
}

/* Any byte up to the space is white space, but only some are meant to be. */
static void meet_control(m5_lex *lx, const uint8_t *p)
{
    m5_diag d = m5_found(M5_ROW(md5_control_blank), span_of(lx, p, p + 1));
    const char *name = *p == '\v'   ? "a vertical tab"
                       : *p == '\f' ? "a form feed"
                                    : "a control character";
    m5_emit_once(lx->report, &lx->said_control, &d, 0, "%s (byte %u), expected a space", name,
                 (unsigned)*p);
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
static void check_words_of_comment(m5_lex *lx, const uint8_t *p, const uint8_t *end)
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
}

static void check_comment(m5_lex *lx, const uint8_t *p, const uint8_t *end)
{
    if (!lx->camera)
        check_words_of_comment(lx, p, end);
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

/* Within a block its end is part of the comment, so something is missing. */
static void meet_open_comment(m5_lex *lx, const uint8_t *p)
{
    const m5_rule *rule = M5_ROW(md5_comment_unterminated);
    const char *message = "the comment is never closed, so the rest of the file is part of it";
    m5_span at = span_of(lx, p, p + 2);
    if (lx->path.step[0].name != NULL) {
        m5_lex_say_as(lx, rule, M5_GRAVE, at, "%s", message);
    } else if (first_on_line(lx, rule, M5_GRAVE, at.offset)) {
        lx->rest = rule;
        lx->rest_at = at;
        lx->rest_says = message;
    }
    lx->ended = true;
}

static const uint8_t *skip_block_comment(m5_lex *lx, const uint8_t *p)
{
    const uint8_t *end = end_of_block_comment(lx, p);
    if (end == NULL) {
        meet_open_comment(lx, p);
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
    lx->glued |= p > lx->base && p[-1] > ' ';
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
        bare = meet_cr(lx, p, end);
    if (*p == '\0')
        meet_nul(lx, p);
    else if (*p != '\r' && *p != '\n')
        meet_control(lx, p);
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
        lx, &lx->said_no_break, M5_ROW(md5_record_syntax), 0, p,
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

enum { LONG_WORD = 64 }; /* up to here a word is not measured: see md5-word-length */

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
    if (p - start > LONG_WORD && !lx->camera)
        m5_lex_say_as(lx, M5_ROW(md5_word_length), (double)(p - start), span_of(lx, start, p),
                      "the word is %u bytes long, expected at most 999", (unsigned)(p - start));
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
        lx->glued |= p > lx->base && p[-1] > ' ';
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

bool m5_lex_is(const m5_lex *lx, m5_token t, const char *word)
{
    return t.kind == M5_TOKEN_WORD && t.span.length == strlen(word) &&
           memcmp(m5_lex_text(lx, t.span), word, t.span.length) == 0;
}
