/* The fix of an MD4 surface whose list of bones is incomplete: the missing ones are added at its
 * end, and all offsets of what follows change. */
#include "md4.h"
#include "parsers/core/cursor.h"

/* The header's offsets and a surface's, which are relative to the surface. */
static const uint32_t header_offsets[] = {84, 88, 92, 96};
enum { OFS_HEADER = 144, OFS_VERTS = 152, OFS_TRIS = 160, NUM_REFS = 164, OFS_REFS = 168 };
static const uint32_t surface_offsets[] = {OFS_HEADER, OFS_VERTS, OFS_TRIS, OFS_REFS, 172, 176};

/* `size` bytes are put in at `place`. */
typedef struct gap {
    uint32_t place, size;
} gap;

static uint32_t move(const gap *g, uint32_t at)
{
    return at >= g->place ? g->size : 0;
}

/* An offset that counts from `base`. */
static void move_offset(m5_fixing *x, const gap *g, uint32_t base, uint32_t field)
{
    uint32_t value = m5_cursor_bits(&x->f->source, base + field);
    m5_fix_word(x, base + field, value + move(g, base + value) - move(g, base));
}

/* `own`: the list of this surface grows, and begins where it did, even if it was empty. */
static void move_surface(m5_fixing *x, const gap *g, const m5_md4_surface *s, bool own)
{
    for (size_t i = 0; i < sizeof surface_offsets / sizeof *surface_offsets; i++) {
        if (own && surface_offsets[i] == OFS_REFS)
            m5_fix_word(x, s->offset + NUM_REFS, s->num_refs + g->size / 4);
        else
            move_offset(x, g, s->offset, surface_offsets[i]);
    }
}

/* One more than the highest bone that a weight of the surface has. */
static uint32_t count_bones(const m5_md4 *m, const m5_md4_surface *s)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->num_verts; i++) {
        m5_md4_vertex v = m5_md4_vertex_at(m, s, i);
        for (uint32_t k = 0; k < v.num_weights; k++) {
            uint32_t bone = m5_md4_weight_at(m, s, i, k).bone;
            count = bone >= count ? bone + 1 : count;
        }
    }
    return count;
}

/* Only if the list is 0, 1, 2 ..., so that bones have the same index in it and in the model: then
 * it does not matter which of them weights mean. */
static bool is_plain(const m5_md4 *m, const m5_md4_surface *s)
{
    for (uint32_t i = 0; i < s->num_refs; i++)
        if (m5_md4_bone_ref_at(m, s, i) != i)
            return false;
    return true;
}

bool m5_fix_md4_refs(m5_fixing *x)
{
    const m5_md4 *m = x->f->model.md4;
    uint32_t own = x->diag->path.step[0].index, last = x->f->source.size;
    if (x->f->status != M5_CLEAN || !is_plain(m, &m->surfs[own]))
        return false;
    const m5_md4_surface *s = &m->surfs[own];
    char refs[4 * M5_MD4_MAX_BONES] = {0};
    uint32_t bones = count_bones(m, s);
    for (uint32_t i = own + 1; i < m->num_surfs; i++)
        last = m->surfs[i].offset < last ? m->surfs[i].offset : last;
    uint32_t refs_at = s->offset + m5_cursor_bits(&x->f->source, s->offset + OFS_REFS);
    gap g = {refs_at + 4 * s->num_refs, 4 * (bones - s->num_refs)};
    if (bones > M5_MD4_MAX_BONES || bones <= s->num_refs || g.place > last || g.place < s->offset)
        return false;
    for (size_t i = 0; i < sizeof header_offsets / sizeof *header_offsets; i++)
        move_offset(x, &g, 0, header_offsets[i]);
    for (uint32_t i = 0; i <= own; i++)
        move_surface(x, &g, &m->surfs[i], i == own);
    for (uint32_t i = 0; i < bones - s->num_refs; i++)
        refs[4 * i] = (char)(s->num_refs + i);
    m5_fix_replace(x, (m5_span){g.place, 0}, refs, g.size);
    for (uint32_t i = own + 1; i < m->num_surfs; i++)
        move_surface(x, &g, &m->surfs[i], false);
    return true;
}
