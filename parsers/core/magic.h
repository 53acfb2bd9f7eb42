/* What kind of file it is by its magic number, the first bytes: the formats we read, other models,
 * and what people put in place of a model. */
#ifndef M5_MAGIC_H
#define M5_MAGIC_H

#include "source.h"

M5_BEGIN_C

typedef struct m5_magic {
    const char *bytes;  /* what the file begins with */
    const char *format; /* in formats.def; NULL if the bytes do not say which, or it is not ours */
    const char *what;   /* "a zip archive" */
    const char *advice; /* what to do if the file has the name of another format */
} m5_magic;

/* The row of the table, or that of a file with only NUL bytes; NULL if no row has these bytes. */
const m5_magic *m5_magic_of(const m5_source *source);

M5_END_C

#endif
