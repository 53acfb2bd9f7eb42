/* Reads decimal numbers strictly and exactly: the slow paths, for what number.h does not read
 * inline. */
#include "number.h"
#include "exact.h"

#include <math.h>

/* A decimal taken apart: (-1)^negative * value * 10^exponent, where `value` is the first
 * nineteen significant digits and `digits`..`digits_end` (with a point somewhere) all of them. */
typedef struct decimal {
    const uint8_t *digits, *digits_end;
    uint64_t value;
    uint32_t count;   /* significant digits, leading zeros left out */
    int64_t exponent; /* of `value`; it accounts for the digits that were dropped */
    int64_t written;  /* the exponent as written after the e */
    bool negative, has_point, has_exponent;
} decimal;

enum {
    VALUE_DIGITS = 19,
    EXPONENT_CAP = 100000000,
    FLOAT_MAX_EXPONENT = 38,
    DOUBLE_MIN_EXPONENT = -324
};

const double m5_power10[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
const uint32_t m5_scale10[9] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

/* ---- Grammar ------------------------------------------------------------------------------ */

static void add_digit(decimal *d, unsigned digit, bool behind_point)
{
    if (d->count > 0 || digit != 0)
        d->count++;
    if (d->count <= VALUE_DIGITS)
        d->value = d->value * 10 + digit;
    if (d->count <= VALUE_DIGITS ? behind_point : !behind_point)
        d->exponent += behind_point ? -1 : 1;
}

static const uint8_t *scan_mantissa(const uint8_t *p, const uint8_t *end, decimal *d)
{
    bool any = false;
    d->digits = p;
    for (; p < end && (m5_is_digit(*p) || (*p == '.' && !d->has_point)); p++) {
        if (*p == '.') {
            d->has_point = true;
            continue;
        }
        any = true;
        add_digit(d, *p - '0', d->has_point);
    }
    d->digits_end = p;
    return any ? p : NULL;
}

/* Returns `p` if there is no complete exponent there. */
static const uint8_t *scan_exponent(const uint8_t *p, const uint8_t *end, decimal *d)
{
    const uint8_t *q = p + 1;
    bool negative = q < end && *q == '-';
    if (q < end && (*q == '-' || *q == '+'))
        q++;
    if (q >= end || !m5_is_digit(*q))
        return p;
    for (; q < end && m5_is_digit(*q); q++)
        if (d->written < EXPONENT_CAP)
            d->written = d->written * 10 + (*q - '0');
    if (negative)
        d->written = -d->written;
    d->has_exponent = true;
    d->exponent += d->written;
    return q;
}

/* At `p` there are as many bytes as the word has. */
static bool same_letters(const uint8_t *p, const char *word)
{
    for (; *word != '\0'; word++, p++)
        if ((*p | 0x20) != *word)
            return false;
    return true;
}

/* Why a token is not in the grammar: `p` is after its sign, `stop` where reading ended. */
static m5_number_flaw refuse(const uint8_t *p, const uint8_t *stop, const uint8_t *end)
{
    bool exact = end - p == 3 || (end - p > 3 && p[3] == '(');
    if ((exact && (same_letters(p, "nan") || same_letters(p, "inf"))) ||
        (end - p == 8 && same_letters(p, "infinity")))
        return M5_NUMBER_NOT_FINITE;
    if (stop == NULL)
        return M5_NUMBER_SYNTAX;
    if (*stop == '#')
        return M5_NUMBER_NOT_FINITE;
    if (*stop == ',')
        return M5_NUMBER_COMMA;
    if (stop - p == 1 && *p == '0' && ((*stop | 0x20) == 'x' || (*stop | 0x20) == 'b'))
        return M5_NUMBER_HEX;
    return M5_NUMBER_SYNTAX;
}

static bool leading_zero(const uint8_t *p, const uint8_t *end)
{
    return end - p > 1 && p[0] == '0' && (m5_is_digit(p[1]) || (p[1] | 0x20) == 'e');
}

static m5_number_flaw scan(const uint8_t *p, const uint8_t *end, decimal *d)
{
    bool plus = p < end && *p == '+', upper = false;
    *d = (decimal){.negative = p < end && *p == '-'};
    if (plus || d->negative)
        p++;
    const uint8_t *stop = scan_mantissa(p, end, d);
    if (stop != NULL && stop < end && (*stop | 0x20) == 'e') {
        upper = *stop == 'E';
        stop = scan_exponent(stop, end, d);
    }
    if (stop != end)
        return refuse(p, stop, end);
    if (leading_zero(p, end))
        return M5_NUMBER_LEADING_ZERO;
    if (plus)
        return M5_NUMBER_PLUS_SIGN;
    return upper ? M5_NUMBER_UPPER_EXPONENT : M5_NUMBER_FINE;
}

/* ---- Value: a quotient of at least 63 bits, then one rounding ------------------------------ */

/* Of a number that is not 0. */
static unsigned bits_of(uint64_t v)
{
#if defined(__GNUC__)
    return 64 - (unsigned)__builtin_clzll(v);
#else
    unsigned n = 0;
    for (; v != 0; v >>= 1)
        n++;
    return n;
#endif
}

/* q * 2^exponent as the nearest double, ties to even; `sticky` says whether there are bits after
 * q's last. As a quotient q has 63 bits or 64, which is always more than a double keeps. */
static double round_to_double(uint64_t q, int exponent, bool sticky)
{
    int top = exponent + (int)bits_of(q); /* 2^(top-1) <= value < 2^top */
    int keep = top >= -1021 ? 53 : 53 - (-1021 - top);
    int drop = (int)bits_of(q) - keep;
    if (top > 1024)
        return (double)INFINITY;
    if (drop > 64)
        return 0;
    uint64_t rest = drop == 64 ? q : q & (((uint64_t)1 << drop) - 1);
    uint64_t half = (uint64_t)1 << (drop - 1);
    uint64_t kept = drop == 64 ? 0 : q >> drop;
    if (rest > half || (rest == half && (sticky || (kept & 1))))
        kept++;
    return ldexp((double)kept, exponent + drop);
}

/* The quotient of high:low by d, where high < d and d's top bit is set (Knuth's algorithm D
 * with two digits of 32 bits). */
static uint64_t divide_128(uint64_t high, uint64_t low, uint64_t d, bool *rest)
{
    uint64_t d1 = d >> 32, d0 = d & UINT32_MAX, quotient = 0;
    for (int shift = 32; shift >= 0; shift -= 32) {
        uint64_t next = low >> shift & UINT32_MAX, q = high / d1, r = high % d1;
        while (r <= UINT32_MAX && (q > UINT32_MAX || q * d0 > (r << 32 | next))) {
            q--;
            r += d1;
        }
        high = (high << 32 | next) - q * d; /* the true difference is below d: wrapping is fine */
        quotient = quotient << 32 | q;
    }
    *rest = high != 0;
    return quotient;
}

/* value / 10^n, for n up to 19: 10^19 is the last that fits 64 bits. */
static double divide_by_power(uint64_t value, unsigned n)
{
    uint64_t power = 1;
    for (unsigned i = 0; i < n; i++)
        power *= 10;
    int up = 64 - (int)bits_of(value), down = 64 - (int)bits_of(power);
    uint64_t high = value << up;
    bool sticky;
    uint64_t q = divide_128(high >> 1, high << 63, power << down, &sticky);
    return round_to_double(q, down - up - 63, sticky);
}

/* ---- The long way, for every number there is ---------------------------------------------- */

/* Halfway between two doubles there are at most 767 significant digits, so that from here on
 * it only matters whether any digit is not zero. */
enum { MAX_DIGITS = 800, LIMBS = 132 };

typedef struct big {
    uint32_t limb[LIMBS];
    unsigned count;
} big;

static void multiply_add(big *b, uint32_t factor, uint32_t carry)
{
    for (unsigned i = 0; i < b->count; i++) {
        uint64_t v = (uint64_t)b->limb[i] * factor + carry;
        b->limb[i] = (uint32_t)v;
        carry = (uint32_t)(v >> 32);
    }
    if (carry != 0)
        b->limb[b->count++] = carry;
}

static void multiply_power10(big *b, unsigned n)
{
    for (; n >= 9; n -= 9)
        multiply_add(b, 1000000000, 0);
    multiply_add(b, m5_scale10[n], 0);
}

static int big_bits(const big *b)
{
    return (int)(b->count - 1) * 32 + (int)bits_of(b->limb[b->count - 1]);
}

static void shift_left(big *b, unsigned n)
{
    unsigned words = n / 32, bits = n % 32;
    for (unsigned i = b->count; i-- > 0;)
        b->limb[i + words] = b->limb[i];
    memset(b->limb, 0, words * sizeof *b->limb);
    b->count += words;
    multiply_add(b, (uint32_t)1 << bits, 0);
}

static int compare(const big *a, const big *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (unsigned i = a->count; i-- > 0;)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

/* a - b, where a is not the smaller */
static void subtract(big *a, const big *b)
{
    uint64_t borrow = 0;
    for (unsigned i = 0; i < a->count; i++) {
        uint64_t v = (uint64_t)a->limb[i] - (i < b->count ? b->limb[i] : 0) - borrow;
        a->limb[i] = (uint32_t)v;
        borrow = v >> 63;
    }
    while (a->count > 0 && a->limb[a->count - 1] == 0)
        a->count--;
}

/* The significant digits as an integer, and the power of ten that belongs to it. */
static int64_t all_digits(const decimal *d, big *b)
{
    uint32_t used = 0;
    bool rest = false;
    b->count = 0;
    for (const uint8_t *p = d->digits; p < d->digits_end; p++) {
        if (*p == '.' || (b->count == 0 && *p == '0'))
            continue;
        if (used == MAX_DIGITS) {
            rest = rest || *p != '0';
            continue;
        }
        multiply_add(b, 10, *p - '0');
        used++;
    }
    if (rest)
        b->limb[0] |= 1; /* enough to break a tie, and too little to matter elsewhere */
    int64_t dropped = d->count > VALUE_DIGITS ? (int64_t)used - VALUE_DIGITS : 0;
    return d->exponent - dropped;
}

/* a / b by long division in base 2: 64 bits of quotient, and whether anything is left. */
static double quotient(big *a, big *b)
{
    int shift = big_bits(b) - big_bits(a);
    if (shift > 0)
        shift_left(a, (unsigned)shift);
    else
        shift_left(b, (unsigned)-shift);
    uint64_t q = 0;
    for (int i = 0; i < 64; i++) {
        q <<= 1;
        if (compare(a, b) >= 0) {
            subtract(a, b);
            q |= 1;
        }
        shift_left(a, 1);
    }
    return round_to_double(q, -63 - shift, a->count != 0);
}

static double by_long_division(const decimal *d)
{
    int64_t magnitude = d->exponent + (d->count < VALUE_DIGITS ? d->count : VALUE_DIGITS);
    if (magnitude > 310)
        return (double)INFINITY;
    if (magnitude < -330)
        return 0;
    big a = {.count = 0}, b = {.limb = {1}, .count = 1};
    int64_t exponent = all_digits(d, &a);
    multiply_power10(exponent < 0 ? &b : &a, (unsigned)(exponent < 0 ? -exponent : exponent));
    return quotient(&a, &b);
}

static double magnitude_of(const decimal *d)
{
    bool whole = d->count <= VALUE_DIGITS;
    if (d->value == 0)
        return 0;
#if FLT_EVAL_METHOD == 0
    if (whole && d->value <= (uint64_t)1 << 53 && d->exponent >= -22 && d->exponent <= 22) {
        double v = (double)d->value;
        return d->exponent < 0 ? v / m5_power10[-d->exponent] : v * m5_power10[d->exponent];
    }
#endif
    if (whole && d->exponent <= 0 && d->exponent >= -19)
        return divide_by_power(d->value, (unsigned)-d->exponent);
    return by_long_division(d);
}

/* ---- What is rare in the fast reader ------------------------------------------------------- */

#if M5_HAS_FAST_FLOAT
const uint8_t *m5_fast_small_float(const uint8_t *p, float *out)
{
    bool negative = *p == '-';
    uint64_t value;
    double power = 1;
    unsigned exponent = 0, digits = 0;
    p = m5_fast_whole(p + negative, &value);
    if (p != NULL && *p == '.')
        p = m5_fast_fraction(p + 1, &value, &power);
    if (p == NULL || p[0] != 'e' || p[1] != '-')
        return NULL;
    for (p += 2; digits < 2 && m5_is_digit(*p); p++, digits++)
        exponent = exponent * 10 + (*p - '0');
    if (digits == 0 || !m5_is_blank(*p) || exponent > 22 || power * m5_power10[exponent] > 1e22)
        return NULL;
    double d = (double)value / (power * m5_power10[exponent]);
    *out = (float)(negative ? -d : d);
    return p;
}
#else
const uint8_t *m5_fast_small_float(const uint8_t *p, float *out)
{
    (void)p;
    (void)out;
    return NULL;
}
#endif

/* ---- What the parsers call ---------------------------------------------------------------- */

static bool has_value(m5_number_flaw flaw)
{
    return flaw <= M5_NUMBER_LEADING_ZERO;
}

m5_number_flaw m5_read_double(const uint8_t *text, size_t length, double *out)
{
    decimal d;
    m5_number_flaw flaw = scan(text, text + length, &d);
    if (!has_value(flaw))
        return flaw;
    double v = magnitude_of(&d);
    *out = d.negative ? -v : v;
    if (d.written > FLOAT_MAX_EXPONENT || d.written < DOUBLE_MIN_EXPONENT)
        return M5_NUMBER_EXPONENT_HUGE;
    return v > DBL_MAX ? M5_NUMBER_OVERFLOW : flaw;
}

m5_number_flaw m5_read_float(const uint8_t *text, size_t length, float *out)
{
    double d = 0;
    m5_number_flaw flaw = m5_read_double(text, length, &d);
    if (flaw > M5_NUMBER_OVERFLOW)
        return flaw;
    *out = (float)d;
    if (flaw != M5_NUMBER_EXPONENT_HUGE && (*out > FLT_MAX || *out < -FLT_MAX))
        return M5_NUMBER_OVERFLOW;
    return flaw;
}

m5_number_flaw m5_read_int(const uint8_t *text, size_t length, int32_t *out)
{
    decimal d;
    m5_number_flaw flaw = scan(text, text + length, &d);
    if (!has_value(flaw))
        return flaw;
    if (d.has_point || d.has_exponent) {
        double v = magnitude_of(&d);
        if (v >= 2147483648.0)
            return M5_NUMBER_OVERFLOW;
        *out = d.negative ? -(int32_t)v : (int32_t)v;
        return M5_NUMBER_IS_FLOAT;
    }
    uint64_t limit = (uint64_t)INT32_MAX + d.negative;
    if (d.count > VALUE_DIGITS || d.value > limit)
        return M5_NUMBER_OVERFLOW;
    *out = d.negative ? (int32_t) - (int64_t)d.value : (int32_t)d.value;
    return flaw;
}
