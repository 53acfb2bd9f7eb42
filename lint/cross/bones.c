/* Facts about bones: how long they are in a mesh and in an animation, and which frames are looked
 * at for that. */
#include "bind.h"
#include "cross.h"
#include "lint/core/check.h"
#include "parsers/play/pose.h"

static const double ALIKE = 0.05; /* lengths differ if they differ by more than this share */

m5_bind_pair m5_bind_pair_of(const m5_lint_file *mesh, m5_lint_file *f)
{
    m5_bind_pair p = {mesh, f, mesh->model.md5mesh, f->model.md5anim, {0}};
    uint32_t count = p.anim->num_frames;
    for (int i = 0; i < M5_SAMPLES; i++) {
        uint32_t frame = m5_sample_frame(count, i);
        for (uint32_t k = 0; k < count && m5_check_is_odd_frame(f, frame); k++)
            frame = (frame + 1) % count;
        p.frames[i] = frame;
    }
    return p;
}

double m5_bone_length(const m5_md5mesh *m, uint32_t joint)
{
    uint32_t parent = (uint32_t)m->joints[joint].parent;
    return m5_vec_distance(m5_vec_of(m->bind[joint].pos), m5_vec_of(m->bind[parent].pos));
}

/* ---- Which mesh ------------------------------------------------------------------------------ */

uint32_t m5_check_bones_alike(const m5_md5mesh *mesh, const m5_md5anim *anim)
{
    uint32_t alike = 0;
    for (uint32_t i = 0; i < mesh->num_joints; i++) {
        if (mesh->joints[i].parent < 0)
            continue;
        double length = m5_bone_length(mesh, i);
        alike += fabs(m5_vec_length(m5_md5anim_local(anim, 0, i).pos) - length) <= ALIKE * length;
    }
    return alike;
}

bool m5_check_same_bind(const m5_md5mesh *a, const m5_md5mesh *b)
{
    m5_box box = m5_box_empty();
    double most = 0;
    for (uint32_t i = 0; i < a->num_joints; i++) {
        m5_box_add(&box, m5_vec_of(a->bind[i].pos));
        most = fmax(most, m5_vec_distance(m5_vec_of(a->bind[i].pos), m5_vec_of(b->bind[i].pos)));
    }
    double size = m5_box_diagonal(&box);
    /* joints that are all in one place, as in props, say nothing */
    return size > 0 && most <= ALIKE * size;
}
