/* The converter's errors, its memory, and the file that it makes. */
#ifndef CONVERT_BYTES_H
#define CONVERT_BYTES_H

#include "parsers/core/text.h"
#include "parsers/m5.h"

/* Prints the reason on stderr and ends the program with status 2. */
_Noreturn void fail(const char *format, ...) M5_PRINTF(1, 2);

/* Returns cleared memory; ends the program when out of memory. */
void *allocate(size_t count, size_t size);

/* Doubles the room of `items` when `count` has filled it. `room` may be 0 and `items` NULL. */
void *one_more(void *items, size_t count, size_t *room, size_t size);

/* Converts a value to float; ends the program if that is infinite. */
double as_float(double value);

/* The whole file is made in memory first, so that an incomplete file is never written. */
typedef struct bytes {
    uint8_t *data;
    size_t count, room;
} bytes;

/* Binary: little-endian on any machine. The low 32 bits of an integer are written. */
void put_int(bytes *b, int64_t value);
void put_int_at(bytes *b, size_t where, int64_t value);
void put_float(bytes *b, double value);

/* `room` bytes: the text, cut so that a NUL fits after it, and zeros. */
void put_field(bytes *b, const char *text, size_t room);

/* Text: a string of any length; numbers with that many significant digits, followed by a space or a
 * line ending. */
void put_text(bytes *b, const char *text);
void put_number(bytes *b, double value, int digits, char end);

#endif
