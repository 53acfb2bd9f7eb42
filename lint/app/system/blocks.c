/* Takes small pieces from blocks, each twice as large as the one before. */
#include "blocks.h"

#include <stdint.h>
#include <stdlib.h>

enum { FIRST = 1000, MOST = 1 << 20, ALIGN = _Alignof(max_align_t) };

typedef struct m5_block {
    struct m5_block *before;
    size_t size, used;
    max_align_t bytes[];
} m5_block;

static m5_block *add(m5_blocks *b, size_t bytes)
{
    size_t size = b->last == NULL ? FIRST : b->last->size < MOST ? 2 * b->last->size : MOST;
    size = size < bytes ? bytes : size;
    m5_block *block = malloc(sizeof *block + size);
    if (block == NULL)
        return NULL;
    *block = (m5_block){.before = b->last, .size = size};
    return b->last = block;
}

void *m5_blocks_take(void *user, size_t bytes)
{
    m5_blocks *b = user;
    m5_block *block = b->last;
    if (bytes > PTRDIFF_MAX - MOST) /* no block is as large */
        return NULL;
    bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    if (block == NULL || bytes > block->size - block->used)
        block = add(b, bytes);
    if (block == NULL)
        return NULL;
    block->used += bytes;
    return (char *)block->bytes + block->used - bytes;
}

void m5_blocks_free(m5_blocks *b)
{
    while (b->last != NULL) {
        m5_block *block = b->last;
        b->last = block->before;
        free(block);
    }
}
