/* Fixes of how numbers and parentheses are written. Of several on a line only the first is
 * reported, so that the whole line is looked at. */
#include "fixes.h"
#include "parsers/core/number.h"
#include "parsers/md5/lex.h"

#include <string.h>

/* ---- Words of a line ------------------------------------------------------------------------- */

/* A word of a line, or a parenthesis; strings and comments are passed over. */
typedef struct word {
    uint32_t from, to;
    unsigned number; /* how many words or strings come before, without parentheses */
    bool inside;     /* between parentheses */
} word;

typedef struct words {
    const uint8_t *p;
    uint32_t at, size;
    unsigned count;
    bool inside;
} words;

/* The words of the finding's line, from at most `most` bytes before it. */
static words words_from(const m5_fixing *x, uint32_t most)
{
    words w = {.p = x->f->source.bytes, .at = x->diag->at.offset, .size = x->f->source.size};
    uint32_t first = w.at > most ? w.at - most : 0;
    while (w.at > first && w.p[w.at - 1] != '\n')
        w.at--;
    while (w.at > 0 && w.at < w.size && !m5_is_blank(w.p[w.at - 1])) /* not a part of a word */
        w.at++;
    return w;
}

static words words_of_line(const m5_fixing *x)
{
    return words_from(x, UINT32_MAX);
}

static bool is_paren(uint8_t c)
{
    return c == '(' || c == ')';
}

static void pass_string(words *w)
{
    do
        w->at++;
    while (w->at < w->size && w->p[w->at] != '"' && w->p[w->at] != '\n');
    w->at += w->at < w->size && w->p[w->at] == '"';
    w->count++;
}

static bool is_comment(const words *w, uint32_t at)
{
    return w->p[at] == '/' && at + 1 < w->size && memchr("/*", w->p[at + 1], 2) != NULL;
}

static bool next_word(words *w, word *out)
{
    for (;;) {
        while (w->at < w->size && w->p[w->at] != '\n' && m5_is_blank(w->p[w->at]))
            w->at++;
        if (w->at >= w->size || w->p[w->at] == '\n')
            return false;
        if (is_comment(w, w->at))
            return false;
        if (w->p[w->at] != '"')
            break;
        pass_string(w);
    }
    uint8_t first = w->p[w->at];
    *out = (word){w->at, w->at + 1, w->count, w->inside};
    while (!is_paren(first) && out->to < w->size && !m5_is_blank(w->p[out->to]) &&
           !is_paren(w->p[out->to]) && w->p[out->to] != '"' && !is_comment(w, out->to))
        out->to++;
    w->inside = is_paren(first) ? first == '(' : w->inside;
    w->count += !is_paren(first);
    w->at = out->to;
    return true;
}

/* What comes before the end of a block comment may be in it. */
static bool has_comment_before(const m5_fixing *x)
{
    words line = words_of_line(x);
    for (uint32_t i = line.at; i + 1 < x->diag->at.offset; i++)
        if (line.p[i] == '*' && line.p[i + 1] == '/')
            return true;
    return false;
}

