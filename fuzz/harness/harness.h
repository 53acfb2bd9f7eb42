/* What the harnesses assert for every input, beyond not crashing: places are inside the file,
 * memory stays within the documented bound, and clean means no error and a model that can be read
 * without checks. Expensive assertions run on one input in HARNESS_SHARE: the fast and the plain
 * readers report the same findings, the same bytes twice give the same findings twice, other levels
 * for one rule change nothing about the findings of all others, and a clean model printed and
 * parsed again is the same model. */
#ifndef M5_HARNESS_H
#define M5_HARNESS_H

#include "check_flawed.h"
#include "other_levels.h"
#include "roundtrip.h"

/* Fuzzers set 64. When files are replayed, all assertions run on each. */
#ifndef HARNESS_SHARE
#define HARNESS_SHARE 1
#endif

/* When memory is used again, MemorySanitizer must be told that it counts as unwritten, and
 * AddressSanitizer that the bytes after its end must not be used. */
#ifdef __has_feature
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define HARNESS_UNWRITTEN(memory, bytes) __msan_allocated_memory(memory, bytes)
#endif
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#define HARNESS_FORBID(memory, bytes) __asan_poison_memory_region(memory, bytes)
#define HARNESS_ALLOW(memory, bytes) __asan_unpoison_memory_region(memory, bytes)
#endif
#endif
#ifndef HARNESS_UNWRITTEN
#define HARNESS_UNWRITTEN(memory, bytes) ((void)(memory), (void)(bytes))
#endif
#ifndef HARNESS_FORBID
#define HARNESS_FORBID(memory, bytes) ((void)0)
#define HARNESS_ALLOW(memory, bytes) ((void)0)
#endif

/* The findings of one run, reduced to a digest by which two runs can be compared. */
typedef struct harness_run {
    const m5_source *source;
    const m5_rule *apart; /* its findings have a digest of their own; NULL: none has */
    uint64_t digest, digest_apart;
    m5_status status;
    uint32_t taken;
    const m5_rule *drawn; /* the rule of one of the findings, drawn by their digest; or NULL */
} harness_run;

static inline void harness_mix(harness_run *run, uint64_t value)
{
    run->digest = (run->digest ^ value) * 1099511628211u;
}

/* With the final NUL, so that "ab" and "c" are not "a" and "bc". NULL counts as empty. */
static inline void harness_mix_text(harness_run *run, const char *text)
{
    for (; text != NULL && *text != '\0'; text++)
        harness_mix(run, (uint8_t)*text);
    harness_mix(run, 0);
}

static inline void harness_mix_place(harness_run *run, const m5_source *source, m5_span at)
{
    HARNESS_ASSERT(source != run->source || (uint64_t)at.offset + at.length <= source->size);
    harness_mix_text(run, source->name);
    harness_mix(run, at.offset);
    harness_mix(run, at.length);
}

/* All that a user sees of a finding is in the digest. */
static inline void harness_mix_finding(harness_run *run, const m5_diag *d)
{
    harness_mix(run, d->rule->number);
    harness_mix(run, d->severity);
    harness_mix_place(run, run->source, d->at);
    for (int i = 0; i < M5_PATH_STEPS && d->path.step[i].name != NULL; i++)
        harness_mix(run, d->path.step[i].index);
    char path[200];
    m5_path_text(&d->path, path, sizeof path);
    harness_mix_text(run, path);
    harness_mix_text(run, d->message);
    harness_mix_text(run, d->fix);
    HARNESS_ASSERT(d->num_related <= M5_MOST_RELATED);
    harness_mix(run, d->num_related);
    for (uint32_t i = 0; i < d->num_related; i++) {
        harness_mix_place(run, d->related[i].source, d->related[i].at);
        harness_mix_text(run, d->related[i].message);
    }
}

static inline void harness_swap_digests(harness_run *run)
{
    uint64_t digest = run->digest;
    run->digest = run->digest_apart;
    run->digest_apart = digest;
}

static inline void harness_take(void *user, const m5_diag *d)
{
    harness_run *run = user;
    HARNESS_ASSERT(d->severity != M5_SILENT && d->message[0] != '\0');
    if (run->apart != NULL && d->rule->number == M5_RULE_ignore_unused)
        return; /* with a lower limit, a comment that names the rule may be of use */
    run->drawn = (run->digest >> 32) % ++run->taken == 0 ? d->rule : run->drawn;
    if (d->rule == run->apart)
        harness_swap_digests(run);
    harness_mix_finding(run, d);
    if (d->rule == run->apart)
        harness_swap_digests(run);
}

