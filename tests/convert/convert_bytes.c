/* The converter's memory and output file, and how it ends when something is wrong. */
#include "convert_bytes.h"

#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("convert: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(2);
}

void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        fail("out of memory");
    return memory;
}

void *one_more(void *items, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return items;
    *room = *room ? *room * 2 : 16;
    items = *room > SIZE_MAX / size ? NULL : realloc(items, *room * size);
    if (!items)
        fail("out of memory");
    return items;
}

double as_float(double value)
{
    if (!(value >= -FLT_MAX && value <= FLT_MAX))
        fail("a number is too large for a float");
    return (float)value;
}

static void put_byte(bytes *b, uint32_t value)
{
    b->data = one_more(b->data, b->count, &b->room, 1);
    b->data[b->count++] = (uint8_t)(value & 0xff);
}

void put_int(bytes *b, int64_t value)
{
    for (int shift = 0; shift < 32; shift += 8)
        put_byte(b, (uint32_t)value >> shift);
}

void put_int_at(bytes *b, size_t where, int64_t value)
{
    for (int shift = 0; shift < 32; shift += 8)
        b->data[where++] = (uint8_t)((uint32_t)value >> shift & 0xff);
}

void put_float(bytes *b, double value)
{
    float narrow = (float)as_float(value);
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    put_int(b, bits);
}

void put_field(bytes *b, const char *text, size_t room)
{
    size_t length = strlen(text);
    for (size_t i = 0; i < room; i++)
        put_byte(b, i < length && i + 1 < room ? (uint8_t)text[i] : 0);
}

void put_text(bytes *b, const char *text)
{
    for (; *text; text++)
        put_byte(b, (uint8_t)*text);
}

/* Minus zero is written as 0. */
void put_number(bytes *b, double value, int digits, char end)
{
    char text[40];
    as_float(value);
    snprintf(text, sizeof text, "%.*g%c", digits, value == 0 ? 0 : value, end);
    put_text(b, text);
}
