/* Makes names fit a format: shortens them, replaces characters, refuses two that become equal. */
#include "convert_names.h"

#include <stdlib.h>
#include <string.h>

static char safe(uint8_t c, bool blanks)
{
    return c > ' ' && c < 0x7f ? (char)c : c == ' ' && blanks ? ' ' : '_';
}

static void copy_name(char *out, size_t room, const m5_source *from, m5_name name, bool blanks)
{
    size_t length = name.length < room - 1 ? name.length : room - 1;
    for (size_t i = 0; i < length; i++)
        out[i] = safe(from->bytes[name.offset + i], blanks);
    if (length == 0)
        out[0] = '_';
}

char *name_of(const m5_source *from, m5_name name, size_t room, bool blanks)
{
    char *out = allocate(room, 1);
    copy_name(out, room, from, name, blanks);
    return out;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void refuse_twins(const names *n, uint32_t count)
{
    const char **sorted = allocate(count, sizeof *sorted);
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = name_at(n, i);
    qsort(sorted, count, sizeof *sorted, by_text);
    for (uint32_t i = 1; i < count; i++)
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            fail("two bones would have the name %s", sorted[i]);
    free(sorted);
}

static size_t room_needed(const m5_md5mesh *m)
{
    size_t room = 2;
    for (uint32_t i = 0; i < m->num_joints; i++)
        if (m->joints[i].name.length >= room)
            room = (size_t)m->joints[i].name.length + 1;
    return room;
}

names names_of(const m5_md5mesh *m, size_t room, bool blanks)
{
    names n = {.room = room ? room : room_needed(m)};
    n.text = allocate(m->num_joints, n.room);
    for (uint32_t i = 0; i < m->num_joints; i++)
        copy_name(n.text + i * n.room, n.room, m->source, m->joints[i].name, blanks);
    refuse_twins(&n, m->num_joints);
    return n;
}

const char *name_at(const names *n, uint32_t i)
{
    return n->text + i * n->room;
}

void names_free(names *n)
{
    free(n->text);
}
