/* An md5mesh or md5anim in, the same with its safe fixes out: mend NAME <old >new. */
#include "lint/fix/fix.h"
#include "lint/lint.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1 << 20, FINDINGS = 100 };

typedef struct list {
    m5_diag found[FINDINGS];
    uint32_t count;
} list;

static void take_finding(void *user, const m5_diag *finding)
{
    list *l = user;
    if (l->count < FINDINGS)
        l->found[l->count++] = *finding;
}

static void put_bytes(void *user, const void *bytes, size_t count)
{
    fwrite(bytes, 1, count, user);
}

static bool mend(m5_lint_file *file, const list *l, m5_arena *arena)
{
    m5_fix_input in = {.file = file};
    const m5_fix *fixes[FINDINGS];
    m5_patch patch = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        const m5_fix *fix = m5_fix_find(&in, &l->found[i], arena);
        if (fix != NULL && fix->safe)
            fixes[count++] = fix;
    }
    bool made = m5_patch_make(&file->source, fixes, count, arena, &patch);
    if (made)
        m5_patch_write(&file->source, &patch, &(m5_writer){put_bytes, stdout});
    return made;
}

int main(int argc, char **argv)
{
    static uint8_t bytes[MOST];
    static list l;
    size_t size = fread(bytes, 1, MOST, stdin), room = 2 * m5_lint_memory(size, FINDINGS);
    m5_lint_file file;
    m5_arena arena;
    m5_lint_input in = {.source = {argc == 2 ? argv[1] : "", bytes, (uint32_t)size},
                        .sink = {take_finding, &l},
                        .memory = malloc(room),
                        .size = room};
    void *more = malloc(room);
    bool made = false;
    m5_arena_init(&arena, more, more != NULL ? room : 0);
    if (in.memory != NULL && m5_lint_bytes(&file, &in) <= M5_FLAWED)
        made = mend(&file, &l, &arena);
    return free(in.memory), free(more), !made;
}
