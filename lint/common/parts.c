/* Finds the boxes of the weights on each joint, for vertices that can be seen. */
#include "parts.h"
#include "lint/core/check.h"
#include "lint/geometry/frame_boxes.h"
#include "parsers/core/allocate.h"
#include "parsers/play/algebra.h"
#include "parsers/play/skin.h"
#include "parsers/play/skin_weight.h"

#include <math.h>
#include <string.h>

/* Leaves what cannot be judged out of a skin of `count` meshes. */
static bool leave_out_unused(const m5_md5mesh_mesh *meshes, uint32_t count, m5_skin *skin,
                             m5_arena *scratch)
{
    size_t mark = scratch->used;
    uint8_t *used = m5_arena_take(scratch, skin->num_verts, 1), *own = used;
    if (used == NULL)
        return false;
    for (uint32_t i = 0; i < count; own += meshes[i++].num_verts) {
        bool known = meshes[i].verts_in_place; /* which vertices the triangles use */
        memset(own, !known, meshes[i].num_verts);
        for (uint32_t k = 0; known && k < meshes[i].num_tris; k++) {
            for (unsigned corner = 0; corner < 3; corner++) {
                uint32_t vert = meshes[i].tris[k].vert[corner];
                if (vert != M5_BROKEN)
                    own[vert] = 1;
            }
        }
    }
    m5_frame_boxes_choose(skin, used);
    bool done = m5_skin_leave_out(skin, used, scratch);
    m5_arena_release(scratch, mark);
    return done;
}

/* No sum with the bias of a marked weight is valid. */
static void leave_out_marked(m5_skin *skin)
{
    for (uint32_t i = 0; i < skin->num_weights; i++)
        if (skin->weights[i].bone >= skin->num_bones)
            skin->weights[i] = (m5_skin_weight){.bias = NAN};
    for (uint32_t i = 0; i < skin->num_verts; i++)
        if (skin->verts[i].count == 0)
            skin->verts[i].start = 0;
}

bool m5_check_make_skin(const m5_md5mesh *mesh, m5_arena *arena, m5_skin *skin)
{
    if (!m5_skin_md5mesh(arena, mesh, 0, mesh->num_meshes, skin))
        return false;
    leave_out_marked(skin);
    return leave_out_unused(mesh->meshes, mesh->num_meshes, skin, arena);
}

bool m5_check_add_parts(m5_lint_file *f, uint32_t mesh, m5_skin *skin, m5_box *parts)
{
    if (!leave_out_unused(&f->model.md5mesh->meshes[mesh], 1, skin, &f->arena))
        return false;
    for (uint32_t i = 0; i < skin->num_weights; i++)
        m5_skin_weight_add(&skin->weights[i], parts);
    return true;
}

uint32_t m5_check_joint_of(const m5_md5mesh_mesh *m, uint32_t vert)
{
    enum { LOOK_AT_MOST = 32 }; /* a hostile file lets all vertices share all weights */
    const m5_md5mesh_vert *v = &m->verts[vert];
    uint32_t joint = M5_NO_INDEX;
    float most = 0;
    for (uint32_t i = v->start; i < v->start + v->count && i < v->start + LOOK_AT_MOST; i++) {
        if (!(m->weights[i].bias > most))
            continue;
        most = m->weights[i].bias;
        joint = m->weights[i].joint;
    }
    return joint;
}

bool m5_check_can_skin(const m5_md5mesh *m)
{
    for (uint32_t i = 0; i < m->num_meshes; i++)
        if (!m->meshes[i].skin_whole)
            return false;
    return m->num_meshes != 0;
}

static uint32_t count_marked(const m5_md5mesh_mesh *m)
{
    uint32_t marked = 0;
    for (uint32_t i = 0; i < m->num_verts; i++)
        marked += m->verts[i].count == 0;
    for (uint32_t i = 0; i < m->num_weights; i++)
        marked += m->weights[i].joint == M5_BROKEN;
    return marked;
}

bool m5_check_can_place(const m5_md5mesh *m)
{
    enum { FEW = 3 };
    uint32_t marked = 0;
    for (uint32_t i = 0; i < m->num_meshes; i++) {
        if (!m->meshes[i].weights_in_place)
            return false;
        marked += count_marked(&m->meshes[i]);
    }
    return m->joints_whole && m->num_meshes != 0 && marked <= FEW;
}
