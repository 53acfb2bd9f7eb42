/* Damages files: drops, repeats, swaps and changes words, lines and MD4 fields. */
#include "damage.h"

#include <stdio.h>
#include <string.h>

enum { MOST_SHOWN = 40, MOST_MOVED = 4096 };

/* `size` bytes from `at` on. */
typedef struct piece {
    size_t at, size;
} piece;

/* A random number below `limit`; xorshift. */
static size_t below(damaged *d, size_t limit)
{
    d->chance ^= d->chance << 13;
    d->chance ^= d->chance >> 7;
    d->chance ^= d->chance << 17;
    return limit == 0 ? 0 : (size_t)(d->chance >> 16) % limit;
}

/* `by` may be a piece of the bytes themselves. */
static bool replace(damaged *d, piece gone, const void *by, size_t size)
{
    uint8_t copy[MOST_MOVED];
    if (size > sizeof copy || d->size - gone.size + size > DAMAGE_ROOM)
        return false;
    if (size != 0)
        memcpy(copy, by, size);
    memmove(d->bytes + gone.at + size, d->bytes + gone.at + gone.size,
            d->size - gone.at - gone.size);
    memcpy(d->bytes + gone.at, copy, size);
    d->size += size - gone.size;
    return true;
}

/* ---- Text ------------------------------------------------------------------------------------ */

/* A piece of the file, shortened to fit into a sentence. */
typedef struct shown {
    char text[MOST_SHOWN + 1];
} shown;

static shown show(const damaged *d, piece p)
{
    shown s = {""};
    for (size_t i = 0; i < p.size && i < MOST_SHOWN; i++) {
        uint8_t c = d->bytes[p.at + i];
        s.text[i] = (char)(c < ' ' || c > '~' ? ' ' : c);
    }
    return s;
}

static bool is_blank(uint8_t c)
{
    return c <= ' ';
}

static piece word_at(const damaged *d, size_t at)
{
    while (at < d->size && is_blank(d->bytes[at]))
        at++;
    size_t end = at;
    while (end < d->size && !is_blank(d->bytes[end]))
        end++;
    return (piece){at, end - at};
}

/* Chosen by a random offset, so that long ones are chosen more often. */
static piece any_word(damaged *d)
{
    size_t at = below(d, d->size);
    while (at > 0 && !is_blank(d->bytes[at - 1]))
        at--;
    return word_at(d, at);
}

/* A line with its line ending. */
static piece line_at(const damaged *d, size_t at)
{
    const uint8_t *lf = memchr(d->bytes + at, '\n', d->size - at);
    return (piece){at, lf != NULL ? (size_t)(lf + 1 - d->bytes) - at : d->size - at};
}

static piece any_line(damaged *d)
{
    size_t at = below(d, d->size);
    while (at > 0 && d->bytes[at - 1] != '\n')
        at--;
    return line_at(d, at);
}

static unsigned number_of(const damaged *d, piece line)
{
    unsigned n = 1;
    for (size_t i = 0; i < line.at; i++)
        n += d->bytes[i] == '\n';
    return n;
}

static const char *odd_word(damaged *d)
{
    static const char *const odd[] = {"{",    "}",   "(", ")",     "\"", "//", "/*",   "*/",
                                      "1e40", "nan", "-", "1e-50", "x",  ",",  "0.5",  "1.",
                                      "-1",   "0",   "1", "2",     "3",  "7",  "1000", ";"};
    return odd[below(d, sizeof odd / sizeof *odd)];
}

static bool damage_word(damaged *d, char says[DAMAGE_SAYS])
{
    piece a = any_word(d), b = below(d, 2) ? any_word(d) : word_at(d, a.at + a.size);
    piece gap = {a.at + a.size, word_at(d, a.at + a.size).at - a.at - a.size};
    shown left = show(d, a), right = show(d, b);
    const char *odd = odd_word(d);
    unsigned line = number_of(d, a);
    char text[MOST_MOVED];
    int n = 0;
    if (a.size == 0)
        return false;
    switch (below(d, 7)) {
    case 0:
        snprintf(says, DAMAGE_SAYS, "line %u: %s was removed", line, left.text);
        return replace(d, (piece){a.at, a.size + gap.size}, NULL, 0);
    case 1:
        snprintf(says, DAMAGE_SAYS, "line %u: %s became %s", line, left.text, right.text);
        return replace(d, a, d->bytes + b.at, b.size);
    case 2:
        snprintf(says, DAMAGE_SAYS, "line %u: %s became %s", line, left.text, odd);
        return replace(d, a, odd, strlen(odd));
    case 3:
        snprintf(says, DAMAGE_SAYS, "line %u: %s inserted before %s", line, right.text, left.text);
        n = snprintf(text, sizeof text, "%.*s ", (int)b.size, (const char *)d->bytes + b.at);
        return n < (int)sizeof text && replace(d, (piece){a.at, 0}, text, (size_t)n);
    case 4:
        snprintf(says, DAMAGE_SAYS, "line %u: %s inserted before %s", line, odd, left.text);
        n = snprintf(text, sizeof text, "%s ", odd);
        return replace(d, (piece){a.at, 0}, text, (size_t)n);
    case 5:
        snprintf(says, DAMAGE_SAYS, "line %u: no space after %s", line, left.text);
        return replace(d, gap, NULL, 0);
    default:
        snprintf(says, DAMAGE_SAYS, "line %u: line ending inserted after %s", line, left.text);
        return replace(d, gap, "\n", 1);
    }
}

