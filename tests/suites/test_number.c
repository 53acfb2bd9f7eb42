/* Tests the number readers against strtod, bit for bit, and the fast readers against the slow ones.
 * NUMBERS in the environment sets how many random numbers are tried. */
#include "parsers/core/number.h"

#include <check.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_TOKEN = 4096, MAX_EXPONENT = 38, MIN_EXPONENT = -324 };

/* ---- Random numbers: splitmix64, the same in every run --------------------------------------- */

static uint64_t random_state;

static uint64_t random64(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static int below(int n)
{
    return (int)(random64() % (uint64_t)n);
}

static uint64_t bits_of(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

static double from_bits(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static uint32_t bits_of_float(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* Any finite double, so mostly far from 1. */
static double random_double(void)
{
    for (;;) {
        double d = from_bits(random64());
        if (isfinite(d))
            return d;
    }
}

/* ---- What every token of the grammar must give ----------------------------------------------- */

static long written_exponent(const char *token)
{
    const char *e = strpbrk(token, "eE");
    long written = e != NULL ? strtol(e + 1, NULL, 10) : 0;
    return written < -LONG_MAX ? -LONG_MAX : written;
}

/* The flaw of the notation, ignoring the value. */
static m5_number_flaw flaw_of_notation(const char *token)
{
    const char *p = token + (*token == '-' || *token == '+');
    if (p[0] == '0' && ((p[1] >= '0' && p[1] <= '9') || (p[1] | 0x20) == 'e'))
        return M5_NUMBER_LEADING_ZERO;
    if (*token == '+')
        return M5_NUMBER_PLUS_SIGN;
    return strchr(token, 'E') != NULL ? M5_NUMBER_UPPER_EXPONENT : M5_NUMBER_FINE;
}

static m5_number_flaw flaw_of_float(const char *token, bool overflows)
{
    long written = written_exponent(token);
    if (written > MAX_EXPONENT || written < MIN_EXPONENT)
        return M5_NUMBER_EXPONENT_HUGE;
    return overflows ? M5_NUMBER_OVERFLOW : flaw_of_notation(token);
}

static void check_floats(const char *token, double expected)
{
    size_t n = strlen(token);
    double d = 1;
    float f = 1, narrow = (float)expected;
    m5_number_flaw flaw = m5_read_double((const uint8_t *)token, n, &d);
    if (bits_of(d) != bits_of(expected) || flaw != flaw_of_float(token, isinf(expected)))
        ck_abort_msg("%s: read as %a (flaw %d), strtod says %a", token, d, (int)flaw, expected);
    flaw = m5_read_float((const uint8_t *)token, n, &f);
    if (bits_of_float(f) != bits_of_float(narrow) || flaw != flaw_of_float(token, isinf(narrow)))
        ck_abort_msg("%s: read as float %a (flaw %d), expected %a", token, (double)f, (int)flaw,
                     (double)narrow);
}

/* Integers are exact; numbers with a point or an exponent are truncated towards zero. */
static void check_int(const char *token, double expected)
{
    int32_t value = 1;
    m5_number_flaw flaw = m5_read_int((const uint8_t *)token, strlen(token), &value), due;
    bool whole = strpbrk(token, ".eE") == NULL;
    errno = 0;
    long long exact = whole ? strtoll(token, NULL, 10) : 0;
    if (whole && (errno != 0 || exact > INT32_MAX || exact < INT32_MIN))
        due = M5_NUMBER_OVERFLOW;
    else if (whole)
        due = flaw_of_notation(token);
    else
        due = fabs(expected) >= 2147483648.0 ? M5_NUMBER_OVERFLOW : M5_NUMBER_IS_FLOAT;
    int32_t truncated = whole || due == M5_NUMBER_OVERFLOW ? (int32_t)exact : (int32_t)expected;
    if (flaw != due || (due != M5_NUMBER_OVERFLOW && value != truncated))
        ck_abort_msg("%s: read as int %d (flaw %d), expected %d (flaw %d)", token, value, (int)flaw,
                     truncated, (int)due);
}

/* If a fast reader accepts a token, it must return the same as the slow one. `behind` ends the
 * token. */
static void check_fast(const char *token, char behind)
{
    static uint8_t text[MAX_TOKEN + M5_FAST_BYTES + 1];
    size_t n = strlen(token);
    float slow_float = 1, fast_float = 2;
    int32_t slow_int = 1, fast_int = 2;
    memcpy(text, token, n);
    memset(text + n, '7', M5_FAST_BYTES);
    text[n] = (uint8_t)behind;
    const uint8_t *end = m5_fast_float(text, &fast_float);
    if (end != NULL && (end != text + n || m5_read_float(text, n, &slow_float) != M5_NUMBER_FINE ||
                        bits_of_float(fast_float) != bits_of_float(slow_float)))
        ck_abort_msg("%s: fast reader took %d bytes, read %a", token, (int)(end - text),
                     (double)fast_float);
    end = m5_fast_int(text, &fast_int);
    if (end != NULL && (end != text + n || m5_read_int(text, n, &slow_int) != M5_NUMBER_FINE ||
                        fast_int != slow_int))
        ck_abort_msg("%s: fast reader took %d bytes, read %d", token, (int)(end - text), fast_int);
}

static void check_token(const char *token)
{
    double expected = strtod(token, NULL);
    check_floats(token, expected);
    check_int(token, expected);
    check_fast(token, " \n\t\r"[below(4)]);
    if (below(16) == 0)
        check_fast(token, ")}\"/,#x"[below(7)]); /* not white space: refused, or ends there */
}

/* ---- Exact ties: the decimal digits of a double's midpoint to the next ----------------------- */

enum { LIMB = 1000000000, LIMBS = 130 };
typedef struct big {
    uint32_t limb[LIMBS]; /* nine digits each, the lowest first */
    int count;
} big;

static void multiply(big *b, uint64_t factor)
{
    uint64_t carry = 0;
    for (int i = 0; i < b->count; i++) {
        carry += b->limb[i] * factor;
        b->limb[i] = (uint32_t)(carry % LIMB);
        carry /= LIMB;
    }
    for (; carry != 0; carry /= LIMB)
        b->limb[b->count++] = (uint32_t)(carry % LIMB);
}

static void multiply_often(big *b, uint64_t factor, int times, uint64_t step, int step_times)
{
    for (; times >= step_times; times -= step_times)
        multiply(b, step);
    for (; times > 0; times--)
        multiply(b, factor);
}

/* m * 2^e = digits * 10^(returned); a negative power of 2 is a power of 5 over a power of 10. */
static int decimal_of(uint64_t m, int e, char *digits)
{
    big b = {.count = 0};
    for (; m != 0; m /= LIMB)
        b.limb[b.count++] = (uint32_t)(m % LIMB);
    if (e >= 0)
        multiply_often(&b, 2, e, (uint64_t)1 << 30, 30);
    else
        multiply_often(&b, 5, -e, 1220703125, 13);
    digits += sprintf(digits, "%u", b.limb[b.count - 1]);
    for (int i = b.count - 1; i-- > 0;)
        digits += sprintf(digits, "%09u", b.limb[i]);
    return e < 0 ? e : 0;
}

static char *add_zeros(char *out, int count)
{
    memset(out, '0', (size_t)count);
    out[count] = '\0';
    return out + count;
}

/* Writes digits * 10^exponent: plain, or with the point somewhere and an exponent. */
static void place_point(char *out, const char *digits, int exponent)
{
    int n = (int)strlen(digits), point = below(n + 1);
    if (below(3) != 0) {
        sprintf(out, "%.*s.%se%d", point, digits, digits + point, exponent + n - point);
    } else if (exponent >= 0) {
        add_zeros(out + sprintf(out, "%s", digits), exponent);
    } else if (n > -exponent) {
        sprintf(out, "%.*s.%s", n + exponent, digits, digits + n + exponent);
    } else {
        out = add_zeros(out + sprintf(out, "0."), -exponent - n);
        strcpy(out, digits);
    }
}

/* Moves the number below the tie by one unit after its last digit, which is not 0; or above it by a
 * 1 at a much later digit. Returns the double that the number then rounds to. */
static double leave_tie(char *digits, int *exponent, double low, double high)
{
    size_t n = strlen(digits);
    int kind = below(4), more = 1 + below(900 - (int)n > 1 ? 900 - (int)n : 2);
    if (kind == 0) {
        digits[n - 1]--;
        memset(digits + n, '9', (size_t)more);
    } else if (kind == 1) {
        memset(digits + n, '0', (size_t)more);
        digits[n + (size_t)more - 1] = '1';
    } else {
        return bits_of(low) & 1 ? high : low;
    }
    digits[n + (size_t)more] = '\0';
    *exponent -= more;
    return kind == 0 ? low : high;
}

/* Does not rely on strtod alone: the way the number was made shows the right answer. */
static void try_tie(char *token)
{
    static char digits[MAX_TOKEN];
    uint64_t bits = below(4) == 0 ? random64() >> (12 + below(52)) : bits_of(fabs(random_double()));
    double low = from_bits(bits), high = from_bits(bits + 1);
    int e = (int)(bits >> 52);
    uint64_t m = (bits & 0xfffffffffffff) | (e > 0 ? (uint64_t)1 << 52 : 0);
    e = (e > 0 ? e : 1) - 1075;
    int exponent = decimal_of(2 * m + 1, e - 1, digits);
    size_t n = strlen(digits); /* there are no trailing zeros */
    for (; digits[n - 1] == '0'; exponent++)
        digits[--n] = '\0';
    double expected = leave_tie(digits, &exponent, low, high);
    place_point(token, digits, exponent);
    double d = 0;
    m5_read_double((const uint8_t *)token, strlen(token), &d);
    if (bits_of(d) != bits_of(expected))
        ck_abort_msg("%s: read as %a, expected %a", token, d, expected);
}

/* ---- Kinds of numbers ------------------------------------------------------------------------ */

static void add_digits(char *out, int count)
{
    for (; count > 0; count--)
        *out++ = (char)('0' + below(10));
    *out = '\0';
}

static void shortest_form(char *out)
{
    sprintf(out, "%.17g", random_double());
}

static void scientific(char *out)
{
    sprintf(out, "%.*e", below(25), random_double());
}

static void as_exporters_write(char *out)
{
    sprintf(out, "%.*f", below(12), ((double)(int64_t)random64()) * 0x1p-63 * pow(10, below(6)));
}

static void fixed(char *out)
{
    sprintf(out, "%.*f", below(25), ((double)(int64_t)random64()) * 0x1p-63 * pow(10, below(21)));
}

/* A few digits fewer or more than nineteen, with any exponent. */
static void fifteen_to_twenty(char *out)
{
    char digits[32];
    add_digits(digits, 14 + below(8));
    int n = (int)strlen(digits), point = below(n + 1);
    out += sprintf(out, "%.*s.%s", point, digits, digits + point);
    if (below(2))
        sprintf(out, "e%d", below(701) - 350);
}

static void many_digits(char *out)
{
    static char digits[1024];
    add_digits(digits, 1 + below(below(8) == 0 ? 900 : 60));
    place_point(out, digits, below(701) - 350 - (int)strlen(digits) / 2);
}

static void denormal(char *out)
{
    double d = from_bits(random64() >> (12 + below(52)));
    sprintf(out, below(2) ? "%.*e" : "%.*g", 1 + below(40), d);
}

static void around_2_53(char *out)
{
    uint64_t n = ((uint64_t)1 << (53 + below(4))) + (uint64_t)below(64) - 32;
    out += sprintf(out, "%llu", (unsigned long long)n);
    if (below(2))
        sprintf(out, ".%d%0*d", below(10), below(4) + 1, below(2));
}

/* The same digits with a point: quotients near the limit of what can be computed exactly. */
static void around_2_53_divided(char *out)
{
    char digits[32];
    sprintf(digits, "%llu", (1ull << 53) + (unsigned long long)below(64) - 32);
    int point = below(17);
    sprintf(out, "%.*s.%s", point, digits, digits + point);
}

static void near_limits(char *out)
{
    static const double limit[] = {DBL_MAX,
                                   DBL_MIN,
                                   4.9406564584124654e-324,
                                   FLT_MAX,
                                   FLT_MIN,
                                   1.401298464324817e-45,
                                   2147483648.0,
                                   3.4028235677973366e38};
    double d = limit[below(8)];
    int digits = below(20);
    sprintf(out, "%.*e", digits, d);
    out[below(digits + 1) + (digits > 0)] ^= (char)below(2); /* one digit, or the point */
    if (strspn(out, "0123456789.") != (size_t)(strchr(out, 'e') - out))
        sprintf(out, "%.*e", digits, d);
}

static void overflowing(char *out)
{
    int exponent = below(2) ? 300 + below(100) : 30 + below(20);
    sprintf(out, "%d.%de%d", 1 + below(9), below(100000), exponent);
}

static void integer(char *out)
{
    add_digits(out, 1 + below(below(4) == 0 ? 24 : 11));
    if (below(8) == 0)
        sprintf(out, "%lld", 2147483648ll + below(5) - 2);
}

/* Halfway between two floats, or next to it: m5_read_float promises to round twice. */
static void near_float_tie(char *out)
{
    float f;
    uint32_t bits = (uint32_t)random64() & 0x7fffffff;
    memcpy(&f, &bits, sizeof f);
    if (!isfinite(f))
        f = 1;
    sprintf(out, "%.*g", 8 + below(20), ((double)f + (double)nextafterf(f, INFINITY)) / 2);
    if (strpbrk(out, "in") != NULL)
        strcpy(out, "1");
}

static void (*const kinds[])(char *out) = {
    as_exporters_write,  shortest_form,      scientific,  as_exporters_write, fixed,
    fifteen_to_twenty,   fifteen_to_twenty,  try_tie,     denormal,           around_2_53,
    around_2_53_divided, many_digits,        near_limits, overflowing,        integer,
    near_float_tie,      as_exporters_write, integer,
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Spellings of the same number: a sign, leading zeros, a capital E. */
static void respell(char *token)
{
    bool negative = *token == '-';
    size_t n = strlen(token + negative), zeros = below(30) == 0 ? 2 : 0;
    int sign = negative || below(3) == 0 ? '-' : below(20) == 0 ? '+' : 0;
    memmove(token + (sign != 0) + zeros, token + negative, n + 1);
    memset(token + (sign != 0), '0', zeros);
    if (sign != 0)
        *token = (char)sign;
    char *e = strchr(token, 'e');
    if (e != NULL && below(20) == 0)
        *e = 'E';
}

static long numbers(void)
{
    const char *text = getenv("NUMBERS");
    long n = text != NULL ? atol(text) : 0;
    return n > 0 ? n : 300000;
}

START_TEST(random_numbers_are_read_as_by_strtod)
{
    static char token[MAX_TOKEN];
    random_state = 10;
    for (long i = 0, n = numbers(); i < n; i++) {
        kinds[i % KINDS](token);
        respell(token);
        check_token(token);
    }
}
END_TEST

/* ---- Tables ---------------------------------------------------------------------------------- */

static const char *const hard[] = {
    /* clang-format off */
    "0", "0.0", ".0", "0.", "1.", "1e0", "1e+0", "1e-0", "0.000", "1e00000000000000000001",
    "9999998.500000001", "9999998.5000000001", "4194304.25000000001", "4194304.2500000000001",
    "9007199254740993", "9007199254740992", "9007199254740991", "9007199254740995",
    "9007199254740993.0000000000000000000000000000000000000000000000000000000000000000000001",
    "9223372036854775807", "18446744073709551615", "18446744073709551616", "9999999999999999999",
    "10000000000000000000", "1.7976931348623157e308", "1.7976931348623158e308",
    "1.7976931348623159e308", "179769313486231580793e289", "1.797693134862315807e308",
    "17976931348623157e292", "2.2250738585072014e-308", "2.2250738585072011e-308",
    "2.2250738585072012e-308", "4.9406564584124654e-324", "2.4703282292062327e-324",
    "2.4703282292062328e-324", "2.47e-324", "1e-400", "1e400", "0e400", "0.0e-400",
    "0.000000000000000000000000000000000000000000000000000000000000000000001e69",
    "6.9294956446009195e15", "3.4028235e38", "3.4028236e38",
    "340282356779733661637539395458142568447",
    "340282356779733661637539395458142568448", "1.1754943508222875e-38", "7.0064923216240854e-46",
    "0.1", "0.2", "0.3", "0.5", "123456789012345678901234567890", "1e22", "1e23", "8.5e22",
    "89255e-22", "5e-324", "6.7108864e7", "16777217", "16777216.5", "1e-22", "1e-23",
    "1e2147483648", "1e-2147483649", "1e99999999999999999999", "1e-99999999999999999999",
    "2147483647", "2147483648", "2147483649", "4294967296", "000000000000000000000000000001",
    "0.00000000000000000001", "1234567.12345678", "12345678.1", "1234567.1234567890123456",
    "0.1234567890123456", "0.12345678901234567",
    /* clang-format on */
};

START_TEST(hard_numbers_are_read_as_by_strtod)
{
    char token[256];
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) {
        snprintf(token, sizeof token, "%s", hard[i]);
        check_token(token);
        snprintf(token, sizeof token, "-%s", hard[i]);
        check_token(token);
        snprintf(token, sizeof token, "+%s", hard[i]);
        check_token(token);
    }
}
END_TEST

/* Longer than every buffer and shortcut. */
START_TEST(long_numbers_are_read_as_by_strtod)
{
    static char token[MAX_TOKEN];
    for (int n = 1; n < 1200; n++) {
        memset(token, '0', (size_t)n);
        token[n] = '\0';
        check_token(token);
        token[n / 2] = '.';
        token[n] = '1';
        token[n + 1] = '\0';
        check_token(token);
        memset(token, '9', (size_t)n + 1);
        check_token(token);
        token[n / 3] = '.';
        check_token(token);
    }
}
END_TEST

typedef struct example {
    const char *text;
    m5_number_flaw flaw;
    double value; /* if the flaw leaves a value */
} example;

static const example floats[] = {
    {"1.5", M5_NUMBER_FINE, 1.5},
    {"-0", M5_NUMBER_FINE, -0.0},
    {".5", M5_NUMBER_FINE, 0.5},
    {"5.", M5_NUMBER_FINE, 5},
    {"-.5", M5_NUMBER_FINE, -0.5},
    {"1e5", M5_NUMBER_FINE, 1e5},
    {"0.0e5", M5_NUMBER_FINE, 0},
    {"1e38", M5_NUMBER_FINE, 1e38},
    {"1e-38", M5_NUMBER_FINE, 1e-38},
    {"0", M5_NUMBER_FINE, 0},
    {"0.5", M5_NUMBER_FINE, 0.5},
    {"1e010", M5_NUMBER_FINE, 1e10},
    {"+5", M5_NUMBER_PLUS_SIGN, 5},
    {"+.5", M5_NUMBER_PLUS_SIGN, 0.5},
    {"+1E5", M5_NUMBER_PLUS_SIGN, 1e5},
    {"1E5", M5_NUMBER_UPPER_EXPONENT, 1e5},
    {"1.E-2", M5_NUMBER_UPPER_EXPONENT, 0.01},
    {"010", M5_NUMBER_LEADING_ZERO, 10},
    {"00.5", M5_NUMBER_LEADING_ZERO, 0.5},
    {"-00", M5_NUMBER_LEADING_ZERO, -0.0},
    {"0e5", M5_NUMBER_LEADING_ZERO, 0},
    {"0E5", M5_NUMBER_LEADING_ZERO, 0},
    {"+01", M5_NUMBER_LEADING_ZERO, 1},
    {"1e39", M5_NUMBER_EXPONENT_HUGE, INFINITY},
    {"0e39", M5_NUMBER_EXPONENT_HUGE, 0},
    {"1e-39", M5_NUMBER_FINE, (double)1e-39f},
    {"1.4e-45", M5_NUMBER_FINE, (double)1.4e-45f},
    {"1e-46", M5_NUMBER_FINE, 0},
    {"1e-324", M5_NUMBER_FINE, 0},
    {"1e-325", M5_NUMBER_EXPONENT_HUGE, 0},
    {"0.0000001e40", M5_NUMBER_EXPONENT_HUGE, (double)1e33f},
    {"1e400", M5_NUMBER_EXPONENT_HUGE, INFINITY},
    {"-4e38", M5_NUMBER_OVERFLOW, -INFINITY},
    {"3.5e38", M5_NUMBER_OVERFLOW, INFINITY},
    {"0x10", M5_NUMBER_HEX, 0},
    {"0X1p3", M5_NUMBER_HEX, 0},
    {"-0x1", M5_NUMBER_HEX, 0},
    {"0b1", M5_NUMBER_HEX, 0},
    {"+0B1", M5_NUMBER_HEX, 0},
    {"0x", M5_NUMBER_HEX, 0},
    {"0,5", M5_NUMBER_COMMA, 0},
    {"-1,25", M5_NUMBER_COMMA, 0},
    {"1.5,", M5_NUMBER_COMMA, 0},
    {"1e5,", M5_NUMBER_COMMA, 0},
    {"nan", M5_NUMBER_NOT_FINITE, 0},
    {"-NaN", M5_NUMBER_NOT_FINITE, 0},
    {"inf", M5_NUMBER_NOT_FINITE, 0},
    {"+Infinity", M5_NUMBER_NOT_FINITE, 0},
    {"1.#IND", M5_NUMBER_NOT_FINITE, 0},
    {"-1.#QNAN0", M5_NUMBER_NOT_FINITE, 0},
    {"1.#INF", M5_NUMBER_NOT_FINITE, 0},
    {"nan(0x1)", M5_NUMBER_NOT_FINITE, 0},
    {"", M5_NUMBER_SYNTAX, 0},
    {"-", M5_NUMBER_SYNTAX, 0},
    {"+", M5_NUMBER_SYNTAX, 0},
    {".", M5_NUMBER_SYNTAX, 0},
    {"-.", M5_NUMBER_SYNTAX, 0},
    {"e5", M5_NUMBER_SYNTAX, 0},
    {".e5", M5_NUMBER_SYNTAX, 0},
    {"1e", M5_NUMBER_SYNTAX, 0},
    {"1e+", M5_NUMBER_SYNTAX, 0},
    {"1e-", M5_NUMBER_SYNTAX, 0},
    {"1.2.3", M5_NUMBER_SYNTAX, 0},
    {"--1", M5_NUMBER_SYNTAX, 0},
    {"+-1", M5_NUMBER_SYNTAX, 0},
    {"1f", M5_NUMBER_SYNTAX, 0},
    {"1e5e5", M5_NUMBER_SYNTAX, 0},
    {"1e5.0", M5_NUMBER_SYNTAX, 0},
    {"one", M5_NUMBER_SYNTAX, 0},
    {" 1", M5_NUMBER_SYNTAX, 0},
    {"1 ", M5_NUMBER_SYNTAX, 0},
    {"1d5", M5_NUMBER_SYNTAX, 0},
    {"na", M5_NUMBER_SYNTAX, 0},
    {"in", M5_NUMBER_SYNTAX, 0},
    {",5", M5_NUMBER_SYNTAX, 0},
    {"00x1", M5_NUMBER_SYNTAX, 0},
    {"1_000", M5_NUMBER_SYNTAX, 0},
    {"1'000", M5_NUMBER_SYNTAX, 0},
    {"1e1000000x", M5_NUMBER_SYNTAX, 0},
};

static const example ints[] = {
    {"0", M5_NUMBER_FINE, 0},
    {"-0", M5_NUMBER_FINE, 0},
    {"10", M5_NUMBER_FINE, 10},
    {"-1", M5_NUMBER_FINE, -1},
    {"2147483647", M5_NUMBER_FINE, 2147483647},
    {"-2147483648", M5_NUMBER_FINE, -2147483648.0},
    {"2147483648", M5_NUMBER_OVERFLOW, 0},
    {"-2147483649", M5_NUMBER_OVERFLOW, 0},
    {"4294967296", M5_NUMBER_OVERFLOW, 0},
    {"9999999999999999999", M5_NUMBER_OVERFLOW, 0},
    {"18446744073709551617", M5_NUMBER_OVERFLOW, 0},
    {"99999999999999999999999999999", M5_NUMBER_OVERFLOW, 0},
    {"2147483648.0", M5_NUMBER_OVERFLOW, 0},
    {"1e400", M5_NUMBER_OVERFLOW, 0},
    {"3e9", M5_NUMBER_OVERFLOW, 0},
    {"-3e9", M5_NUMBER_OVERFLOW, 0},
    {"+5", M5_NUMBER_PLUS_SIGN, 5},
    {"+2147483648", M5_NUMBER_OVERFLOW, 0},
    {"010", M5_NUMBER_LEADING_ZERO, 10},
    {"-007", M5_NUMBER_LEADING_ZERO, -7},
    {"00", M5_NUMBER_LEADING_ZERO, 0},
    {"0000000000000000000000012", M5_NUMBER_LEADING_ZERO, 12},
    {"3.0", M5_NUMBER_IS_FLOAT, 3},
    {"3.99", M5_NUMBER_IS_FLOAT, 3},
    {"-3.99", M5_NUMBER_IS_FLOAT, -3},
    {"5.", M5_NUMBER_IS_FLOAT, 5},
    {".9", M5_NUMBER_IS_FLOAT, 0},
    {"1e3", M5_NUMBER_IS_FLOAT, 1000},
    {"0e0", M5_NUMBER_IS_FLOAT, 0},
    {"+3.0", M5_NUMBER_IS_FLOAT, 3},
    {"1E2", M5_NUMBER_IS_FLOAT, 100},
    {"1e-400", M5_NUMBER_IS_FLOAT, 0},
    {"2147483647.9", M5_NUMBER_IS_FLOAT, 2147483647},
    {"-2147483647.9", M5_NUMBER_IS_FLOAT, -2147483647},
    {"0x10", M5_NUMBER_HEX, 0},
    {"0b11", M5_NUMBER_HEX, 0},
    {"-0XFF", M5_NUMBER_HEX, 0},
    {"1,000", M5_NUMBER_COMMA, 0},
    {"3,", M5_NUMBER_COMMA, 0},
    {"nan", M5_NUMBER_NOT_FINITE, 0},
    {"-inf", M5_NUMBER_NOT_FINITE, 0},
    {"1.#INF", M5_NUMBER_NOT_FINITE, 0},
    {"", M5_NUMBER_SYNTAX, 0},
    {"-", M5_NUMBER_SYNTAX, 0},
    {"abc", M5_NUMBER_SYNTAX, 0},
    {"1a", M5_NUMBER_SYNTAX, 0},
    {"--1", M5_NUMBER_SYNTAX, 0},
    {".", M5_NUMBER_SYNTAX, 0},
    {"1e", M5_NUMBER_SYNTAX, 0},
    {"0b", M5_NUMBER_HEX, 0},
    {"1-2", M5_NUMBER_SYNTAX, 0},
};

static bool has_float(m5_number_flaw flaw)
{
    return flaw <= M5_NUMBER_OVERFLOW;
}

START_TEST(every_flaw_of_floats_is_found)
{
    const example *x = &floats[_i];
    float value = 12345;
    m5_number_flaw flaw = m5_read_float((const uint8_t *)x->text, strlen(x->text), &value);
    ck_assert_msg(flaw == x->flaw, "'%s': flaw %d, expected %d", x->text, (int)flaw, (int)x->flaw);
    float expected = has_float(flaw) ? (float)x->value : 12345; /* not changed */
    ck_assert_msg(bits_of_float(value) == bits_of_float(expected), "'%s': %g", x->text,
                  (double)value);
}
END_TEST

START_TEST(every_flaw_of_ints_is_found)
{
    const example *x = &ints[_i];
    int32_t value = 12345;
    m5_number_flaw flaw = m5_read_int((const uint8_t *)x->text, strlen(x->text), &value);
    ck_assert_msg(flaw == x->flaw, "'%s': flaw %d, expected %d", x->text, (int)flaw, (int)x->flaw);
    ck_assert_msg(value == (flaw <= M5_NUMBER_IS_FLOAT ? (int32_t)x->value : 12345), "'%s': %d",
                  x->text, value);
}
END_TEST

/* The readers stop at `length`, whatever follows. */
START_TEST(bytes_after_the_token_do_not_matter)
{
    double d;
    int32_t i;
    ck_assert_int_eq(m5_read_double((const uint8_t *)"1.2345", 3, &d), M5_NUMBER_FINE);
    ck_assert_double_eq(d, 1.2);
    ck_assert_int_eq(m5_read_double((const uint8_t *)"1e5", 2, &d), M5_NUMBER_SYNTAX);
    ck_assert_int_eq(m5_read_double((const uint8_t *)"1E5", 1, &d), M5_NUMBER_FINE);
    ck_assert_int_eq(m5_read_double((const uint8_t *)"1e-5", 2, &d), M5_NUMBER_SYNTAX);
    ck_assert_int_eq(m5_read_double((const uint8_t *)"1e25", 3, &d), M5_NUMBER_FINE);
    ck_assert_double_eq(d, 100);
    ck_assert_int_eq(m5_read_double((const uint8_t *)"nan", 2, &d), M5_NUMBER_SYNTAX);
    ck_assert_int_eq(m5_read_int((const uint8_t *)"1234", 2, &i), M5_NUMBER_FINE);
    ck_assert_int_eq(i, 12);
    ck_assert_int_eq(m5_read_int((const uint8_t *)"-5", 1, &i), M5_NUMBER_SYNTAX);
}
END_TEST

START_TEST(the_largest_double_is_accepted)
{
    char text[400];
    double d;
    int n = snprintf(text, sizeof text, "%.0f", DBL_MAX);
    ck_assert_int_eq(m5_read_double((const uint8_t *)text, (size_t)n, &d), M5_NUMBER_FINE);
    ck_assert_double_eq(d, DBL_MAX);
}
END_TEST

/* The fast readers must read all numbers that exporters write: that halves the time of a lint. */
START_TEST(fast_readers_accept_the_common_forms)
{
    static const char *const common[] = {
        "0",       "-1",        "12", "1.5", "-0.25", "0.0000000000", "-123.4567890000",
        "1234567", "0.12345678"};
    for (size_t i = 0; M5_HAS_FAST_FLOAT && i < sizeof common / sizeof *common; i++) {
        uint8_t text[2 * M5_FAST_BYTES] = {0};
        float value;
        snprintf((char *)text, sizeof text, "%s ", common[i]);
        ck_assert_msg(m5_fast_float(text, &value) != NULL, "%s", common[i]);
        int32_t whole;
        if (strchr(common[i], '.') == NULL)
            ck_assert_msg(m5_fast_int(text, &whole) != NULL, "%s", common[i]);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("number");
    TCase *all = tcase_create("numbers");
    tcase_set_timeout(all, 3600);
    tcase_add_test(all, random_numbers_are_read_as_by_strtod);
    tcase_add_test(all, hard_numbers_are_read_as_by_strtod);
    tcase_add_test(all, long_numbers_are_read_as_by_strtod);
    tcase_add_loop_test(all, every_flaw_of_floats_is_found, 0, sizeof floats / sizeof *floats);
    tcase_add_loop_test(all, every_flaw_of_ints_is_found, 0, sizeof ints / sizeof *ints);
    tcase_add_test(all, bytes_after_the_token_do_not_matter);
    tcase_add_test(all, the_largest_double_is_accepted);
    tcase_add_test(all, fast_readers_accept_the_common_forms);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