/* Calls a function for each word of the finding's line. */
static bool fix_words(m5_fixing *x, void (*fix)(m5_fixing *x, const uint8_t *p, const word *w))
{
    words line = words_of_line(x);
    word w;
    if (has_comment_before(x))
        return false;
    while (next_word(&line, &w))
        fix(x, line.p, &w);
    return x->count != 0;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static void drop_plus(m5_fixing *x, const uint8_t *p, const word *w)
{
    if (p[w->from] == '+' && w->to - w->from > 1)
        m5_fix_replace(x, (m5_span){w->from, 1}, NULL, 0);
}

bool m5_fix_plus_sign(m5_fixing *x)
{
    return fix_words(x, drop_plus);
}

static void lower_exponent(m5_fixing *x, const uint8_t *p, const word *w)
{
    double value;
    if (m5_read_double(p + w->from, w->to - w->from, &value) != M5_NUMBER_UPPER_EXPONENT)
        return;
    for (uint32_t i = w->from; i < w->to; i++)
        if (p[i] == 'E')
            m5_fix_replace(x, (m5_span){i, 1}, "e", 1);
}

bool m5_fix_exponent(m5_fixing *x)
{
    return fix_words(x, lower_exponent);
}

/* Whether a word is a float: in parentheses, in the frame of an animation, the bias of a weight. */
static bool is_float(const m5_fixing *x, const word *w)
{
    const m5_path *path = &x->diag->path;
    const char *name = path->step[1].name != NULL ? path->step[1].name : path->step[0].name;
    bool frame = path->step[0].name != NULL && strcmp(path->step[0].name, "frame") == 0;
    return w->inside || frame || (w->number == 3 && name != NULL && strcmp(name, "weight") == 0);
}

/* Zeros that more digits follow. */
static void drop_zeros(m5_fixing *x, const uint8_t *p, const word *w)
{
    double value;
    uint32_t from = w->from + (p[w->from] == '-'), to = from;
    if (m5_read_double(p + w->from, w->to - w->from, &value) != M5_NUMBER_LEADING_ZERO)
        return;
    while (to + 1 < w->to && p[to] == '0' && m5_is_digit(p[to + 1]))
        to++;
    bool fraction = is_float(x, w) && m5_lex_may_be_fraction(p + w->from, w->to - w->from);
    if (fraction && w->from == x->diag->at.offset)
        x->failed = true;
    else if (to != from && !fraction)
        m5_fix_replace(x, (m5_span){from, to - from}, NULL, 0);
}

bool m5_fix_leading_zero(m5_fixing *x)
{
    return fix_words(x, drop_zeros);
}

/* Where only 0 or more is allowed, it is not known what a minus sign was meant to be. */
static bool may_be_negative(const m5_fixing *x, const uint8_t *p, const word *w, uint32_t digits)
{
    const char *name = x->diag->path.step[0].name;
    bool parent = name != NULL && strcmp(name, "joint") == 0 && w->number == 1;
    uint32_t end = digits;
    while (end < x->f->source.size && m5_is_digit(p[end]))
        end++;
    bool small = end - digits == 1 && (p[digits] == '0' || (parent && p[digits] == '1'));
    return is_float(x, w) || small;
}

static void join_sign(m5_fixing *x, const uint8_t *p, const word *w)
{
    uint32_t to = w->to;
    while (to < x->f->source.size && (p[to] == ' ' || p[to] == '\t'))
        to++;
    if (w->to - w->from != 1 || p[w->from] != '-' || to == w->to || to >= x->f->source.size ||
        !(m5_is_digit(p[to]) || p[to] == '.'))
        return;
    if (may_be_negative(x, p, w, to))
        m5_fix_replace(x, (m5_span){w->to, to - w->to}, NULL, 0);
    else
        x->failed = true;
}

bool m5_fix_sign_space(m5_fixing *x)
{
    return fix_words(x, join_sign);
}

/* 5.0 is 5 where there is nothing but a number: in the header, or of a mesh's counts. In a record
 * it may be the number of another column. */
bool m5_fix_float_for_int(m5_fixing *x)
{
    const uint8_t *text = x->f->source.bytes + x->diag->at.offset;
    const m5_path *path = &x->diag->path;
    int32_t whole = 0;
    double value = 0.5;
    if (path->step[0].name != NULL &&
        (path->step[1].name != NULL || strcmp(path->step[0].name, "mesh") != 0))
        return false;
    m5_read_int(text, x->diag->at.length, &whole);
    m5_read_double(text, x->diag->at.length, &value);
    m5_fix_print(x, x->diag->at, "%d", whole);
    return value == (double)whole;
}

/* A flag that is 0 or 1, with a sign or zeros before it. */
bool m5_fix_flag(m5_fixing *x)
{
    m5_span at = x->diag->at;
    int32_t value = 0;
    m5_number_flaw flaw = m5_read_int(x->f->source.bytes + at.offset, at.length, &value);
    m5_fix_print(x, at, "%d", value);
    return flaw < M5_NUMBER_IS_FLOAT && (value == 0 || value == 1);
}

/* ---- Decimal commas -------------------------------------------------------------------------- */

/* Whether a word is a number with one comma in it, and no point. */
static bool has_one_comma(const uint8_t *p, uint32_t length, uint32_t *comma)
{
    uint32_t commas = 0;
    for (uint32_t i = 0; i < length; i++) {
        if (p[i] == '.')
            return false;
        if (p[i] == ',') {
            commas++;
            *comma = i;
        }
    }
    return commas == 1 && *comma + 1 < length && m5_is_digit(p[*comma + 1]);
}

/* Whether there are as many numbers between parentheses as should be: `0,5` may also be two. */
static bool are_groups_whole(const m5_fixing *x)
{
    const char *name = x->diag->path.step[1].name;
    unsigned wanted = name != NULL && strcmp(name, "vert") == 0 ? 2 : 3, count = 0;
    words line = words_of_line(x);
    word w;
    while (next_word(&line, &w)) {
        if (line.p[w.from] == ')' && count != wanted)
            return false;
        count = is_paren(line.p[w.from]) ? 0 : count + 1;
    }
    return true;
}

/* All commas of the line: an exporter wrote them in the user's language. */
bool m5_fix_comma(m5_fixing *x)
{
    words line = words_of_line(x);
    word w;
    if (has_comment_before(x) || !are_groups_whole(x) ||
        memchr(line.p + x->diag->at.offset, ',', x->diag->at.length) == NULL)
        return false;
    while (next_word(&line, &w)) {
        const uint8_t *text = line.p + w.from;
        uint32_t comma = 0;
        if (memchr(text, ',', w.to - w.from) == NULL)
            continue;
        if (!has_one_comma(text, w.to - w.from, &comma) || !is_float(x, &w))
            return false;
        m5_fix_replace(x, (m5_span){w.from + comma, 1}, ".", 1);
    }
    return x->count != 0;
}

/* In an ill file each number is reported. If another comma nearby cannot be a decimal one, this one
 * may separate values, too. A line may be the whole file, so that only a part of it is read. */
bool m5_fix_ill_comma(m5_fixing *x)
{
    enum { NEAR = 256 };
    m5_span at = x->diag->at;
    words near = words_from(x, NEAR);
    uint32_t comma = 0;
    word w;
    while (next_word(&near, &w) && w.from < at.offset + NEAR) {
        const uint8_t *text = near.p + w.from;
        if (memchr(text, ',', w.to - w.from) != NULL && !has_one_comma(text, w.to - w.from, &comma))
            return false;
    }
    if (!has_one_comma(x->f->source.bytes + at.offset, at.length, &comma))
        return false;
    m5_fix_replace(x, (m5_span){at.offset + comma, 1}, ".", 1);
    return true;
}

/* ---- Parentheses ----------------------------------------------------------------------------- */

static void insert_space(m5_fixing *x, uint32_t at)
{
    const m5_edit *last = x->count != 0 ? &x->edits[x->count - 1] : NULL;
    if (last == NULL || last->at.offset != at)
        m5_fix_replace(x, (m5_span){at, 0}, " ", 1);
}

static void space_paren(m5_fixing *x, const uint8_t *p, const word *w)
{
    if (!is_paren(p[w->from]))
        return;
    if (w->from > 0 && !m5_is_blank(p[w->from - 1]))
        insert_space(x, w->from);
    if (w->to < x->f->source.size && !m5_is_blank(p[w->to]))
        insert_space(x, w->to);
}

bool m5_fix_paren_spacing(m5_fixing *x)
{
    return fix_words(x, space_paren);
}
