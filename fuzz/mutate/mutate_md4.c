/* Mutates MD4 as a model. The model is a view of the bytes, so lists can lose and swap records, but
 * not grow. The values in records are left to the fuzzer's own mutation, which rarely breaks a
 * binary's structure. */
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

static void shift_md4(m5_md4 *m, uint32_t by)
{
    m->frames_at += by, m->bones_at += by;
    for (uint32_t i = 0; i < m->num_surfs; i++) {
        m5_md4_surface *s = &m->surfs[i];
        s->offset += by, s->tris_at += by, s->refs_at += by, s->collapse_at += by;
        for (uint32_t k = 0; k < s->num_verts; k++)
            ((uint32_t *)(uintptr_t)s->verts)[k] += by;
    }
}

/* The size of a frame depends on the number of bones: if the numbers differ, both frames and bones
 * are taken from the other model. */
static void cross_motion(mutate_chance *c, m5_md4 *m, const m5_md4 *other)
{
    bool alike = m->num_bones == other->num_bones, frames = mutate_one_in(c, 2);
    if (!alike || frames)
        m->frames_at = other->frames_at, m->num_frames = other->num_frames;
    if (!alike || !frames)
        m->bones_at = other->bones_at, m->num_bones = other->num_bones;
}

/* The vertices must not become more than the entries of the collapse map. */
static void cross_surface(mutate_chance *c, m5_arena *arena, m5_md4_surface *s,
                          const m5_md4_surface *other)
{
    mutate_splice verts = mutate_choose_splice(c, s->num_verts, other->num_verts);
    switch (mutate_below(c, 3)) {
    case 0: s->tris_at = other->tris_at, s->num_tris = other->num_tris; break;
    case 1: s->refs_at = other->refs_at, s->num_refs = other->num_refs; break;
    default:
        if (mutate_spliced(&verts) > s->num_verts)
            return;
        s->verts = mutate_apply_splice(&verts, arena, s->verts, other->verts, sizeof *s->verts);
        s->num_verts = mutate_spliced(&verts);
    }
}

void mutate_cross_md4(mutate_chance *c, m5_arena *arena, m5_md4 *m, m5_md4 *other, uint32_t by)
{
    mutate_splice s = mutate_choose_splice(c, m->num_surfs, other->num_surfs);
    shift_md4(other, by);
    switch (mutate_below(c, 3)) {
    case 0: cross_motion(c, m, other); break;
    case 1:
        m->surfs = mutate_apply_splice(&s, arena, m->surfs, other->surfs, sizeof *m->surfs);
        m->num_surfs = mutate_spliced(&s);
        break;
    default:
        if (m->num_surfs != 0 && other->num_surfs != 0)
            cross_surface(c, arena, &m->surfs[mutate_below(c, m->num_surfs)],
                          &other->surfs[mutate_below(c, other->num_surfs)]);
    }
}
