/* Finds the tokens of a text and reads its numbers, which every reader of these formats must do:
 * with the least possible work, as fast as portable C allows. Nothing is checked or reported. The
 * function that reads a number is a parameter, so that several can be timed with the same
 * tokenizer. C and C++ include this. */
#ifndef TOKENS_H
#define TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__GNUC__)
#define TOKENS_INLINE static inline __attribute__((always_inline))
#else
#define TOKENS_INLINE static inline
#endif

/* The number of NULs that must follow a text. */
enum { TOKENS_PADDING = 64 };

/* Reads the number at `p` and returns the last byte that is done: the number's last one or the
 * white space after it. NULL if there is no number. */
typedef const uint8_t *read_number(const uint8_t *p, float *out);

TOKENS_INLINE bool tokens_is_bracket(uint8_t c)
{
    return c == '(' || c == ')' || c == '{' || c == '}';
}

/* Whether a word goes on; in MD5 also brackets and quotes end it. Most bytes are from * to z. */
TOKENS_INLINE bool tokens_in_word(uint8_t c, bool md5)
{
    return (uint8_t)(c - '*') <= 'z' - '*' ||
           (c > ' ' && !(md5 && (tokens_is_bracket(c) || c == '"')));
}

TOKENS_INLINE const uint8_t *tokens_skip_word(const uint8_t *p, bool md5)
{
    do
        p++;
    while (tokens_in_word(*p, md5));
    return p;
}

static inline const uint8_t *tokens_skip_past(const uint8_t *p, const uint8_t *end, char c)
{
    const void *at = p < end ? memchr(p, c, (size_t)(end - p)) : NULL;
    return at != NULL ? (const uint8_t *)at + 1 : end;
}

static inline const uint8_t *tokens_skip_comment(const uint8_t *p, const uint8_t *end)
{
    if (p[1] == '/')
        return tokens_skip_past(p, end, '\n');
    for (p += 2; p < end && (p[0] != '*' || p[1] != '/'); p++)
        continue;
    return p + 2;
}

/* Writes all numbers to `out`, which has room for one more than half the number of bytes. Returns
 * how many there are. */
TOKENS_INLINE size_t tokens_read(const uint8_t *text, size_t size, bool md5, float *out,
                                 read_number *read)
{
    const uint8_t *p = text, *end = text + size;
    float *first = out;
    while (p < end) {
        uint8_t c = *p;
        if ((uint8_t)(c - '+') < 15 && c != '/') { /* + , - . and digits */
            const uint8_t *last = read(p, out);
            out += last != NULL;
            p = last != NULL ? last + 1 : tokens_skip_word(p, md5);
        } else if (c <= ' ' || (md5 && tokens_is_bracket(c))) {
            p++;
        } else if (md5 && c == '"') {
            p = tokens_skip_past(p + 1, end, '"');
        } else if (md5 && c == '/' && (p[1] == '/' || p[1] == '*')) {
            p = tokens_skip_comment(p, end);
        } else {
            p = tokens_skip_word(p, md5);
        }
    }
    return (size_t)(out - first);
}

#endif
