/* The bytes of an input, and memory: the one place that asks the system. */
#ifndef M5_LINT_APP_BYTES_H
#define M5_LINT_APP_BYTES_H

#include "inputs.h"

#include <stdint.h>

typedef struct m5_bytes {
    const uint8_t *bytes;
    size_t size;
    const char *error;  /* why there are no bytes; NULL if there are */
    struct m5_map *map; /* if they are the file itself; else they are in memory of their own */
} m5_bytes;

/* Reads all of an input. What is longer than M5_SOURCE_MAX, and what is no file, is refused. If it
 * `may_map`, the bytes of a large file may change with the file, but stay readable. */
m5_bytes m5_bytes_read(const m5_input *input, bool may_map);
void m5_bytes_free(m5_bytes *bytes);

/* Why the bytes were not all the file's: it got shorter while they were looked at. NULL if not. */
const char *m5_bytes_lost(const m5_bytes *bytes);

/* Addresses for `size` bytes, of which only what is touched becomes memory; NULL if there are
 * none. Given back with the same size. */
void *m5_reserve(size_t size);
void m5_unreserve(void *memory, size_t size);

/* Once, before there are threads: memory that is given back is kept for the next file. */
void m5_keep_memory(void);

#endif
