/* Files in memory, followed by the NULs that the floor needs. */
#ifndef FILES_H
#define FILES_H

#include "lint/lint.h"

typedef struct file {
    const m5_format *format;
    m5_source source;
} file;

/* Ends the program if the file cannot be read. The memory is never freed. */
file file_read(const char *path);
void *must_allocate(size_t size);

/* The program's default levels, without notes. */
void lint_levels(m5_levels levels[M5_RULES]);

/* A lint of one file in memory, as the program does it, in `memory` of lint_memory(size) bytes;
 * returns the number of errors. Callgrind counts what this function does. */
uint64_t lint_file(const file *f, const m5_levels *levels, void *memory, bool geometry);
size_t lint_memory(size_t size);

#endif
