/* Finds out whether bytes were lost or inserted somewhere before the end of a file: then the
 * data after them is not where the offsets say, but `more` bytes from there. A wrong file size
 * is not enough, nor are other errors: something must be found at the shifted place. */
#include "md4_state.h"

static bool are_vertices(const m5_source *s, int64_t at, uint32_t verts)
{
    for (uint32_t i = 0; i < verts && m5_cursor_fits(s, (uint64_t)at, M5_MD4_VERTEX); i++) {
        uint32_t weights = m5_cursor_bits(s, (uint64_t)at + 32);
        if (weights == 0 || weights > M5_MD4_MAX_WEIGHTS)
            return false;
        at += (int64_t)m5_md4_vertex_size(weights);
    }
    return true;
}

static bool are_triangles(const m5_source *s, int64_t at, uint64_t count, uint32_t verts)
{
    for (uint64_t i = 0; i < count; i++) /* bytes after the file are 0, which is no triangle */
        if (!m5_md4_is_triangle(s, (uint64_t)at + i * M5_MD4_TRIANGLE, verts))
            return false;
    return true;
}

static bool is_collapse_map(const m5_source *s, int64_t at, uint64_t count, uint32_t verts)
{
    for (uint64_t i = 0; i < count; i++)
        if (m5_cursor_bits(s, (uint64_t)at + 4 * i) >= verts)
            return false;
    return true;
}

/* Whether the triangles or the collapse map of the surface at `at` have shifted. Neither ends in
 * zeros. In a file that is only cut off, the rest of them makes sense where it is. */
static bool are_blocks_moved(const m5_source *s, int64_t at, int64_t more)
{
    const m5_md4_surface_fields *in = &m5_md4_in_surface;
    uint32_t verts = m5_cursor_bits(s, (uint64_t)at + in->num_verts.at);
    uint32_t count = m5_cursor_bits(s, (uint64_t)at + in->num_tris.at);
    int64_t first = at + m5_cursor_int(s, (uint64_t)at + in->ofs_verts.at);
    int64_t tris = at + m5_cursor_int(s, (uint64_t)at + in->ofs_tris.at);
    int64_t map = at + m5_cursor_int(s, (uint64_t)at + in->ofs_collapse.at);
    uint32_t tris_left = m5_cursor_inside(s, (uint64_t)tris, count, M5_MD4_TRIANGLE);
    uint32_t map_left = m5_cursor_inside(s, (uint64_t)map, verts, 4);
    bool odd = more < 0 && !are_vertices(s, first, verts);
    return ((odd || !are_triangles(s, tris, tris_left, verts)) &&
            are_triangles(s, tris + more, count, verts)) ||
           ((odd || !is_collapse_map(s, map, map_left, verts)) &&
            m5_cursor_fits(s, (uint64_t)(map + more), 4 * (uint64_t)verts) &&
            m5_cursor_bits(s, (uint64_t)(map + more) + 4 * (uint64_t)verts - 4) != 0 &&
            is_collapse_map(s, map + more, verts, verts));
}

/* Whether the surface that should be at `at` is nearby. If bytes were lost or inserted in
 * several places, only some of these places are before it. */
static bool is_surface_near(const m5_source *s, int64_t at, int64_t more)
{
    enum { MOST = 4096 }; /* any number of bytes may be missing from a file that is cut off */
    int64_t way = more < 0 ? -1 : 1, steps = way * more <= MOST ? way * more : 1;
    for (int64_t i = 0; i < steps; i++) {
        int64_t here = at + more - way * i;
        if (here > 0 && m5_cursor_is(s, (uint64_t)here, "IDP4") &&
            (i == 0 || m5_cursor_int(s, (uint64_t)here + m5_md4_in_surface.ofs_header.at) == -at))
            return true;
    }
    return false;
}

/* Each surface begins with IDP4, and gives its own offset in ofsHeader. */
bool m5_md4_are_surfaces_moved(const m5_md4_state *w, int64_t at, int32_t surfs, int64_t more)
{
    const m5_source *s = w->source;
    bool doubtful = w->trouble > 1;
    int64_t size = 1;
    for (int32_t i = 0; i < surfs && i < M5_MD4_MAX_SURFS && at > 0 && size > 0; i++, at += size) {
        if (!m5_cursor_is(s, (uint64_t)at, "IDP4"))
            return is_surface_near(s, at, more);
        size = m5_cursor_int(s, (uint64_t)at + m5_md4_in_surface.ofs_end.at);
        uint64_t own = (uint64_t)at + m5_md4_in_surface.ofs_header.at;
        if (m5_cursor_int(s, own) != -at && m5_cursor_int(s, own + (uint64_t)more) == -at)
            return true;
        if (doubtful && are_blocks_moved(s, at, more))
            return true;
    }
    return false;
}

/* Whether the first surface is `more` bytes after its offset. This offset is in the field before
 * the last one, which may have shifted by `more` bytes, too. */
static bool is_surface_moved(const m5_source *s, uint32_t last, int32_t more)
{
    uint64_t field = last - 4, shift = (uint64_t)more;
    return m5_cursor_is(s, m5_cursor_bits(s, field) + shift, "IDP4") ||
           m5_cursor_is(s, m5_cursor_bits(s, field + shift) + shift, "IDP4");
}

/* Returns by how much the header's last field has shifted, which gives the file's original size;
 * 0 if it has not. If bytes were lost, a name or a float may be in its place. If that is not a
 * possible file size, the field has shifted. */
int32_t m5_md4_header_moved(const m5_source *s, uint32_t last)
{
    enum { MOST = 64, ANY_SIZE = 1 << 28 };
    int32_t here = m5_cursor_int(s, last);
    bool no_size = here < M5_MD4_HEADER || here > ANY_SIZE;
    for (int32_t more = -MOST; more <= MOST; more++)
        if (more != 0 &&
            m5_cursor_int(s, (uint64_t)((int64_t)last + more)) == (int64_t)s->size - more &&
            ((more < 0 && no_size) || is_surface_moved(s, last, more)))
            return more;
    return 0;
}
