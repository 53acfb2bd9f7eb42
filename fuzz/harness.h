/* What every harness asserts of every input, beyond not crashing. */
#ifndef M5_HARNESS_H
#define M5_HARNESS_H

#include "again.h"

/* Findings of one run, boiled down to what two runs can be compared by. */
typedef struct harness_run {
    const m5_source *source;
    uint64_t digest;
    m5_status status;
} harness_run;

static inline void harness_take(void *user, const m5_diag *d)
{
    harness_run *run = user;
    uint64_t end = (uint64_t)d->at.offset + d->at.length;
    HARNESS_ASSERT(end <= run->source->size);
    HARNESS_ASSERT(d->severity != M5_SILENT && d->message[0] != '\0');
    for (const char *p = d->message; *p != '\0'; p++)
        run->digest = (run->digest ^ (uint8_t)*p) * 1099511628211u;
    run->digest = (run->digest ^ d->at.offset ^ d->rule->number) * 1099511628211u;
    if (d->related.source == run->source)
        HARNESS_ASSERT((uint64_t)d->related.at.offset + d->related.at.length <= run->source->size);
}

/* Levels with every rule on. */
static inline const m5_levels *harness_all_on(void)
{
    static m5_levels all[M5_RULES];
    for (unsigned i = 0; i < M5_RULES; i++) {
        all[i] = m5_rule_at(i)->levels;
        if (m5_judge(&all[i], DBL_MAX) == M5_SILENT)
            all[i] = (m5_levels)M5_IS_NOTE;
    }
    return all;
}

/* Parses and lints within the documented memory. */
static inline harness_run harness_once(const m5_format *format, const uint8_t *data, size_t size,
                                       bool plain)
{
    m5_lint_file f = {.source = {"input", data, (uint32_t)size}};
    harness_run run = {.source = &f.source, .digest = 14695981039346656037u};
    size_t bytes = m5_lint_memory(size, 0);
    void *memory = malloc(bytes);
    HARNESS_ASSERT(memory != NULL);
    m5_arena_init(&f.arena, memory, bytes);
    f.report = (m5_report){.source = &f.source, .sink = {harness_take, &run}, .levels = harness_all_on(),
                           .plain = plain};
    run.status = m5_parse(format, &f.report, &f.arena, &f.model);
    HARNESS_ASSERT(run.status != M5_NO_MEMORY && f.arena.peak <= m5_parse_memory(size));
    HARNESS_ASSERT((run.status == M5_CLEAN) == (f.report.flaws == 0));
    if (run.status == M5_CLEAN)
        harness_walk(&f.model);
    size_t used = f.arena.used;
    m5_lint_model(&f);
    HARNESS_ASSERT(f.arena.used == used);
    free(memory);
    return run;
}

/* Printing a model and parsing it again is dear: one input of so many is. */
enum { PRINT_ONE_OF = 4 };

/* The same by the fast readers and by the plain ones. */
static inline void harness_lint(const m5_format *format, const uint8_t *data, size_t size)
{
    harness_run fast = harness_once(format, data, size, false);
    harness_run plain = harness_once(format, data, size, true);
    HARNESS_ASSERT(fast.digest == plain.digest && fast.status == plain.status);
    if (fast.status == M5_CLEAN && fast.digest % PRINT_ONE_OF == 0)
        HARNESS_ASSERT(again_print(format, data, size).what == NULL);
}

#endif
