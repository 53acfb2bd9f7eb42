/* Runs the jobs of groups of files on several threads, and shows the results in order. */
#define _GNU_SOURCE /* sched_getaffinity, where the system has it */

#include "pool.h"
#include "signals.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

/* How many tasks of a group were taken and done: first each leader's first step, then each leader's
 * second step, then both steps of each other item. */
typedef struct progress {
    size_t taken, done;
} progress;

typedef struct shift {
    const m5_pool *pool;
    progress *groups;
    progress outputs; /* of the part that is being written */
    size_t parts;     /* how many have been shown, ... */
    bool waits;       /* ... the last of which is not being written yet */
    bool all_shown;   /* the group has no more parts */
    size_t shown;     /* how many groups have ended */
    size_t ahead;     /* how many groups, counted from that one, may be worked on */
    pthread_mutex_t lock;
    pthread_cond_t changed; /* signals that there may be new work */
} shift;

static size_t begin_of(const m5_pool *c, size_t group)
{
    return group == 0 ? 0 : c->ends[group - 1];
}

static size_t items_of(const m5_pool *c, size_t group)
{
    return c->ends[group] - begin_of(c, group);
}

/* How many tasks a group has. */
static size_t tasks_of(const m5_pool *c, size_t group)
{
    return c->leads[group] + items_of(c, group);
}

/* What a thread does next: a task of a group, or an output of the part that is being written. */
typedef struct task {
    bool writes;
    size_t which, number; /* a group and its task, or a part and an output */
} task;

/* Takes a task that can be done now; returns false if there is none. */
static bool take(shift *s, task *t)
{
    if (s->outputs.taken < s->pool->num_outputs) {
        *t = (task){true, s->parts - s->waits - 1, s->outputs.taken++};
        return true;
    }
    for (size_t g = s->shown; g < s->pool->num_groups && g - s->shown < s->ahead; g++) {
        progress *p = &s->groups[g];
        size_t leads = s->pool->leads[g];
        if (p->taken == tasks_of(s->pool, g) || (p->taken >= leads && p->done < leads))
            continue;
        *t = (task){false, g, p->taken++};
        return true;
    }
    return false;
}

static void work_on(const m5_pool *c, size_t group, size_t number)
{
    size_t leads = c->leads[group], item = number < leads ? number : number - leads;
    bool alone = number < leads || item >= leads;
    item += begin_of(c, group);
    if (alone)
        c->work(c->user, group, item, M5_STEP_ALONE);
    if (number >= leads)
        c->work(c->user, group, item, M5_STEP_TOGETHER);
}

/* Does it. The lock is held on entry and on return, but not during the work. */
static void perform(shift *s, task t)
{
    const m5_pool *c = s->pool;
    pthread_mutex_unlock(&s->lock);
    if (t.writes)
        c->write(c->user, t.which, t.number);
    else
        work_on(c, t.which, t.number);
    pthread_mutex_lock(&s->lock);
    size_t done = t.writes ? ++s->outputs.done : ++s->groups[t.which].done;
    if (t.writes ? done == c->num_outputs
                 : done == c->leads[t.which] || done == tasks_of(c, t.which))
        pthread_cond_broadcast(&s->changed);
}

static void *work(void *user)
{
    shift *s = user;
    task t;
    pthread_mutex_lock(&s->lock);
    while (s->shown < s->pool->num_groups)
        if (take(s, &t))
            perform(s, t);
        else
            pthread_cond_wait(&s->changed, &s->lock);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* Shows the next part. The lock is held as above. */
static void show(shift *s)
{
    pthread_mutex_unlock(&s->lock);
    bool more = s->pool->show(s->pool->user, s->shown, s->parts);
    pthread_mutex_lock(&s->lock);
    s->parts++;
    s->waits = true;
    s->all_shown = !more;
}

static void end_group(shift *s)
{
    pthread_mutex_unlock(&s->lock);
    if (s->pool->end != NULL)
        s->pool->end(s->pool->user, s->shown);
    pthread_mutex_lock(&s->lock);
    s->shown++;
    s->all_shown = false;
    pthread_cond_broadcast(&s->changed);
}

/* Lets all threads write the part that waits. */
static void begin_writing(shift *s)
{
    s->waits = false;
    s->outputs = (progress){0, 0};
    pthread_cond_broadcast(&s->changed);
}

/* The caller's thread: it shows finished groups, and works while there is nothing to show. */
static void lead(shift *s)
{
    task t;
    pthread_mutex_lock(&s->lock);
    while (s->shown < s->pool->num_groups)
        if (s->waits && s->outputs.done == s->pool->num_outputs) {
            begin_writing(s);
        } else if (!s->waits && !s->all_shown &&
                   s->groups[s->shown].done == tasks_of(s->pool, s->shown)) {
            show(s);
        } else if (!s->waits && s->all_shown && s->outputs.done == s->pool->num_outputs) {
            end_group(s);
        } else if (take(s, &t)) {
            perform(s, t);
        } else {
            pthread_cond_wait(&s->changed, &s->lock);
        }
    pthread_mutex_unlock(&s->lock);
}

bool m5_pool_run(const m5_pool *pool, unsigned threads)
{
    shift s = {.pool = pool,
               .outputs = {pool->num_outputs, pool->num_outputs},
               .ahead = 4 * (size_t)threads};
    pthread_t *others = calloc(threads, sizeof *others);
    unsigned started = 0;
    s.groups = calloc(pool->num_groups, sizeof *s.groups);
    if (s.groups == NULL || others == NULL) {
        free(others);
        free(s.groups);
        return false;
    }
    pthread_mutex_init(&s.lock, NULL);
    pthread_cond_init(&s.changed, NULL);
    sigset_t signals = m5_signals_hold(); /* they are for the caller's thread, which shows */
    while (started + 1 < threads && pthread_create(&others[started], NULL, work, &s) == 0)
        started++;
    m5_signals_release(signals);
    lead(&s);
    while (started > 0)
        pthread_join(others[--started], NULL);
    pthread_cond_destroy(&s.changed);
    pthread_mutex_destroy(&s.lock);
    free(others);
    free(s.groups);
    return true;
}

unsigned m5_pool_default(void)
{
#ifdef CPU_COUNT
    cpu_set_t ours;
    if (sched_getaffinity(0, sizeof ours, &ours) == 0)
        return (unsigned)CPU_COUNT(&ours);
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned)online : 1;
}
