/* Works through groups of items with several threads.
 *
 * Each item has two steps. The first items of a group are its leaders: when all of them have ended
 * their first step, their second steps begin, and so do both steps of the others, one right after
 * the other. When all steps have ended, the caller's thread shows the group, a part of it at a
 * time. What a part leaves to be written is written by any threads, meanwhile the next part is
 * shown. Groups are shown in order, so that the output does not depend on the number of threads. */
#ifndef M5_LINT_APP_SYSTEM_POOL_H
#define M5_LINT_APP_SYSTEM_POOL_H

#include <stdbool.h>
#include <stddef.h>

typedef enum m5_step { M5_STEP_ALONE, M5_STEP_TOGETHER } m5_step;

typedef struct m5_pool {
    size_t num_groups;
    const size_t *ends;  /* for each group, the first item of the next group */
    const size_t *leads; /* ... and how many leaders it has */
    void (*work)(void *user, size_t group, size_t item, m5_step step); /* on any thread */
    /* On the caller's thread: shows a part, counted through all groups. The part before the last is
     * written then. False: the group has no more. */
    bool (*show)(void *user, size_t group, size_t part);
    void (*end)(void *user, size_t group); /* the same thread: all is written; or NULL */
    size_t num_outputs;                    /* that are written of each part ... */
    void (*write)(void *user, size_t part, size_t output); /* ... on any thread */
    void *user;
} m5_pool;

/* Works with at most `threads` threads, counting the caller's, and with fewer if they cannot be
 * started. Only a few groups after the next one to be shown are worked on, as each needs memory.
 * Returns false, with nothing done, when out of memory. */
bool m5_pool_run(const m5_pool *pool, unsigned threads);

/* The number of processors that this process may use. */
unsigned m5_pool_default(void);

#endif
