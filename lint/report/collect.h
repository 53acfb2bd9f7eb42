/* Gathers a file's findings, and picks which of them are shown. */
#ifndef M5_LINT_REPORT_COLLECT_H
#define M5_LINT_REPORT_COLLECT_H

#include "lint/lint.h"

/* A finding that outlives the sink: its strings are copies in the file's arena. */
typedef struct m5_finding {
    m5_diag diag;
    struct m5_finding *next;
} m5_finding;

typedef struct m5_collector {
    m5_arena *arena;
    uint32_t max_per_rule;    /* findings kept of each rule; 0 for all */
    m5_finding *first, *last; /* in the order they were made */
    uint32_t kept;
    uint64_t made[M5_RULES]; /* findings of each rule, kept or not */
} m5_collector;

void m5_collector_init(m5_collector *c, m5_arena *arena, uint32_t max_per_rule);

/* The sink; `user` is the collector. When out of memory, a finding is only counted. */
void m5_collect(void *user, const m5_diag *diag);

/* The findings of a file that are shown, in order of offset. */
typedef struct m5_shown {
    const m5_finding **list;
    uint32_t count;
    uint64_t hidden[M5_RULES]; /* for each rule, how many of its findings are not shown */
} m5_shown;

/* Picks at most `max` findings (0 for all): errors before warnings before notes. */
void m5_collector_pick(const m5_collector *c, uint32_t max, m5_shown *out);

#endif
