#include "source.h"

#include <string.h>

enum { MARKS = 64 };

static uint32_t count_newlines(const uint8_t *from, const uint8_t *to)
{
    uint32_t n = 0;
    while (from < to && (from = memchr(from, '\n', (size_t)(to - from)))) {
        n++;
        from++;
    }
    return n;
}

static void build_marks(m5_lines *lines)
{
    const m5_source *s = lines->source;
    lines->stride = s->size / MARKS + 1;
    lines->line[0] = 1;
    for (uint32_t i = 1; i < MARKS; i++) {
        uint64_t from = (uint64_t)(i - 1) * lines->stride, to = from + lines->stride;
        if (from > s->size)
            from = s->size;
        if (to > s->size)
            to = s->size;
        lines->line[i] = lines->line[i - 1] + count_newlines(s->bytes + from, s->bytes + to);
    }
}

static uint32_t line_start(const m5_source *s, uint32_t offset)
{
    while (offset > 0 && s->bytes[offset - 1] != '\n')
        offset--;
    return offset;
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
    uint32_t mark = offset / lines->stride;
    const uint8_t *from = s->bytes + (size_t)mark * lines->stride;
    uint32_t line = lines->line[mark] + count_newlines(from, s->bytes + offset);
    return (m5_place){line, offset - line_start(s, offset) + 1};
}

m5_span m5_line_span(const m5_source *s, uint32_t offset)
{
    if (offset > s->size)
        offset = s->size;
    uint32_t start = line_start(s, offset);
    const uint8_t *lf = NULL;
    if (offset < s->size)
        lf = memchr(s->bytes + offset, '\n', s->size - offset);
    uint32_t end = lf ? (uint32_t)(lf - s->bytes) : s->size;
    if (end > start && s->bytes[end - 1] == '\r')
        end--;
    return (m5_span){start, end - start};
}

m5_span m5_source_end(const m5_source *s)
{
    uint32_t end = s->size;
    while (end > 0 && s->bytes[end - 1] <= ' ')
        end--;
    return (m5_span){end, 0};
}
