/* The layout of the text: what the parsers accept, but loaders that read line by line do not. */
#include "checks.h"
#include "lint/core/check.h"
#include "parsers/core/emit.h"
#include "parsers/md5/lex.h"

#include <string.h>

/* ---- Long lines ------------------------------------------------------------------------------ */

enum { LINE_BUFFER = 512 };
_Static_assert(M5_LEX_LONG < LINE_BUFFER - 8, "a line that is too long never counts as short");

static bool is_commandline(const uint8_t *line, const uint8_t *end)
{
    static const char word[] = "commandline";
    while (line < end && (*line == ' ' || *line == '\t'))
        line++;
    for (size_t i = 0; i < sizeof word - 1; i++)
        if (line + i >= end || (line[i] | 0x20) != word[i])
            return false;
    return true;
}

/* The last line ending in from..to, which may be a bare CR; the byte at `to` can be read. */
static const uint8_t *last_newline(const uint8_t *from, const uint8_t *to)
{
    while (to > from)
        if (*--to == '\n' || (*to == '\r' && to[1] != '\n'))
            return to;
    return NULL;
}

static void say_long(m5_lint_file *f, const uint8_t *line, const uint8_t *end)
{
    uint32_t cut = (uint32_t)(line - f->source.bytes) + LINE_BUFFER - 1;
    if (is_commandline(line, end) || memchr(line, 0, (size_t)(end - line)) != NULL)
        return; /* the text ends at a NUL, which is reported */
    m5_diag d = m5_found(M5_LINT_ROW(md5_line_too_long), (m5_span){cut, 0});
    m5_emit(&f->report, &d, 0,
            "the line is %u bytes long; loaders with a 512-byte buffer cut it here",
            (uint32_t)(end - line));
}

/* Looks back from where a full buffer would end: if there is a newline, all lines up to it fit. So
 * only a few bytes are read. */
static void check_long_lines(m5_lint_file *f)
{
    const uint8_t *line = f->source.bytes, *end = line + f->source.size;
    while (end - line >= LINE_BUFFER) {
        const uint8_t *lf = last_newline(line, line + LINE_BUFFER - 1);
        if (lf == NULL) {
            lf = memchr(line, '\n', (size_t)(end - line));
            lf = lf != NULL ? lf : end;
            say_long(f, line, lf);
        }
        line = lf < end ? lf + 1 : end;
    }
}

/* ---- Notes ----------------------------------------------------------------------------------- */

enum {
    SAID_ASCII,
    SAID_OWN_LINE,
    SAID_SPACING,
    SAID_IN_STRING,
    SAID_GLUED_COMMENT,
    SAID_GLUED_STRING,
    SAID_BLANK_LINE,
    SAID
};

/* The state of a walk through the tokens and the gaps between them. */
typedef struct walk {
    m5_lint_file *file;
    m5_token before, first; /* the token before, and the first on its line */
    bool glued;             /* the parser has read a glued string or comment: it skips others */
    bool in_list;           /* in joints, hierarchy, bounds or baseframe */
    m5_once said[SAID];
    const uint8_t *marks[5]; /* where each byte of MARKS is found next */
    const uint8_t *until;    /* all tokens up to here are checked */
} walk;
static const char MARKS[5] = "\"/{}"; /* and NUL, where the file ends */

static void say(walk *w, unsigned what, const m5_rule *rule, m5_span at, const char *message)
{
    m5_diag d = m5_found(rule, at);
    m5_emit_once(&w->file->report, &w->said[what], &d, 0, "%s; later occurrences are not reported",
                 message);
}

static const uint8_t *find_any(const uint8_t *p, const uint8_t *end, bool (*is)(uint8_t))
{
    for (; p < end; p++)
        if (is(*p))
            return p;
    return NULL;
}

static bool is_high(uint8_t c)
{
    return c >= 0x80;
}

static bool is_brace(uint8_t c)
{
    return c == '{' || c == '}';
}

static bool is_indent(uint8_t c)
{
    return c == ' ' || c == '\t';
}

static m5_span one_byte(const walk *w, const uint8_t *p)
{
    return (m5_span){(uint32_t)(p - w->file->source.bytes), 1};
}

/* Reports the first of such bytes that no comment suppresses. */
static void say_of_any(walk *w, unsigned what, const m5_rule *rule, const uint8_t *p,
                       const uint8_t *end, bool (*is)(uint8_t), const char *message)
{
    for (; !w->said[what].said && (p = find_any(p, end, is)) != NULL; p++)
        say(w, what, rule, one_byte(w, p), message);
}

