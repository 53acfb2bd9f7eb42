/* Decimal numbers, read strictly: without a locale or a library, and correctly rounded. */
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
 * M5_NUMBER_LEADING_ZERO the value is right all the same. */
typedef enum m5_number_flaw {
    M5_NUMBER_FINE,
    M5_NUMBER_PLUS_SIGN,      /* +5 */
    M5_NUMBER_UPPER_EXPONENT, /* 1E5 */
    M5_NUMBER_LEADING_ZERO,   /* 010, 00.5, 0e5 */
    M5_NUMBER_IS_FLOAT,       /* 3.0 where an integer is expected; the value is cut to 3 */
    M5_NUMBER_EXPONENT_HUGE,  /* 1e39, 1e-325: an exponent beyond 38 or below -324 */
    M5_NUMBER_OVERFLOW,       /* beyond a float, or beyond an int32 */
    M5_NUMBER_HEX,            /* 0x10, 0b1 */
    M5_NUMBER_COMMA,          /* 0,5 */
    M5_NUMBER_NOT_FINITE,     /* nan, inf, 1.#IND */
    M5_NUMBER_SYNTAX          /* anything else */
} m5_number_flaw;

/* The grammar is  [+-] digits [. [digits]] [e [+-] digits]  or  [+-] . digits [e [+-] digits].
 * `out` gets the correctly rounded double (m5_read_double), that double rounded to a float
 * (m5_read_float), or the exact integer (m5_read_int), and is set unless the flaw is one of
 * M5_NUMBER_OVERFLOW (int) and the four after it. Time is linear in `length`. */
m5_number_flaw m5_read_double(const uint8_t *text, size_t length, double *out);
m5_number_flaw m5_read_float(const uint8_t *text, size_t length, float *out);
m5_number_flaw m5_read_int(const uint8_t *text, size_t length, int32_t *out);

/* ---- The fast readers, for the common case only -------------------------------------------
 *
 * Each reads one number at `p` and returns what follows it, or NULL for anything unusual, which the
 * readers above then judge. They need at least M5_FAST_BYTES readable bytes at `p`, and accept only
 * what is followed by a blank, so that nothing they accept can mean something else.
 *
 * Usual lengths have branches of their own, even if one addition would do for all: a branch is
 * predicted, so that the next number begins before this one is done, but a length that is added to
 * a pointer has to be waited for. */
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

#if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ &&   \
    FLT_EVAL_METHOD == 0
#define M5_HAS_FAST_FLOAT 1
#else
#define M5_HAS_FAST_FLOAT 0
#endif

#if M5_HAS_FAST_FLOAT
extern const double m5_power10[23];
extern const uint32_t m5_scale10[9];

/* Eight digits at once, after the well-known multiply-and-shift: pairs, then fours, then all. */
M5_INLINE uint64_t m5_eight_digits(uint64_t v)
{
    v = (v & 0x0f0f0f0f0f0f0f0f) * 2561 >> 8;
    v = (v & 0x00ff00ff00ff00ff) * 6553601 >> 16;
    return (v & 0x0000ffff0000ffff) * 42949672960001 >> 32;
}

/* The first n of eight bytes, 1 to 8. */
M5_INLINE uint64_t m5_first_digits(uint64_t v, unsigned n)
{
    return m5_eight_digits(v << (64 - 8 * n));
}

/* How many of eight bytes are digits before one is not. */
M5_INLINE unsigned m5_count_digits(uint64_t v)
{
    uint64_t x = v ^ 0x3030303030303030;
    uint64_t others = ((x + 0x0606060606060606) | x) & 0xf0f0f0f0f0f0f0f0;
    return others == 0 ? 8 : (unsigned)__builtin_ctzll(others) / 8;
}

/* The digits before a point or blank: at most seven, and no leading zero. */
M5_INLINE const uint8_t *m5_fast_whole(const uint8_t *p, uint64_t *whole)
{
    uint64_t v, first = (uint64_t)*p - '0';
    *whole = first;
    if (first > 9)
        return NULL;
    if (p[1] == '.' || p[1] == ' ')
        return p + 1;
    memcpy(&v, p, 8);
    unsigned n = m5_count_digits(v);
    if (n == 8 || (first == 0 && n != 1))
        return NULL;
    *whole = m5_first_digits(v, n);
    return p + n;
}

/* More than eight digits after the point: `value` has those that came before. NULL if it gets too
 * large for a double. */
M5_INLINE const uint8_t *m5_fast_rest(const uint8_t *p, uint64_t *value, double *power)
{
    uint32_t a = (uint32_t)p[0] - '0', b = (uint32_t)p[1] - '0', c = (uint32_t)p[2] - '0';
    uint64_t v;
    if (a > 9)
        return p;
    if (*value > ((uint64_t)1 << 53) / 100 - 1)
        return NULL;
    if (b > 9) {
        *value = *value * 10 + a;
        *power = 1e9;
        return p + 1;
    }
    if (c > 9) {
        *value = *value * 100 + a * 10 + b;
        *power = 1e10;
        return p + 2;
    }
    memcpy(&v, p, 8);
    unsigned n = m5_count_digits(v);
    if (n == 8 || *value > ((uint64_t)1 << 53) / 10000000 - 1)
        return NULL;
    *value = *value * m5_scale10[n] + m5_first_digits(v, n);
    *power = m5_power10[8 + n];
    return p + n;
}

/* The digits after the point. */
M5_INLINE const uint8_t *m5_fast_fraction(const uint8_t *p, uint64_t *value, double *power)
{
    uint64_t v;
    memcpy(&v, p, 8);
    unsigned n = m5_count_digits(v);
    if (n == 6) {
        *value = *value * 1000000 + m5_first_digits(v, 6);
        *power = 1e6;
        return p + 6;
    }
    if (n == 8) {
        *value = *value * 100000000 + m5_eight_digits(v);
        *power = 1e8;
        return m5_fast_rest(p + 8, value, power);
    }
    if (n == 0)
        return NULL;
    *value = *value * m5_scale10[n] + m5_first_digits(v, n);
    *power = m5_power10[n];
    return p + n;
}
#endif

/* A plain decimal, [-] digits [. digits], exact because both the digits (below 2^53) and the
 * power of ten are doubles, so that the one division is the only rounding. The sign is set without
 * a branch, since signs cannot be predicted. */
M5_INLINE const uint8_t *m5_fast_float(const uint8_t *p, float *out)
{
#if M5_HAS_FAST_FLOAT
    uint32_t negative = *p == '-', bits;
    uint64_t value;
    double power = 1;
    p = m5_fast_whole(p + negative, &value);
    if (p != NULL && *p == '.')
        p = m5_fast_fraction(p + 1, &value, &power);
    if (p == NULL || !m5_is_blank(*p))
        return NULL;
    float magnitude = (float)((double)(int64_t)value / power);
    memcpy(&bits, &magnitude, sizeof bits);
    bits |= negative << 31;
    memcpy(out, &bits, sizeof bits);
    return p;
#else
    (void)p;
    (void)out;
    return NULL;
#endif
}

/* The same with an exponent, as long as it makes the number smaller and the power of ten stays a
 * double: [-] digits [. digits] e - digits. */
const uint8_t *m5_fast_small_float(const uint8_t *p, float *out);

M5_END_C

#endif
