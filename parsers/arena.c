#include "arena.h"

enum { ALIGN = 8 };

/* Under AddressSanitizer what is not handed out may not be touched: else an index could leave its
 * array, or be used when its array was released, and no test or fuzzer would see it. */
#if defined(__SANITIZE_ADDRESS__)
#define M5_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define M5_WATCHED 1
#endif
#endif

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
#else
#define allow(a, from, to) ((void)0)
#define forbid(a, from, to) ((void)0)
#endif

static size_t round_up(size_t n)
{
    return (n + (ALIGN - 1)) & ~(size_t)(ALIGN - 1);
}

void m5_arena_init(m5_arena *a, void *memory, size_t size)
{
    *a = (m5_arena){memory, size & ~(size_t)(ALIGN - 1), 0, 0, 0};
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

void *m5_arena_take(m5_arena *a, size_t count, size_t size)
{
    size_t left = a->size - a->used - a->kept; /* a multiple of ALIGN: rounding up stays in */
    if (size != 0 && count > left / size)
        return NULL;
    void *block = a->memory + a->used;
    allow(a, a->used, a->used + count * size);
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
    a->used = from + round_up(bytes);
}

void m5_arena_release(m5_arena *a, size_t mark)
{
    forbid(a, mark, a->used);
    a->used = mark;
}
