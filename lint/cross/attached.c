/* Finds out whether a part of a mesh is attached to the rest by triangles: see bind.h. */
#include "md5_posed.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"

enum { LOOK_AT_MOST = 32 };
static const double LEAST_BIAS = 0.05;

enum { INSIDE = 1, OUTSIDE = 2 };

/* Whether a vertex hangs on joints that are marked in `inside`, on others, or on both. */
static int sides_of(const m5_md5mesh_mesh *m, uint32_t vert, const uint8_t *inside)
{
    int sides = 0;
    for (uint32_t k = 0; k < m->verts[vert].count && k < LOOK_AT_MOST; k++) {
        const m5_md5mesh_weight *w = &m->weights[m->verts[vert].start + k];
        if ((double)w->bias >= LEAST_BIAS)
            sides |= inside[w->joint] ? INSIDE : OUTSIDE;
    }
    return sides;
}

/* Whether a triangle is between vertices on marked joints and vertices on others. */
static bool is_shared(const m5_md5mesh_mesh *m, const uint8_t *inside)
{
    for (uint32_t i = 0; m->skin_whole && i < m->num_tris; i++) {
        int sides = 0;
        for (int k = 0; k < 3 && m->tris[i].vert[0] != M5_BROKEN; k++)
            sides |= sides_of(m, m->tris[i].vert[k], inside);
        if (sides == (INSIDE | OUTSIDE))
            return true;
    }
    return false;
}

bool m5_bind_is_attached(const m5_bind_pair *p, uint32_t joint, m5_arena *scratch)
{
    size_t mark = scratch->used;
    m5_posed posed = m5_posed_md5(p);
    uint8_t *inside = m5_arena_take(scratch, p->mesh->num_joints, 1);
    bool any = false;
    if (inside != NULL)
        m5_posed_mark_below(&posed, joint, inside);
    for (uint32_t i = 0; inside != NULL && i < p->mesh->num_meshes && !any; i++)
        any = is_shared(&p->mesh->meshes[i], inside);
    m5_arena_release(scratch, mark);
    return any;
}
