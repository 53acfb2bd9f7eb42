/* Fields and blocks, as header and surfaces have them. */
#include "md4_work.h"

/* ---- Fields ----------------------------------------------------------------------------------- */

int32_t m5_md4_field_int(const m5_md4_work *w, m5_md4_place in, const m5_md4_field *field)
{
    return m5_cursor_int(w->source, (uint64_t)in.offset + field->at);
}

m5_diag m5_md4_found(const m5_rule *rule, uint32_t offset, uint32_t length, m5_path path)
{
    m5_diag d = m5_found(rule, (m5_span){offset, length});
    d.path = path;
    return d;
}

static m5_path field_path(m5_md4_place in, const m5_md4_field *field)
{
    if (in.name == NULL)
        return m5_path1(field->name, M5_NO_INDEX);
    return m5_path2(in.name, in.index, field->name, M5_NO_INDEX);
}

m5_diag m5_md4_found_field(const m5_rule *rule, m5_md4_place in, const m5_md4_field *field)
{
    return m5_md4_found(rule, in.offset + field->at, 4, field_path(in, field));
}

uint32_t m5_md4_count(m5_md4_work *w, m5_md4_place in, const m5_md4_field *field)
{
    int32_t count = m5_md4_field_int(w, in, field);
    if (count >= 0)
        return (uint32_t)count;
    m5_diag d = m5_md4_found_field(M5_ROW(md4_count_negative), in, field);
    m5_emit(w->report, &d, 0, "%s is %d, expected 0 or more", field->name, count);
    return 0;
}

m5_span m5_md4_string(m5_md4_work *w, uint32_t offset, uint32_t size, m5_path path)
{
    m5_span s = m5_cursor_string(w->source, offset, size);
    if (s.length == size) {
        m5_diag d = m5_md4_found(M5_ROW(md4_name_terminated), offset, size, path);
        m5_emit(w->report, &d, 0, "all %u bytes are used, expected a zero byte behind the text",
                size);
        return s;
    }
    const uint8_t *p = w->source->bytes + offset;
    uint32_t odd = s.length + 1;
    while (odd < size && p[odd] == 0)
        odd++;
    if (odd < size) {
        m5_diag d = m5_md4_found(M5_ROW(md4_name_garbage), offset + odd, size - odd, path);
        m5_emit(w->report, &d, 0, "bytes behind the end of the text are not zero");
        return s;
    }
    for (odd = 0; odd < s.length && p[odd] >= ' ' && p[odd] < 0x7f;)
        odd++;
    if (odd < s.length) {
        m5_diag d = m5_md4_found(M5_ROW(md4_name_garbage), offset + odd, 1, path);
        m5_emit(w->report, &d, 0, "byte %u of the text is no printable character", odd);
    }
    return s;
}

/* ---- Blocks ----------------------------------------------------------------------------------- */

static void say_align(m5_md4_work *w, m5_md4_place in, const m5_md4_field *field, int32_t value)
{
    m5_diag d = m5_md4_found_field(M5_ROW(md4_offset_align), in, field);
    m5_emit(w->report, &d, 0, "%s is %d, expected a multiple of 4", field->name, value);
}

/* The block does not fit. If not even one record does, the offset is wrong; else the count is. */
static void say_beyond(m5_md4_work *w, const m5_md4_bounds *b, const m5_md4_block *block,
                       int32_t ofs, uint32_t count, uint64_t size)
{
    uint64_t from = (uint64_t)(ofs + (int64_t)b->in.offset), room = b->end - b->in.offset;
    bool count_wrong = block->num != NULL && from + size <= b->end;
    const m5_md4_field *field = count_wrong ? block->num : block->ofs;
    m5_diag d = m5_md4_found_field(b->beyond, b->in, field);
    if (block->num != NULL && (count_wrong || block->num->at != field->at))
        m5_relate(&d, w->source,
                  (m5_span){b->in.offset + (count_wrong ? block->ofs : block->num)->at, 4},
                  count_wrong ? "where they begin" : "how many there are");
    if (count_wrong)
        m5_emit(w->report, &d, 0,
                "%s is %u, but only %llu of %llu bytes each fit between %s %d and the end at %llu",
                field->name, count, (unsigned long long)((b->end - from) / size),
                (unsigned long long)size, block->ofs->name, ofs, (unsigned long long)room);
    else
        m5_emit(w->report, &d, 0,
                "%s is %d, but what it points to needs %llu bytes and the end is at %llu",
                field->name, ofs, (unsigned long long)size, (unsigned long long)room);
}

