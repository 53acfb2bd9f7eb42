/* An arena: one block of the caller's memory, from which a parser takes what it needs, from the
 * start on. Nothing here calls malloc. An arena is for one thread at a time. */
#ifndef M5_ARENA_H
#define M5_ARENA_H

#include "source.h"

#include <stddef.h>
#include <stdint.h>

M5_BEGIN_C

/* Pages are touched only when they are handed out, so a generous block from malloc costs address
 * space, not memory. */
typedef struct m5_arena {
    uint8_t *memory;   /* the caller's */
    size_t size, used; /* in bytes */
    size_t peak;       /* the most ever in use */
    size_t kept;       /* taken from the end of the block, for findings that outlive a check */
} m5_arena;

/* Starts an arena with nothing in use. `memory` is the caller's, `size` bytes, aligned for any type
 * as malloc's result is (NULL, as after a failed malloc, is an arena without room); it stays until
 * nothing in the arena is needed any more. */
void m5_arena_init(m5_arena *arena, void *memory, size_t size);

/* Ends the use of an arena whose memory will be used for something else. Without AddressSanitizer
 * it does nothing; with it, memory that is not handed out must not be touched until then. Not
 * needed before free. */
void m5_arena_end(m5_arena *arena);

M5_END_C

#endif