/* A string or a comment. */
static void check_text(walk *w, const uint8_t *p, const uint8_t *end)
{
    say_of_any(w, SAID_ASCII, M5_LINT_ROW(md5_non_ascii), p, end, is_high, "a byte is not ASCII");
    if (w->file->model.md5camera == NULL) /* whose loader does not stumble over a brace */
        say_of_any(w, SAID_IN_STRING, M5_LINT_ROW(md5_brace_in_string), p, end, is_brace,
                   "a string or comment contains { or }, which a loader may count as a block's");
}

static bool starts_line(const walk *w, const uint8_t *p)
{
    while (p > w->file->source.bytes && (p[-1] == ' ' || p[-1] == '\t'))
        p--;
    return p == w->file->source.bytes || p[-1] == '\n';
}

/* Whether the byte before a comment is part of a word, or a bracket, which is one where words end
 * only at white space. */
static bool follows_word(const walk *w, const uint8_t *p)
{
    bool first = p == w->file->source.bytes;
    return !first && p[1] == '/' && p[-1] > ' ' && p[-1] != '"' && p[-1] != '/';
}

static void check_comment(void *user, m5_span at)
{
    walk *w = user;
    const uint8_t *p = w->file->source.bytes + at.offset;
    check_text(w, p, p + at.length);
    if (w->glued && follows_word(w, p) && w->file->model.md5camera == NULL)
        say(w, SAID_GLUED_COMMENT, M5_LINT_ROW(md5_comment_glued), (m5_span){at.offset, 2},
            "no space before a comment, which some loaders then read as part of the word");
    if (w->in_list && starts_line(w, p))
        say(w, SAID_OWN_LINE, M5_LINT_ROW(md5_comment_own_line), at,
            "a comment is on a line of its own inside a counted block");
}

static bool is_word(const walk *w, m5_span at, const char *word)
{
    return at.length == strlen(word) &&
           memcmp(w->file->source.bytes + at.offset, word, at.length) == 0;
}

/* Expects `keyword {` from the first column of the line on, with one space. */
static void check_brace(walk *w, m5_token t)
{
    const uint8_t *p = w->file->source.bytes + t.span.offset;
    uint32_t word = w->first.span.offset;
    bool indented = word > 0 && is_indent(w->file->source.bytes[word - 1]);
    bool one_blank = t.span.offset > 1 && p[-1] == ' ' && !is_indent(p[-2]);
    if (t.new_line)
        return;
    if (indented)
        say(w, SAID_SPACING, M5_LINT_ROW(md5_brace_spacing), w->first.span,
            "the keyword of a block is indented, expected at the start of the line");
    else if (!one_blank)
        say(w, SAID_SPACING, M5_LINT_ROW(md5_brace_spacing), t.span,
            "expected exactly one space between the keyword and '{'");
}

/* Whether the word before a brace opens a list of lines, as some loaders read it. */
static bool is_list(const walk *w)
{
    return is_word(w, w->before.span, "joints") || is_word(w, w->before.span, "hierarchy") ||
           is_word(w, w->before.span, "bounds") || is_word(w, w->before.span, "baseframe");
}

/* Whether the line before the one at `p` is empty; `at` gets the place of that line. */
static bool follows_empty_line(const walk *w, const uint8_t *p, m5_span *at)
{
    const uint8_t *begin = w->file->source.bytes;
    while (p > begin && p[-1] != '\n')
        p--;
    const uint8_t *end = p > begin ? p - 1 : p, *line = end;
    while (line > begin && line[-1] <= ' ' && line[-1] != '\n')
        line--;
    *at = (m5_span){(uint32_t)(line - begin), 0};
    return p > begin && (line == begin || line[-1] == '\n');
}

/* `shader"x"`: a string right after its keyword. */
static void check_glued_string(walk *w, m5_token t)
{
    m5_span word = w->before.span;
    bool keyword = is_word(w, word, "shader") || is_word(w, word, "commandline");
    bool glued = w->glued && word.offset + word.length == t.span.offset;
    if (keyword && glued && w->file->model.md5camera == NULL)
        say(w, SAID_GLUED_STRING, M5_LINT_ROW(md5_string_glued), t.span,
            "no space before the string, which some loaders then read as part of the word");
}

/* Whether the line before ends with a number and a plain LF, and nothing is between it and the word
 * at `p`. */
static bool follows_number(const walk *w, const uint8_t *p)
{
    const uint8_t *begin = w->file->source.bytes, *line = p - 1;
    if (p - begin < 2 || p[-1] != '\n' || p[-2] < '0' || p[-2] > '9')
        return false;
    while (line > begin && line[-1] != '\n')
        line--;
    for (; line < p; line++)
        if (line[0] == '/' && line[1] == '/')
            return false;
    return true;
}