bool m5_md4_locate(m5_md4_work *w, const m5_md4_bounds *b, m5_md4_block *block, uint32_t count,
                   uint64_t size)
{
    int32_t ofs = m5_md4_field_int(w, b->in, block->ofs);
    int64_t from = (int64_t)b->in.offset + ofs;
    block->from = block->to = 0;
    if (count == 0)
        return true;
    if (from < b->first) {
        m5_diag d = m5_md4_found_field(b->below, b->in, block->ofs);
        m5_emit(w->report, &d, 0,
                ofs < 0 ? "%s is %d, a negative offset; expected at least %u"
                        : "%s is %d, expected at least %u, behind the header",
                block->ofs->name, ofs, b->first - b->in.offset);
        return false;
    }
    if ((uint64_t)from > b->end || count > (b->end - (uint64_t)from) / size) {
        say_beyond(w, b, block, ofs, count, size);
        return false;
    }
    if (ofs % 4 != 0)
        say_align(w, b->in, block->ofs, ofs);
    block->from = (uint64_t)from;
    block->to = (uint64_t)from + count * size;
    return true;
}

static void sort_blocks(m5_md4_block *b, unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        m5_md4_block item = b[i];
        unsigned k = i;
        for (; k > 0 && b[k - 1].from > item.from; k--)
            b[k] = b[k - 1];
        b[k] = item;
    }
}

static void say_gap(m5_md4_work *w, m5_md4_place in, uint64_t from, uint64_t to)
{
    m5_diag d = m5_md4_found(M5_ROW(md4_block_gap), (uint32_t)from, (uint32_t)(to - from),
                             m5_path1(in.name, in.index));
    m5_emit(w->report, &d, 0, "%llu byte%s belong to nothing", (unsigned long long)(to - from),
            to - from == 1 ? "" : "s");
}

static void say_overlap(m5_md4_work *w, m5_md4_place in, const m5_rule *rule,
                        const m5_md4_block *before, const m5_md4_block *block)
{
    m5_diag d = m5_md4_found_field(rule, in, block->ofs);
    m5_relate(&d, w->source, (m5_span){in.offset + before->ofs->at, 4}, "the other's offset");
    m5_emit(w->report, &d, 0,
            "what %s points to ends at %llu, but what %s points to begins at %llu",
            before->ofs->name, (unsigned long long)before->to - in.offset, block->ofs->name,
            (unsigned long long)block->from - in.offset);
}

bool m5_md4_check_blocks(m5_md4_work *w, m5_md4_place in, const m5_rule *overlap, m5_md4_block *b,
                         unsigned count, uint32_t begin, uint32_t end, bool gaps)
{
    uint64_t covered = begin;
    bool apart = true;
    const m5_md4_block *before = NULL;
    sort_blocks(b, count);
    for (unsigned i = 0; i < count; i++) {
        if (b[i].from == b[i].to)
            continue;
        if (b[i].from < covered && before != NULL) {
            say_overlap(w, in, overlap, before, &b[i]);
            apart = false;
        } else if (b[i].from > covered && gaps && apart) {
            say_gap(w, in, covered, b[i].from);
        }
        if (b[i].to > covered) {
            covered = b[i].to;
            before = &b[i];
        }
    }
    if (covered < end && gaps && apart)
        say_gap(w, in, covered, end);
    return apart;
}
