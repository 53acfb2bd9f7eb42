/* Reads the members of a zip without a directory, such as one that was cut off: from local header
 * to local header. */
#include "zip.h"

/* Finds where the member ends. If its sizes are in a data descriptor, this is searched for up to
 * the next local header; false if it is not found. */
static bool find_end(const m5_source *s, m5_zip_header *h, uint64_t *end)
{
    *end = (uint64_t)h->data + h->packed;
    if ((h->flags & M5_ZIP_DESCRIBED) == 0)
        return h->packed <= s->size && *end <= s->size;
    uint32_t limit = m5_zip_search(s, h->data, s->size, "PK\3\4");
    for (uint32_t at = h->data; at < limit; at++) {
        at = m5_zip_search(s, at, limit, "PK\7\10");
        h->packed = at - h->data;
        h->crc = m5_cursor_bits(s, (uint64_t)at + 4);
        h->size = m5_cursor_bits(s, (uint64_t)at + 12);
        uint32_t length = m5_zip_descriptor(s, at, limit, h);
        *end = (uint64_t)at + length;
        if (length != 0)
            return true;
    }
    return false;
}

/* Adds the member whose local header is at `at`; returns where to look for the next one. */
static uint32_t recover(m5_pack_parser *w, uint32_t at)
{
    m5_zip_header h;
    uint64_t end;
    if (!m5_zip_read_local(w->source, at, w->source->size, &h))
        return at + 1;
    if (!find_end(w->source, &h, &end))
        return h.data;
    m5_pack_member *m = m5_pack_add(w, at);
    m5_zip_set_member(w, m, &h);
    if (m5_zip_refuse(w, m, &h))
        m->state = M5_PACK_REFUSED;
    m->begin = at;
    m->at = h.data;
    m->packed = (uint32_t)h.packed;
    m->end = (uint32_t)end;
    return m->end;
}

void m5_zip_recover(m5_pack_parser *w)
{
    const m5_source *s = w->source;
    w->model->recovered = true;
    w->data_end = s->size;
    if (!m5_pack_reserve(w, s->size, M5_ZIP_LOCAL))
        return;
    for (uint32_t at = m5_zip_search(s, 0, s->size, "PK\3\4"); at < s->size;
         at = m5_zip_search(s, at, s->size, "PK\3\4"))
        at = recover(w, at);
}
