/* Threads that go through groups of items together.
 *
 * Each item has two steps. The second steps of a group begin when all of its first ones have
 * ended; when all of those have, the group is shown: by the caller's thread, and groups in their
 * order, so that what is shown does not depend on the number of threads. */
#ifndef M5_LINT_APP_POOL_H
#define M5_LINT_APP_POOL_H

#include <stdbool.h>
#include <stddef.h>

typedef enum m5_step { M5_STEP_ALONE, M5_STEP_TOGETHER } m5_step;

typedef struct m5_pool {
    size_t num_groups;
    const size_t *ends; /* where each group ends: the next one's first item */
    void (*work)(void *user, size_t group, size_t item, m5_step step); /* on any thread */
    void (*show)(void *user, size_t group);
    void *user;
} m5_pool;

/* Works with at most so many threads, the caller's among them, and with fewer where there are no
 * more to be had. Only some groups behind the one to be shown next are worked on, as each takes
 * memory. False, and nothing done, without memory. */
bool m5_pool_run(const m5_pool *pool, unsigned threads);

/* As many as there are processors for us. */
unsigned m5_pool_default(void);

#endif
