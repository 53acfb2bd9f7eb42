/* How the converter ends when it must, memory, and the file in the making. */
#ifndef CONVERT_BYTES_H
#define CONVERT_BYTES_H

#include "parsers/core/text.h"
#include "parsers/m5.h"

/* Says why on stderr and ends the program with status 2. */
_Noreturn void fail(const char *format, ...) M5_PRINTF(1, 2);

/* Cleared memory; ends the program when there is none left. */
void *allocate(size_t count, size_t size);

/* Doubles the room of `items` when `count` has filled it. `room` may be 0 and `items` NULL. */
void *one_more(void *items, size_t count, size_t *room, size_t size);

/* What a float makes of a value; ends the program where that is infinite. */
double as_float(double value);

/* The whole of a file is made here first, so that nothing half done is ever written. */
typedef struct bytes {
    uint8_t *data;
    size_t count, room;
} bytes;

/* Binary: little-endian on any machine. An integer's low 32 bits are what is written. */
void put_int(bytes *b, int64_t value);
void put_int_at(bytes *b, size_t where, int64_t value);
void put_float(bytes *b, double value);

/* `room` bytes: the text, cut so that a NUL fits behind it, and zeros. */
void put_field(bytes *b, const char *text, size_t room);

/* Text: a string of any length; numbers with that many significant digits and a blank or line
 * end behind them. */
void put_text(bytes *b, const char *text);
void put_number(bytes *b, double value, int digits, char end);

#endif
