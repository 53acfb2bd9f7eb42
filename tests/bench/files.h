/* Files in memory, with the zeros behind them that the floor wants. */
#ifndef FILES_H
#define FILES_H

#include "lint/lint.h"

typedef struct file {
    const m5_format *format;
    m5_source source;
} file;

/* Ends the program where it cannot be. To be kept. */
file file_read(const char *path);
void *must_allocate(size_t size);

/* What the program judges by without options: nothing is a note. */
void lint_levels(m5_levels levels[M5_RULES]);

/* A lint of one file in memory, as the program does it, in `memory` of lint_memory(size) bytes;
 * returns the number of errors. Callgrind counts what this function does. */
uint64_t lint_file(const file *f, const m5_levels *levels, void *memory, bool geometry);
size_t lint_memory(size_t size);

#endif
