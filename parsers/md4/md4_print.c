/* Writes an MD4 with its blocks one after the other: header, bones, frames, surfaces, and in
 * each surface vertices, triangles, bone references, collapse map. The contents of the blocks
 * are copied unchanged. */
#include "md4_state.h"
#include "../core/cursor.h"
#include "../core/write.h"

typedef struct block {
    uint32_t at, size; /* in the source */
} block;

static void copy(const m5_md4 *m, const m5_writer *out, uint32_t at, uint32_t size)
{
    m5_write_span(out, m->source, (m5_span){at, size});
}

static void print_int(const m5_writer *out, uint32_t value)
{
    const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                              (uint8_t)(value >> 24)};
    out->write(out->user, bytes, sizeof bytes);
}

/* ---- Surfaces -------------------------------------------------------------------------------- */

static uint32_t vertex_size(const m5_md4 *m, const m5_md4_surface *s, uint32_t vertex)
{
    return M5_MD4_VERTEX + m5_md4_vertex_at(m, s, vertex).num_weights * M5_MD4_WEIGHT;
}

static uint32_t verts_size(const m5_md4 *m, const m5_md4_surface *s)
{
    uint32_t size = 0;
    for (uint32_t i = 0; i < s->num_verts; i++)
        size += vertex_size(m, s, i);
    return size;
}

enum { VERTS, TRIS, REFS, COLLAPSE, BLOCKS };

static void find_blocks(const m5_md4 *m, const m5_md4_surface *s, block blocks[BLOCKS])
{
    blocks[VERTS] = (block){0, verts_size(m, s)}; /* printed one by one */
    blocks[TRIS] = (block){s->tris_at, s->num_tris * M5_MD4_TRIANGLE};
    blocks[REFS] = (block){s->refs_at, s->num_refs * 4};
    blocks[COLLAPSE] = (block){s->collapse_at, s->num_verts * 4};
}

static uint32_t surface_size(const m5_md4 *m, const m5_md4_surface *s)
{
    block blocks[BLOCKS];
    uint32_t size = M5_MD4_SURFACE;
    find_blocks(m, s, blocks);
    for (int i = 0; i < BLOCKS; i++)
        size += blocks[i].size;
    return size;
}

static void print_surface(const m5_md4 *m, const m5_md4_surface *s, uint32_t offset,
                          const m5_writer *out)
{
    enum { OFS_HEADER = 144 };
    block blocks[BLOCKS];
    uint32_t at[BLOCKS + 1] = {M5_MD4_SURFACE};
    find_blocks(m, s, blocks);
    for (int i = 0; i < BLOCKS; i++)
        at[i + 1] = at[i] + blocks[i].size;
    copy(m, out, s->offset, OFS_HEADER);
    print_int(out, 0 - offset);
    print_int(out, s->num_verts), print_int(out, at[VERTS]);
    print_int(out, s->num_tris), print_int(out, at[TRIS]);
    print_int(out, s->num_refs), print_int(out, at[REFS]);
    print_int(out, at[COLLAPSE]), print_int(out, at[BLOCKS]);
    for (uint32_t i = 0; i < s->num_verts; i++)
        copy(m, out, s->verts[i], vertex_size(m, s, i));
    for (int i = TRIS; i < BLOCKS; i++)
        copy(m, out, blocks[i].at, blocks[i].size);
}

/* ---- The whole model ------------------------------------------------------------------------- */

void m5_md4_print(const m5_md4 *m, const m5_writer *out)
{
    enum { COUNTS = 72 }; /* after ident, version and name */
    uint32_t bones = m->num_bones * M5_MD4_BONE;
    uint32_t frames = (uint32_t)(m->num_frames * m5_md4_frame_size(m->num_bones));
    uint32_t surfs_at = M5_MD4_HEADER + bones + frames, end = surfs_at;
    for (uint32_t i = 0; i < m->num_surfs; i++)
        end += surface_size(m, &m->surfs[i]);
    copy(m, out, 0, COUNTS);
    print_int(out, m->num_frames), print_int(out, m->num_bones), print_int(out, m->num_surfs);
    print_int(out, M5_MD4_HEADER + bones), print_int(out, M5_MD4_HEADER);
    print_int(out, surfs_at), print_int(out, end);
    copy(m, out, m->bones_at, bones);
    copy(m, out, m->frames_at, frames);
    for (uint32_t i = 0, at = surfs_at; i < m->num_surfs; i++) {
        print_surface(m, &m->surfs[i], at, out);
        at += surface_size(m, &m->surfs[i]);
    }
}
