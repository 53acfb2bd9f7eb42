/* --time: how long each part of the work takes. */
#ifndef M5_LINT_APP_SYSTEM_TIMES_H
#define M5_LINT_APP_SYSTEM_TIMES_H

#include "lint/core/parts.h"
#include "parsers/core/write.h"

/* What one job has spent so far; zeroed at first. One thread at a time uses it. NULL: nobody asked,
 * and nothing is noted. */
typedef struct m5_times {
    uint64_t spent[M5_PARTS]; /* in nanoseconds */
    uint64_t begun;           /* when the part began that is going on; 0: none is */
    unsigned part;
} m5_times;

/* Now, in nanoseconds since some time in the past. */
uint64_t m5_times_now(void);

/* Another part begins; M5_PART_none: the work is interrupted. `times` is an m5_times. */
void m5_times_enter(void *times, unsigned part);

void m5_times_add(m5_times *sum, const m5_times *times);

/* Writes all of it: `wall` is the time from start to end, on at most so many threads. */
void m5_times_put(const m5_times *sum, uint64_t wall, unsigned threads, const m5_writer *out);

#endif