enum { HARNESS_ROOM = 1 << 21, HARNESS_FENCE = 4096 };

/* Memory for a run. Most inputs are short; these all use the same memory, because malloc under a
 * sanitizer would take more time than the parse. */
static inline void *harness_reserve(size_t bytes)
{
    static union {
        uint8_t bytes[HARNESS_ROOM + HARNESS_FENCE];
        double aligned;
    } room;
    static bool unwritten;
    if (bytes > HARNESS_ROOM) {
        void *memory = malloc(bytes);
        HARNESS_ASSERT(memory != NULL);
        return memory;
    }
    if (!unwritten)
        HARNESS_UNWRITTEN(room.bytes, HARNESS_ROOM);
    unwritten = true;
    HARNESS_FORBID(room.bytes + bytes, HARNESS_FENCE);
    return room.bytes;
}

static inline void harness_release(void *memory, size_t bytes, const m5_arena *arena)
{
    if (bytes > HARNESS_ROOM) {
        free(memory);
        return;
    }
    HARNESS_UNWRITTEN(arena->memory, arena->peak);
    HARNESS_UNWRITTEN(arena->memory + arena->size - arena->kept, arena->kept);
    HARNESS_ALLOW((uint8_t *)memory + bytes, HARNESS_FENCE);
}

/* Sets up a file and parses it. Zero *run before, but for `apart`. */
static inline void harness_parse(const m5_format *format, m5_lint_file *f, harness_run *run,
                                 void *memory, size_t bytes)
{
    run->source = &f->source;
    run->digest = run->digest_apart = 14695981039346656037u;
    m5_arena_init(&f->arena, memory, bytes);
    f->report.source = &f->source;
    f->report.sink = (m5_sink){harness_take, run};
    run->status = m5_parse(format, &f->report, &f->arena, &f->model);
    HARNESS_ASSERT(run->status != M5_NO_MEMORY && f->arena.peak <= m5_parse_memory(f->source.size));
    HARNESS_ASSERT((run->status == M5_CLEAN) == (f->report.flaws == 0));
    if (run->status == M5_CLEAN)
        harness_check_clean(&f->model);
    else
        harness_check_flawed(&f->model);
}

/* How an input is run: also linted after the parse; without fast readers and other shortcuts;
 * without a limit to the geometry, so that runs with and without shortcuts report the same
 * findings. */
enum { HARNESS_LINT = 1, HARNESS_PLAIN = 2, HARNESS_UNLIMITED = 4 };

typedef struct harness_input {
    const m5_format *format; /* NULL: the target knows */
    const uint8_t *data;
    size_t size;
    unsigned how;
} harness_input;

/* Runs an input with these levels. */
typedef harness_run (*harness_runs)(const harness_input *in, const m5_levels *levels,
                                    const m5_rule *apart);

/* Parses and, with HARNESS_LINT, lints within the documented memory. */
static inline harness_run harness_once_at(const harness_input *in, const m5_levels *levels,
                                          const m5_rule *apart)
{
    m5_settings settings = {.levels = levels,
                            .ill_layout = (m5_ill_layout)(in->size % 3),
                            .geometry_budget = in->how & HARNESS_UNLIMITED ? UINT64_MAX : 0,
                            .plain = in->how & HARNESS_PLAIN};
    m5_lint_file f = {.source = {"input", in->data, (uint32_t)in->size},
                      .report = {.settings = &settings}};
    harness_run run = {.apart = apart};
    bool lint = in->how & HARNESS_LINT;
    size_t bytes = lint ? m5_lint_memory(in->size, 0) : m5_parse_memory(in->size);
    void *memory = harness_reserve(bytes);
    harness_parse(in->format, &f, &run, memory, bytes);
    size_t used = f.arena.used;
    if (lint)
        m5_lint_model(&f);
    HARNESS_ASSERT(f.arena.used == used);
    harness_release(memory, bytes, &f.arena);
    return run;
}

/* Mostly with all rules on. */
static inline const m5_levels *harness_levels(size_t size, unsigned how)
{
    return how & HARNESS_LINT && size / 3 % 4 != 0 ? all_rules() : NULL;
}

