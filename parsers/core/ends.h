/* Private: how a file ends. */
#ifndef M5_ENDS_H
#define M5_ENDS_H

#include "source.h"

M5_BEGIN_C

/* The end of the file as people see it: just behind the last byte that is not blank. */
m5_span m5_source_end(const m5_source *source);

/* Whether from here to its end the file is zero bytes, and many: what a crash or a full disk
 * leaves. */
bool m5_source_ends_in_zeros(const m5_source *source, uint32_t from);

M5_END_C

#endif
