/* Computes the boxes of an animation's frames from the skinned meshes. */
#include "boxes.h"
#include "lint/common/parts.h"
#include "lint/core/check.h"
#include "lint/cross/cross.h"
#include "parsers/play/algebra.h"

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
    b->count = 0;
    for (uint32_t i = 0; i < in->num_meshes; i++)
        if (is_of_character(in, in->meshes[i]) &&
            !m5_placed_begin(&b->meshes[b->count++], in->meshes[i]->model.md5mesh,
                             in->file->model.md5anim, arena))
            return false;
    return true;
}

bool m5_boxer_find(m5_boxer *b, uint32_t frame, m5_box *out)
{
    *out = m5_box_empty();
    for (uint32_t i = 0; i < b->count; i++) {
        if (!m5_placed_find(&b->meshes[i], frame, NULL, 0))
            return false;
        m5_placed_add_to(&b->meshes[i], out);
    }
    return out->min[0] <= out->max[0];
}