static bool damage_lines(damaged *d, char says[DAMAGE_SAYS])
{
    piece a = any_line(d), b = any_line(d), some = a;
    size_t more = below(d, 6);
    unsigned first = number_of(d, a);
    shown text = show(d, a);
    switch (below(d, 6)) {
    case 0:
        snprintf(says, DAMAGE_SAYS, "line %u was removed: %s", first, text.text);
        return replace(d, a, NULL, 0);
    case 1:
        snprintf(says, DAMAGE_SAYS, "line %u was repeated: %s", first, text.text);
        return replace(d, (piece){a.at, 0}, d->bytes + a.at, a.size);
    case 2:
        snprintf(says, DAMAGE_SAYS, "line %u was joined with the next: %s", first, text.text);
        return a.size != 0 && replace(d, (piece){a.at + a.size - 1, 1}, " ", 1);
    case 3:
        snprintf(says, DAMAGE_SAYS, "line %u was copied before line %u: %s", first, number_of(d, b),
                 text.text);
        return replace(d, (piece){b.at, 0}, d->bytes + a.at, a.size);
    case 4:
        snprintf(says, DAMAGE_SAYS, "cut off before line %u: %s", first, text.text);
        d->size = a.at;
        return true;
    default:
        for (size_t i = 0; i < more; i++)
            some.size += line_at(d, some.at + some.size).size;
        snprintf(says, DAMAGE_SAYS, "lines %u to %zu were removed", first, first + more);
        return replace(d, some, NULL, 0);
    }
}

static bool damage_byte(damaged *d, char says[DAMAGE_SAYS])
{
    static const char odd[] = " \t\n\r\"(){}-+.,;/*0123456789eExn_<>\x80\xff\x01";
    size_t at = below(d, d->size);
    uint8_t byte = (uint8_t)odd[below(d, sizeof odd)], was = at < d->size ? d->bytes[at] : 0;
    if (d->size == 0)
        return false;
    switch (below(d, 3)) {
    case 0:
        snprintf(says, DAMAGE_SAYS, "byte %02x inserted at %zu", byte, at);
        return replace(d, (piece){at, 0}, &byte, 1);
    case 1:
        snprintf(says, DAMAGE_SAYS, "byte %02x removed at %zu", was, at);
        return replace(d, (piece){at, 1}, NULL, 0);
    default:
        snprintf(says, DAMAGE_SAYS, "byte %02x became %02x at %zu", was, byte, at);
        return replace(d, (piece){at, 1}, &byte, 1);
    }
}

bool damage_text(damaged *d, char says[DAMAGE_SAYS])
{
    if (d->size == 0)
        return false;
    switch (below(d, 8)) {
    case 0: return damage_byte(d, says);
    case 1:
    case 2:
    case 3: return damage_lines(d, says);
    default: return damage_word(d, says);
    }
}

/* ---- MD4 ------------------------------------------------------------------------------------- */

static int32_t int_at(const damaged *d, size_t at)
{
    int32_t value;
    memcpy(&value, d->bytes + at, 4);
    return value;
}

/* A number near the old one, by records or by bytes; one from elsewhere in the file; an offset; or
 * a small number. */
static int32_t other_int(damaged *d, int32_t was)
{
    static const uint32_t sizes[] = {1, 4, 12, 16, 20, 36, 40, 52, 68};
    uint32_t size = sizes[below(d, sizeof sizes / sizeof *sizes)];
    switch (below(d, 6)) {
    case 0:
    case 1: return (int32_t)((uint32_t)was + size * ((uint32_t)below(d, 9) - 4));
    case 2: return int_at(d, 4 * below(d, d->size / 4));
    case 3: return (int32_t)below(d, d->size + 64);
    case 4: return (int32_t)below(d, 8);
    default: return (int32_t)(below(d, 2) ? 2 * (uint32_t)was : 0 - (uint32_t)was);
    }
}

static bool damage_int(damaged *d, char says[DAMAGE_SAYS])
{
    enum { HEADER = 75 }; /* the first ints of the file, which are chosen more often */
    size_t ints = d->size / 4, at = 4 * below(d, ints > HEADER && below(d, 3) == 0 ? HEADER : ints);
    int32_t was = int_at(d, at), is = other_int(d, was);
    snprintf(says, DAMAGE_SAYS, "patch 0x%zx     # was %d\nint %d", at, was, is);
    memcpy(d->bytes + at, &is, 4);
    return is != was;
}

bool damage_md4(damaged *d, char says[DAMAGE_SAYS])
{
    static const uint8_t zeros[64];
    size_t at = 4 * below(d, d->size / 4), words = 4 * (1 + below(d, 8)), bytes = 1 + below(d, 64);
    if (d->size < 8)
        return false;
    switch (below(d, 12)) {
    case 0:
        snprintf(says, DAMAGE_SAYS, "lose 0x%zx %zu", at, words);
        return at + words <= d->size && replace(d, (piece){at, words}, NULL, 0);
    case 1:
        snprintf(says, DAMAGE_SAYS, "gain 0x%zx %zu", at, words);
        return replace(d, (piece){at, 0}, zeros, words);
    case 2:
        snprintf(says, DAMAGE_SAYS, "append\nzero %zu", bytes);
        return replace(d, (piece){d->size, 0}, zeros, bytes);
    case 3:
        d->size -= bytes < d->size ? bytes : 0;
        snprintf(says, DAMAGE_SAYS, "cut %zu", d->size);
        return true;
    default: return damage_int(d, says);
    }
}
