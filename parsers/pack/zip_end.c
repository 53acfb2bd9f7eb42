/* Finds the end of a zip, which says where the directory is: the end record [4.3.16], and zip64's
 * locator and record before it [4.3.14, 4.3.15]. */
#include "zip.h"
#include "../core/emit.h"

static const char END[] = "PK\5\6", LOCATOR[] = "PK\6\7", END64[] = "PK\6\6";

/* Fields of the end record. */
enum { DISK = 4, COUNT_HERE = 8, COUNT = 10, SIZE = 12, OFFSET = 16, COMMENT = 20 };

static m5_diag found(const m5_rule *rule, const m5_zip_end *end, uint32_t at, uint32_t length,
                     const char *field)
{
    return m5_pack_found_at(rule, end->at + at, length, "endRecord", field);
}

/* ---- The end record -------------------------------------------------------------------------- */

/* Where records with the signature are, counted from the end of the file: the last one, and the
 * last one whose comment ends with the file. UINT32_MAX: none. */
typedef struct candidates {
    uint32_t last, exact;
} candidates;

enum { COMMENT_MAX = UINT16_MAX };

static candidates find_candidates(const m5_source *s)
{
    candidates c = {UINT32_MAX, UINT32_MAX};
    for (uint32_t size = M5_ZIP_END; size <= s->size; size++) {
        uint32_t at = s->size - size;
        if (s->bytes[at] != 'P' || !m5_cursor_is(s, at, END))
            continue;
        if (c.last == UINT32_MAX)
            c.last = at;
        if (size - M5_ZIP_END == m5_cursor_short(s, (uint64_t)at + COMMENT)) {
            c.exact = at;
            return c;
        }
    }
    return c;
}

static void say_second(const m5_pack_parser *w, const m5_zip_end *end, uint32_t second)
{
    m5_diag d = m5_pack_found_at(M5_ROW(pack_end_comment), second, 4, "endRecord", "comment");
    m5_emit(w->report, &d, M5_GRAVE,
            "the comment contains the signature of an end record; loaders take the last one in the "
            "file (this one), not the one at %u",
            end->at);
}

static void check_comment(const m5_pack_parser *w, const m5_zip_end *end)
{
    uint32_t stated = m5_cursor_short(w->source, (uint64_t)end->at + COMMENT);
    uint32_t after = w->source->size - end->at - M5_ZIP_END;
    m5_diag d = found(M5_ROW(pack_end_comment), end, COMMENT, 2, "commentLength");
    if (stated != after)
        m5_emit(w->report, &d, after > COMMENT_MAX ? M5_GRAVE : M5_MILD,
                "commentLength is %u, but %u bytes follow the end record", stated, after);
}

/* ---- zip64 ----------------------------------------------------------------------------------- */

static m5_diag found64(uint32_t at, uint32_t length, const char *field)
{
    return m5_pack_found_at(M5_ROW(pack_zip64), at, length, "zip64", field);
}

/* A value of the end record: as it is, or, if it is all ones, that of the zip64 record. Otherwise
 * both must be the same. */
static bool widen(const m5_pack_parser *w, uint64_t *value, uint64_t ones, uint32_t at,
                  const char *name)
{
    uint64_t wide = m5_cursor_long(w->source, at), narrow = *value;
    *value = wide;
    if (narrow == ones || narrow == wide)
        return narrow == ones && wide != ones;
    m5_diag d = found64(at, 8, name);
    m5_emit(w->report, &d, M5_GRAVE, "%s is %llu, but %llu in the end record", name,
            (unsigned long long)wide, (unsigned long long)narrow);
    *value = narrow;
    return false;
}

static void say_needed(const m5_pack_parser *w, const m5_zip_end *end)
{
    m5_diag d = found(M5_ROW(pack_zip64), end, COUNT_HERE, 12, "count");
    m5_emit(w->report, &d, M5_MILD,
            "the archive has %llu members and needs zip64, which loaders of games cannot read",
            (unsigned long long)end->count);
}

