/* Decimal numbers, read strictly: no locale, no library, no rounding but the right one. */
#ifndef M5_NUMBER_H
#define M5_NUMBER_H

#include "source.h"

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

M5_BEGIN_C

/* What is wrong with a token that should be a number. Up to and including
 * M5_NUMBER_UPPER_EXPONENT the value is right all the same. */
typedef enum m5_number_flaw {
    M5_NUMBER_FINE,
    M5_NUMBER_PLUS_SIGN,      /* +5 */
    M5_NUMBER_UPPER_EXPONENT, /* 1E5 */
    M5_NUMBER_LEADING_ZERO,   /* 010, 00.5, 0e5 */
    M5_NUMBER_IS_FLOAT,       /* 3.0 where an integer is due; the value is cut to 3 */
    M5_NUMBER_EXPONENT_HUGE,  /* 1e39: an exponent beyond +-38 */
    M5_NUMBER_OVERFLOW,       /* beyond a float, or beyond an int32 */
    M5_NUMBER_HEX,            /* 0x10, 0b1 */
    M5_NUMBER_COMMA,          /* 0,5 */
    M5_NUMBER_NOT_FINITE,     /* nan, inf, 1.#IND */
    M5_NUMBER_SYNTAX          /* anything else */
} m5_number_flaw;

/* The grammar is  [+-] digits [. [digits]] [e [+-] digits]  or  [+-] . digits [e [+-] digits].
 * `out` gets the correctly rounded double (m5_read_double), that double rounded to a float
 * (m5_read_float), or the exact integer (m5_read_int), and is set unless the flaw is one of
 * M5_NUMBER_OVERFLOW (int) and the four behind it. Time is linear in `length`. */
m5_number_flaw m5_read_double(const uint8_t *text, size_t length, double *out);
m5_number_flaw m5_read_float(const uint8_t *text, size_t length, float *out);
m5_number_flaw m5_read_int(const uint8_t *text, size_t length, int32_t *out);

/* ---- The fast readers, for the common case only -------------------------------------------
 *
 * Each reads one number at `p` and returns what follows it, or NULL where it will not judge:
 * then the readers above do. Both want at least M5_FAST_BYTES readable bytes at `p`, and accept
 * only what is followed by a blank, so that nothing they accept means something else. */
enum { M5_FAST_BYTES = 64 };

static inline bool m5_is_digit(uint8_t c)
{
    return (uint8_t)(c - '0') < 10;
}

static inline bool m5_is_blank(uint8_t c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* At most nine digits, so that there is nothing to overflow. */
static inline const uint8_t *m5_fast_int(const uint8_t *p, int32_t *out)
{
    bool negative = *p == '-';
    p += negative;
    const uint8_t *first = p;
    int32_t value = 0;
    while (m5_is_digit(*p) && p - first < 9)
        value = value * 10 + (*p++ - '0');
    if (p == first || !m5_is_blank(*p) || (*first == '0' && p - first > 1))
        return NULL;
    *out = negative ? -value : value;
    return p;
}

/* Eight digits at once, after the well-known multiply-and-shift: pairs, then fours, then all. */
static inline uint64_t m5_eight_digits(uint64_t v)
{
    v = (v & 0x0f0f0f0f0f0f0f0f) * 2561 >> 8;
    v = (v & 0x00ff00ff00ff00ff) * 6553601 >> 16;
    return (v & 0x0000ffff0000ffff) * 42949672960001 >> 32;
}

/* A nonzero byte for each that is no digit; the lowest such byte is exact, those above it may
 * be spoilt by its carry, so only the first is ever asked for. */
static inline uint64_t m5_not_digits(uint64_t v)
{
    uint64_t x = v ^ 0x3030303030303030;
    return ((x + 0x0606060606060606) | x) & 0xf0f0f0f0f0f0f0f0;
}

#if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && \
    FLT_EVAL_METHOD == 0
#define M5_HAS_FAST_FLOAT 1
#else
#define M5_HAS_FAST_FLOAT 0
#endif

#if M5_HAS_FAST_FLOAT
extern const double m5_power10[23];
extern const uint32_t m5_scale10[9];

/* Digits at `p` into `*value`, up to eight; returns how many. */
static inline unsigned m5_fast_digits(const uint8_t *p, uint64_t *value)
{
    uint64_t v;
    memcpy(&v, p, 8);
    uint64_t stop = m5_not_digits(v);
    if (stop == 0) {
        *value = *value * 100000000 + m5_eight_digits(v);
        return 8;
    }
    unsigned n = (unsigned)__builtin_ctzll(stop) / 8;
    if (n == 0)
        return 0;
    *value = *value * m5_scale10[n] + m5_eight_digits(v << (64 - 8 * n));
    return n;
}
#endif

/* A plain decimal, [-] digits [. digits], exact because both the digits (below 2^53) and the
 * power of ten are doubles, so that the one division is the only rounding. */
static inline const uint8_t *m5_fast_float(const uint8_t *p, float *out)
{
#if M5_HAS_FAST_FLOAT
    bool negative = *p == '-';
    p += negative;
    const uint8_t *first = p;
    uint64_t value = (uint64_t)(*p - '0');
    unsigned fraction = 0;
    if (value > 9)
        return NULL;
    if (p[1] != '.' && !m5_is_blank(p[1])) {
        unsigned whole = m5_fast_digits(p + 1, &value);
        if (whole == 0 || whole == 8 || *p == '0')
            return NULL;
        p += whole;
    }
    p++;
    if (*p == '.') {
        fraction = m5_fast_digits(++p, &value);
        p += fraction;
        if (fraction == 8) {
            unsigned more = m5_fast_digits(p, &value);
            fraction += more;
            p += more;
        }
    }
    if (!m5_is_blank(*p) || p - first > 19 || value > (uint64_t)1 << 53)
        return NULL;
    double d = (double)value / m5_power10[fraction];
    *out = (float)(negative ? -d : d);
    return p;
#else
    (void)p;
    (void)out;
    return NULL;
#endif
}

M5_END_C

#endif
