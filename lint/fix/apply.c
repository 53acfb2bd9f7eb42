/* Chooses edits that can be made together, and makes them. */
#include "fix.h"
#include "lint/core/sort.h"
#include "parsers/core/allocate.h"

#include <string.h>

/* All edits in the order of the file, each with the number of its fix. */
typedef struct entry {
    const m5_edit *edit;
    uint32_t fix;
} entry;

static bool comes_before(const void *context, uint32_t a, uint32_t b)
{
    const entry *list = context;
    uint32_t at = list[a].edit->at.offset, other = list[b].edit->at.offset;
    if (at != other)
        return at < other;
    return list[a].fix != list[b].fix ? list[a].fix < list[b].fix : a < b;
}

static uint32_t list_edits(const m5_fix *const *fixes, uint32_t count, entry *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < fixes[i]->count; k++)
            out[n++] = (entry){&fixes[i]->edits[k], i};
    return n;
}

/* Leaves out each fix with an edit that overlaps one before it, or inserts where that begins. */
static void leave_out_overlaps(const entry *list, const uint32_t *order, uint32_t n, bool *taken)
{
    const entry *last = NULL;
    uint32_t end = 0;
    for (uint32_t i = 0; i < n; i++) {
        const entry *e = &list[order[i]];
        if (!taken[e->fix])
            continue;
        uint32_t at = e->edit->at.offset;
        bool overlaps = last != NULL && (at < end || at == last->edit->at.offset);
        if (overlaps) {
            taken[e->fix] = false;
            continue;
        }
        last = e;
        end = at + e->edit->at.length;
    }
}

bool m5_patch_make(const m5_source *source, const m5_fix *const *fixes, uint32_t count,
                   m5_arena *arena, m5_patch *out)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += fixes[i]->count;
    if (sum > UINT32_MAX) /* more than there is memory for */
        return false;
    uint32_t n = (uint32_t)sum;
    bool *taken = m5_arena_keep(arena, count * sizeof *taken);
    const m5_edit **edits = m5_arena_keep(arena, n * sizeof *edits);
    size_t mark = arena->used;
    entry *list = m5_arena_take(arena, n, sizeof *list);
    uint32_t *order = m5_arena_take(arena, n, sizeof *order);
    if (taken == NULL || edits == NULL || list == NULL || order == NULL)
        return false;
    list_edits(fixes, count, list);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    for (uint32_t i = 0; i < count; i++)
        taken[i] = true;
    m5_check_sort(order, n, comes_before, list);
    leave_out_overlaps(list, order, n, taken);
    *out = (m5_patch){.edits = edits, .taken = taken, .size = source->size};
    for (uint32_t i = 0; i < n; i++) {
        const entry *e = &list[order[i]];
        if (!taken[e->fix])
            continue;
        edits[out->count++] = e->edit;
        out->size += e->edit->length;
        out->size -= e->edit->at.length;
    }
    for (uint32_t i = 0; i < count; i++)
        out->num_taken += taken[i];
    m5_arena_release(arena, mark);
    return true;
}

static void write_bytes(const m5_writer *out, const void *bytes, size_t count)
{
    if (count != 0)
        out->write(out->user, bytes, count);
}

void m5_patch_write(const m5_source *source, const m5_patch *patch, const m5_writer *out)
{
    uint32_t done = 0;
    for (uint32_t i = 0; i < patch->count; i++) {
        const m5_edit *e = patch->edits[i];
        write_bytes(out, source->bytes + done, e->at.offset - done);
        write_bytes(out, e->text, e->length);
        done = e->at.offset + e->at.length;
    }
    write_bytes(out, source->bytes + done, source->size - done);
}
