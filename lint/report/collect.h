/* Gathers a file's findings, and picks which of them are shown. */
#ifndef M5_LINT_REPORT_COLLECT_H
#define M5_LINT_REPORT_COLLECT_H

#include "lint/core/edit.h"
#include "lint/lint.h"

/* A finding that outlives the sink: its strings are copies. */
typedef struct m5_finding {
    m5_diag diag;
    struct m5_finding *next;
    const char *const *also; /* the names of other files that have it: see fold.h */
    uint32_t num_also;
    const m5_fix *fix; /* NULL: it has none, or nobody asked */
    bool folded;       /* it is shown in another file, which names this one */
    bool old;          /* it is hidden: see `hides` */
} m5_finding;

enum { M5_OLD_MOST = 25000 };

/* How many findings of a rule were made, kept or not: of each severity - 1. */
typedef struct m5_counted {
    struct m5_counted *next; /* that of the next rule, by number, that has findings */
    unsigned rule;
    uint32_t made[M5_ERROR];   /* folded or not, ... */
    uint32_t folded[M5_ERROR]; /* ... and those that are */
} m5_counted;

typedef struct m5_collector {
    m5_arena *arena;                         /* what is kept goes to its end ... */
    void *(*take)(void *user, size_t bytes); /* ... unless this is set: returns memory that stays,
                                              * aligned for any type, or NULL */
    void *user;
    bool lost;                /* there was no memory for something */
    uint32_t max_per_rule;    /* findings shown of each rule; 0 for all */
    m5_severity least;        /* milder findings are not collected */
    bool keep_shared;         /* keep more of those that m5_fold looks at */
    m5_finding *first, *last; /* in the order they were made */
    uint32_t kept;
    m5_counted *counts;            /* of the first rule; NULL: nothing was made yet */
    m5_counted *counted;           /* the last that was looked for */
    uint64_t folded[M5_ERROR + 1]; /* of each severity */

    /* Takes each finding before anything else does, and returns whether it is an old one, which is
     * hidden. `silent`: it is not reported anyway. NULL: none is old. */
    bool (*hides)(void *hider, const m5_diag *diag, bool silent);
    void *hider;
    uint64_t old[M5_ERROR + 1]; /* hidden ones of each severity, which count nowhere else */
    bool keep_old;              /* the first M5_OLD_MOST of them are kept */
    m5_finding *first_old, *last_old;
    uint32_t kept_old;
} m5_collector;

void m5_collector_init(m5_collector *c, m5_arena *arena, uint32_t max_per_rule);

/* Whether there is nothing to show or to count. */
bool m5_collector_is_empty(const m5_collector *c);

/* Returns the counts of a rule, or NULL if it has none. */
static inline m5_counted *m5_collector_counts(const m5_collector *c, unsigned rule)
{
    m5_counted *k = c->counts;
    while (k != NULL && k->rule < rule)
        k = k->next;
    return k != NULL && k->rule == rule ? k : NULL;
}

/* How many findings of a rule were made, kept or not, without those that are folded; and of one
 * severity. */
uint64_t m5_collector_made(const m5_collector *c, unsigned rule);
uint32_t m5_collector_made_as(const m5_collector *c, unsigned rule, m5_severity severity);

/* The sink; `user` is the collector. When out of memory, a finding is at most counted. */
void m5_collect(void *user, const m5_diag *diag);

/* For m5_settings.silent, if something hides findings. */
void m5_collect_silent(void *user, const m5_diag *diag);

/* The findings of a file that are shown, in order of offset. */
typedef struct m5_shown {
    const m5_finding **list;
    uint32_t count;
    const m5_finding **old; /* hidden ones that were kept, in order of offset, too */
    uint32_t num_old;
    uint64_t old_left_out;     /* and how many were not */
    uint64_t hidden[M5_RULES]; /* for each rule, how many of its findings are not shown */
    const m5_collector *from;
    bool each; /* folded ones are among them, and none names other files */
} m5_shown;

/* Picks at most `max` findings (0 for all): errors before warnings before notes. Returns false when
 * out of memory: then none is shown. */
bool m5_collector_pick(const m5_collector *c, uint32_t max, m5_shown *out);

/* The same with those that are folded, which come after the others where there are too many. */
bool m5_collector_pick_each(const m5_collector *c, uint32_t max, m5_shown *out);

/* How many findings of a rule and severity there are, shown or not: `rule` is one of
 * s->from->counts. */
static inline uint32_t m5_shown_made_as(const m5_shown *s, const m5_counted *rule,
                                        m5_severity severity)
{
    return rule->made[severity - 1] - (s->each ? 0 : rule->folded[severity - 1]);
}

#endif
