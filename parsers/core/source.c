/* Finds the line and column of a byte, and the end of a file. */
#include "source.h"
#include "allocate.h"
#include "ends.h"

#include "arena.h"

#include <string.h>

enum { FEW_MARKS = 64, MARK_EVERY = 512 };

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

static void take_marks(m5_lines *lines)
{
    uint32_t size = lines->source->size, count = size / MARK_EVERY + 1;
    if (lines->arena != NULL && count > FEW_MARKS)
        lines->many = m5_arena_take(lines->arena, count, sizeof *lines->many);
    lines->stride = size / (lines->many != NULL ? count : FEW_MARKS) + 1;
    lines->built = 0;
    lines->last = (m5_line_mark){0, 1, 0};
}

/* The mark before an offset; those up to it are made when they are first wanted. */
static const m5_line_mark *mark_before(m5_lines *lines, uint32_t offset)
{
    m5_line_mark *mark = lines->many != NULL ? lines->many : lines->few;
    uint32_t wanted = offset / lines->stride;
    for (; lines->built <= wanted; lines->built++) {
        uint32_t i = lines->built;
        mark[i] = i == 0 ? (m5_line_mark){0, 1, 0} : mark[i - 1];
        advance(&mark[i], lines->source, i * lines->stride);
    }
    return &mark[wanted];
}

m5_place m5_lines_find(m5_lines *lines, uint32_t offset)
{
    const m5_source *s = lines->source;
    if (s->size == 0)
        return (m5_place){1, 1};
    if (lines->stride == 0)
        take_marks(lines);
    if (offset > s->size)
        offset = s->size;
    const m5_line_mark *near = mark_before(lines, offset);
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

bool m5_source_ends_in_zeros(const m5_source *s, uint32_t from)
{
    enum { LEAST = 16 }; /* fewer may be there by intent */
    const uint8_t *p = s->bytes + from;
    size_t rest = s->size - from;
    return rest >= LEAST && *p == 0 && memcmp(p, p + 1, rest - 1) == 0;
}
