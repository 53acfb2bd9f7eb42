/* Gathers the edits of a fix. */
#include "fixes.h"
#include "parsers/core/allocate.h"
#include "parsers/core/number.h"

#include <string.h>

/* Twice the room: what is gathered is not moved within the arena. */
static bool grow(m5_fixing *x)
{
    uint32_t room = x->room != 0 ? 2 * x->room : 2;
    m5_edit *edits = m5_arena_keep(x->arena, room * sizeof *edits);
    if (edits == NULL)
        return false;
    if (x->count != 0)
        memcpy(edits, x->edits, x->count * sizeof *edits);
    x->edits = edits;
    x->room = room;
    return true;
}

void m5_fix_replace(m5_fixing *x, m5_span at, const char *text, size_t length)
{
    char *kept = length != 0 ? m5_arena_keep(x->arena, length) : NULL;
    if ((kept == NULL && length != 0) || (x->count == x->room && !grow(x))) {
        x->failed = true;
        return;
    }
    if (length != 0)
        memcpy(kept, text, length);
    x->edits[x->count++] = (m5_edit){at, kept, (uint32_t)length};
}

void m5_fix_print(m5_fixing *x, m5_span at, const char *format, ...)
{
    char buffer[128];
    m5_text text = {buffer, sizeof buffer, 0, false};
    va_list args;
    va_start(args, format);
    m5_text_format(&text, format, args);
    va_end(args);
    m5_fix_replace(x, at, buffer, text.length);
}

void m5_fix_copy(m5_fixing *x, m5_span at, m5_span from)
{
    m5_fix_replace(x, at, (const char *)x->f->source.bytes + from.offset, from.length);
}

/* The end of the line, if nothing but a comment of this line follows; else 0. */
static uint32_t end_of_line(const m5_source *s, uint32_t at)
{
    const uint8_t *p = s->bytes;
    while (at < s->size && p[at] != '\n' && m5_is_blank(p[at]))
        at++;
    if (at + 1 < s->size && p[at] == '/' && p[at + 1] == '/')
        while (at < s->size && p[at] != '\n')
            at++;
    return at < s->size && p[at] == '\n' ? at + 1 : 0;
}

void m5_fix_delete_lines(m5_fixing *x, uint32_t first, m5_span last)
{
    const m5_source *s = &x->f->source;
    uint32_t end = end_of_line(s, last.offset + last.length);
    while (first > 0 && s->bytes[first - 1] != '\n' && m5_is_blank(s->bytes[first - 1]))
        first--;
    x->failed |= end == 0 || (first > 0 && s->bytes[first - 1] != '\n');
    if (!x->failed)
        m5_fix_replace(x, (m5_span){first, end - first}, NULL, 0);
}
