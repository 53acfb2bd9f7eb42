/* Scales an animation that was exported in another unit than its mesh. */
#include "numbers.h"
#include "lint/core/check.h"
#include "lint/cross/bind.h"
#include "lint/geometry/units.h"
#include "parsers/core/number.h"
#include "parsers/md5/lex.h"
#include "parsers/play/algebra.h"
#include "parsers/play/pose.h"

#include <math.h>

enum { BASEFRAME = -1 };

/* The distance of a joint from its parent in a frame. */
static double length_in(const m5_md5anim *anim, int64_t frame, uint32_t joint)
{
    return frame == BASEFRAME ? m5_vec_length(m5_vec_of(anim->base[joint].pos))
                              : m5_vec_length(m5_md5anim_local(anim, (uint32_t)frame, joint).pos);
}

/* Whether at least three quarters of the bones, and three, are `by` times as long in a frame of the
 * animation as in the mesh. */
static bool is_scaled(const m5_md5mesh *mesh, const m5_md5anim *anim, int64_t frame, double by)
{
    static const double near = 0.005;
    uint32_t bones = 0, same = 0;
    for (uint32_t i = 0; i < mesh->num_joints; i++) {
        if (mesh->joints[i].parent < 0)
            continue;
        double length = m5_bone_length(mesh, i);
        double other = length_in(anim, frame, i);
        bones += length > 0;
        same += length > 0 && fabs(other / (length * by) - 1) <= near;
    }
    return same >= 3 && 4 * (uint64_t)same >= 3 * (uint64_t)bones;
}

/* The ratio of two units by which the animation is larger than the mesh in its first and last
 * frame; 0 if there is none. */
static double find_unit(const m5_md5mesh *mesh, const m5_md5anim *anim)
{
    for (unsigned i = 0; i < 2 * M5_UNITS; i++) {
        double by = i % 2 == 0 ? m5_units[i / 2] : 1 / m5_units[i / 2];
        if (is_scaled(mesh, anim, 0, by) && is_scaled(mesh, anim, anim->num_frames - 1, by))
            return by;
    }
    return 0;
}

/* Divides a number, as it is written and not as the float that was read. */
static void divide(m5_fixing *x, m5_span at, double by)
{
    const uint8_t *text = x->f->source.bytes + at.offset;
    unsigned own = m5_fix_decimals(&x->f->source, at);
    double value = 0;
    if (m5_read_double(text, at.length, &value) != M5_NUMBER_FINE)
        x->failed = true;
    m5_fix_number(x, at, value / by, own > 6 ? own : 6, M5_ROUND_NEAREST);
}

/* Three numbers from the n-th token of a record. */
static void divide_three(m5_fixing *x, uint32_t offset, uint32_t n, double by)
{
    for (unsigned k = 0; k < 3; k++)
        divide(x, m5_lex_nth(&x->f->source, offset, n + k), by);
}

/* The components of a frame that are positions. */
static void divide_frame(m5_fixing *x, const m5_md5anim *m, uint32_t frame, double by)
{
    m5_span at = m5_lex_nth(&x->f->source, m->frames[frame], 2);
    for (uint32_t i = 0, joint = 0; i < m->num_components; i++) {
        while (joint < m->num_joints &&
               m->channels[joint].start + m5_md5anim_count_flags(m->channels[joint].flags) <= i)
            joint++;
        at = m5_lex_nth(&x->f->source, at.offset, 1);
        uint32_t flags = joint < m->num_joints ? m->channels[joint].flags : 0;
        uint32_t positions = m5_md5anim_count_flags(flags & 7);
        if (flags != 0 && i < m->channels[joint].start + positions)
            divide(x, at, by);
    }
}

/* Whether the boxes are as large as the animation: nearer to its size than to the mesh's, by the
 * joints, around which the vertices are. */
static bool are_boxes_scaled(const m5_md5mesh *mesh, const m5_md5anim *m, double by)
{
    const m5_md5anim_bounds *b = &m->bounds[0];
    m5_box joints = m5_box_empty(), box = m5_box_empty();
    for (uint32_t i = 0; i < mesh->num_joints; i++)
        m5_box_add(&joints, m5_vec_of(mesh->bind[i].pos));
    m5_box_add(&box, m5_vec_of(b->min));
    m5_box_add(&box, m5_vec_of(b->max));
    double ratio = m5_box_diagonal(&box) / m5_box_diagonal(&joints);
    return fabs(log(ratio / by)) < fabs(log(ratio));
}

/* Whether the components belong to the joints in their order, and the blocks follow as the format
 * has it. */
static bool is_in_order(const m5_md5anim *m)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < m->num_joints; i++) {
        if (m->channels[i].flags != 0 && m->channels[i].start != next)
            return false;
        next += m5_md5anim_count_flags(m->channels[i].flags);
    }
    return next == m->num_components && m->bounds[m->num_bounds - 1].offset < m->base[0].offset &&
           m->base[m->num_base - 1].offset < m->frames[0];
}

/* Some exporters scale the frames alone: then the baseframe is right. */
static void divide_base(m5_fixing *x, const m5_md5anim *m, double by)
{
    if (is_scaled(x->f->base->model.md5mesh, m, BASEFRAME, 1))
        return;
    for (uint32_t i = 0; i < m->num_base; i++)
        if (m5_check_has_base(m, i)) /* else it has the place of another line */
            divide_three(x, m->base[i].offset, 1, by);
}

bool m5_fix_bind_scale(m5_fixing *x)
{
    const m5_lint_file *base = x->f->base;
    const m5_md5anim *m = x->f->model.md5anim;
    if (base == NULL || base->model.md5mesh == NULL || !m->channels_whole || !m->base_in_place ||
        !m->bounds_in_place || m->num_bounds == 0 || !m->frames_whole || !is_in_order(m))
        return false;
    double by = find_unit(base->model.md5mesh, m);
    x->has_edits = by != 0 && x->in->probe;
    if (by == 0 || x->has_edits)
        return by != 0;
    bool boxes = are_boxes_scaled(base->model.md5mesh, m, by);
    for (uint32_t i = 0; boxes && i < m->num_bounds; i++) {
        divide_three(x, m->bounds[i].offset, 1, by);
        divide_three(x, m->bounds[i].offset, 6, by);
    }
    divide_base(x, m, by);
    for (uint32_t i = 0; i < m->num_frames; i++)
        divide_frame(x, m, i, by);
    return true;
}