static void check_blank_line(walk *w)
{
    m5_span word = w->first.span;
    if (w->file->model.md5camera == NULL &&
        (is_word(w, word, "joints") || is_word(w, word, "hierarchy")) &&
        follows_number(w, w->file->source.bytes + word.offset))
        say(w, SAID_BLANK_LINE, M5_LINT_ROW(md5_block_blank_line), word,
            "no blank line between the header and the block");
}

static void check_token(walk *w, m5_token t)
{
    m5_span empty;
    if (t.new_line)
        w->first = t;
    bool record = t.kind == M5_TOKEN_STRING || t.kind == M5_TOKEN_OPEN_PAREN;
    if (w->in_list && record && t.new_line &&
        follows_empty_line(w, w->file->source.bytes + t.span.offset, &empty))
        say(w, SAID_OWN_LINE, M5_LINT_ROW(md5_comment_own_line), empty,
            "an empty line is inside a counted block");
    const uint8_t *p = w->file->source.bytes + t.span.offset;
    if (t.kind == M5_TOKEN_STRING) {
        check_text(w, p, p + t.span.length);
        check_glued_string(w, t);
    }
    if (t.kind == M5_TOKEN_OPEN_BRACE) {
        check_blank_line(w);
        w->in_list = is_list(w);
        if (w->in_list || is_word(w, w->first.span, "mesh") || is_word(w, w->first.span, "frame"))
            check_brace(w, t);
    }
    if (t.kind == M5_TOKEN_CLOSE_BRACE)
        w->in_list = false;
}

static const uint8_t *find(const uint8_t *p, const uint8_t *end, char byte)
{
    const uint8_t *found = memchr(p, byte, (size_t)(end - p));
    return found != NULL ? found : end;
}

/* The first line after the one at `p` that is empty; `end` if there is none up to that. */
static const uint8_t *find_empty_line(const uint8_t *p, const uint8_t *end)
{
    while ((p = find(p, end, '\n')) < end) {
        do
            p++;
        while (p < end && *p <= ' ' && *p != '\n');
        if (p < end && *p == '\n')
            return p;
    }
    return end;
}

/* Skips most of a file, which is numbers: moves on to the next byte that matters (one of MARKS, or
 * an empty line in a list). It stops at the start of the line of that byte. If only white space
 * comes before the byte, it stops at the last line before that is not empty, because the token
 * before may matter, too. */
static void skip(walk *w, m5_lex *lx)
{
    const uint8_t *next = lx->end;
    if (lx->p < w->until || lx->p >= lx->end) /* a string with a NUL ends after `end` */
        return;
    for (size_t i = 0; i < sizeof MARKS; i++) {
        if (w->marks[i] < lx->p)
            w->marks[i] = find(lx->p, lx->end, MARKS[i]);
        next = w->marks[i] < next ? w->marks[i] : next;
    }
    if (w->in_list)
        next = find_empty_line(lx->p, next);
    const uint8_t *line = next;
    if (next < lx->end && *next != '}')
        while (line > lx->p && line[-1] <= ' ')
            line--;
    while (line > lx->p && line[-1] != '\n')
        line--;
    lx->p = line > lx->p ? line - 1 : lx->p;
    w->until = next < lx->end ? next + 1 : next;
}

static void check_notes(m5_lint_file *f, bool glued)
{
    m5_report silent = {.source = &f->source};
    walk w = {.file = f, .until = f->source.bytes, .glued = glued};
    for (size_t i = 0; i < sizeof MARKS; i++)
        w.marks[i] = f->source.bytes;
    m5_lex lx;
    m5_lex_init(&lx, &silent, false);
    lx.comment = check_comment;
    lx.comment_user = &w;
    for (;;) {
        skip(&w, &lx);
        m5_token t = m5_lex_next(&lx);
        if (t.kind == M5_TOKEN_END)
            break;
        check_token(&w, t);
        w.before = t;
    }
}

void m5_check_md5_layout(m5_lint_file *f, bool is_model, bool long_lines, bool glued)
{
    static const unsigned notes[] = {M5_RULE_md5_non_ascii, M5_RULE_md5_comment_own_line,
                                     M5_RULE_md5_brace_spacing, M5_RULE_md5_brace_in_string,
                                     M5_RULE_md5_block_blank_line};
    bool wanted = false;
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        wanted |= m5_check_wanted(f, m5_rule_at(notes[i]));
    if (!is_model)
        return;
    if (long_lines)
        check_long_lines(f);
    if (wanted || glued)
        check_notes(f, glued);
}
