/* Reads the directory of a Quake pak: a header with its offset and size, and an entry of 64 bytes
 * for each member. */
#include "pack_state.h"
#include "../core/emit.h"

enum { OFFSET = 4, SIZE = 8 }; /* of the directory, in the header */
enum { ENTRY_OFFSET = 56, ENTRY_SIZE = 60 };

static m5_diag found_size(void)
{
    return m5_pack_found_at(M5_ROW(pack_directory), SIZE, 4, "header", "directorySize");
}

/* Whether the directory lies in the file; as much of it as does is read. */
static void find_directory(m5_pack_parser *w)
{
    const m5_source *s = w->source;
    uint32_t offset = m5_cursor_bits(s, OFFSET), size = m5_cursor_bits(s, SIZE);
    m5_diag d = m5_pack_found_at(M5_ROW(pack_directory), OFFSET, 4, "header", "directoryOffset");
    w->directory = (m5_span){offset, m5_cursor_inside(s, offset, size, 1)};
    if (offset < M5_PAK_HEADER || offset > s->size) {
        m5_emit(w->report, &d, M5_GRAVE, "the directory's offset is %u, expected 12 to %u", offset,
                s->size);
        w->directory = (m5_span){0, 0};
        return;
    }
    d = found_size();
    if (w->directory.length != size)
        m5_emit(w->report, &d, M5_GRAVE,
                "the directory has %u bytes from %u on, but the file ends at %u", size, offset,
                s->size);
    else if (size % M5_PAK_ENTRY != 0)
        m5_emit(w->report, &d, M5_MILD,
                "the directory has %u bytes, expected a multiple of 64, the size of an entry",
                size);
}

static void say_outside(const m5_pack_parser *w, m5_pack_member *m)
{
    m5_diag d = m5_pack_found(w, M5_ROW(pack_offset), m, NULL, "offset", m->entry + ENTRY_OFFSET,
                              8);
    m5_emit(w->report, &d, 0, "'%.*s' has %u bytes from %u on, but the file ends at %u",
            M5_PACK_NAME(w, m), m->packed, m->at, w->source->size);
    m->state = M5_PACK_REFUSED;
}

static void say_in_directory(const m5_pack_parser *w, m5_pack_member *m, m5_span other,
                             const char *what)
{
    m5_diag d = m5_pack_found(w, M5_ROW(pack_overlap), m, NULL, "offset", m->entry + ENTRY_OFFSET,
                              8);
    m5_relate(&d, w->source, other, what);
    m5_emit(w->report, &d, 0, "the data of '%.*s' overlaps %s", M5_PACK_NAME(w, m), what);
    m->state = M5_PACK_REFUSED;
}

static bool overlap(const m5_pack_member *m, m5_span other)
{
    return m->at < (uint64_t)other.offset + other.length && other.offset < m->at + m->packed;
}

static void check_place(const m5_pack_parser *w, m5_pack_member *m)
{
    m5_span header = {0, M5_PAK_HEADER};
    if (!m5_cursor_fits(w->source, m->at, m->packed)) {
        say_outside(w, m);
    } else if (m->packed == 0) {
        return;
    } else if (overlap(m, header)) {
        say_in_directory(w, m, header, "the header of the archive");
    } else if (overlap(m, w->directory)) {
        say_in_directory(w, m, w->directory, "the directory");
    } else {
        m->begin = m->at;
        m->end = m->at + m->packed;
    }
}

static void check_name_end(const m5_pack_parser *w, m5_pack_member *m)
{
    if (m->name.length < M5_PAK_NAME)
        return;
    m5_diag d = m5_pack_found(w, M5_ROW(pack_name_length), m, NULL, "name", m->entry, M5_PAK_NAME);
    m5_emit(w->report, &d, 0, "the name '%.*s' has no NUL in its 56 bytes", M5_PACK_NAME(w, m));
    m->state = M5_PACK_REFUSED;
}

static void read_entry(m5_pack_parser *w, uint32_t at)
{
    const m5_source *s = w->source;
    m5_pack_member *m = m5_pack_add(w, at);
    m->name = m5_cursor_string(s, at, M5_PAK_NAME);
    m->at = m5_cursor_bits(s, (uint64_t)at + ENTRY_OFFSET);
    m->packed = m5_cursor_bits(s, (uint64_t)at + ENTRY_SIZE);
    m->size = m->packed;
    bool folder = m->name.length != 0 && m->packed == 0 &&
                  s->bytes[m->name.offset + m->name.length - 1] == '/';
    m->state = folder ? M5_PACK_FOLDER : M5_PACK_READABLE;
    check_name_end(w, m);
    check_place(w, m);
}

void m5_pack_read_pak(m5_pack_parser *w)
{
    w->data = M5_PAK_HEADER;
    w->data_end = w->source->size;
    if (w->source->size < M5_PAK_HEADER) {
        m5_diag d = m5_pack_found_at(M5_ROW(pack_directory), 0, w->source->size, "header", NULL);
        m5_emit(w->report, &d, M5_GRAVE, "the file has %u bytes, expected at least 12, its header",
                w->source->size);
        w->data_end = w->data;
    } else {
        find_directory(w);
    }
    if (!m5_pack_reserve(w, w->directory.length, M5_PAK_ENTRY))
        return;
    for (uint32_t i = 0; i < w->room; i++)
        read_entry(w, w->directory.offset + i * M5_PAK_ENTRY);
}
