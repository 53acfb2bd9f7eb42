/* One block of the caller's memory, handed out from its start. Nothing here calls malloc. */
#ifndef M5_ARENA_H
#define M5_ARENA_H

#include "source.h"

#include <stddef.h>
#include <stdint.h>

M5_BEGIN_C

/* Built for AddressSanitizer, so many bytes behind each array are left unused, and it reports who
 * touches them: who goes past an array would reach the next one else. */
#if defined(__SANITIZE_ADDRESS__)
#define M5_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define M5_WATCHED 1
#endif
#endif
#ifdef M5_WATCHED
#define M5_ARENA_GAP ((size_t)16)
#else
#define M5_ARENA_GAP ((size_t)0)
#endif

/* `memory` belongs to the caller, is at least `size` bytes long, and is aligned for any type
 * (malloc's result is). Its pages are only touched as they are handed out, so a generous block
 * from malloc costs address space rather than memory. `peak` is the most ever in use. */
typedef struct m5_arena {
    uint8_t *memory;
    size_t size, used, peak;
    size_t kept; /* at the end, by m5_arena_keep */
} m5_arena;

void m5_arena_init(m5_arena *arena, void *memory, size_t size);

/* Nothing of it is in use any more. Only AddressSanitizer asks for this, and only where `memory` is
 * not freed but put to other use: it reports who touches what is not handed out. */
void m5_arena_end(m5_arena *arena);

/* `count` records of `size` bytes, not cleared, aligned to 8 bytes. NULL when they do not fit,
 * with the arena unchanged. An empty array gets a valid pointer too. */
void *m5_arena_take(m5_arena *arena, size_t count, size_t size);

/* `bytes` from the other end, where they stay when everything else is released: for what is
 * gathered while a parse is taking and giving back memory. NULL when they do not fit. */
void *m5_arena_keep(m5_arena *arena, size_t bytes);

/* Makes `block` the newest in use, of `bytes`, which were taken; all behind them is free again. Of
 * a block that did not fit, NULL, nothing. */
void m5_arena_trim(m5_arena *arena, const void *block, size_t bytes);

/* Everything taken since `mark` (an earlier value of `arena->used`) is free again. */
void m5_arena_release(m5_arena *arena, size_t mark);

M5_END_C

#endif
