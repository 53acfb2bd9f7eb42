/* Follows the chain of surfaces: each gives the distance to the next one. */
#include "md4_state.h"
#include "../core/allocate.h"
#include "../core/emit.h"

enum { NUM_SURFS = 80, OFS_END = 96 }; /* fields of the header */

static void say_chain(m5_md4_state *w, uint32_t index, uint32_t at, int32_t size, uint32_t declared)
{
    m5_md4_place place = {at, "surface", index};
    m5_diag d = m5_md4_found_field(M5_ROW(md4_surf_chain), place, &m5_md4_in_surface.ofs_end);
    uint64_t end = at + (uint64_t)(size > 0 ? size : 0);
    if (size < M5_MD4_SURFACE)
        m5_emit(w->report, &d, 0,
                "ofsEnd is %d, expected at least %u, the size of a surface's header", size,
                M5_MD4_SURFACE);
    else if (end > w->chain_end)
        m5_emit(w->report, &d, 0,
                "ofsEnd is %d, expected at most %u, where the space for surfaces ends", size,
                w->chain_end - at);
    else
        m5_emit(w->report, &d, 0,
                "ofsEnd is %d, but no surface fits after it (%u of %u surfaces missing)", size,
                declared - index - 1, declared);
    w->model->surfs_whole = false;
}

/* If the file is cut off, a surface may be missing. */
static void say_too_few(m5_md4_state *w, uint32_t found, uint32_t declared)
{
    w->model->surfs_whole = false;
    if (w->surfs_told)
        return;
    m5_diag d = m5_md4_found(M5_ROW(md4_surf_chain), NUM_SURFS, 4,
                             m5_path1("numSurfs", M5_NO_INDEX));
    bool whole = m5_cursor_bits(w->source, OFS_END) == w->source->size;
    bool sure = whole && !w->surf_passed; /* another one may be passed over, too */
    m5_md4_know(&d, sure ? M5_KNOWS_NUMBER : M5_KNOWS_GUESS, found);
    m5_emit(w->report, &d, 0, "numSurfs is %u, but the model ends after %u surface%s", declared,
            found, found == 1 ? "" : "s");
}

static void say_unaligned(m5_md4_state *w, uint32_t index, uint32_t at, int32_t size)
{
    m5_md4_place place = {at, "surface", index};
    m5_diag d = m5_md4_found_field(M5_ROW(md4_offset_align), place, &m5_md4_in_surface.ofs_end);
    m5_emit(w->report, &d, 0, "ofsEnd is %d, expected a multiple of 4: another surface follows",
            size);
}

static bool begins_surface(const m5_source *s, int64_t at)
{
    return at >= 0 && m5_cursor_fits(s, (uint64_t)at, M5_MD4_SURFACE) &&
           m5_cursor_is(s, (uint64_t)at, "IDP4");
}

int64_t m5_md4_chain_end(const m5_source *source, int64_t at, uint64_t count, uint32_t end)
{
    for (uint64_t i = 0; i < count; i++) {
        int32_t size = at >= 0 ? m5_cursor_int(source, (uint64_t)at + m5_md4_in_surface.ofs_end.at)
                               : 0;
        if (!begins_surface(source, at) || size < M5_MD4_SURFACE || at + size > (int64_t)end)
            return -1;
        at += size;
    }
    return at;
}

uint32_t m5_md4_count_surfaces(const m5_source *source, int64_t at, uint32_t end)
{
    for (uint32_t i = 1; i <= M5_MD4_MAX_SURFS && at >= 0; i++) {
        at = m5_md4_chain_end(source, at, 1, end);
        if (at == (int64_t)end)
            return i;
    }
    return 0;
}

