/* Reads the directory of a zip, and compares each entry with the member's local header. */
#include "zip.h"
#include "../core/emit.h"

/* ---- One member ------------------------------------------------------------------------------ */

/* A value of the local header, at `at` there and two bytes later in the entry. */
typedef struct value {
    const char *name;
    uint32_t at, length;
    uint64_t local, central;
} value;

static void say_differs(const m5_pack_parser *w, const m5_pack_member *m, const value *v,
                        uint32_t local_at, double measure)
{
    m5_diag d = m5_pack_found(w, M5_ROW(pack_local_differs), m, "localHeader", v->name,
                              local_at + v->at, v->length);
    m5_relate(&d, w->source, (m5_span){m->entry + v->at + 2, v->length}, "in the directory");
    if (v->at == 14) /* the CRC */
        m5_emit(w->report, &d, measure,
                "crc of '%.*s' is 0x%x in the local header, but 0x%x in the directory",
                M5_PACK_NAME(w, m), (unsigned)v->local, (unsigned)v->central);
    else
        m5_emit(w->report, &d, measure,
                "%s of '%.*s' is %llu in the local header, but %llu in the directory", v->name,
                M5_PACK_NAME(w, m), (unsigned long long)v->local, (unsigned long long)v->central);
}

static bool has_other_name(const m5_pack_parser *w, const m5_pack_member *m, m5_span local)
{
    const uint8_t *bytes = w->source->bytes;
    if (local.length == m->name.length &&
        memcmp(bytes + local.offset, bytes + m->name.offset, local.length) == 0)
        return false;
    m5_diag d = m5_pack_found(w, M5_ROW(pack_local_differs), m, "localHeader", "name", local.offset,
                              local.length);
    m5_relate(&d, w->source, m->name, "in the directory");
    m5_emit(w->report, &d, M5_GRAVE,
            "the local header has the name '%.*s', but the directory '%.*s'",
            (int)m5_cursor_string(w->source, local.offset, local.length).length,
            (const char *)bytes + local.offset, M5_PACK_NAME(w, m));
    return true;
}

/* Reports the first value that differs. A value is 0 in the local header if it is in a data
 * descriptor [4.4.4]. */
static bool has_other_values(const m5_pack_parser *w, const m5_pack_member *m,
                             const m5_zip_header *entry, const m5_zip_header *local)
{
    const value values[] = {{"method", 8, 2, local->method, entry->method},
                            {"crc", 14, 4, local->crc, entry->crc},
                            {"compressedSize", 18, 4, local->packed, entry->packed},
                            {"uncompressedSize", 22, 4, local->size, entry->size}};
    bool later = (local->flags & M5_ZIP_DESCRIBED) != 0;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const value *v = &values[i];
        if (v->local == v->central || (later && v->local == 0 && v->at != 8))
            continue;
        say_differs(w, m, v, local->at, M5_GRAVE);
        return true;
    }
    return false;
}

/* Flags that differ do no harm to most loaders. */
static void compare_flags(const m5_pack_parser *w, const m5_pack_member *m,
                          const m5_zip_header *entry, const m5_zip_header *local)
{
    const uint16_t flags = M5_ZIP_ENCRYPTED | M5_ZIP_DESCRIBED | M5_ZIP_UTF8;
    value v = {"flags", 6, 2, local->flags & flags, entry->flags & flags};
    if (v.local != v.central)
        say_differs(w, m, &v, local->at, M5_MILD);
}

/* Some programs align data with zeros at the end of the field. */
static bool is_padding(const m5_source *s, m5_span rest)
{
    const uint8_t *p = s->bytes + rest.offset;
    return rest.length == 0 || (*p == 0 && memcmp(p, p + 1, rest.length - 1) == 0);
}

static void check_extra(const m5_pack_parser *w, const m5_pack_member *m, const char *in,
                        const m5_zip_header *h)
{
    m5_diag d = m5_pack_found(w, M5_ROW(pack_extra), m, in, "extra", h->extra.offset,
                              h->extra.length);
    if (!is_padding(w->source, h->rest))
        m5_emit(w->report, &d, M5_MILD,
                "the extra field of '%.*s' has %u bytes, which are not filled by its records",
                M5_PACK_NAME(w, m), h->extra.length);
}

/* Each byte is looked at once, even if many entries have the same local header. */
static void check_local_extra(m5_pack_parser *w, const m5_pack_member *m, const m5_zip_header *h)
{
    if (h->at >= w->checked_to)
        check_extra(w, m, "localHeader", h);
    w->checked_to = h->data > w->checked_to ? h->data : w->checked_to;
}

