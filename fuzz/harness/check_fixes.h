/* What the harness of the linter asserts about fixes: edits are inside the file, in order and do
 * not overlap; a fix of each finding is of its rule's kind; and the file with all of them can be
 * read. */
#ifndef M5_CHECK_FIXES_H
#define M5_CHECK_FIXES_H

#include "harness.h"
#include "lint/fix/fix.h"
#include "lint/report/collect.h"

enum { FIXES_MOST = 256 };

static inline void check_fix(const m5_source *source, const m5_fix *fix, m5_fix_kind kind)
{
    uint64_t end = 0;
    HARNESS_ASSERT(fix->count != 0 && kind != M5_FIX_NONE);
    HARNESS_ASSERT(kind == M5_FIX_EITHER || fix->safe == (kind == M5_FIX_SAFE));
    for (uint32_t i = 0; i < fix->count; i++) {
        const m5_edit *e = &fix->edits[i];
        HARNESS_ASSERT(e->at.offset >= end && (e->text != NULL || e->length == 0));
        HARNESS_ASSERT(e->at.length != 0 || e->length != 0);
        end = (uint64_t)e->at.offset + e->at.length;
        HARNESS_ASSERT(end <= source->size);
    }
}

typedef struct fixed_file {
    uint8_t *bytes;
    size_t size, room;
} fixed_file;

static inline void fixed_add(void *user, const void *bytes, size_t count)
{
    fixed_file *f = user;
    HARNESS_ASSERT(count <= f->room - f->size);
    memcpy(f->bytes + f->size, bytes, count);
    f->size += count;
}

/* Lints a file, and finds the fixes of its first findings. */
static inline uint32_t find_fixes(m5_lint_file *f, m5_collector *found, const m5_lint_input *in,
                                  m5_arena *arena, const m5_fix *fixes[FIXES_MOST])
{
    uint32_t count = 0, seen = 0;
    *f = (m5_lint_file){.source = in->source, .model.format = in->format};
    m5_collector_init(found, &f->arena, 10);
    m5_lint_bytes(f, in);
    m5_fix_input one = {.file = f};
    for (const m5_finding *d = found->first; d != NULL && seen++ < FIXES_MOST; d = d->next) {
        const m5_fix *fix = m5_fix_find(&one, &d->diag, arena);
        if (fix == NULL)
            continue;
        check_fix(&f->source, fix, m5_fix_kind_of(d->diag.rule));
        fixes[count++] = fix;
    }
    return count;
}

static inline void harness_check_fixes(const m5_format *format, const uint8_t *data, size_t size)
{
    const m5_fix *fixes[FIXES_MOST];
    m5_settings settings = {.levels = all_rules()};
    m5_lint_file f;
    m5_collector found;
    m5_patch patch;
    size_t bytes = m5_lint_memory(size, 2000), room = 2 * m5_lint_memory(size, FIXES_MOST);
    m5_lint_input in = {.source = {"input", data, (uint32_t)size},
                        .format = format,
                        .settings = &settings,
                        .sink = {m5_collect, &found},
                        .memory = malloc(bytes),
                        .size = bytes};
    m5_arena arena;
    void *memory = malloc(room);
    HARNESS_ASSERT(in.memory != NULL && memory != NULL);
    m5_arena_init(&arena, memory, room);
    uint32_t count = find_fixes(&f, &found, &in, &arena, fixes);
    if (count != 0) {
        HARNESS_ASSERT(m5_patch_make(&f.source, fixes, count, &arena, &patch));
        HARNESS_ASSERT(patch.num_taken != 0 && patch.count != 0);
        fixed_file fixed = {malloc(patch.size + 1), 0, patch.size};
        HARNESS_ASSERT(fixed.bytes != NULL);
        m5_patch_write(&f.source, &patch, &(m5_writer){fixed_add, &fixed});
        HARNESS_ASSERT(fixed.size == patch.size);
        harness_once(format, fixed.bytes, fixed.size, HARNESS_LINT);
        free(fixed.bytes);
    }
    m5_arena_end(&arena);
    m5_arena_end(&f.arena);
    free(memory);
    free(in.memory);
}

#endif
