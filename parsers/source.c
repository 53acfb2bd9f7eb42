#include "source.h"

#include <string.h>

enum { MARKS = 64 };

/* Moves a mark forward. */
static void advance(m5_line_mark *m, const m5_source *s, uint32_t offset)
{
    const uint8_t *p = s->bytes + m->offset, *end = s->bytes + offset;
    while (p < end && (p = memchr(p, '\n', (size_t)(end - p))) != NULL) {
        m->line++;
        m->start = (uint32_t)(++p - s->bytes);
    }
    m->offset = offset;
}

static void build_marks(m5_lines *lines)
{
    const m5_source *s = lines->source;
    lines->stride = s->size / MARKS + 1;
    lines->mark[0] = lines->last = (m5_line_mark){0, 1, 0};
    for (uint32_t i = 1; i < MARKS; i++) {
        uint64_t to = (uint64_t)i * lines->stride;
        lines->mark[i] = lines->mark[i - 1];
        advance(&lines->mark[i], s, to < s->size ? (uint32_t)to : s->size);
    }
}

m5_place m5_lines_find(m5_lines *lines, uint32_t offset)
{
    const m5_source *s = lines->source;
    if (s->size == 0)
        return (m5_place){1, 1};
    if (lines->stride == 0)
        build_marks(lines);
    if (offset > s->size)
        offset = s->size;
    const m5_line_mark *near = &lines->mark[offset / lines->stride];
    if (offset < lines->last.offset || near->offset > lines->last.offset)
        lines->last = *near;
    advance(&lines->last, s, offset);
    return (m5_place){lines->last.line, offset - lines->last.start + 1};
}

m5_span m5_source_end(const m5_source *s)
{
    uint32_t end = s->size;
    while (end > 0 && s->bytes[end - 1] <= ' ')
        end--;
    return (m5_span){end, 0};
}
