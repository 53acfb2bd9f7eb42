/* Hands out the caller's memory from its start, and takes back what was not needed. */
#include "arena.h"
#include "allocate.h"

#include <string.h>

enum { ALIGN = 8 };

/* Under AddressSanitizer memory that is not handed out must not be touched, nor some bytes after
 * each array. Otherwise an index could leave its array, or be used after its array was released,
 * and no test or fuzzer would notice. */
#ifdef M5_WATCHED
#include <sanitizer/asan_interface.h>
static void allow(const m5_arena *a, size_t from, size_t to)
{
    if (from < to)
        __asan_unpoison_memory_region(a->memory + from, to - from);
}
static void forbid(const m5_arena *a, size_t from, size_t to)
{
    if (from < to)
        __asan_poison_memory_region(a->memory + from, to - from);
}
/* The gap after an array: less where less is left, so that an array never fails to fit because of
 * a gap. */
static size_t gap_in(size_t left)
{
    return left < M5_ARENA_GAP ? left : M5_ARENA_GAP;
}
#else
#define gap_in(left) ((size_t)0)
#define allow(a, from, to) ((void)0)
#define forbid(a, from, to) ((void)0)
#endif

static size_t round_up(size_t n)
{
    return (n + (ALIGN - 1)) & ~(size_t)(ALIGN - 1);
}

void m5_arena_init(m5_arena *a, void *memory, size_t size)
{
    *a = (m5_arena){.memory = memory != NULL ? memory : (void *)a};
    a->size = memory != NULL ? size & ~(size_t)(ALIGN - 1) : 0;
    forbid(a, 0, a->size);
}

void m5_arena_end(m5_arena *a)
{
    allow(a, 0, a->size);
    *a = (m5_arena){0};
}

static void note_peak(m5_arena *a)
{
    if (a->used + a->kept > a->peak)
        a->peak = a->used + a->kept;
}

/* What is in use now ends with an array of `bytes` at `from`. */
static void set_used(m5_arena *a, size_t from, size_t bytes)
{
    a->used = from + round_up(bytes);
    if (bytes != 0)
        a->used += gap_in(a->size - a->kept - a->used);
}

void *m5_arena_take(m5_arena *a, size_t count, size_t size)
{
    size_t left = a->size - a->used - a->kept; /* a multiple of ALIGN: rounding up stays in */
    if (size != 0 && count > left / size)
        return NULL;
    void *block = a->memory + a->used;
    allow(a, a->used, a->used + count * size);
    set_used(a, a->used, count * size);
    note_peak(a);
    return block;
}

void *m5_arena_keep(m5_arena *a, size_t bytes)
{
    if (bytes > a->size - a->used - a->kept)
        return NULL;
    a->kept += round_up(bytes);
    note_peak(a);
    allow(a, a->size - a->kept, a->size - a->kept + bytes);
    return a->memory + (a->size - a->kept);
}

void m5_arena_trim(m5_arena *a, const void *block, size_t bytes)
{
    if (block == NULL)
        return;
    size_t from = (size_t)((const uint8_t *)block - a->memory);
    allow(a, from, from + bytes);
    forbid(a, from + bytes, a->used);
    set_used(a, from, bytes);
}

void *m5_arena_pack(m5_arena *a, void *first, size_t first_bytes, const void *second,
                    size_t second_bytes)
{
    size_t apart = (size_t)((const uint8_t *)second - (const uint8_t *)first);
    size_t gap = gap_in(apart - first_bytes), to = first_bytes + gap;
    m5_arena_trim(a, first, apart + second_bytes); /* both, with what is between */
    uint8_t *moved = memmove((uint8_t *)first + to, second, second_bytes);
    m5_arena_trim(a, first, to + second_bytes);
    forbid(a, (size_t)(moved - a->memory) - gap, (size_t)(moved - a->memory));
    return moved;
}

void m5_arena_release(m5_arena *a, size_t mark)
{
    forbid(a, mark, a->used);
    a->used = mark;
}
