#include "arena.h"

enum { ALIGN = 8 };

static size_t round_up(size_t n)
{
    return (n + (ALIGN - 1)) & ~(size_t)(ALIGN - 1);
}

void m5_arena_init(m5_arena *a, void *memory, size_t size)
{
    *a = (m5_arena){memory, size & ~(size_t)(ALIGN - 1), 0, 0, 0};
}

static void note_peak(m5_arena *a)
{
    if (a->used + a->kept > a->peak)
        a->peak = a->used + a->kept;
}

void *m5_arena_take(m5_arena *a, size_t count, size_t size)
{
    size_t left = a->size - a->used - a->kept; /* a multiple of ALIGN: rounding up stays in */
    if (size != 0 && count > left / size)
        return NULL;
    void *block = a->memory + a->used;
    a->used += round_up(count * size);
    note_peak(a);
    return block;
}

void *m5_arena_keep(m5_arena *a, size_t bytes)
{
    if (bytes > a->size - a->used - a->kept)
        return NULL;
    a->kept += round_up(bytes);
    note_peak(a);
    return a->memory + (a->size - a->kept);
}

void m5_arena_trim(m5_arena *a, const void *block, size_t bytes)
{
    a->used = (size_t)((const uint8_t *)block - a->memory) + round_up(bytes);
}

void m5_arena_release(m5_arena *a, size_t mark)
{
    a->used = mark;
}
