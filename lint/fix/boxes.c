/* Computes the boxes of an animation's frames from the skinned meshes. */
#include "boxes.h"
#include "lint/common/parts.h"
#include "lint/core/check.h"
#include "lint/cross/cross.h"
#include "parsers/core/allocate.h"
#include "parsers/play/algebra.h"
#include "parsers/play/pose.h"

bool m5_box_holds(const m5_box *box, const m5_box *mesh)
{
    double most = 1e-5 * m5_box_diagonal(mesh);
    for (unsigned k = 0; k < 3; k++)
        if (!(box->min[k] <= mesh->min[k] + most && box->max[k] >= mesh->max[k] - most))
            return false;
    return true;
}

/* ---- Whether --------------------------------------------------------------------------------- */

/* Whether a mesh belongs to the animation's character, as m5_check_cross_bounds sees it. */
static bool is_of_character(const m5_fix_input *in, const m5_lint_file *mesh)
{
    return mesh->model.md5mesh->joints_whole && m5_check_fits(mesh, in->file) &&
           (mesh == in->meshes[0] ||
            m5_check_same_bind(mesh->model.md5mesh, in->meshes[0]->model.md5mesh));
}

static uint64_t count_weights(const m5_md5mesh *m)
{
    uint64_t count = m->num_joints;
    for (uint32_t i = 0; i < m->num_meshes; i++)
        count += m->meshes[i].num_weights;
    return count;
}

/* A mesh that does not fit its own joints, or that the animation scales or turns, says nothing of
 * the boxes. */
bool m5_can_box(const m5_fix_input *in)
{
    const m5_md5anim *anim = in->file->model.md5anim;
    const unsigned unknown = 1U << M5_SKIPPED_JOINTS | 1U << M5_SKIPPED_BONES |
                             1U << M5_SKIPPED_BOXES | 1U << M5_SKIPPED_BOXED_MESH;
    uint64_t work = 0;
    if (in->num_meshes == 0 || in->num_meshes > M5_BOXED_MESHES || !m5_check_can_pose(anim) ||
        !anim->joints_whole || !anim->bounds_in_place || anim->num_bounds != anim->num_frames ||
        (in->file->skipped & unknown) != 0)
        return false;
    for (uint32_t i = 0; i < in->num_meshes; i++) {
        const m5_lint_file *mesh = in->meshes[i];
        if (i != 0 && !is_of_character(in, mesh))
            continue;
        if (!is_of_character(in, mesh) || mesh->far || mesh->misfit || mesh->misplaced ||
            !m5_check_can_skin(mesh->model.md5mesh))
            return false;
        work += anim->num_frames * count_weights(mesh->model.md5mesh);
    }
    return work <= m5_check_budget(in->file, in->file->source.size);
}

/* ---- How ------------------------------------------------------------------------------------- */

bool m5_boxer_begin(m5_boxer *b, const m5_fix_input *in, m5_arena *arena)
{
    uint32_t most = 0;
    *b = (m5_boxer){.anim = in->file->model.md5anim, .arena = arena};
    for (uint32_t i = 0; i < in->num_meshes; i++) {
        const m5_md5mesh *m = in->meshes[i]->model.md5mesh;
        m5_skin *skin = &b->skins[b->num_skins];
        if (!is_of_character(in, in->meshes[i]))
            continue;
        if (!m5_skin_md5mesh(arena, m, 0, m->num_meshes, skin) ||
            !m5_check_leave_out_unused(m->meshes, m->num_meshes, skin, arena))
            return false;
        most = skin->num_verts > most ? skin->num_verts : most;
        b->num_skins++;
    }
    b->joints = m5_arena_take(arena, b->anim->num_joints, sizeof *b->joints);
    b->bones = m5_arena_take(arena, b->anim->num_joints, sizeof *b->bones);
    b->places = m5_arena_take(arena, most, sizeof *b->places);
    return b->joints != NULL && b->bones != NULL && b->places != NULL;
}

bool m5_boxer_find(m5_boxer *b, uint32_t frame, m5_box *out)
{
    *out = m5_box_empty();
    m5_md5anim_pose(b->anim, frame, b->joints);
    for (uint32_t i = 0; i < b->anim->num_joints; i++)
        b->bones[i] = m5_matrix_of(&b->joints[i]);
    for (uint32_t s = 0; s < b->num_skins; s++) {
        const m5_skin *skin = &b->skins[s];
        if (!m5_skin_positions(skin, b->bones, b->arena, b->places))
            return false;
        for (uint32_t i = 0; i < skin->num_verts; i++)
            if (skin->verts[i].count != 0)
                m5_box_add(out, b->places[i]);
    }
    return out->min[0] <= out->max[0];
}
