/* Reads words as C++'s >> reads them: the slow paths, comments, joined numbers. */
#include "words.h"
#include "../core/emit.h"
#include "../core/ends.h"

void m5_words_init(m5_words *w, m5_report *report, bool fast)
{
    const m5_source *s = report->source;
    const uint8_t *nul = s->size != 0 ? memchr(s->bytes, 0, s->size) : NULL;
    *w = (m5_words){.report = report, .base = s->bytes, .p = s->bytes, .end = s->bytes + s->size};
    if (nul != NULL) {
        m5_diag d = m5_found(M5_ROW(ill_embedded_nul), (m5_span){(uint32_t)(nul - s->bytes), 1});
        m5_emit(report, &d, 0,
                m5_source_ends_in_zeros(s, d.at.offset)
                    ? "only NUL bytes (byte 0) from here to the end of the file"
                    : "a NUL byte (byte 0): nothing after it is read");
        w->end = nul;
        w->cut = true;
    }
    enum { NEEDED = M5_FAST_BYTES + 8 }; /* white space before a number */
    w->safe = fast && w->end - w->p > NEEDED ? w->end - NEEDED : w->base;
}

/* ---- Words ----------------------------------------------------------------------------------- */

m5_span m5_words_peek(m5_words *w)
{
    while (w->p < w->end && m5_words_blank(*w->p))
        w->p++;
    const uint8_t *to = w->p;
    while (to < w->end && !m5_words_blank(*to))
        to++;
    return (m5_span){(uint32_t)(w->p - w->base), (uint32_t)(to - w->p)};
}

m5_span m5_words_next(m5_words *w)
{
    m5_span word = m5_words_peek(w);
    w->p += word.length;
    return word;
}

bool m5_words_line_ends(const uint8_t *base, uint32_t from, uint32_t to)
{
    for (const uint8_t *p = base + from; p < base + to; p++)
        if (*p == '\n' || *p == '\r')
            return true;
    return false;
}

m5_span m5_words_nth(const m5_source *s, uint32_t offset, uint32_t n)
{
    m5_words w = {.base = s->bytes, .p = s->bytes + offset, .end = s->bytes + s->size};
    m5_span word = m5_words_next(&w);
    for (uint32_t i = 0; i < n && word.length != 0; i++)
        word = m5_words_next(&w);
    return word;
}

bool m5_words_is_index(const m5_source *s, m5_span word)
{
    for (uint32_t i = 0; i < word.length; i++)
        if (!m5_is_digit(s->bytes[word.offset + i]))
            return false;
    return word.length != 0;
}

bool m5_words_is_number(const m5_source *s, m5_span word)
{
    const uint8_t *p = s->bytes + word.offset, *end = p + word.length;
    p += *p == '-' || *p == '+';
    p += p < end && *p == '.';
    return p < end && m5_is_digit(*p);
}

/* ---- Comments -------------------------------------------------------------------------------- */

bool m5_words_at_comment(const m5_words *w, const uint8_t *p)
{
    return *p == '#' || (w->end - p >= 2 && *p == '/' && (p[1] == '/' || p[1] == '*'));
}

static void pass_line(m5_words *w)
{
    while (w->p < w->end && *w->p != '\n' && *w->p != '\r')
        w->p++;
}

void m5_words_skip_comment(m5_words *w)
{
    m5_span word = m5_words_peek(w);
    m5_diag d = m5_found(M5_ROW(ill_comment), word);
    d.path = w->path;
    m5_emit(w->report, &d, 0, "a comment, but this format has no comments");
    pass_line(w);
}

/* ---- What is wrong with a number ------------------------------------------------------------- */

/* How much of a word >> takes as a number: [+-] digits [. digits] [e [+-] digits]. */
static uint32_t number_prefix(const uint8_t *text, uint32_t length)
{
    const uint8_t *p = text, *end = text + length;
    uint32_t digits = 0;
    p += *p == '-' || *p == '+';
    for (; p < end && m5_is_digit(*p); p++)
        digits++;
    p += p < end && *p == '.';
    for (; p < end && m5_is_digit(*p); p++)
        digits++;
    if (digits == 0)
        return 0;
    const uint8_t *e = p;
    if (e < end && (*e | 0x20) == 'e') {
        e++;
        e += e < end && (*e == '-' || *e == '+');
        for (; e < end && m5_is_digit(*e); e++)
            p = e + 1;
    }
    return (uint32_t)(p - text);
}

