#include "source.h"

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

/* The marks, and how many of them there are. */
static m5_line_mark *take_marks(m5_lines *lines, uint32_t *count)
{
    *count = lines->source->size / MARK_EVERY + 1;
    if (lines->arena != NULL && *count > FEW_MARKS)
        lines->many = m5_arena_take(lines->arena, *count, sizeof *lines->many);
    if (lines->many != NULL)
        return lines->many;
    *count = FEW_MARKS;
    return lines->few;
}

static void build_marks(m5_lines *lines)
{
    const m5_source *s = lines->source;
    uint32_t count;
    m5_line_mark *mark = take_marks(lines, &count);
    lines->stride = s->size / count + 1;
    mark[0] = lines->last = (m5_line_mark){0, 1, 0};
    for (uint32_t i = 1; i < count; i++) {
        uint64_t to = (uint64_t)i * lines->stride;
        mark[i] = mark[i - 1];
        advance(&mark[i], s, to < s->size ? (uint32_t)to : s->size);
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
    const m5_line_mark *marks = lines->many != NULL ? lines->many : lines->few;
    const m5_line_mark *near = &marks[offset / lines->stride];
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
