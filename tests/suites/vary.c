/* Changes one word, line or number of a file. */
#include "vary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Chance ---------------------------------------------------------------------------------- */

static uint32_t draw(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return below != 0 ? (uint32_t)(*state >> 33) % below : 0;
}

/* ---- Words and lines ------------------------------------------------------------------------- */

enum { MOST_WORDS = 1 << 14 };

typedef struct word {
    uint32_t from, to, line;
    bool number;
} word;

typedef struct text {
    const char *bytes;
    size_t size;
    word words[MOST_WORDS];
    uint32_t count;
    uint32_t groups[MOST_WORDS + 1], num_groups; /* where they begin, and the end */
} text;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_number(const char *p, const char *end)
{
    p += p < end && *p == '-';
    return p < end && *p >= '0' && *p <= '9';
}

static void split(text *t, const char *bytes, size_t size)
{
    uint32_t line = 0, i = 0, end = (uint32_t)size;
    t->bytes = bytes;
    t->size = size;
    t->count = 0;
    while (i < end && t->count < MOST_WORDS) {
        uint32_t from = i;
        while (i < end && !is_blank(bytes[i]))
            i++;
        if (i > from)
            t->words[t->count++] = (word){from, i, line, is_number(bytes + from, bytes + i)};
        while (i < end && is_blank(bytes[i]))
            line += bytes[i++] == '\n';
    }
}

/* The first word of the line of word i, and the first of the next line. */
static uint32_t line_begin(const text *t, uint32_t i)
{
    while (i > 0 && t->words[i - 1].line == t->words[i].line)
        i--;
    return i;
}

static uint32_t line_end(const text *t, uint32_t i)
{
    uint32_t line = t->words[i].line;
    while (i < t->count && t->words[i].line == line)
        i++;
    return i;
}

/* A group is lines with as many words, one below the other: vertices, or counts. A change is as
 * likely in each group, or most would be in weights. */
static void group(text *t)
{
    uint32_t words = 0, line = 0, end;
    t->num_groups = 0;
    for (uint32_t i = 0; i < t->count; i = end) {
        end = line_end(t, i);
        if (i == 0 || end - i != words || t->words[i].line != line + 1)
            t->groups[t->num_groups++] = i;
        words = end - i;
        line = t->words[i].line;
    }
    t->groups[t->num_groups] = t->count;
}

static uint32_t draw_word(const text *t, uint64_t *chance)
{
    const uint32_t *g = &t->groups[draw(chance, t->num_groups)];
    return g[0] + draw(chance, g[1] - g[0]);
}

static double value_of(const text *t, const word *w)
{
    char copy[64];
    snprintf(copy, sizeof copy, "%.*s", (int)(w->to - w->from), t->bytes + w->from);
    return strtod(copy, NULL);
}

static bool is_whole(const text *t, const word *w)
{
    return memchr(t->bytes + w->from, '.', w->to - w->from) == NULL;
}

/* ---- The changed file ------------------------------------------------------------------------ */

typedef struct result {
    char *bytes;
    size_t size, room;
} result;

static void put(result *r, const char *bytes, size_t size)
{
    if (size > r->room - r->size)
        size = r->room - r->size;
    memcpy(r->bytes + r->size, bytes, size);
    r->size += size;
}

/* Copies the file up to a place. */
static void put_until(result *r, const text *t, uint32_t *from, uint32_t to)
{
    put(r, t->bytes + *from, to - *from);
    *from = to;
}

static void put_number(result *r, const text *t, uint32_t *from, const word *w, double value)
{
    char digits[40];
    int n = snprintf(digits, sizeof digits, "%.9g", value);
    put_until(r, t, from, w->from);
    put(r, digits, (size_t)n);
    *from = w->to;
}

static void put_word(result *r, const text *t, uint32_t *from, const word *at, const word *other)
{
    put_until(r, t, from, at->from);
    put(r, t->bytes + other->from, other->to - other->from);
    *from = at->to;
}

/* ---- Changes --------------------------------------------------------------------------------- */

/* A change of the word w; false if it is no change. */
typedef bool change(result *r, const text *t, uint32_t *from, uint32_t w, uint64_t *chance);

static bool to_zero(result *r, const text *t, uint32_t *from, uint32_t w, uint64_t *chance)
{
    (void)chance;
    put_number(r, t, from, &t->words[w], 0);
    return true;
}

static bool negate(result *r, const text *t, uint32_t *from, uint32_t w, uint64_t *chance)
{
    (void)chance;
    put_number(r, t, from, &t->words[w], -value_of(t, &t->words[w]));
    return true;
}

static bool shrink(result *r, const text *t, uint32_t *from, uint32_t w, uint64_t *chance)
{
    (void)chance;
    put_number(r, t, from, &t->words[w], value_of(t, &t->words[w]) * 0.8125);
    return true;
}

static bool grow(result *r, const text *t, uint32_t *from, uint32_t w, uint64_t *chance)
{
    (void)chance;
    put_number(r, t, from, &t->words[w], value_of(t, &t->words[w]) * 8);
    return true;
}

