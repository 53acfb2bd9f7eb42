/* Reads the fields of the header and the surfaces, and locates the blocks that they describe. */
#include "md4_state.h"
#include "../core/emit.h"

const m5_md4_surface_fields m5_md4_in_surface = {
    .name = {"name", 4},
    .shader = {"shader", 68},
    .min_lod = {"minLod", 140},
    .ofs_header = {"ofsHeader", 144},
    .num_verts = {"numVerts", 148},
    .ofs_verts = {"ofsVerts", 152},
    .num_tris = {"numTris", 156},
    .ofs_tris = {"ofsTris", 160},
    .num_refs = {"numBoneRefs", 164},
    .ofs_refs = {"ofsBoneRefs", 168},
    .ofs_collapse = {"ofsCollapseMap", 172},
    .ofs_end = {"ofsEnd", 176},
};

/* ---- Fields ---------------------------------------------------------------------------------- */

int32_t m5_md4_field_int(const m5_md4_state *w, m5_md4_place in, const m5_md4_field *field)
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

void m5_md4_know(m5_diag *d, m5_knows how, int64_t number)
{
    d->knows = how;
    d->number = (uint32_t)number;
}

uint32_t m5_md4_count(const m5_md4_state *w, m5_md4_place in, const m5_md4_field *field)
{
    int32_t count = m5_md4_field_int(w, in, field);
    return count > 0 ? (uint32_t)count : 0;
}

