/* Finds the size of a block's records if it is not the size that the format gives them. */
#include "md4_state.h"

/* Returns the space from the start of a block to the next block, or to the end of the model or
 * of the file; 0 if the block is outside of them. */
static uint64_t room_for(const m5_md4_layout *l, const m5_md4_block *b)
{
    uint32_t size = l->w->source->size;
    int64_t next = l->end < size ? l->end : size;
    for (unsigned i = 0; i < l->num_blocks; i++)
        if (l->block[i].at > b->at && l->block[i].at < next)
            next = l->block[i].at;
    return b->at >= l->begin && b->at < next ? (uint64_t)(next - b->at) : 0;
}

static bool all_begin(const m5_md4_layout *l, const m5_md4_block *b, uint64_t size,
                      m5_md4_begins *begins)
{
    for (uint64_t i = 0; i < b->count; i++)
        if (!begins(l->w->source, (uint64_t)b->at + i * size))
            return false;
    return true;
}

bool m5_md4_fills_room(const m5_md4_layout *l, unsigned block)
{
    const m5_md4_block *b = &l->block[block];
    return b->count != 0 && room_for(l, b) == b->count * b->size;
}

uint64_t m5_md4_stride(const m5_md4_layout *l, unsigned block, m5_md4_begins *begins)
{
    const m5_md4_block *b = &l->block[block];
    uint64_t room = room_for(l, b), aligned = 4 * b->count;
    uint64_t stride = aligned != 0 && room % aligned == 0 ? room / b->count : 0;
    return stride != 0 && !all_begin(l, b, b->size, begins) && all_begin(l, b, stride, begins)
               ? stride
               : 0;
}