/* Returns the length of what seems to be a descriptor with other values. */
static uint32_t say_no_descriptor(const m5_pack_parser *w, const m5_pack_member *m)
{
    enum { USUAL = 16 };
    bool other = m5_cursor_is(w->source, m->end, "PK\7\10") && w->data_end - m->end >= USUAL;
    m5_diag d = m5_pack_found(w, M5_ROW(pack_descriptor), m, "dataDescriptor", NULL, m->end,
                              other ? USUAL : 0);
    m5_emit(w->report, &d, 0,
            other
                ? "the data descriptor of '%.*s' has another CRC or other sizes than the directory"
                : "no data descriptor follows the data of '%.*s'",
            M5_PACK_NAME(w, m));
    return other ? USUAL : 0;
}

/* Sets where the member is. Its data must end before the directory. */
static void place(m5_pack_parser *w, m5_pack_member *m, const m5_zip_header *entry,
                  const m5_zip_header *local)
{
    uint64_t end = local->data + entry->packed;
    if (entry->packed > w->data_end || end > w->data_end) {
        m5_diag d = m5_pack_found(w, M5_ROW(pack_offset), m, NULL, "compressedSize", m->entry + 20,
                                  4);
        m5_emit(w->report, &d, 0,
                "'%.*s' has %llu bytes from %u on, but the directory begins at %u",
                M5_PACK_NAME(w, m), (unsigned long long)entry->packed, local->data, w->data_end);
        m->state = M5_PACK_REFUSED;
        return;
    }
    m->begin = local->at;
    m->at = local->data;
    m->packed = (uint32_t)entry->packed;
    m->end = (uint32_t)end;
    if (((entry->flags | local->flags) & M5_ZIP_DESCRIBED) == 0)
        return;
    uint32_t length = m5_zip_descriptor(w->source, end, w->data_end, entry);
    if (length == 0)
        length = say_no_descriptor(w, m);
    m->end += length;
}

static void say_no_local(const m5_pack_parser *w, m5_pack_member *m, uint64_t at)
{
    m5_diag d = m5_pack_found(w, M5_ROW(pack_offset), m, NULL, "localHeaderOffset", m->entry + 42,
                              4);
    if (at >= w->data_end)
        m5_emit(w->report, &d, 0,
                "the local header of '%.*s' is at %llu, but the directory begins at %u",
                M5_PACK_NAME(w, m), (unsigned long long)at, w->data_end);
    else
        m5_emit(w->report, &d, 0, "there is no local header of '%.*s' at %llu", M5_PACK_NAME(w, m),
                (unsigned long long)at);
    m->state = M5_PACK_REFUSED;
}

/* Whether a size or the offset is missing. */
static bool say_no_value(const m5_pack_parser *w, const m5_pack_member *m,
                         const m5_zip_header *entry)
{
    m5_diag d = m5_pack_found(w, M5_ROW(pack_extra), m, NULL, "extra", m->entry + 20, 8);
    if (entry->no_value)
        m5_emit(w->report, &d, M5_GRAVE,
                "a value of '%.*s' is 0xffffffff, but is missing in the extra field",
                M5_PACK_NAME(w, m));
    return entry->no_value;
}

static void read_member(m5_pack_parser *w, const m5_zip_header *entry, int64_t shift)
{
    m5_zip_header local;
    m5_pack_member *m = m5_pack_add(w, entry->at);
    m5_zip_set_member(w, m, entry);
    if (say_no_value(w, m, entry) || m5_zip_refuse(w, m, entry))
        m->state = M5_PACK_REFUSED;
    check_extra(w, m, NULL, entry);
    if (entry->no_value)
        return;
    if (!m5_zip_read_local(w->source, entry->offset + (uint64_t)shift, w->data_end, &local)) {
        say_no_local(w, m, entry->offset);
        return;
    }
    check_local_extra(w, m, &local);
    if (has_other_name(w, m, local.name) || has_other_values(w, m, entry, &local)) {
        m->state = M5_PACK_REFUSED;
        return;
    }
    compare_flags(w, m, entry, &local);
    place(w, m, entry, &local);
}

/* ---- The directory --------------------------------------------------------------------------- */

static m5_diag found_in_end(const m5_rule *rule, const m5_zip_end *end, uint32_t at,
                            const char *field)
{
    return m5_pack_found_at(rule, end->at + at, at == 10 ? 2 : 4, "endRecord", field);
}

/* Reports bytes between entries, or after the last one, that are not an entry. */
static void say_no_entry(const m5_pack_parser *w, const m5_zip_end *end, uint32_t from, uint32_t to)
{
    bool cut = m5_cursor_is(w->source, from, "PK\1\2");
    m5_diag d = m5_pack_found_at(M5_ROW(pack_directory), from, to - from, "directory", NULL);
    m5_emit(w->report, &d, M5_GRAVE,
            cut ? "the entry does not fit before %u, where the directory ends"
                : "the %u bytes from here on are not an entry of the directory",
            cut ? end->limit : to - from);
}