m5_span m5_md4_string(m5_md4_state *w, uint32_t offset, uint32_t size, m5_path path)
{
    m5_span s = m5_cursor_string(w->source, offset, size);
    if (!m5_cursor_fits(w->source, offset, size)) /* no caller asks for this. LCOV_EXCL_BR_LINE */
        return s;                                 /* LCOV_EXCL_LINE */
    if (s.length == size) {
        m5_diag d = m5_md4_found(M5_ROW(md4_name_terminated), offset, size, path);
        m5_emit(w->report, &d, 0, "the name fills all %u bytes, expected at most %u and a NUL byte",
                size, size - 1);
        return s;
    }
    const uint8_t *p = w->source->bytes + offset;
    uint32_t odd = s.length + 1;
    while (odd < size && p[odd] == 0)
        odd++;
    if (odd < size) {
        m5_diag d = m5_md4_found(M5_ROW(md4_name_garbage), offset + odd, size - odd, path);
        m5_emit(w->report, &d, 0, "bytes after the end of the name are not zero");
        return s;
    }
    for (odd = 0; odd < s.length && p[odd] >= ' ' && p[odd] < 0x7f;)
        odd++;
    if (odd < s.length) {
        m5_diag d = m5_md4_found(M5_ROW(md4_name_garbage), offset + odd, 1, path);
        m5_emit(w->report, &d, 0, "byte %u of the name is not a printable ASCII character", odd);
    }
    return s;
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

static void say_align(m5_md4_state *w, m5_md4_place in, const m5_md4_field *field, int32_t value)
{
    m5_diag d = m5_md4_found_field(M5_ROW(md4_offset_align), in, field);
    m5_emit(w->report, &d, 0, "%s is %d, expected a multiple of 4", field->name, value);
}

/* The block does not fit. If not even one record does, the offset is wrong; else the count is. */
static void say_beyond(const m5_md4_layout *l, const m5_md4_block *b)
{
    if (b->told)
        return;
    int64_t room = l->end - l->in.offset, ofs = b->at - l->in.offset;
    bool count_wrong = b->num != NULL && b->at + (int64_t)b->size <= l->end;
    m5_diag d = m5_md4_found_field(l->beyond, l->in, count_wrong ? b->num : b->ofs);
    if (b->num != NULL)
        m5_relate(&d, l->w->source,
                  (m5_span){l->in.offset + (count_wrong ? b->ofs : b->num)->at, 4},
                  count_wrong ? "the offset of this block" : "the count of this block");
    if (count_wrong)
        m5_emit(l->w->report, &d, 0,
                "%s is %llu, expected at most %llu: no more %s of %llu bytes fit between "
                "%s (%lld) and the end of the %s (%lld)",
                b->num->name, (unsigned long long)b->count,
                (unsigned long long)((uint64_t)(l->end - b->at) / b->size), b->what,
                (unsigned long long)b->size, b->ofs->name, (long long)ofs, l->of, (long long)room);
    else
        m5_emit(l->w->report, &d, 0,
                "%s is %lld, but its first record needs %llu bytes and the %s ends at %lld",
                b->ofs->name, (long long)ofs, (unsigned long long)b->size, l->of, (long long)room);
}

static bool locate(const m5_md4_layout *l, m5_md4_block *b)
{
    int64_t ofs = b->at - l->in.offset;
    if (b->at < l->begin) {
        m5_diag d = m5_md4_found_field(l->below, l->in, b->ofs);
        m5_emit(l->w->report, &d, 0,
                ofs < 0 ? "%s is negative (%lld), expected at least %u, after the header of the %s"
                        : "%s is %lld, expected at least %u, after the header of the %s",
                b->ofs->name, (long long)ofs, l->begin - l->in.offset, l->of);
        return false;
    }
    if (b->at > l->end || b->count > (uint64_t)(l->end - b->at) / b->size) {
        say_beyond(l, b);
        return false;
    }
    if (ofs % 4 != 0)
        say_align(l->w, l->in, b->ofs, (int32_t)ofs);
    b->from = (uint64_t)b->at;
    b->to = b->from + b->count * b->size;
    return true;
}

bool m5_md4_locate(m5_md4_layout *l)
{
    const m5_md4_field *told = NULL; /* a count of two blocks is reported once */
    bool found = true;
    for (unsigned i = 0; i < l->num_blocks; i++) {
        m5_md4_block *b = &l->block[i];
        b->from = b->to = 0;
        if (b->count == 0 || (told != NULL && b->num == told))
            continue;
        if (locate(l, b))
            continue;
        told = b->num;
        found = false;
    }
    return found;
}

/* ---- Overlaps and gaps ----------------------------------------------------------------------- */

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

static void say_gap(const m5_md4_layout *l, uint64_t from, uint64_t to)
{
    m5_diag d = m5_md4_found(M5_ROW(md4_block_gap), (uint32_t)from, (uint32_t)(to - from),
                             m5_path1(l->in.name, l->in.index));
    m5_emit(l->w->report, &d, M5_MILD, "%llu byte%s to no block", (unsigned long long)(to - from),
            to - from == 1 ? " belongs" : "s belong");
}

static void say_overlap(const m5_md4_layout *l, const m5_md4_block *before, const m5_md4_block *b)
{
    m5_diag d = m5_md4_found_field(l->overlap, l->in, b->ofs);
    m5_relate(&d, l->w->source, (m5_span){l->in.offset + before->ofs->at, 4},
              "the offset of the other block");
    m5_emit(l->w->report, &d, 0, "%s is %llu, but the %s end at %llu: the two blocks overlap",
            b->ofs->name, (unsigned long long)b->from - l->in.offset, before->what,
            (unsigned long long)before->to - l->in.offset);
}

/* Takes the blocks in the order of their offsets. No located block begins before l->begin. */
static bool are_apart(const m5_md4_layout *l, const m5_md4_block *b)
{
    const m5_md4_block none = {.to = l->begin}, *before = &none;
    bool apart = true;
    for (unsigned i = 0; i < l->num_blocks; i++) {
        if (b[i].from == b[i].to)
            continue;
        if (b[i].from < before->to) {
            say_overlap(l, before, &b[i]);
            apart = false;
        }
        before = b[i].to > before->to ? &b[i] : before;
    }
    return apart;
}

static void say_gaps(const m5_md4_layout *l, const m5_md4_block *b)
{
    uint64_t covered = l->begin;
    for (unsigned i = 0; i < l->num_blocks; i++) {
        if (b[i].from == b[i].to)
            continue;
        if (b[i].from > covered)
            say_gap(l, covered, b[i].from);
        covered = b[i].to;
    }
    if (covered < l->end)
        say_gap(l, covered, l->end);
}

bool m5_md4_check_blocks(const m5_md4_layout *l, bool gaps)
{
    m5_md4_block sorted[M5_MD4_MOST_BLOCKS];
    memcpy(sorted, l->block, sizeof sorted);
    sort_blocks(sorted, l->num_blocks);
    bool apart = are_apart(l, sorted);
    if (apart && gaps)
        say_gaps(l, sorted);
    return apart;
}
