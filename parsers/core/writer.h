/* Where printers and reports write to. */
#ifndef M5_WRITER_H
#define M5_WRITER_H

#include "source.h"

M5_BEGIN_C

/* A function of the caller's that takes the output piece by piece, in order, on the caller's
 * thread. It has no way to report an error: it keeps one in `user` if it must. The bytes are valid
 * only during the call. */
typedef struct m5_writer {
    void (*write)(void *user, const void *bytes, size_t count);
    void *user;
} m5_writer;

M5_END_C

#endif
