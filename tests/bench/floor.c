/* The floor: finds tokens and converts numbers, and nothing else. */
#include "floor.h"

#include "tokens.h"

#include <stdlib.h>

/* Numbers take almost all the time. Exporters write them as digits, a point and 1 to 10 more
 * digits, or as digits alone. Each of these lengths has code of its own, because the processor can
 * predict a branch on a length and begin the next number before this one is done. If the length
 * were only added to a pointer, it would have to wait. */

static const double power10[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
enum { MAX_POWER = 22, MAX_DIGITS = 19 };
static const uint64_t exact = (uint64_t)1 << 53; /* integers up to here are doubles */

static bool is_digit(uint8_t c)
{
    return (uint8_t)(c - '0') < 10;
}

/* ---- Any number ------------------------------------------------------------------------------ */

static const uint8_t *read_exponent(const uint8_t *p, int *exponent)
{
    bool negative = p[1] == '-';
    int written = 0;
    for (p += 1 + (p[1] == '-' || p[1] == '+'); is_digit(*p); p++)
        if (written < 10000)
            written = written * 10 + (*p - '0');
    *exponent += negative ? -written : written;
    return p;
}

static double scaled(uint64_t value, int exponent)
{
    return exponent < 0 ? (double)value / power10[-exponent] : (double)value * power10[exponent];
}

/* Exact if value and power of ten are both exact doubles, as there is only one rounding then. */
static const uint8_t *read_any(const uint8_t *start, float *out)
{
    const uint8_t *p = start + (*start == '-' || *start == '+');
    uint64_t value = 0;
    int exponent = 0, digits = 0;
    for (; is_digit(*p); p++, digits++)
        value = value * 10 + (*p - '0');
    if (*p == '.')
        for (p++; is_digit(*p); p++, digits++, exponent--)
            value = value * 10 + (*p - '0');
    if (digits != 0 && (*p | 0x20) == 'e')
        p = read_exponent(p, &exponent);
    if (digits == 0 || (tokens_in_word(*p, true) && *p != '/'))
        return NULL;
    if (digits > MAX_DIGITS || value > exact || abs(exponent) > MAX_POWER)
        *out = (float)strtod((const char *)start, NULL);
    else
        *out = (float)(*start == '-' ? -scaled(value, exponent) : scaled(value, exponent));
    return p - 1;
}

/* ---- Eight bytes at a time ------------------------------------------------------------------- */

#if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

TOKENS_INLINE uint64_t load(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* Eight digits: combines neighbours into pairs, pairs into fours, and fours into the number. */
TOKENS_INLINE uint64_t eight_digits(uint64_t v)
{
    v = (v & 0x0f0f0f0f0f0f0f0f) * (10 << 8 | 1) >> 8;
    v = (v & 0x00ff00ff00ff00ff) * (100 << 16 | 1) >> 16;
    return (v & 0x0000ffff0000ffff) * ((uint64_t)10000 << 32 | 1) >> 32;
}

/* The first `n` of eight bytes, 1 to 8, as digits. */
TOKENS_INLINE uint64_t some_digits(uint64_t v, unsigned n)
{
    return eight_digits(v << (64 - 8 * n));
}

/* How many of eight bytes are digits before the first that is not. */
TOKENS_INLINE unsigned count_digits(uint64_t v)
{
    uint64_t x = v ^ 0x3030303030303030;
    uint64_t other = (x | (x + 0x0606060606060606)) & 0xf0f0f0f0f0f0f0f0;
    return other == 0 ? 8 : (unsigned)__builtin_ctzll(other) / 8;
}

TOKENS_INLINE const uint8_t *store(const uint8_t *p, bool negative, double value, float *out)
{
    *out = (float)(negative ? -value : value);
    return p;
}

/* Reads from the ninth digit after the point on; `value` has the digits before. */
TOKENS_INLINE const uint8_t *read_long(const uint8_t *start, const uint8_t *p, uint64_t value,
                                       float *out)
{
    uint64_t v = load(p);
    unsigned n = count_digits(v);
    double power = 1e8;
    if (n == 2) {
        value = value * 100 + (v & 15) * 10 + (v >> 8 & 15);
        power = 1e10;
        p += 2;
    } else if (n == 1) {
        value = value * 10 + (v & 15);
        power = 1e9;
        p++;
    }
    if (*p > ' ' || value > exact)
        return read_any(start, out);
    return store(p, *start == '-', (double)(int64_t)value / power, out);
}

/* Reads from after the point on; `whole` is the number before it. */
TOKENS_INLINE const uint8_t *read_fraction(const uint8_t *start, const uint8_t *p, uint64_t whole,
                                           float *out)
{
    uint64_t v = load(p), value;
    unsigned n = count_digits(v);
    double power;
    if (n == 6) {
        value = whole * 1000000 + some_digits(v, 6);
        power = 1e6;
        p += 6;
    } else if (n == 8) {
        return read_long(start, p + 8, whole * 100000000 + eight_digits(v), out);
    } else if (n != 0) {
        power = power10[n];
        value = whole * (uint64_t)power + some_digits(v, n);
        p += n;
    } else {
        return read_any(start, out);
    }
    if (*p > ' ')
        return read_any(start, out);
    return store(p, *start == '-', (double)(int64_t)value / power, out);
}

TOKENS_INLINE const uint8_t *read_fast(const uint8_t *start, float *out)
{
    bool negative = *start == '-';
    const uint8_t *p = start + negative;
    unsigned first = (unsigned)*p - '0';
    if (first > 9)
        return read_any(start, out);
    if (p[1] == '.')
        return read_fraction(start, p + 2, first, out);
    if (p[1] <= ' ')
        return store(p + 1, negative, (double)(int)first, out);
    uint64_t v = load(p);
    unsigned n = count_digits(v);
    if (n == 8)
        return read_any(start, out);
    uint64_t whole = some_digits(v, n);
    if (n == 3)
        p += 3;
    else if (n == 2)
        p += 2;
    else if (n == 4)
        p += 4;
    else if (n == 5)
        p += 5;
    else
        p += n;
    if (*p <= ' ')
        return store(p, negative, (double)(int64_t)whole, out);
    if (*p == '.')
        return read_fraction(start, p + 1, whole, out);
    return read_any(start, out);
}

#else
#define read_fast read_any
#endif

size_t floor_read(const uint8_t *text, size_t size, bool md5, float *out)
{
    return md5 ? tokens_read(text, size, true, out, read_fast)
               : tokens_read(text, size, false, out, read_fast);
}
