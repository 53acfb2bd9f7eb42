/* Reads the structures of a zip that belong to a member: entries of the directory, local headers,
 * extra fields and data descriptors. */
#include "zip.h"
#include "../core/emit.h"

static const uint32_t ALL_ONES = UINT32_MAX; /* the value is in zip64's record [4.5.3] */

static bool begins(const m5_source *s, uint64_t at, uint64_t limit, const char *signature,
                   uint32_t size)
{
    return at + size <= limit && m5_cursor_is(s, at, signature);
}

uint32_t m5_zip_search(const m5_source *s, uint32_t at, uint32_t limit, const char *signature)
{
    while (at < limit && !m5_cursor_is(s, at, signature))
        at++;
    return at;
}

/* ---- The extra field [4.5] ------------------------------------------------------------------- */

/* Finds zip64's record; returns its data, empty if there is none. Hostile archives may have one
 * field for many members: of that, not all records are looked at. */
static m5_span find_zip64(const m5_source *s, m5_zip_header *h)
{
    enum { MOST_RECORDS = 64 };
    uint32_t at = h->extra.offset, end = at + h->extra.length;
    for (int i = 0; i < MOST_RECORDS && end - at >= 4; i++) {
        uint16_t id = m5_cursor_short(s, at), length = m5_cursor_short(s, at + 2);
        if (length > end - at - 4)
            break;
        if (id == 1)
            return (m5_span){at + 4, length};
        at += 4u + length;
    }
    h->rest = (m5_span){at, end - at};
    return (m5_span){at, 0};
}

/* Replaces a value that is all ones by the next one of the record, and moves the record on. */
static void widen(const m5_source *s, m5_zip_header *h, m5_span *record, uint64_t *value)
{
    if (*value != ALL_ONES)
        return;
    if (record->length < 8) {
        h->no_value = true;
        return;
    }
    *value = m5_cursor_long(s, record->offset);
    record->offset += 8;
    record->length -= 8;
}

static void read_extra(const m5_source *s, m5_zip_header *h, uint32_t at, uint32_t length)
{
    h->extra = (m5_span){at, length};
    m5_span record = find_zip64(s, h);
    widen(s, h, &record, &h->size);
    widen(s, h, &record, &h->packed);
    widen(s, h, &record, &h->offset);
}

/* ---- Headers --------------------------------------------------------------------------------- */

/* The fields from the flags to the sizes are the same in both; `at` is where they begin. */
static void read_common(const m5_source *s, uint64_t at, m5_zip_header *out)
{
    out->flags = m5_cursor_short(s, at);
    out->method = m5_cursor_short(s, at + 2);
    out->crc = m5_cursor_bits(s, at + 8);
    out->packed = m5_cursor_bits(s, at + 12);
    out->size = m5_cursor_bits(s, at + 16);
}

bool m5_zip_read_local(const m5_source *s, uint64_t at, uint64_t limit, m5_zip_header *out)
{
    uint16_t name = m5_cursor_short(s, at + 26), extra = m5_cursor_short(s, at + 28);
    uint64_t data = at + M5_ZIP_LOCAL + name + extra;
    if (!begins(s, at, limit, "PK\3\4", M5_ZIP_LOCAL) || data > limit)
        return false;
    uint32_t own = (uint32_t)at + M5_ZIP_LOCAL;
    *out = (m5_zip_header){.at = (uint32_t)at, .name = {own, name}, .data = (uint32_t)data};
    read_common(s, at + 6, out);
    read_extra(s, out, own + name, extra);
    return true;
}

bool m5_zip_read_entry(const m5_source *s, uint64_t at, uint64_t limit, m5_zip_header *out)
{
    uint16_t name = m5_cursor_short(s, at + 28), extra = m5_cursor_short(s, at + 30);
    uint32_t external = m5_cursor_bits(s, at + 38);
    uint64_t data = at + M5_ZIP_ENTRY + name + extra + m5_cursor_short(s, at + 32);
    if (!begins(s, at, limit, "PK\1\2", M5_ZIP_ENTRY) || data > limit)
        return false;
    uint32_t own = (uint32_t)at + M5_ZIP_ENTRY;
    *out = (m5_zip_header){.at = (uint32_t)at,
                           .name = {own, name},
                           .offset = m5_cursor_bits(s, at + 42),
                           .data = (uint32_t)data};
    /* By Unix' programs, the mode of the file is in the attributes [4.4.2.2, 4.4.15]. */
    out->link = m5_cursor_short(s, at + 4) >> 8 == 3 && external >> 28 == 10;
    read_common(s, at + 8, out);
    read_extra(s, out, own + name, extra);
    return true;
}

