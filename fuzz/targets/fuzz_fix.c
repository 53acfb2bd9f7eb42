/* Fuzz target for fixes: one part of the input is fixed as the program does it, with the others as
 * the files around it. Edits are inside the file, in order and do not overlap; bytes between them
 * stay; no rule has more errors afterwards, and a second time nothing is left to fix. */
#include "fuzz/harness/harness.h"
#include "fuzz/harness/parts.h"
#include "lint/app/jobs/mend.h"

enum { FIXED_AT_ONCE = 3 }; /* findings of each rule */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Files, of which one is fixed. */
typedef struct group {
    m5_lint_input in[PARTS];
    m5_lint_file files[PARTS], *list[PARTS];
    m5_collector found[PARTS];
    const m5_lint_file *meshes[PARTS];
    m5_settings settings;
    uint32_t count, fixed;
} group;

static void add(group *g, const char *name, const uint8_t *data, size_t size)
{
    const m5_format *format = m5_format_by_content(data, size);
    uint32_t i = g->count;
    if (format == NULL)
        return;
    g->in[i] = (m5_lint_input){.source = {name, data, (uint32_t)size},
                               .format = format,
                               .settings = &g->settings,
                               .sink = {m5_collect, &g->found[i]}};
    g->list[i] = &g->files[i];
    g->count++;
}

/* Frees the memory of a group that was linted. */
static void end(group *g)
{
    for (uint32_t i = 0; i < g->count; i++) {
        if (g->in[i].memory != NULL)
            m5_arena_end(&g->files[i].arena);
        free(g->in[i].memory);
        g->in[i].memory = NULL;
    }
}

static m5_linted lint(void *user, m5_bytes bytes)
{
    group *g = user;
    m5_rig together[PARTS * (1 + sizeof(m5_pair) / 8)];
    m5_lint_file *f = &g->files[g->fixed];
    g->in[g->fixed].source.bytes = bytes.bytes;
    g->in[g->fixed].source.size = (uint32_t)bytes.size;
    end(g);
    for (uint32_t i = 0; i < g->count; i++) {
        m5_lint_input *in = &g->in[i];
        in->size = m5_lint_memory(in->source.size, 1000);
        in->memory = malloc(in->size);
        HARNESS_ASSERT(in->memory != NULL);
        m5_collector_init(&g->found[i], &g->files[i].arena, FIXED_AT_ONCE);
    }
    HARNESS_ASSERT(m5_lint_group(g->list, g->in, g->count, together) != M5_NO_MEMORY);
    HARNESS_ASSERT(!g->found[g->fixed].lost);
    if (f->status == M5_CLEAN)
        harness_check_clean(&f->model);
    else
        harness_check_flawed(&f->model);
    return (m5_linted){f, &g->found[g->fixed], false};
}

static m5_fix_input input(void *user, m5_arena *arena)
{
    group *g = user;
    (void)arena;
    m5_lint_file *f = &g->files[g->fixed];
    m5_fix_input in = {.file = f, .meshes = g->meshes};
    for (uint32_t i = 0; i < g->count; i++) {
        const m5_model *m = &g->files[i].model;
        uint32_t joints = m->md5mesh != NULL ? m->md5mesh->num_joints : 0;
        joints = m->md5anim != NULL ? m->md5anim->num_joints : joints;
        if (joints > in.most_joints)
            in.most_joints = joints;
    }
    for (uint32_t i = 0; i < g->count && f->model.md5anim != NULL; i++)
        if (g->files[i].model.md5mesh != NULL)
            g->meshes[in.num_meshes++] = &g->files[i];
    return in;
}

static void check_fix(const m5_source *source, const m5_fix *fix, m5_fix_kind kind)
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

/* What a patch has written so far: it must be the source but for the edits. */
typedef struct written {
    uint8_t *bytes;
    size_t size, room;
} written;

static void add_written(void *user, const void *bytes, size_t count)
{
    written *w = user;
    HARNESS_ASSERT(count <= w->room - w->size);
    memcpy(w->bytes + w->size, bytes, count);
    w->size += count;
}

