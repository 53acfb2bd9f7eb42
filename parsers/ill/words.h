/* The words of an ill* text, as C++'s >> would read them, and where it would fail silently. There
 * is no other syntax: no comments, no quotes, no keywords. */
#ifndef M5_WORDS_H
#define M5_WORDS_H

#include "../core/diag.h"
#include "../core/number.h"

M5_BEGIN_C

typedef struct m5_words {
    m5_report *report;
    m5_path path; /* what is being read, for diagnostics */
    const uint8_t *base, *p, *end;
    const uint8_t *safe; /* below this the fast readers have M5_FAST_BYTES to look at */
    bool glued;          /* a word was several numbers: then the number of words is not reliable */
    bool cut;     /* by a NUL, which was reported: what follows it is not reported as missing */
    bool too_few; /* words are missing: the last one may be cut in two */
    uint32_t
        prose_end; /* of the last word that begins with a letter and was reported as not a number */
} m5_words;

/* Without `fast` only the slow readers are used: the results are the same. */
void m5_words_init(m5_words *w, m5_report *report, bool fast);

/* The next word, left in place; length 0 at the end. */
m5_span m5_words_peek(m5_words *w);

/* The next word, taken. */
m5_span m5_words_next(m5_words *w);

/* Takes the next word, where a number is expected. Comments before it are reported and skipped. */
m5_span m5_words_number(m5_words *w);

/* How a word could be read. */
typedef enum m5_word_status {
    M5_WORD_FINE,
    M5_WORD_BAD, /* taken and reported */
    M5_WORD_END  /* there is no more word */
} m5_word_status;

/* Reads a number that is expected next. Comments before it are reported and skipped. */
m5_word_status m5_words_float_slow(m5_words *w, float *out);
m5_word_status m5_words_int_slow(m5_words *w, int64_t least, int64_t most, int64_t *out);

/* Whether the word is only digits, as an index is written. */
bool m5_words_is_index(const m5_source *source, m5_span word);

/* Whether a word, which is not empty, begins as numbers do. */
bool m5_words_is_number(const m5_source *source, m5_span word);

/* Whether a comment, as other formats have them, begins at `p`, which is before the end. */
bool m5_words_at_comment(const m5_words *w, const uint8_t *p);

/* Whether a word, which is not empty, begins with a letter. */
bool m5_words_is_prose(const m5_source *source, m5_span word);

/* Whether a word that is not a number continues a sentence whose first word was reported: it
 * directly follows another such word on its line. */
bool m5_words_goes_on(m5_words *w, m5_span word);

/* Reports a comment and skips the rest of its line. */
void m5_words_skip_comment(m5_words *w);

/* How many numbers >> would read from this word: 1 unless they are glued together. */
uint32_t m5_words_numbers_in(const m5_source *source, m5_span word);

/* Reports a word that is several numbers. */
void m5_words_say_glued(m5_words *w, m5_span word, const char *due);

/* Takes all words to the end and reports those that no loader can read as a number. Of words that
 * are not numbers in any notation only the first is reported; returns how many there are. */
uint32_t m5_words_scan(m5_words *w);

/* The n-th word (from 0) from `offset` on. Diagnostics use it to point into a record of which only
 * the start was kept. */
m5_span m5_words_nth(const m5_source *source, uint32_t offset, uint32_t n);

/* Whether a line ends between two offsets. */
bool m5_words_line_ends(const uint8_t *base, uint32_t from, uint32_t to);

/* The same white space as C's isspace. */
static inline bool m5_words_blank(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Skips a few characters of white space, if there are any. */
M5_INLINE const uint8_t *m5_words_behind_blanks(const uint8_t *p)
{
    if ((*p == ' ' || *p == '\n') && p[1] > ' ')
        return p + 1;
    for (int i = 0; i < 8 && (*p == ' ' || *p == '\n' || *p == '\r'); i++)
        p++;
    return p;
}

/* Where the next word begins; the end of the text if there is no next word. */
static inline uint32_t m5_words_here(m5_words *w)
{
    const uint8_t *p = w->p < w->safe ? m5_words_behind_blanks(w->p) : NULL;
    return p != NULL && *p > ' ' ? (uint32_t)(p - w->base) : m5_words_peek(w).offset;
}

/* Read numbers written in the usual way, as many as follow and at most `count`; return how many.
 * The slow readers read the others. */
uint32_t m5_words_floats(m5_words *w, float *out, uint32_t count);
uint32_t m5_words_unsigneds(m5_words *w, uint32_t *out, uint32_t count);

static inline m5_word_status m5_words_float(m5_words *w, float *out)
{
    return m5_words_floats(w, out, 1) != 0 ? M5_WORD_FINE : m5_words_float_slow(w, out);
}

/* An index or a count: up to 2^32 - 1. */
static inline m5_word_status m5_words_unsigned(m5_words *w, uint32_t *out)
{
    if (m5_words_unsigneds(w, out, 1) != 0)
        return M5_WORD_FINE;
    int64_t value = 0;
    m5_word_status status = m5_words_int_slow(w, 0, UINT32_MAX, &value);
    *out = (uint32_t)value;
    return status;
}

M5_END_C

#endif
