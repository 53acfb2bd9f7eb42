/* The bytes of an input, and large blocks of memory: the only file that reads files and maps
 * memory. */
#ifndef M5_LINT_APP_INPUTS_BYTES_H
#define M5_LINT_APP_INPUTS_BYTES_H

#include "inputs.h"

#include <stdbool.h>
#include <stdint.h>

/* What tells two versions of a file apart. One written within the same tick of the file system's
 * clock (a few milliseconds) with the same size looks the same. */
typedef struct m5_stamp {
    bool is_known; /* it is of a regular file that has a name */
    uintmax_t size;
    int64_t seconds, nanoseconds; /* of the last change */
} m5_stamp;

typedef struct m5_bytes {
    const uint8_t *bytes;
    size_t size;
    const char *error;  /* why the input could not be read; NULL if it was */
    bool once;          /* they cannot be read again: standard input */
    bool borrowed;      /* they belong to an archive */
    m5_stamp stamp;     /* of the file when it was opened */
    struct m5_map *map; /* the mapped file that the bytes are in; NULL if they were allocated */
} m5_bytes;

/* Whether a large file is mapped: its bytes may change when the file does, but stay readable.
 * M5_MAP_PARTS: only parts of it will be looked at, so that the rest need not be read from disk.
 * M5_READ_START: only the first M5_BYTES_START bytes are read.
 * M5_READ_KNOWN: no more are read if these tell no format. */
enum { M5_BYTES_START = 65536 };
typedef enum m5_mapping {
    M5_MAP_NEVER,
    M5_MAP_WHOLE,
    M5_MAP_PARTS,
    M5_READ_START,
    M5_READ_KNOWN
} m5_mapping;

/* Reads a whole input, or its start. One longer than M5_SOURCE_MAX is refused, unless only its
 * start is read, and so is what is neither a file nor standard input. A file that grows meanwhile
 * is an error; little more of it is read than it had. */
m5_bytes m5_bytes_read(const m5_input *input, m5_mapping mapping);

/* The stamp stays. */
void m5_bytes_free(m5_bytes *bytes);

/* Gives back the memory of bytes that are mapped. What is looked at later comes from the file
 * again. Any number of threads may look meanwhile. */
void m5_bytes_rest(const m5_bytes *bytes);

/* Reads the first bytes of a file; returns how many. 0 if it is no regular file, which is not read
 * here; or, with an error text, if that is not possible. */
size_t m5_bytes_peek(const char *path, uint8_t *out, size_t count, const char **error);

/* An error text if the two are of different versions of a file, otherwise NULL. */
const char *m5_stamp_differs(const m5_stamp *before, const m5_stamp *after);

/* An error text if the file `name` changed since it was opened, so that the bytes may be of two
 * versions or not its own; otherwise NULL. */
const char *m5_bytes_changed(const m5_bytes *bytes, const char *name);

/* Reserves addresses for `size` bytes; only pages that are touched use memory. NULL on failure.
 * m5_unreserve takes the same size. Sparse: little of it will be used. */
void *m5_reserve(size_t size);
void *m5_reserve_sparse(size_t size);
void m5_unreserve(void *memory, size_t size);

/* Keeps freed memory for the next file. Call it once, before any thread is started. */
void m5_keep_memory(void);

#endif
