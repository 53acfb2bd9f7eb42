/* The bytes of an input, and large blocks of memory: the only file that reads files and maps
 * memory. */
#ifndef M5_LINT_APP_BYTES_H
#define M5_LINT_APP_BYTES_H

#include "inputs.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct m5_bytes {
    const uint8_t *bytes;
    size_t size;
    const char *error;  /* why the input could not be read; NULL if it was */
    bool once;          /* they cannot be read again: standard input, a pipe */
    struct m5_map *map; /* the mapped file that the bytes are in; NULL if they were allocated */
} m5_bytes;

/* Reads a whole input. An input longer than M5_SOURCE_MAX and a directory are refused. With
 * `may_map`, a large file is mapped: its bytes may change when the file does, but stay readable. */
m5_bytes m5_bytes_read(const m5_input *input, bool may_map);
void m5_bytes_free(m5_bytes *bytes);

/* An error text if the mapped file got shorter in the meantime, so that some bytes were not its
 * own; otherwise NULL. */
const char *m5_bytes_lost(const m5_bytes *bytes);

/* Reserves addresses for `size` bytes; only pages that are touched use memory. NULL on failure.
 * m5_unreserve takes the same size. */
void *m5_reserve(size_t size);
void m5_unreserve(void *memory, size_t size);

/* Keeps freed memory for the next file. Call it once, before any thread is started. */
void m5_keep_memory(void);

#endif
