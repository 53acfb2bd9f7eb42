/* Private: taking memory from an arena, and giving it back. */
#ifndef M5_ALLOCATE_H
#define M5_ALLOCATE_H

#include "arena.h"

M5_BEGIN_C

/* With AddressSanitizer this many bytes after each array stay unused, and it reports any access to
 * them. Without this gap an access past an array would reach the next array unnoticed. */
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

/* `count` records of `size` bytes, not cleared, aligned to 8 bytes. NULL when they do not fit,
 * with the arena unchanged. An empty array gets a valid pointer too. */
void *m5_arena_take(m5_arena *arena, size_t count, size_t size);

/* `bytes` from the other end, where they stay when everything else is released: for what is
 * gathered while a parse is taking and giving back memory. NULL when they do not fit. */
void *m5_arena_keep(m5_arena *arena, size_t bytes);

/* Makes `block` the newest in use and cuts it to `bytes`, at most what was taken; everything after
 * that is free again. Does nothing if `block` is NULL, that is, did not fit. */
void m5_arena_trim(m5_arena *arena, const void *block, size_t bytes);

/* Cuts two blocks to at most what was taken, the second after the first, and moves the second to
 * directly after the first (and after the gap, if there is one); everything after it is free again.
 * Returns where the second is now, aligned to 8 bytes only if `first_bytes` is a multiple of 8. */
void *m5_arena_pack(m5_arena *arena, void *first, size_t first_bytes, const void *second,
                    size_t second_bytes);

/* Everything taken since `mark` (an earlier value of `arena->used`) is free again. */
void m5_arena_release(m5_arena *arena, size_t mark);

M5_END_C

#endif
