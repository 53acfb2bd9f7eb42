/* One block of the caller's memory, handed out from its start. Nothing here calls malloc. */
#ifndef M5_ARENA_H
#define M5_ARENA_H

#include "source.h"

#include <stddef.h>
#include <stdint.h>

M5_BEGIN_C

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

M5_END_C

#endif
