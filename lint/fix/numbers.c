/* Writes numbers in decimals. */
#include "numbers.h"
#include "parsers/core/number.h"
#include "parsers/md5/lex.h"

#include <math.h>

enum { MOST_DECIMALS = 9, USUAL_DECIMALS = 6 };

unsigned m5_fix_decimals(const m5_source *source, m5_span number)
{
    const uint8_t *p = source->bytes + number.offset;
    unsigned decimals = 0;
    bool point = false;
    for (uint32_t i = 0; i < number.length; i++) {
        if (p[i] == 'e' || p[i] == 'E')
            return decimals > USUAL_DECIMALS ? decimals : USUAL_DECIMALS;
        decimals += point;
        point |= p[i] == '.';
    }
    return decimals;
}

/* Tokens of  ( x y z ) ( x y z ) */
void m5_fix_corners(const m5_fixing *x, uint32_t box, m5_span at[6])
{
    uint32_t from = x->f->model.md5anim->bounds[box].offset;
    for (unsigned k = 0; k < 6; k++) {
        at[k] = m5_lex_nth(&x->f->source, from, k == 3 ? 3 : 1);
        from = at[k].offset;
    }
}

/* The next float up or down. */
static float next_float(float value, bool up)
{
    uint32_t bits;
    if (value == 0)
        return up ? FLT_MIN : -FLT_MIN;
    memcpy(&bits, &value, sizeof bits);
    bits += up == (value > 0) ? 1U : UINT32_MAX;
    memcpy(&value, &bits, sizeof value);
    return value;
}

float m5_fix_float(double value, m5_fix_rounding rounding)
{
    float near = (float)value;
    if (rounding == M5_ROUND_DOWN && (double)near > value)
        near = next_float(near, false);
    if (rounding == M5_ROUND_UP && (double)near < value)
        near = next_float(near, true);
    return near;
}

/* What is written: the nearest float on the wanted side, if there is one. */
static double to_float(double value, m5_fix_rounding rounding)
{
    bool side = rounding == M5_ROUND_DOWN || rounding == M5_ROUND_UP;
    return side ? (double)m5_fix_float(value, rounding) : value;
}

static double rounded(double value, m5_fix_rounding rounding)
{
    switch (rounding) {
    case M5_ROUND_DOWN: return floor(value);
    case M5_ROUND_UP: return ceil(value);
    case M5_ROUND_TO_ZERO: return trunc(value);
    default: return floor(value + 0.5);
    }
}

/* Without zeros at the end, as far as `least` decimals are left. */
static void print(m5_text *text, double scaled, uint64_t unit, uint64_t least)
{
    uint64_t number = (uint64_t)fabs(scaled);
    for (; unit > least && number % 10 == 0; unit /= 10)
        number /= 10;
    uint64_t rest = number % unit;
    if (scaled < 0 && number != 0)
        m5_text_add(text, "-", 1);
    m5_text_int(text, (int64_t)(number / unit));
    if (unit > 1)
        m5_text_add(text, ".", 1);
    for (uint64_t digit = unit / 10; digit != 0; digit /= 10)
        m5_text_add(text, &"0123456789"[rest / digit % 10], 1);
}

void m5_fix_number(m5_fixing *x, m5_span at, double value, unsigned decimals,
                   m5_fix_rounding rounding)
{
    static const double most = 1e15;
    char buffer[48];
    m5_text text = {buffer, sizeof buffer, 0, false};
    uint64_t unit = 1, least = 1;
    float before, after;
    value = to_float(value, rounding);
    for (unsigned i = 0;
         i < decimals && i < MOST_DECIMALS && fabs(value) * (double)unit * 10 < most; i++)
        unit *= 10;
    if (!(fabs(value) < most)) {
        x->failed = true;
        return;
    }
    for (unsigned i = m5_fix_decimals(&x->f->source, at); i > 0 && least < unit; i--)
        least *= 10;
    print(&text, rounded(value * (double)unit, rounding), unit, least);
    const uint8_t *old = x->f->source.bytes + at.offset;
    bool read = m5_read_float(old, at.length, &before) == M5_NUMBER_FINE &&
                m5_read_float((const uint8_t *)buffer, text.length, &after) == M5_NUMBER_FINE;
    if (!read || before != after)
        m5_fix_replace(x, at, buffer, text.length);
}
