/* What kind of file it is by its magic number, the first bytes: the formats we read, other models,
 * and what people put in place of a model. */
#ifndef M5_MAGIC_H
#define M5_MAGIC_H

#include "source.h"

M5_BEGIN_C

typedef struct m5_magic {
    const char *bytes; /* what the file begins with */
    const char
        *format; /* in formats.def; NULL if the bytes do not say which, or it is another kind */
    const char *model; /* what it is, if a model: "an MD3, ..."; else NULL */
    const char *other; /* what it is, if not a model: "a web page"; else NULL */
} m5_magic;

/* The row of the table; NULL if no row has these bytes. */
const m5_magic *m5_magic_of(const m5_source *source);

/* What the bytes are that somebody put in place of a model: "a Git LFS pointer" and the like, or
 * only NUL bytes; NULL if that is not known. */
const char *m5_magic_foreign(const m5_source *source);

M5_END_C

#endif
