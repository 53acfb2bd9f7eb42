/* Sorting, in place and without recursion. */
#ifndef M5_LINT_CORE_SORT_H
#define M5_LINT_CORE_SORT_H

#include <stdbool.h>
#include <stdint.h>

/* Sorts `index` by `less`, in place and without recursion: n log n for any input. */
void m5_check_sort(uint32_t *index, uint32_t count,
                   bool (*less)(const void *context, uint32_t a, uint32_t b), const void *context);

#endif
