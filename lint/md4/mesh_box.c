/* Places an MD4's mesh, for the box around it. */
#include "mesh_box.h"
#include "lint/core/check.h"
#include "lint/geometry/frame_boxes.h"
#include "parsers/core/allocate.h"
#include "parsers/play/pose.h"

#include <string.h>

/* Ignores vertices in no triangle, which are never seen, and vertices with invalid weights. */
static bool leave_out_unused(const m5_md4 *m, m5_arena *arena, m5_skin *skin)
{
    uint8_t *used = m5_arena_take(arena, skin->num_verts, 1);
    uint32_t first = 0, t[3];
    if (used == NULL)
        return false;
    memset(used, 0, skin->num_verts);
    for (uint32_t i = 0; i < m->num_surfs; i++) {
        for (uint32_t k = 0; k < m->surfs[i].num_tris; k++) {
            m5_md4_triangle_at(m, &m->surfs[i], k, t);
            used[first + t[0]] = used[first + t[1]] = used[first + t[2]] = 1;
        }
        first += m->surfs[i].num_verts;
    }
    m5_frame_boxes_choose(skin, used);
    return m5_skin_leave_out(skin, used, arena);
}

bool m5_check_md4_skin(const m5_md4 *m, m5_arena *arena, m5_skin *out)
{
    return m5_skin_md4(arena, m, 0, m->num_surfs, out) && leave_out_unused(m, arena, out);
}

bool m5_mesh_box_is_known(const m5_lint_file *f)
{
    const m5_md4 *m = f->model.md4;
    uint64_t work = m->num_bones;
    for (uint32_t i = 0; i < m->num_surfs; i++) {
        if (!m->surfs[i].verts_whole || !m->surfs[i].tris_whole || !m->surfs[i].refs_whole)
            return false;
        work += m->surfs[i].size / M5_MD4_WEIGHT;
    }
    return m->num_surfs != 0 && m->surfs_whole && m->frames_whole && !f->far && !f->misfit &&
           (f->skipped & 1U << M5_SKIPPED_MD4_SHAPE) == 0 &&
           m->num_frames * work <= m5_check_budget(f, f->source.size);
}

bool m5_mesh_boxer_begin(m5_mesh_boxer *b, const m5_md4 *m, m5_arena *arena)
{
    *b = (m5_mesh_boxer){.m = m, .arena = arena};
    if (!m5_check_md4_skin(m, arena, &b->skin))
        return false;
    b->bones = m5_arena_take(arena, m->num_bones, sizeof *b->bones);
    b->places = m5_arena_take(arena, b->skin.num_verts, sizeof *b->places);
    return b->bones != NULL && b->places != NULL;
}

bool m5_mesh_box(const m5_mesh_boxer *b, uint32_t frame, m5_box *out)
{
    *out = m5_box_empty();
    for (uint32_t i = 0; i < b->m->num_bones; i++)
        b->bones[i] = m5_md4_matrix(b->m, frame, i);
    if (!m5_skin_positions(&b->skin, b->bones, b->arena, b->places))
        return false;
    for (uint32_t i = 0; i < b->skin.num_verts; i++)
        if (b->skin.verts[i].count != 0)
            m5_box_add(out, b->places[i]);
    return out->min[0] <= out->max[0];
}
