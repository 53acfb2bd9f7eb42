/* MD4: its model is a view, so that lists can lose records and change places, but not grow; what
 * is in the records is left to plain mutation, which a binary does not break. */
#include "mutate.h"

static bool grows(const mutate_edit *e)
{
    return mutate_count(e) > e->count;
}

static void edit_verts(mutate_chance *c, m5_arena *arena, m5_md4_surface *s)
{
    mutate_edit e = mutate_choose(c, s->num_verts);
    if (grows(&e))
        return;
    s->verts = mutate_apply(&e, arena, s->verts, sizeof *s->verts);
    s->num_verts = mutate_count(&e);
}

void mutate_md4(mutate_chance *c, m5_arena *arena, m5_md4 *m)
{
    m5_md4_surface *s = m->num_surfs != 0 ? &m->surfs[mutate_below(c, m->num_surfs)] : NULL;
    mutate_edit e;
    switch (mutate_below(c, 6)) {
    case 0:
        e = mutate_choose(c, m->num_surfs);
        m->surfs = mutate_apply(&e, arena, m->surfs, sizeof *m->surfs);
        m->num_surfs = mutate_count(&e);
        break;
    case 1: m->num_frames = 1 + mutate_below(c, m->num_frames); break;
    case 2:
        if (s != NULL)
            s->num_tris = mutate_below(c, s->num_tris + 1);
        break;
    case 3:
        if (s != NULL)
            s->num_refs = mutate_below(c, s->num_refs + 1);
        break;
    default:
        if (s != NULL)
            edit_verts(c, arena, s);
    }
}