static bool grow_much(result *r, const text *t, uint32_t *from, uint32_t w, uint64_t *chance)
{
    (void)chance;
    put_number(r, t, from, &t->words[w], value_of(t, &t->words[w]) * 1000 + 1);
    return true;
}

static bool one_more(result *r, const text *t, uint32_t *from, uint32_t w, uint64_t *chance)
{
    (void)chance;
    put_number(r, t, from, &t->words[w], value_of(t, &t->words[w]) + 1);
    return is_whole(t, &t->words[w]);
}

static bool one_less(result *r, const text *t, uint32_t *from, uint32_t w, uint64_t *chance)
{
    (void)chance;
    put_number(r, t, from, &t->words[w], value_of(t, &t->words[w]) - 1);
    return is_whole(t, &t->words[w]);
}

/* The word that stands in its place in the line above. */
static bool from_above(result *r, const text *t, uint32_t *from, uint32_t w, uint64_t *chance)
{
    uint32_t begin = line_begin(t, w);
    (void)chance;
    if (begin == 0)
        return false;
    uint32_t above = line_begin(t, begin - 1) + w - begin;
    if (above >= begin)
        return false;
    put_word(r, t, from, &t->words[w], &t->words[above]);
    return true;
}

static bool exchange_words(result *r, const text *t, uint32_t *from, uint32_t w, uint64_t *chance)
{
    (void)chance;
    if (w + 1 == t->count)
        return false;
    put_word(r, t, from, &t->words[w], &t->words[w + 1]);
    put_word(r, t, from, &t->words[w + 1], &t->words[w]);
    return true;
}

/* All numbers of a line that are not whole. */
static bool zero_line(result *r, const text *t, uint32_t *from, uint32_t w, uint64_t *chance)
{
    (void)chance;
    for (uint32_t i = line_begin(t, w), end = line_end(t, w); i < end; i++)
        if (t->words[i].number && (!is_whole(t, &t->words[i]) || i == w))
            put_number(r, t, from, &t->words[i], 0);
    return true;
}

/* All numbers that are not whole, of lines with as many words: another unit. */
static bool scale_lines(result *r, const text *t, uint32_t *from, uint32_t w, uint64_t *chance)
{
    uint32_t words = line_end(t, w) - line_begin(t, w), end;
    double by = draw(chance, 2) == 0 ? 100 : 0.0254;
    for (uint32_t i = 0; i < t->count; i = end) {
        end = line_end(t, i);
        for (uint32_t k = i; k < end && end - i == words; k++)
            if (t->words[k].number && (!is_whole(t, &t->words[k]) || k == w))
                put_number(r, t, from, &t->words[k], value_of(t, &t->words[k]) * by);
    }
    return true;
}

static bool letter(result *r, const text *t, uint32_t *from, uint32_t w, uint64_t *chance)
{
    const word *at = &t->words[w];
    uint32_t i = at->from + draw(chance, at->to - at->from);
    put_until(r, t, from, i);
    put(r, "o", 1);
    *from = i + 1;
    return t->bytes[i] != 'o';
}

static bool digit(result *r, const text *t, uint32_t *from, uint32_t w, uint64_t *chance)
{
    const word *at = &t->words[w];
    uint32_t i = at->from + draw(chance, at->to - at->from);
    char other = (char)('0' + draw(chance, 10));
    put_until(r, t, from, i);
    put(r, &other, 1);
    *from = i + 1;
    return t->bytes[i] >= '0' && t->bytes[i] <= '9';
}

static bool drop_word(result *r, const text *t, uint32_t *from, uint32_t w, uint64_t *chance)
{
    (void)chance;
    put_until(r, t, from, t->words[w].from);
    *from = t->words[w].to;
    return true;
}

static bool word_twice(result *r, const text *t, uint32_t *from, uint32_t w, uint64_t *chance)
{
    (void)chance;
    put_until(r, t, from, t->words[w].to);
    put(r, " ", 1);
    *from = t->words[w].from;
    return true;
}

/* A line with the blanks before it and without its end, in bytes. */
static void line_at(const text *t, uint32_t w, uint32_t *begin, uint32_t *end)
{
    *begin = t->words[w].from;
    *end = t->words[w].to;
    while (*begin > 0 && t->bytes[*begin - 1] != '\n')
        --*begin;
    while (*end < t->size && t->bytes[*end] != '\n')
        ++*end;
}

static bool drop_line(result *r, const text *t, uint32_t *from, uint32_t w, uint64_t *chance)
{
    uint32_t begin, end;
    (void)chance;
    line_at(t, w, &begin, &end);
    put_until(r, t, from, begin);
    *from = end + (end < t->size);
    return true;
}

static bool line_twice(result *r, const text *t, uint32_t *from, uint32_t w, uint64_t *chance)
{
    uint32_t begin, end;
    (void)chance;
    line_at(t, w, &begin, &end);
    put_until(r, t, from, end);
    put(r, "\n", 1);
    *from = begin;
    return true;
}