/* Returns where a surface ends by its contents; -1 if its blocks make no sense. */
static int64_t content_end(const m5_source *s, uint32_t at, uint32_t limit)
{
    static const struct {
        const m5_md4_field *ofs, *num;
        uint32_t size;
    } part[] = {{&m5_md4_in_surface.ofs_tris, &m5_md4_in_surface.num_tris, M5_MD4_TRIANGLE},
                {&m5_md4_in_surface.ofs_refs, &m5_md4_in_surface.num_refs, 4},
                {&m5_md4_in_surface.ofs_collapse, &m5_md4_in_surface.num_verts, 4}};
    uint32_t verts = m5_cursor_bits(s, (uint64_t)at + m5_md4_in_surface.num_verts.at);
    int64_t end = m5_md4_walk_end(
        s, at + (int64_t)m5_cursor_int(s, (uint64_t)at + m5_md4_in_surface.ofs_verts.at), verts,
        limit);
    for (size_t i = 0; i < sizeof part / sizeof *part && end >= 0; i++) {
        int64_t from = at + (int64_t)m5_cursor_int(s, (uint64_t)at + part[i].ofs->at);
        uint64_t bytes = (uint64_t)m5_cursor_bits(s, (uint64_t)at + part[i].num->at) * part[i].size;
        if (from < (int64_t)at + M5_MD4_SURFACE || bytes > limit || from + (int64_t)bytes > limit)
            return -1;
        end = from + (int64_t)bytes > end ? from + (int64_t)bytes : end;
    }
    return end;
}

static void say_data_end(m5_md4_state *w, uint32_t index, uint32_t at, int32_t size, int64_t end)
{
    m5_md4_place place = {at, "surface", index};
    m5_diag d = m5_md4_found_field(M5_ROW(md4_surf_chain), place, &m5_md4_in_surface.ofs_end);
    m5_md4_know(&d, M5_KNOWS_NUMBER, end - at);
    m5_emit(w->report, &d, 0, "ofsEnd is %d, expected %lld, where the surface's data ends", size,
            (long long)(end - at));
}

/* Returns where this surface ends: at its ofsEnd, unless that is wrong and the end of its
 * contents is right. */
static int64_t surface_end(m5_md4_state *w, uint32_t index, uint32_t at, bool last)
{
    int32_t size = m5_cursor_int(w->source, (uint64_t)at + m5_md4_in_surface.ofs_end.at);
    int64_t end = (int64_t)at + size, limit = w->chain_end;
    if (end == limit ||
        (!last && size >= M5_MD4_SURFACE && end < limit && begins_surface(w->source, end)))
        return end;
    if (index >= 2 * M5_MD4_MAX_SURFS) /* the cost grows with the data after it */
        return end;
    int64_t content = content_end(w->source, at, w->chain_end);
    if (content < 0 && (int64_t)size > at) /* if offsets count from the file's start */
        content = size;
    bool better = content != end &&
                  (content == limit || (content >= 0 && begins_surface(w->source, content)));
    if (!better)
        return end;
    say_data_end(w, index, at, size, content);
    return content;
}

static void say_more_surfaces(m5_md4_state *w, uint32_t declared, int64_t at)
{
    m5_diag d = m5_md4_found(M5_ROW(md4_block_gap), NUM_SURFS, 4,
                             m5_path1("numSurfs", M5_NO_INDEX));
    uint32_t more = m5_md4_count_surfaces(w->source, at, w->chain_end);
    if (more != 0)
        m5_md4_know(&d, M5_KNOWS_NUMBER, (int64_t)declared + more);
    m5_emit(w->report, &d, M5_GRAVE, "numSurfs is %u, but there is at least one more surface",
            declared);
    w->surfs_told = true;
}

/* Finds the first of these surfaces whose ofsEnd passes over another one, which begins where its
 * contents end. Returns how many there are up to it, and moves *at to the other one; 0: there is
 * none. */
static uint32_t find_passed(m5_md4_state *w, uint32_t count, uint32_t *at)
{
    for (uint32_t i = 0; i < count && i < M5_MD4_MAX_SURFS; i++) {
        m5_md4_surface *s = &w->model->surfs[i];
        int64_t content = content_end(w->source, s->offset, w->chain_end);
        if (content >= (int64_t)s->offset + s->size || !begins_surface(w->source, content))
            continue;
        say_data_end(w, i, s->offset, (int32_t)s->size, content);
        s->size = (uint32_t)(content - s->offset);
        *at = (uint32_t)content;
        return i + 1;
    }
    return 0;
}