static void check_patch(const m5_source *source, const m5_patch *patch)
{
    written w = {malloc(patch->size + 1), 0, patch->size};
    size_t at = 0, from = 0;
    HARNESS_ASSERT(w.bytes != NULL && patch->num_taken != 0 && patch->count != 0);
    m5_patch_write(source, patch, &(m5_writer){add_written, &w});
    HARNESS_ASSERT(w.size == patch->size);
    for (uint32_t i = 0; i < patch->count; i++) {
        const m5_edit *e = patch->edits[i];
        size_t same = e->at.offset - from;
        HARNESS_ASSERT(memcmp(w.bytes + at, source->bytes + from, same) == 0);
        HARNESS_ASSERT(e->length == 0 || memcmp(w.bytes + at + same, e->text, e->length) == 0);
        at += same + e->length;
        from = (size_t)e->at.offset + e->at.length;
    }
    HARNESS_ASSERT(w.size - at == source->size - from);
    HARNESS_ASSERT(memcmp(w.bytes + at, source->bytes + from, source->size - from) == 0);
    free(w.bytes);
}

static void check_fixes(group *g, const m5_linted *now)
{
    const m5_fix *fixes[FIXED_AT_ONCE * M5_RULES];
    uint32_t count = 0;
    m5_patch patch;
    m5_fix_input in = input(g, NULL);
    size_t size = m5_mend_memory(&in, now->found);
    void *memory = malloc(size);
    m5_arena arena;
    HARNESS_ASSERT(memory != NULL);
    m5_arena_init(&arena, memory, size);
    for (const m5_finding *f = now->found->first; f != NULL; f = f->next) {
        const m5_fix *fix = m5_fix_find(&in, &f->diag, &arena);
        if (fix == NULL)
            continue;
        check_fix(&now->file->source, fix, m5_fix_kind_of(f->diag.rule));
        fixes[count++] = fix;
    }
    if (count != 0) {
        HARNESS_ASSERT(m5_patch_make(&now->file->source, fixes, count, &arena, &patch));
        check_patch(&now->file->source, &patch);
    }
    m5_arena_end(&arena);
    free(memory);
}

static void keep_errors(const m5_linted *now, uint64_t errors[M5_RULES])
{
    for (unsigned i = 0; i < M5_RULES; i++)
        errors[i] = m5_collector_made_as(now->found, i, M5_ERROR);
}

/* Returns false if there is more to fix than is done at a time. */
static bool mend(m5_mend *m)
{
    static uint64_t before[M5_RULES], after[M5_RULES];
    keep_errors(&m->now, before);
    m5_mend_end end = m5_mend_all(m);
    HARNESS_ASSERT(end != M5_MEND_NO_MEMORY);
    keep_errors(&m->now, after);
    for (unsigned i = 0; i < M5_RULES; i++)
        HARNESS_ASSERT(after[i] <= before[i]);
    return end == M5_MEND_DONE;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    group g = {.settings = {.levels = all_rules(), .geometry_budget = 100000}};
    parts files = split_parts(data, size);
    for (uint32_t i = 0; i < files.count; i++)
        add(&g, part_names[i], files.data[i], files.size[i]);
    if (g.count == 0)
        return 0;
    g.fixed = (uint32_t)(size % g.count);
    const m5_source *source = &g.in[g.fixed].source;
    m5_bytes first = {.bytes = source->bytes, .size = source->size};
    m5_mend m = {
        .unsafe = size / PARTS % 3 != 0, .lint = lint, .input = input, .user = &g, .bytes = first};
    m.now = lint(&g, first);
    check_fixes(&g, &m.now);
    if (mend(&m)) {
        m5_mend again = m;
        again.fixed = again.num_not_made = 0;
        HARNESS_ASSERT(mend(&again));
        HARNESS_ASSERT(again.fixed == 0 && again.bytes.bytes == m.bytes.bytes);
        HARNESS_ASSERT(again.num_not_made == m.num_not_made);
    }
    end(&g);
    if (m.bytes.bytes != first.bytes)
        m5_bytes_free(&m.bytes);
    return 0;
}
