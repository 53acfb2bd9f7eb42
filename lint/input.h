/* Reading files, the one place that does. */
#ifndef M5_INPUT_H
#define M5_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct m5_input {
    uint8_t *bytes;
    size_t size;
    const char *error; /* why there are no bytes; NULL if there are */
} m5_input;

/* Reads a whole file; "-" is standard input. What is longer than M5_SOURCE_MAX, and what is no
 * file, is refused. */
m5_input m5_input_read(const char *path);
void m5_input_free(m5_input *input);

/* Addresses for `size` bytes, of which only what is touched becomes memory; NULL if there are
 * none. Given back with the same size. */
void *m5_reserve(size_t size);
void m5_unreserve(void *memory, size_t size);

#endif