/* Moves *at from this surface to its end. False if the next surface cannot be found there. */
static bool follow(m5_md4_state *w, uint32_t index, uint32_t declared, uint32_t *at)
{
    bool last = index + 1 == declared;
    int64_t end = surface_end(w, index, *at, last), limit = w->chain_end;
    int32_t size = (int32_t)(end - *at);
    if (size < M5_MD4_SURFACE || end > limit ||
        (!last && end != limit && end + M5_MD4_SURFACE > limit)) {
        say_chain(w, index, *at, size, declared);
        return false;
    }
    w->model->surfs[index].size = (uint32_t)size;
    uint32_t passed = !last && end == limit && !w->surf_passed ? find_passed(w, index + 1, at) : 0;
    if (passed != 0) {
        w->surf_passed = true;
        w->model->num_surfs = passed;
        return true;
    }
    if (!last && end == limit) {
        say_too_few(w, index + 1, declared);
        *at = (uint32_t)end;
        return false;
    }
    if (!last && size % 4 != 0)
        say_unaligned(w, index, *at, size);
    *at = (uint32_t)end;
    if (last && end < limit && begins_surface(w->source, end))
        say_more_surfaces(w, declared, end);
    return true;
}

uint32_t m5_md4_chain_surfaces(m5_md4_state *w, uint32_t at, uint32_t declared)
{
    m5_md4 *m = w->model;
    uint32_t size = w->source->size, end = size < w->chain_end ? size : w->chain_end;
    uint32_t most = end > at ? (end - at) / M5_MD4_SURFACE : 0;
    uint32_t room = declared < most ? declared : most;
    w->surf_passed = false;
    m->surfs = m5_arena_take(w->arena, room, sizeof *m->surfs);
    if (m->surfs == NULL) {
        w->out_of_memory = true;
        return at;
    }
    while (m->num_surfs < declared && at + (uint64_t)M5_MD4_SURFACE <= size) {
        uint32_t index = m->num_surfs++;
        m->surfs[index] = (m5_md4_surface){.offset = at};
        if (!follow(w, index, declared, &at))
            break;
    }
    m5_arena_trim(w->arena, m->surfs, m->num_surfs * sizeof *m->surfs);
    return at;
}

/* ---- Zeros to the end ------------------------------------------------------------------------ */

static uint32_t zeros_begin(const m5_source *s)
{
    uint32_t from = s->size;
    while (from > 0 && /* a file that gets here is not all zeros. LCOV_EXCL_BR_LINE */
           s->bytes[from - 1] == 0)
        from--;
    return from;
}

/* Whether the last field or the last two triangles of a surface are in the zeros that begin at
 * `from`. In a healthy file only the end of a collapse map and a bone reference may be zeros. */
static bool is_lost(const m5_source *s, uint64_t at, uint32_t from)
{
    int64_t tris = (int64_t)at + m5_cursor_int(s, at + m5_md4_in_surface.ofs_tris.at);
    int64_t num = m5_cursor_int(s, at + m5_md4_in_surface.num_tris.at);
    return at + m5_md4_in_surface.ofs_end.at >= from ||
           (num >= 2 && tris + (num - 2) * M5_MD4_TRIANGLE >= (int64_t)from);
}

bool m5_md4_say_zeros(m5_md4_state *w, int32_t at_first, int32_t surfs)
{
    enum { LEAST = 64 };
    const m5_source *s = w->source;
    uint32_t from = zeros_begin(s);
    uint64_t at = (uint32_t)at_first;
    for (int32_t i = 0; i < surfs && from + LEAST <= s->size; i++) {
        int32_t size = m5_cursor_int(s, at + m5_md4_in_surface.ofs_end.at);
        if (!m5_cursor_fits(s, at, M5_MD4_SURFACE))
            return false;
        if (is_lost(s, at, from)) {
            m5_diag d = m5_md4_found(M5_ROW(md4_zeros), from, s->size - from, (m5_path){0});
            m5_emit(w->report, &d, 0,
                    "the file contains only zeros from here to its end; nothing else was checked");
            return true;
        }
        if (size < M5_MD4_SURFACE)
            return false;
        at += (uint32_t)size;
    }
    return false;
}