static void read_end64(m5_pack_parser *w, m5_zip_end *end, uint32_t at)
{
    bool needed = widen(w, &end->count, UINT16_MAX, at + 32, "count");
    needed |= widen(w, &end->size, UINT32_MAX, at + 40, "directorySize");
    needed |= widen(w, &end->offset, UINT32_MAX, at + 48, "directoryOffset");
    end->limit = at;
    if (needed)
        say_needed(w, end);
}

/* The record is where the locator says, or just before the locator if bytes were added to the start
 * of the file. */
static void find_end64(m5_pack_parser *w, m5_zip_end *end)
{
    const m5_source *s = w->source;
    uint32_t locator = end->at - M5_ZIP_LOCATOR;
    uint64_t at = m5_cursor_long(s, (uint64_t)locator + 8);
    end->limit = at < locator ? (uint32_t)at : locator;
    if (at > locator || !m5_cursor_is(s, at, END64))
        at = (uint64_t)locator - M5_ZIP_END64;
    if (m5_cursor_is(s, at, END64) && at + M5_ZIP_END64 <= locator) {
        read_end64(w, end, (uint32_t)at);
        return;
    }
    m5_diag d = found64(locator + 8, 8, "recordOffset");
    m5_emit(w->report, &d, M5_GRAVE, "there is no zip64 end record at %llu",
            (unsigned long long)m5_cursor_long(s, (uint64_t)locator + 8));
}

static bool has_locator(const m5_source *s, const m5_zip_end *end)
{
    return end->at >= M5_ZIP_LOCATOR && m5_cursor_is(s, end->at - M5_ZIP_LOCATOR, LOCATOR);
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* One file of an archive that was split over several [4.4.19, 8.5]; all ones: see zip64. */
static bool is_one_of_several(const m5_pack_parser *w, const m5_zip_end *end)
{
    static const char *const names[] = {"disk", "directoryDisk"};
    for (uint32_t i = 0; i < 2; i++) {
        uint16_t disk = m5_cursor_short(w->source, (uint64_t)end->at + DISK + 2 * i);
        if (disk == 0 || disk == UINT16_MAX)
            continue;
        m5_diag d = found(M5_ROW(pack_disk), end, DISK + 2 * i, 2, names[i]);
        m5_emit(w->report, &d, 0, "%s is %u: this is one file of an archive that was split",
                names[i], disk);
        return true;
    }
    return false;
}

static void check_counts(const m5_pack_parser *w, const m5_zip_end *end)
{
    uint16_t here = m5_cursor_short(w->source, (uint64_t)end->at + COUNT_HERE);
    m5_diag d = found(M5_ROW(pack_count), end, COUNT_HERE, 2, "countOnThisDisk");
    if (here != end->count)
        m5_emit(w->report, &d, 0, "countOnThisDisk is %u, but count is %llu", here,
                (unsigned long long)end->count);
}

m5_zip_found m5_zip_find_end(m5_pack_parser *w, m5_zip_end *end)
{
    const m5_source *s = w->source;
    candidates c = find_candidates(s);
    uint32_t at = c.exact != UINT32_MAX ? c.exact : c.last;
    if (at == UINT32_MAX)
        return M5_ZIP_NONE;
    *end = (m5_zip_end){.at = at,
                        .limit = at,
                        .count = m5_cursor_short(s, (uint64_t)at + COUNT),
                        .size = m5_cursor_bits(s, (uint64_t)at + SIZE),
                        .offset = m5_cursor_bits(s, (uint64_t)at + OFFSET)};
    if (is_one_of_several(w, end))
        return M5_ZIP_REFUSED;
    if (at != c.last)
        say_second(w, end, c.last);
    check_comment(w, end);
    check_counts(w, end);
    if (has_locator(s, end))
        find_end64(w, end);
    return M5_ZIP_FOUND;
}