/* A digital signature may follow the entries [4.3.13]. */
static bool is_signature(const m5_source *s, uint32_t at, uint32_t limit)
{
    return m5_cursor_is(s, at, "PK\5\5") &&
           at + 6 + (uint64_t)m5_cursor_short(s, (uint64_t)at + 4) == limit;
}

/* Reads all entries, over bytes between them that are none. Returns whether there were such bytes.
 */
static bool read_entries(m5_pack_parser *w, const m5_zip_end *end, uint32_t at, int64_t shift)
{
    const m5_source *s = w->source;
    bool gaps = false;
    while (at < end->limit && !is_signature(s, at, end->limit)) {
        m5_zip_header entry;
        if (m5_zip_read_entry(s, at, end->limit, &entry)) {
            read_member(w, &entry, shift);
            at = entry.data;
            continue;
        }
        uint32_t next = m5_zip_search(s, at + 1, end->limit, "PK\1\2");
        say_no_entry(w, end, at, next);
        at = next;
        gaps = true;
    }
    return gaps;
}

/* Where the directory begins; false if it is not found by its size nor by its offset. An empty one
 * has no entry that could show where it is. */
static bool find_begin(const m5_source *s, const m5_zip_end *end, uint32_t *begin)
{
    uint64_t by_size = end->limit - end->size;
    m5_zip_header first;
    if (end->size <= end->limit && (m5_zip_read_entry(s, by_size, end->limit, &first) ||
                                    (end->size == 0 && end->count == 0))) {
        *begin = (uint32_t)by_size;
        return true;
    }
    *begin = (uint32_t)end->offset;
    return m5_zip_read_entry(s, end->offset, end->limit, &first);
}

/* Whether there is a local header at any of the shifted offsets. */
static bool are_moved(const m5_source *s, const m5_zip_end *end, uint32_t begin, int64_t shift)
{
    m5_zip_header entry, local;
    for (uint32_t at = begin; m5_zip_read_entry(s, at, end->limit, &entry); at = entry.data)
        if (m5_zip_read_local(s, entry.offset + (uint64_t)shift, begin, &local))
            return true;
    return false;
}

/* By how much the offsets of local headers must be shifted, if the directory is not where the end
 * record says: bytes were added to the start of the file, which loaders allow, or were lost; or the
 * end record is wrong. */
static int64_t find_shift(m5_pack_parser *w, const m5_zip_end *end, uint32_t begin)
{
    int64_t shift = (int64_t)begin - (int64_t)end->offset;
    if (shift == 0)
        return 0;
    bool moved = are_moved(w->source, end, begin, shift);
    if (moved && shift > 0) {
        m5_diag d = m5_pack_found_at(M5_ROW(pack_prefix), 0, (uint32_t)shift, NULL, NULL);
        m5_emit(w->report, &d, 0, "bytes before the archive that do not belong to it: %lld",
                (long long)shift);
        w->data = (uint32_t)shift;
    } else {
        m5_diag d = found_in_end(M5_ROW(pack_directory), end, 16, "directoryOffset");
        m5_emit(w->report, &d, M5_GRAVE,
                "directoryOffset is %llu, but the directory begins at %u%s",
                (unsigned long long)end->offset, begin,
                moved ? ": the start of the file is missing" : "");
    }
    return moved ? shift : 0;
}

static void check_size(const m5_pack_parser *w, const m5_zip_end *end, uint32_t begin, bool gaps)
{
    m5_diag d = found_in_end(M5_ROW(pack_directory), end, 12, "directorySize");
    if (end->limit - begin != end->size)
        m5_emit(w->report, &d, M5_GRAVE, "directorySize is %llu, but the directory has %u bytes",
                (unsigned long long)end->size, end->limit - begin);
    d = found_in_end(M5_ROW(pack_count), end, 10, "count");
    if (!gaps && w->model->num_members != end->count)
        m5_emit(w->report, &d, 0, "count is %llu, but the directory has %u entries",
                (unsigned long long)end->count, w->model->num_members);
}

bool m5_zip_read_directory(m5_pack_parser *w, const m5_zip_end *end)
{
    uint32_t begin;
    if (!find_begin(w->source, end, &begin)) {
        m5_diag d = found_in_end(M5_ROW(pack_directory), end, 16, "directoryOffset");
        m5_emit(w->report, &d, M5_GRAVE, "there is no directory at %llu",
                (unsigned long long)end->offset);
        return false;
    }
    w->data_end = begin;
    if (!m5_pack_reserve(w, end->limit - begin, M5_ZIP_ENTRY))
        return true;
    bool gaps = read_entries(w, end, begin, find_shift(w, end, begin));
    check_size(w, end, begin, gaps);
    return true;
}
