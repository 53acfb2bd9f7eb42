/* Where printers and reporters write to. */
#ifndef M5_WRITER_H
#define M5_WRITER_H

#include "source.h"

M5_BEGIN_C

/* Where the bytes go, in pieces, from first to last. */
typedef struct m5_writer {
    void (*write)(void *user, const void *bytes, size_t count);
    void *user;
} m5_writer;

M5_END_C

#endif