uint32_t m5_words_numbers_in(const m5_source *s, m5_span word)
{
    const uint8_t *text = s->bytes + word.offset;
    uint32_t numbers = 0;
    for (uint32_t at = 0; at < word.length; numbers++) {
        uint32_t length = number_prefix(text + at, word.length - at);
        if (length == 0)
            return 1;
        at += length;
    }
    return numbers;
}

/* Whether a word is a number followed by the beginning or end of another notation: 1f, 1e, 1e+. */
static bool has_suffix(const uint8_t *text, uint32_t length)
{
    uint32_t n = number_prefix(text, length);
    if (n == 0 || length - n > 2)
        return false;
    uint8_t letter = text[n] | 0x20;
    return length - n == 1 ? letter == 'f' || letter == 'e' || letter == 'l' || letter == 'd'
                           : letter == 'e' && (text[n + 1] == '-' || text[n + 1] == '+');
}

/* Whether there is only white space, and no line end, between two offsets. */
static bool is_run_on(const m5_words *w, uint32_t from, uint32_t to)
{
    while (from < to && m5_words_blank(w->base[from]) && w->base[from] != '\n' &&
           w->base[from] != '\r')
        from++;
    return from == to;
}

bool m5_words_is_prose(const m5_source *s, m5_span word)
{
    uint8_t c = s->bytes[word.offset] | 0x20;
    return c >= 'a' && c <= 'z';
}

bool m5_words_goes_on(m5_words *w, m5_span word)
{
    bool prose = m5_words_is_prose(w->report->source, word);
    bool goes_on = prose && w->prose_end != 0 && is_run_on(w, w->prose_end, word.offset);
    w->prose_end = prose ? word.offset + word.length : 0;
    return goes_on;
}

static void say(m5_words *w, const m5_rule *rule, m5_span word, const char *what, const char *due)
{
    m5_diag d = m5_found(rule, word);
    d.path = w->path;
    m5_emit(w->report, &d, 0, "'%.*s' %s; expected %s", (int)word.length,
            (const char *)w->base + word.offset, what, due);
}

void m5_words_say_glued(m5_words *w, m5_span word, const char *due)
{
    say(w, M5_ROW(ill_number_glued), word, "is read as several numbers", due);
    w->glued = true;
}

/* A comma is in a number, or after one. */
static const char *say_comma(const uint8_t *text, uint32_t length)
{
    bool behind = text[length - 1] == ',' || memchr(text, '.', length) != NULL;
    return behind ? "has a comma instead of a space: illEngine stops reading at it"
                  : "has a decimal comma: illEngine stops reading at it";
}

/* Reports a word that should be a number and cannot be read as one. `range` is the rule for words
 * that are numbers in some other notation. */
static void say_flaw(m5_words *w, m5_span word, m5_number_flaw flaw, const m5_rule *range,
                     const char *due)
{
    const uint8_t *text = w->base + word.offset;
    switch (flaw) {
    case M5_NUMBER_HEX:
        say(w, range, word, "is hexadecimal: illEngine reads only its 0", due);
        return;
    case M5_NUMBER_COMMA: say(w, range, word, say_comma(text, word.length), due); return;
    case M5_NUMBER_NOT_FINITE:
        say(w, range, word, "is not a finite number: illEngine cannot read it", due);
        return;
    case M5_NUMBER_SYNTAX: break;
    default: say(w, range, word, "is out of range", due); return;
    }
    if (m5_words_numbers_in(w->report->source, word) > 1)
        m5_words_say_glued(w, word, due);
    else if (has_suffix(text, word.length))
        say(w, range, word, "has extra characters after its digits: illEngine does not read them",
            due);
    else if (!m5_words_goes_on(w, word))
        say(w, M5_ROW(ill_number_grammar), word, "is not a number", due);
}

m5_span m5_words_number(m5_words *w)
{
    m5_span word = m5_words_peek(w);
    while (word.length != 0 && m5_words_at_comment(w, w->p)) {
        m5_words_skip_comment(w);
        word = m5_words_peek(w);
    }
    w->p += word.length;
    if ((w->cut || w->too_few) && w->p == w->end)
        return (m5_span){word.offset, 0}; /* it is not known what the whole word was */
    return word;
}

