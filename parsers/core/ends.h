/* Private: how a file ends. */
#ifndef M5_ENDS_H
#define M5_ENDS_H

#include "source.h"

M5_BEGIN_C

/* The end of the file as people see it: just after the last byte that is not white space. */
m5_span m5_source_end(const m5_source *source);

/* Whether the file has only NUL bytes from here to its end, and many of them: what a crash or a
 * full disk leaves. */
bool m5_source_ends_in_zeros(const m5_source *source, uint32_t from);

M5_END_C

#endif
