/* Where an md5mesh's vertices are in a frame of its animation: see placed.h. */
#include "placed.h"
#include "lint/common/parts.h"
#include "parsers/core/allocate.h"
#include "parsers/play/algebra.h"
#include "parsers/play/pose.h"

bool m5_placed_begin(m5_placed *p, const m5_md5mesh *mesh, const m5_md5anim *anim, m5_arena *arena)
{
    *p = (m5_placed){.anim = anim, .arena = arena};
    if (!m5_check_make_skin(mesh, arena, &p->skin))
        return false;
    p->joints = m5_arena_take(arena, anim->num_joints, sizeof *p->joints);
    p->bones = m5_arena_take(arena, anim->num_joints, sizeof *p->bones);
    p->verts = m5_arena_take(arena, p->skin.num_verts, sizeof *p->verts);
    return p->joints != NULL && p->bones != NULL && p->verts != NULL;
}

bool m5_placed_find(m5_placed *p, uint32_t frame, const m5_moved_joint *moved, uint32_t count)
{
    for (uint32_t i = 0; i < p->anim->num_joints; i++) {
        int32_t parent = p->anim->joints[i].parent;
        p->joints[i] = m5_md5anim_local(p->anim, frame, i);
        for (uint32_t k = 0; k < count; k++)
            if (moved[k].joint == i) {
                p->joints[i].pos = moved[k].to.pos;
                p->joints[i].rotation = moved[k].turned ? moved[k].to.rotation
                                                        : p->joints[i].rotation;
            }
        if (parent >= 0)
            p->joints[i] = m5_transform_times(&p->joints[parent], &p->joints[i]);
        p->bones[i] = m5_matrix_of(&p->joints[i]);
    }
    return m5_skin_positions(&p->skin, p->bones, p->arena, p->verts);
}

void m5_placed_add_to(const m5_placed *p, m5_box *box)
{
    for (uint32_t i = 0; i < p->skin.num_verts; i++)
        if (p->skin.verts[i].count != 0)
            m5_box_add(box, p->verts[i]);
}