/* ---- Data descriptors [4.3.9] ---------------------------------------------------------------- */

/* CRC and two sizes, which have 4 or 8 bytes. */
static bool is_described(const m5_source *s, uint64_t at, bool wide, const m5_zip_header *h)
{
    uint64_t packed = wide ? m5_cursor_long(s, at + 4) : m5_cursor_bits(s, at + 4);
    uint64_t size = wide ? m5_cursor_long(s, at + 12) : m5_cursor_bits(s, at + 8);
    return m5_cursor_bits(s, at) == h->crc && packed == h->packed && size == h->size;
}

uint32_t m5_zip_descriptor(const m5_source *s, uint64_t at, uint64_t limit, const m5_zip_header *h)
{
    uint32_t before = m5_cursor_is(s, at, "PK\7\10") ? 4 : 0;
    for (int wide = 1; wide >= 0; wide--) { /* sizes of 0 may be either; zeros decide for wide */
        uint32_t length = before + (wide ? 20 : 12);
        if (at + length <= limit && is_described(s, at + before, wide, h))
            return length;
    }
    return 0;
}

/* ---- Members --------------------------------------------------------------------------------- */

static const char *method_name(uint16_t method)
{
    static const struct {
        uint16_t method;
        const char *name;
    } known[] = {{1, "Shrink"}, {6, "Implode"}, {9, "Deflate64"},
                 {12, "bzip2"}, {14, "LZMA"},   {93, "Zstandard"},
                 {95, "XZ"},    {98, "PPMd"},   {99, "AES encryption"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].method == method)
            return known[i].name;
    return "unknown";
}

/* The fields of both headers have the same order; those of a local header are two bytes nearer to
 * its start. */
bool m5_zip_refuse(const m5_pack_parser *w, const m5_pack_member *m, const m5_zip_header *h)
{
    uint32_t fields = m->entry + (w->model->recovered ? 6 : 8);
    if ((h->flags & (M5_ZIP_ENCRYPTED | M5_ZIP_STRONG | M5_ZIP_MASKED)) != 0) {
        m5_diag d = m5_pack_found(w, M5_ROW(pack_encrypted), m, NULL, "flags", fields, 2);
        m5_emit(w->report, &d, 0, "'%.*s' is encrypted", M5_PACK_NAME(w, m));
        return true;
    }
    m5_diag d = m5_pack_found(w, M5_ROW(pack_method), m, NULL, "method", fields + 2, 2);
    if (h->method != M5_PACK_STORED && h->method != M5_PACK_DEFLATED) {
        m5_emit(w->report, &d, 0,
                "'%.*s' has compression method %u (%s), expected 0 (stored) or 8 (Deflate)",
                M5_PACK_NAME(w, m), h->method, method_name(h->method));
        return true;
    }
    d = m5_pack_found(w, M5_ROW(pack_size), m, NULL, "uncompressedSize", fields + 16, 4);
    if (h->method == M5_PACK_STORED && h->size != h->packed) {
        m5_emit(w->report, &d, 0,
                "'%.*s' is stored without compression, but its sizes are %llu and %llu bytes",
                M5_PACK_NAME(w, m), (unsigned long long)h->packed, (unsigned long long)h->size);
        return true;
    }
    d = m5_pack_found(w, M5_ROW(pack_link), m, NULL, "externalAttributes", m->entry + 38, 4);
    if (h->link)
        m5_emit(w->report, &d, 0, "'%.*s' is a symbolic link", M5_PACK_NAME(w, m));
    return h->link;
}

void m5_zip_set_member(const m5_pack_parser *w, m5_pack_member *m, const m5_zip_header *h)
{
    uint32_t length = h->name.length;
    bool folder = length != 0 && w->source->bytes[h->name.offset + length - 1] == '/';
    m->name = h->name;
    m->crc = h->crc;
    m->size = h->size;
    m->method = h->method;
    m->flags = h->flags;
    m->state = folder ? M5_PACK_FOLDER : M5_PACK_READABLE;
}