/* Whether only the exponent is beyond a float's, but not the value: >> reads that. */
static bool is_tiny(m5_number_flaw flaw, float value)
{
    return flaw == M5_NUMBER_EXPONENT_HUGE && value - value == 0;
}

m5_word_status m5_words_float_slow(m5_words *w, float *out)
{
    m5_span word = m5_words_number(w);
    if (word.length == 0)
        return M5_WORD_END;
    m5_number_flaw flaw = m5_read_float(w->base + word.offset, word.length, out);
    if (flaw <= M5_NUMBER_LEADING_ZERO || is_tiny(flaw, *out))
        return M5_WORD_FINE;
    say_flaw(w, word, flaw, M5_ROW(ill_float_range), "a float");
    return M5_WORD_BAD;
}

/* [+-] digits; the value stays at about 2^62 when there are more of them. */
static bool read_digits(const uint8_t *text, uint32_t length, int64_t *out)
{
    bool negative = *text == '-';
    uint32_t i = *text == '-' || *text == '+';
    int64_t value = 0;
    if (i == length)
        return false;
    for (; i < length && m5_is_digit(text[i]); i++)
        if (value < (int64_t)1 << 58)
            value = value * 10 + (text[i] - '0');
    *out = negative ? -value : value;
    return i == length;
}

m5_word_status m5_words_int_slow(m5_words *w, int64_t least, int64_t most, int64_t *out)
{
    m5_span word = m5_words_number(w);
    const uint8_t *text = w->base + word.offset;
    const char *due = least < 0 ? "an integer" : "an integer of 0 or more";
    double any;
    *out = 0;
    if (word.length == 0)
        return M5_WORD_END;
    if (!read_digits(text, word.length, out)) {
        m5_number_flaw flaw = m5_read_double(text, word.length, &any);
        if (flaw < M5_NUMBER_EXPONENT_HUGE)
            say(w, M5_ROW(ill_int_range), word,
                "is not an integer: illEngine reads only its first digits, and the rest as the next value",
                due);
        else
            say_flaw(w, word, flaw, M5_ROW(ill_int_range), due);
    } else if (*out < least && least == 0) {
        say(w, M5_ROW(ill_int_range), word, "is negative: illEngine turns it into a huge number",
            due);
    } else if (*out < least || *out > most) {
        say(w, M5_ROW(ill_int_range), word, "does not fit in 32 bits", due);
    } else {
        return M5_WORD_FINE;
    }
    *out = 0;
    return M5_WORD_BAD;
}

uint32_t m5_words_floats(m5_words *w, float *out, uint32_t count)
{
    const uint8_t *p = w->p, *safe = w->safe;
    uint32_t n = 0;
    while (n < count && p < safe) {
        const uint8_t *word = m5_words_behind_blanks(p), *next = m5_fast_float(word, &out[n]);
        if (next == NULL && (next = m5_fast_small_float(word, &out[n])) == NULL)
            break;
        p = next;
        n++;
    }
    w->p = p;
    return n;
}

uint32_t m5_words_unsigneds(m5_words *w, uint32_t *out, uint32_t count)
{
    const uint8_t *p = w->p, *safe = w->safe, *next;
    int32_t value;
    uint32_t n = 0;
    while (n < count && p < safe &&
           (next = m5_fast_int(m5_words_behind_blanks(p), &value)) != NULL && value >= 0) {
        out[n++] = (uint32_t)value;
        p = next;
    }
    w->p = p;
    return n;
}

uint32_t m5_words_scan(m5_words *w)
{
    uint32_t odd = 0;
    for (m5_span word = m5_words_next(w); word.length != 0; word = m5_words_next(w)) {
        const uint8_t *text = w->base + word.offset;
        float value;
        if (m5_words_at_comment(w, text)) {
            pass_line(w);
            continue;
        }
        m5_number_flaw flaw = m5_read_float(text, word.length, &value);
        bool number = flaw != M5_NUMBER_SYNTAX ||
                      m5_words_numbers_in(w->report->source, word) > 1 ||
                      has_suffix(text, word.length);
        if (flaw > M5_NUMBER_LEADING_ZERO && !is_tiny(flaw, value) && (number || odd++ == 0))
            say_flaw(w, word, flaw, M5_ROW(ill_float_range), "a float");
    }
    return odd;
}
