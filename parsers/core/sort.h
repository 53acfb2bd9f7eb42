/* Private: sorting, in place and without recursion. */
#ifndef M5_SORT_H
#define M5_SORT_H

#include "source.h"

M5_BEGIN_C

/* Sorts `index` by `less`, in place and without recursion: n log n for any input. */
void m5_sort(uint32_t *index, uint32_t count,
             bool (*less)(const void *context, uint32_t a, uint32_t b), const void *context);

/* The order of numbers themselves; without a context. */
static inline bool m5_is_less(const void *context, uint32_t a, uint32_t b)
{
    (void)context;
    return a < b;
}

M5_END_C

#endif