static inline harness_run harness_once(const m5_format *format, const uint8_t *data, size_t size,
                                       unsigned how)
{
    return harness_once_at(&(harness_input){format, data, size, how}, harness_levels(size, how),
                           NULL);
}

/* Whatever a user chooses for one rule, all others report the same; and whatever is off, it reports
 * the same. The rule is drawn, mostly from those that reported something. When files are replayed,
 * all that can be chosen for it is tried. */
static inline void harness_try_levels(harness_runs runs, const harness_input *in,
                                      const harness_run *first, const m5_levels *usual)
{
    bool any = first->drawn == NULL || first->digest >> 60 == 0;
    const m5_rule *rule = any ? m5_rule_at((unsigned)(first->digest >> 8) % M5_RULES)
                              : first->drawn;
    unsigned how = (unsigned)(first->digest >> 40) % OTHER_LEVELS;
    m5_levels alone[M5_RULES], other[M5_RULES];
    for (unsigned i = 0; i < M5_RULES; i++) {
        other[i] = usual != NULL ? usual[i] : m5_rule_at(i)->levels;
        alone[i] = i == rule->number ? other[i] : (m5_levels)M5_IS_OFF;
    }
    harness_run before = runs(in, usual, rule), after = runs(in, alone, rule);
    HARNESS_ASSERT(before.digest_apart == after.digest_apart && before.status == after.status);
    for (unsigned i = 0; i < (HARNESS_SHARE == 1 ? OTHER_LEVELS : 1); i++) {
        other[rule->number] = other_levels(rule, (how + i) % OTHER_LEVELS);
        after = runs(in, other, rule);
        HARNESS_ASSERT(before.digest == after.digest && before.status == after.status);
    }
}

/* With less memory than promised, a parse either returns M5_NO_MEMORY or is right. */
static inline void harness_starve(const m5_format *format, const uint8_t *data, size_t size,
                                  size_t room)
{
    m5_source source = {"input", data, (uint32_t)size};
    harness_run run = {.source = &source};
    m5_report report = {.source = &source, .sink = {harness_take, &run}};
    m5_arena arena;
    m5_model model;
    void *memory = harness_reserve(room);
    m5_arena_init(&arena, memory, room);
    m5_status status = m5_parse(format, &report, &arena, &model);
    HARNESS_ASSERT(arena.peak <= room);
    HARNESS_ASSERT(status == M5_NO_MEMORY || (status == M5_CLEAN) == (report.flaws == 0));
    harness_release(memory, room, &arena);
}

/* Runs all assertions on this input. */
static inline harness_run harness_try_all(const m5_format *format, const uint8_t *data, size_t size,
                                          unsigned how)
{
    harness_run first = harness_once(format, data, size, how | HARNESS_UNLIMITED);
    harness_run again = harness_once(format, data, size, how | HARNESS_UNLIMITED);
    harness_run plain = harness_once(format, data, size, how | HARNESS_UNLIMITED | HARNESS_PLAIN);
    HARNESS_ASSERT(first.digest == again.digest && first.status == again.status);
    HARNESS_ASSERT(first.digest == plain.digest && first.status == plain.status);
    harness_try_levels(harness_once_at,
                       &(harness_input){format, data, size, how | HARNESS_UNLIMITED}, &first,
                       harness_levels(size, how));
    if (first.status == M5_CLEAN && how & HARNESS_LINT)
        again_assert(format, data, size);
    bool all = HARNESS_SHARE == 1;
    for (size_t k = all ? 0 : first.digest % 8; k < 8; k += all ? 1 : 8)
        harness_starve(format, data, size, size * k / 4);
    return first;
}

/* Whether the expensive assertions run on this input. */
static inline bool harness_is_chosen(const uint8_t *data, size_t size)
{
    uint64_t sum = size, eight = 0;
    for (; size > 8; size -= 8, data += 8)
        memcpy(&eight, data, 8), sum = (sum ^ eight) * 1099511628211u;
    eight = 0;
    memcpy(&eight, data, size);
    return ((sum ^ eight) * 1099511628211u >> 32) % HARNESS_SHARE == 0;
}

static inline harness_run harness_try(const m5_format *format, const uint8_t *data, size_t size,
                                      unsigned how)
{
    return harness_is_chosen(data, size) ? harness_try_all(format, data, size, how)
                                         : harness_once(format, data, size, how);
}

#endif