static bool line_thrice(result *r, const text *t, uint32_t *from, uint32_t w, uint64_t *chance)
{
    uint32_t begin, end;
    line_at(t, w, &begin, &end);
    put_until(r, t, from, end);
    put(r, "\n", 1);
    put(r, t->bytes + begin, end - begin);
    *from = end;
    return line_twice(r, t, from, w, chance);
}

static bool exchange_lines(result *r, const text *t, uint32_t *from, uint32_t w, uint64_t *chance)
{
    uint32_t begin, end, next, last, after = line_end(t, w);
    (void)chance;
    if (after == t->count)
        return false;
    line_at(t, w, &begin, &end);
    line_at(t, after, &next, &last);
    put_until(r, t, from, begin);
    put(r, t->bytes + next, last - next);
    put(r, t->bytes + end, next - end);
    put(r, t->bytes + begin, end - begin);
    *from = last;
    return true;
}

static bool cut(result *r, const text *t, uint32_t *from, uint32_t w, uint64_t *chance)
{
    (void)chance;
    put_until(r, t, from, t->words[w].to);
    *from = (uint32_t)t->size;
    return true;
}

typedef struct kind {
    change *make;
    bool number; /* of a number, not of any word */
} kind;

size_t vary_text(const char *bytes, size_t size, unsigned which, uint64_t seed, char *out)
{
    static const kind kinds[TEXT_KINDS] = {
        {to_zero, true},      {negate, true},          {shrink, true},      {grow, true},
        {grow_much, true},    {one_more, true},        {one_less, true},    {from_above, true},
        {zero_line, true},    {exchange_words, true},  {scale_lines, true}, {letter, false},
        {drop_word, false},   {word_twice, false},     {drop_line, false},  {line_twice, false},
        {line_thrice, false}, {exchange_lines, false}, {cut, false},        {digit, false},
        {from_above, false},
    };
    static text t;
    enum { TRIES = 64 };
    split(&t, bytes, size);
    group(&t);
    uint64_t chance = seed * TEXT_KINDS + which;
    draw(&chance, 1);
    for (int i = 0; i < TRIES && t.count != 0; i++) {
        uint32_t w = draw_word(&t, &chance), from = 0;
        result r = {out, 0, size + VARY_ROOM};
        if (kinds[which].number && !t.words[w].number)
            continue;
        if (!kinds[which].make(&r, &t, &from, w, &chance))
            continue;
        put_until(&r, &t, &from, (uint32_t)size);
        if (r.size != size || memcmp(out, bytes, size) != 0)
            return r.size;
    }
    return 0;
}

/* ---- Binaries -------------------------------------------------------------------------------- */

static uint32_t word_at(const char *p)
{
    const uint8_t *b = (const uint8_t *)p;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void put_word_at(char *p, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        p[i] = (char)(value >> (8 * i));
}

static float float_at(const char *p)
{
    uint32_t bits = word_at(p);
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static void put_float_at(char *p, float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    put_word_at(p, bits);
}

/* Whether a word is a float of usual size. */
static bool is_float(const char *p)
{
    int exponent = (int)(word_at(p) >> 23 & 0xff) - 127;
    return exponent > -20 && exponent < 20;
}

static bool change_word(char *p, const char *other, unsigned which)
{
    switch (which) {
    case 0: put_word_at(p, 0); return true;
    case 1: put_word_at(p, word_at(p) + 1); return !is_float(p);
    case 2: put_word_at(p, word_at(p) - 1); return !is_float(p);
    case 3: put_word_at(p, word_at(other)); return true;
    case 4: put_float_at(p, -float_at(p)); return is_float(p);
    case 5: put_float_at(p, float_at(p) * 0.8125F); return is_float(p);
    case 6: put_float_at(p, float_at(p) * 8); return is_float(p);
    case 7: put_float_at(p, float_at(p) * 1000); return is_float(p);
    default: return false;
    }
}

size_t vary_binary(const char *bytes, size_t size, unsigned which, uint64_t seed, char *out)
{
    enum { TRIES = 64, CUT = 8, DROP = 9, TWICE = 10 };
    uint64_t chance = seed * BINARY_KINDS + which;
    uint32_t words = (uint32_t)(size / 4);
    draw(&chance, 1);
    for (int i = 0; i < TRIES && words > 1; i++) {
        uint32_t at = 4 * draw(&chance, words), other = 4 * draw(&chance, words);
        size_t after = size - at - 4;
        memcpy(out, bytes, size);
        if (which == CUT)
            return at + 1;
        if (which == DROP) {
            memcpy(out + at, bytes + at + 4, after);
            return size - 4;
        }
        if (which == TWICE) {
            memcpy(out + at + 4, bytes + at, after + 4);
            return size + 4;
        }
        if (change_word(out + at, bytes + other, which) && memcmp(out, bytes, size) != 0)
            return size;
    }
    return 0;
}
