/* Text built into a buffer of fixed size, free of locale and stdio. */
#ifndef M5_TEXT_H
#define M5_TEXT_H

#include "source.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

M5_BEGIN_C

#if defined(__GNUC__)
#define M5_PRINTF(at, first) __attribute__((__format__(__printf__, at, first)))
#else
#define M5_PRINTF(at, first)
#endif

/* `bytes` is the caller's, `size` long, and stays terminated by NUL once anything was added.
 * What does not fit is dropped and `full` is set: text is cut, never overrun. */
typedef struct m5_text {
    char *bytes;
    size_t size, length;
    bool full;
} m5_text;

void m5_text_add(m5_text *text, const void *bytes, size_t count);
void m5_text_int(m5_text *text, int64_t value);
void m5_text_hex(m5_text *text, uint32_t value); /* eight digits */

/* A number with `digits` significant decimal digits (1 to 15), without trailing zeros:
 * `0.93`, `1e-07`, `nan`, `-inf`. Nine digits read back as the same float. */
void m5_text_float(m5_text *text, double value, int digits);

/* The part of printf that messages need: %s %.*s %d %u %x %lld %llu %c %g %.<n>g and %%.
 * %x has eight digits. * A %.*s longer than 60 bytes is cut and ends in "...", since names come
 * from files. */
void m5_text_format(m5_text *text, const char *format, va_list args);

/* Levenshtein's distance of two words; UINT32_MAX when one is longer than M5_NEAREST_MAX. */
enum { M5_NEAREST_MAX = 256 };
uint32_t m5_edit_distance(const void *a, uint32_t a_length, const void *b, uint32_t b_length);

M5_END_C

#endif
