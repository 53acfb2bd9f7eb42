/* Keeps parts of a report until its end. */
#include "buffer.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK = 256, LAST_BLOCK = 1 << 18 };

/* A block with room for `count` bytes; NULL without memory. */
static m5_block *add_block(m5_buffer *b, size_t count)
{
    size_t room = b->last == NULL ? FIRST_BLOCK : 2 * b->last->room;
    room = room < LAST_BLOCK ? room : LAST_BLOCK;
    room = room > count ? room : count;
    m5_block *block = b->failed ? NULL : malloc(sizeof *block + room);
    if (block == NULL)
        return NULL;
    *block = (m5_block){.room = room};
    if (b->last != NULL)
        b->last->next = block;
    else
        b->first = block;
    return b->last = block;
}

static void append(void *user, const void *bytes, size_t count)
{
    m5_buffer *b = user;
    m5_block *block = b->last;
    if (block == NULL || count > block->room - block->count)
        block = add_block(b, count);
    if (block == NULL) {
        b->failed = true;
        return;
    }
    memcpy(block->bytes + block->count, bytes, count);
    block->count += count;
}

m5_writer m5_buffer_writer(m5_buffer *b)
{
    return (m5_writer){append, b};
}

void m5_buffer_put(const m5_buffer *b, const m5_writer *out)
{
    for (const m5_block *i = b->first; i != NULL; i = i->next)
        m5_output_bytes(out, i->bytes, i->count);
}

void m5_buffer_free(m5_buffer *b)
{
    for (m5_block *i = b->first, *next; i != NULL; i = next) {
        next = i->next;
        free(i);
    }
    *b = (m5_buffer){.failed = b->failed};
}

/* ---- Worst first ----------------------------------------------------------------------------- */

m5_buffer *m5_ranked_add(m5_ranked *r, m5_severity severity)
{
    unsigned i = severity - 1u;
    r->all[i]++;
    if (r->kept[i] == r->most)
        return NULL;
    r->kept[i]++;
    return &r->text[i];
}

/* A place in a buffer. */
typedef struct place {
    const m5_block *block;
    size_t at;
} place;

/* Writes the rest of a line, without its end, and moves past it. */
static void put_line(place *p, const m5_writer *out)
{
    while (p->block != NULL) {
        const char *from = p->block->bytes + p->at;
        size_t count = p->block->count - p->at;
        const char *end = memchr(from, '\n', count);
        m5_output_bytes(out, from, end != NULL ? (size_t)(end - from) : count);
        if (end != NULL) {
            p->at = (size_t)(end + 1 - p->block->bytes);
            return;
        }
        *p = (place){p->block->next, 0};
    }
}

uint32_t m5_ranked_put(const m5_ranked *r, const m5_writer *out, uint32_t most, const char *between)
{
    uint32_t count = 0;
    for (unsigned i = M5_ERROR; i-- > 0;) {
        place p = {r->text[i].first, 0};
        for (uint32_t k = 0; k < r->kept[i] && count < most && !r->text[i].failed; k++, count++) {
            m5_output_string(out, count != 0 ? between : "");
            put_line(&p, out);
        }
    }
    return count;
}

bool m5_ranked_free(m5_ranked *r)
{
    bool whole = true;
    for (unsigned i = 0; i < M5_ERROR; i++) {
        whole &= !r->text[i].failed;
        m5_buffer_free(&r->text[i]);
    }
    return whole;
}
