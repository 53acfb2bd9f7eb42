/* Gathers the edits of a fix. */
#include "fixes.h"
#include "parsers/core/allocate.h"

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
