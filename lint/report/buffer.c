/* Keeps parts of a report until its end. */
#include "buffer.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

static void append(void *user, const void *bytes, size_t count)
{
    m5_buffer *b = user;
    if (count > b->room - b->count) {
        size_t room = 2 * b->room + count + 256;
        char *grown = b->failed ? NULL : realloc(b->bytes, room);
        if (grown == NULL) {
            b->failed = true;
            return;
        }
        b->bytes = grown;
        b->room = room;
    }
    memcpy(b->bytes + b->count, bytes, count);
    b->count += count;
}

m5_writer m5_buffer_writer(m5_buffer *b)
{
    return (m5_writer){append, b};
}

void m5_buffer_put(const m5_buffer *b, const m5_writer *out)
{
    if (b->count != 0)
        m5_output_bytes(out, b->bytes, b->count);
}

void m5_buffer_free(m5_buffer *b)
{
    free(b->bytes);
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

uint32_t m5_ranked_put(const m5_ranked *r, const m5_writer *out, uint32_t most, const char *between)
{
    uint32_t count = 0;
    for (unsigned i = M5_ERROR; i-- > 0;) {
        const char *line = r->text[i].bytes;
        for (uint32_t k = 0; k < r->kept[i] && count < most && !r->text[i].failed; k++, count++) {
            const char *end = memchr(line, '\n', r->text[i].count);
            m5_output_string(out, count != 0 ? between : "");
            m5_output_bytes(out, line, (size_t)(end - line));
            line = end + 1;
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
