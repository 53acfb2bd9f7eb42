/* Builds text in a buffer of fixed size: numbers, names, formats. */
#include "text.h"

#include "exact.h"
#include "number.h"

#include <string.h>

enum { NAME_SHOWN = 60 };

void m5_text_add(m5_text *t, const void *bytes, size_t count)
{
    size_t room = t->size - t->length;
    if (room == 0)
        return;
    if (count >= room) {
        count = room - 1;
        t->full = true;
    }
    memcpy(t->bytes + t->length, bytes, count);
    t->length += count;
    t->bytes[t->length] = '\0';
}

static void add_char(m5_text *t, char c)
{
    m5_text_add(t, &c, 1);
}

static void add_unsigned(m5_text *t, uint64_t value)
{
    char digits[20];
    size_t n = sizeof digits;
    do {
        digits[--n] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    m5_text_add(t, digits + n, sizeof digits - n);
}

void m5_text_hex(m5_text *t, uint32_t value)
{
    char digits[8];
    for (unsigned i = 0; i < sizeof digits; i++)
        digits[i] = "0123456789abcdef"[value >> (28 - 4 * i) & 15];
    m5_text_add(t, digits, sizeof digits);
}

void m5_text_int(m5_text *t, int64_t value)
{
    if (value < 0)
        add_char(t, '-');
    add_unsigned(t, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

/* Brings a positive finite value into [1, 10) and returns the power of ten taken out. */
static int normalise(double *value)
{
    static const double power[] = {1e256, 1e128, 1e64, 1e32, 1e16, 1e8, 1e4, 1e2, 1e1};
    int exponent = 0;
    for (int i = 0, step = 256; i < 9; i++, step /= 2) {
        if (*value >= power[i]) {
            *value /= power[i];
            exponent += step;
        } else if (*value < 10 / power[i]) {
            *value *= power[i];
            exponent -= step;
        }
    }
    return exponent;
}

/* `count` digits with the point after the first `whole` of them (0 or less: leading zeros). */
static void add_fixed(m5_text *t, const char *digits, int count, int whole)
{
    if (whole <= 0)
        m5_text_add(t, "0.", 2);
    for (int i = whole; i < 0; i++)
        add_char(t, '0');
    for (int i = 0; i < count || i < whole; i++) {
        if (i == whole && i > 0)
            add_char(t, '.');
        add_char(t, i < count ? digits[i] : '0');
    }
}

static void add_exponent(m5_text *t, int exponent)
{
    m5_text_add(t, exponent < 0 ? "e-" : "e+", 2);
    exponent = exponent < 0 ? -exponent : exponent;
    if (exponent < 10)
        add_char(t, '0');
    add_unsigned(t, (uint64_t)exponent);
}

static void add_positive(m5_text *t, double value, int count)
{
    char digits[20];
    int exponent = normalise(&value);
    uint64_t scale = 1;
    for (int i = 1; i < count; i++)
        scale *= 10;
    uint64_t n = (uint64_t)(value * (double)scale + 0.5);
    if (n >= scale * 10) {
        n /= 10;
        exponent++;
    }
    for (int i = count; i-- > 0; n /= 10)
        digits[i] = (char)('0' + n % 10);
    while (count > 1 && digits[count - 1] == '0')
        count--;
    if (exponent >= -5 && exponent < 10) {
        add_fixed(t, digits, count, exponent + 1);
        return;
    }
    add_fixed(t, digits, count, 1);
    add_exponent(t, exponent);
}

void m5_text_float(m5_text *t, double value, int digits)
{
    if (value != value) {
        m5_text_add(t, "nan", 3);
        return;
    }
    if (value < 0)
        add_char(t, '-');
    value = value < 0 ? -value : value;
    if (value == 0)
        add_char(t, '0');
    else if (value > 1.7976931348623157e308)
        m5_text_add(t, "inf", 3);
    else
        add_positive(t, value, digits);
}

static void add_name(m5_text *t, const char *name, int length)
{
    bool cut = length > NAME_SHOWN;
    m5_text_add(t, name, (size_t)(cut ? NAME_SHOWN : length));
    if (cut)
        m5_text_add(t, "...", 3);
}

static void add_string(m5_text *t, const char *s, int precision, bool name)
{
    if (name)
        add_name(t, s, precision);
    else
        m5_text_add(t, s, strlen(s));
}

/* One directive, from after its '%'; returns what follows it. */
static const char *add_directive(m5_text *t, const char *f, va_list *args)
{
    int precision = *f == '.' ? 0 : 6;
    bool name = f[0] == '.' && f[1] == '*';
    if (name) {
        precision = va_arg(*args, int);
        f += 2;
    } else if (*f == '.') {
        for (f++; m5_is_digit((uint8_t)*f); f++)
            precision = precision * 10 + (*f - '0');
    }
    switch (*f) {
    case 's': add_string(t, va_arg(*args, const char *), precision, name); break;
    case 'd': m5_text_int(t, va_arg(*args, int)); break;
    case 'u': add_unsigned(t, va_arg(*args, unsigned)); break;
    case 'x': m5_text_hex(t, va_arg(*args, unsigned)); break;
    case 'l': /* lld, llu */
        f += 2;
        if (*f == 'd')
            m5_text_int(t, va_arg(*args, long long));
        else
            add_unsigned(t, va_arg(*args, unsigned long long));
        break;
    case 'c': add_char(t, (char)va_arg(*args, int)); break;
    case 'g': m5_text_float(t, va_arg(*args, double), precision); break;
    default: add_char(t, *f); break;
    }
    return f + 1;
}

void m5_text_format(m5_text *t, const char *format, va_list args)
{
    va_list list;
    va_copy(list, args);
    while (*format != '\0') {
        size_t plain = strcspn(format, "%");
        m5_text_add(t, format, plain);
        format += plain;
        if (*format == '%')
            format = add_directive(t, format + 1, &list);
    }
    va_end(list);
}

/* ---- Likeness -------------------------------------------------------------------------------- */

static uint32_t least(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t m = a < b ? a : b;
    return m < c ? m : c;
}

uint32_t m5_edit_distance(const void *a, uint32_t a_length, const void *b, uint32_t b_length)
{
    const uint8_t *x = a, *y = b;
    uint32_t row[M5_NEAREST_MAX + 1];
    if (a_length > M5_NEAREST_MAX || b_length > M5_NEAREST_MAX)
        return UINT32_MAX;
    for (uint32_t j = 0; j <= b_length; j++)
        row[j] = j;
    for (uint32_t i = 1; i <= a_length; i++) {
        uint32_t diagonal = row[0];
        row[0] = i;
        for (uint32_t j = 1; j <= b_length; j++) {
            uint32_t replace = diagonal + (x[i - 1] != y[j - 1]);
            diagonal = row[j];
            row[j] = least(row[j] + 1, row[j - 1] + 1, replace);
        }
    }
    return row[b_length];
}
