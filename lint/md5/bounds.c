/* The bounding boxes of an animation on their own. Whether the mesh fits into them is checked in
 * lint/cross/bounds.c. */
#include "checks.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/play/algebra.h"
#include "parsers/play/pose.h"

#include <math.h>

/* Tokens of  ( x y z ) ( x y z ) */
enum { BOUNDS_MIN = 1, BOUNDS_MAX = 6, BOUNDS_LAST = 9 };
static const double HUGE_EXTENT = 2048;

static m5_diag at_bounds(const m5_lint_file *f, const m5_rule *rule, uint32_t i)
{
    m5_diag d = m5_check_at_record(f, rule, f->model.md5anim->bounds[i].offset, BOUNDS_LAST);
    d.path = m5_path1("bounds", i);
    return d;
}

static void check_inverted(m5_lint_file *f, uint32_t i)
{
    const m5_md5anim_bounds *b = &f->model.md5anim->bounds[i];
    for (unsigned k = 0; k < 3; k++) {
        if (!(b->min[k] > b->max[k]))
            continue;
        m5_diag d = m5_check_at(f, M5_LINT_ROW(md5anim_bounds_inverted), b->offset, BOUNDS_MIN + k);
        d.path = m5_path1("bounds", i);
        m5_relate(&d, &f->source, m5_check_at(f, NULL, b->offset, BOUNDS_MAX + k).at,
                  "the maximum");
        m5_emit(&f->report, &d, 0,
                "frame %u: min.%c of the bounding box is %.7g, above max.%c, which is %.7g", i,
                "xyz"[k], (double)b -> min[k], "xyz"[k], (double)b -> max[k]);
        return;
    }
}

/* ---- Every box inverted: one finding --------------------------------------------------------- */

/* Axes along which boxes are inverted, 1 << axis each; and the boxes that can be read. */
typedef struct inverted_boxes {
    unsigned axes; /* 0: not all are inverted along the same */
    uint32_t first, count;
} inverted_boxes;

static unsigned inverted_axes(const m5_md5anim_bounds *b)
{
    unsigned axes = 0;
    for (unsigned k = 0; k < 3; k++)
        axes |= (unsigned)(b->min[k] > b->max[k]) << k;
    return axes;
}

static inverted_boxes find_inverted(const m5_md5anim *m)
{
    inverted_boxes found = {0, 0, 0};
    for (uint32_t i = 0; i < m->num_bounds; i++) {
        if (isnan(m->bounds[i].min[0]))
            continue;
        unsigned axes = inverted_axes(&m->bounds[i]);
        if (axes == 0 || (found.count != 0 && axes != found.axes))
            return (inverted_boxes){0, 0, 0};
        found.first = found.count++ == 0 ? i : found.first;
        found.axes = axes;
    }
    return found;
}

/* Whether one cause explains all inverted boxes, which was reported. */
static bool check_all_inverted(m5_lint_file *f)
{
    enum { FEW = 3, ALL_AXES = 7 };
    static const char *const axes[] = {"", "x", "y", "x and y", "z", "x and z", "y and z"};
    inverted_boxes found = find_inverted(f->model.md5anim);
    if (found.axes == 0 || found.count <= FEW)
        return false;
    unsigned axis = (found.axes & 1) != 0 ? 0 : (found.axes & 2) != 0 ? 1 : 2;
    m5_diag d = m5_check_at(f, M5_LINT_ROW(md5anim_bounds_inverted),
                            f->model.md5anim->bounds[found.first].offset, BOUNDS_MIN + axis);
    d.path = m5_path1("bounds", found.first);
    if (found.axes == ALL_AXES)
        m5_emit(
            &f->report, &d, 0,
            "all %u bounding boxes have every minimum above its maximum: the corners are swapped, "
            "or the boxes were never computed",
            found.count);
    else
        m5_emit(&f->report, &d, 0,
                "all %u bounding boxes have the minimum above the maximum along %s: they were "
                "mirrored or rotated, or their numbers have another order",
                found.count, axes[found.axes]);
    return true;
}

/* ---- Each box -------------------------------------------------------------------------------- */

static double extent(const m5_md5anim_bounds *b)
{
    double most = 0;
    for (int k = 0; k < 3; k++) {
        double along = (double)b->max[k] - b->min[k];
        most = along > most ? along : most;
    }
    return most;
}

/* The largest difference between corners of two boxes. */
static double apart(const m5_md5anim_bounds *a, const m5_md5anim_bounds *b)
{
    double most = 0;
    for (int k = 0; k < 3; k++) {
        most = fmax(most, fabs((double)a->min[k] - b->min[k]));
        most = fmax(most, fabs((double)a->max[k] - b->max[k]));
    }
    return most;
}

/* Whether no other rule reports the box, so that others may be compared with it. */
static bool is_sound(const m5_md5anim_bounds *b)
{
    for (unsigned k = 0; k < 3; k++)
        if (!(b->min[k] <= b->max[k]))
            return false;
    return !m5_check_is_point(b);
}

/* Whether a box is far from those of the frames around it, which are alike. */
static bool is_far(const m5_md5anim *m, uint32_t box)
{
    enum { LEAST = 4 };
    static const double alike = 0.25, far = 4; /* of the size of the boxes around */
    uint32_t last = m->num_bounds - 1;
    if (m->num_bounds < LEAST)
        return false;
    const m5_md5anim_bounds *b = &m->bounds[box];
    const m5_md5anim_bounds *before = &m->bounds[box == 0 ? 2 : box - 1];
    const m5_md5anim_bounds *behind = &m->bounds[box == last ? last - 2 : box + 1];
    double size = extent(before);
    return apart(b, before) > far * size && apart(b, behind) > far * size &&
           apart(before, behind) <= alike * size && is_sound(b) && is_sound(before) &&
           is_sound(behind);
}

/* What is reported once per file: how many boxes there are of a kind, and the first of them. */
typedef struct tally {
    uint32_t count, first;
} tally;

static void add(tally *t, uint32_t i)
{
    if (t->count++ == 0)
        t->first = i;
}

static void say_tallies(m5_lint_file *f, tally corner, tally point, tally huge)
{
    uint32_t all = f->model.md5anim->num_bounds;
    if (corner.count != 0) {
        m5_diag d = at_bounds(f, M5_LINT_ROW(md5anim_bounds_one_corner), corner.first);
        m5_emit(&f->report, &d, 0,
                "in %u of %u bounding box%s, max.x is repeated in min.x and in min.y or min.z",
                corner.count, all, all == 1 ? "" : "es");
    }
    if (point.count != 0) {
        m5_diag d = at_bounds(f, M5_LINT_ROW(md5anim_bounds_zero), point.first);
        m5_emit(&f->report, &d, point.count <= all / 4 ? M5_GRAVE : M5_MILD,
                "%u of %u bounding box%s %s zero size", point.count, all, all == 1 ? "" : "es",
                point.count == 1 ? "has" : "have");
    }
    if (huge.count != 0) {
        m5_diag d = at_bounds(f, M5_LINT_ROW(md5anim_bounds_huge), huge.first);
        m5_emit(&f->report, &d, 0, "%u of %u bounding box%s %s longer than 2048 units", huge.count,
                all, all == 1 ? "" : "es", huge.count == 1 ? "is" : "are");
    }
}

void m5_check_md5anim_bounds(m5_lint_file *f)
{
    const m5_md5anim *m = f->model.md5anim;
    uint32_t first_corner = m5_check_first_corner(m);
    tally corner = {0, 0}, point = {0, 0}, huge = {0, 0};
    bool said = first_corner == M5_NO_INDEX && check_all_inverted(f);
    for (uint32_t i = 0; i < m->num_bounds; i++) {
        const m5_md5anim_bounds *b = &m->bounds[i];
        if (isnan(b->min[0]))
            continue;
        if (first_corner != M5_NO_INDEX && m5_check_is_one_corner(b))
            add(&corner, i);
        else if (m5_check_is_point(b))
            add(&point, i);
        else if (!said)
            check_inverted(f, i);
        if (extent(b) > HUGE_EXTENT)
            add(&huge, i);
    }
    corner.first = first_corner;
    say_tallies(f, corner, point, huge);
}

/* ---- Boxes far from those of the frames around ----------------------------------------------- */

static void say_jump(m5_lint_file *f, uint32_t i)
{
    const m5_md5anim *m = f->model.md5anim;
    const m5_md5anim_bounds *b = &m->bounds[i];
    m5_diag d = at_bounds(f, M5_LINT_ROW(md5anim_bounds_jump), i);
    const m5_md5anim_bounds *other = &m->bounds[i == 0 ? 1 : i - 1];
    m5_relate(&d, &f->source, m5_check_at_record(f, NULL, other->offset, BOUNDS_LAST).at,
              i == 0 ? "the next box" : "the box before it");
    bool larger = extent(b) > 2 * extent(other);
    m5_emit(&f->report, &d, 0,
            larger ? "frame %u: the bounding box is %.4g units long, %.3g times as long as those "
                     "around it"
                   : "frame %u: the bounding box is up to %.4g units away from those around it, "
                     "which are %.3g units long",
            i, larger ? extent(b) : apart(b, other),
            larger ? extent(b) / extent(other) : extent(other));
}

static m5_box joints_in(const m5_md5anim *m, uint32_t frame, m5_transform *pose)
{
    m5_box box = m5_box_empty();
    m5_md5anim_pose(m, frame, pose);
    for (uint32_t i = 0; i < m->num_joints; i++)
        m5_box_add(&box, pose[i].pos);
    return box;
}

/* Whether the joints move as far as the box does, or half as far: then the box follows them. */
static bool do_joints_move(m5_lint_file *f, uint32_t i)
{
    const m5_md5anim *m = f->model.md5anim;
    uint32_t other = i == 0 ? 1 : i - 1;
    size_t mark = f->arena.used;
    m5_transform *pose = m5_check_scratch(f, m->num_joints, sizeof *pose);
    double most = pose == NULL ? HUGE_VAL : 0;
    if (pose != NULL) {
        m5_box here = joints_in(m, i, pose), there = joints_in(m, other, pose);
        for (int k = 0; k < 3; k++) {
            most = fmax(most, fabs(here.min[k] - there.min[k]));
            most = fmax(most, fabs(here.max[k] - there.max[k]));
        }
    }
    m5_arena_release(&f->arena, mark);
    return 2 * most >= apart(&m->bounds[i], &m->bounds[other]);
}

/* At most this many frames are posed for it. */
enum { MOST_POSED = 16 };

void m5_check_md5anim_box_jumps(m5_lint_file *f)
{
    const m5_md5anim *m = f->model.md5anim;
    uint32_t posed = 0, frames = m->num_frames >= 2 ? m->num_frames : 0; /* poses two of them */
    for (uint32_t i = 0; m->bounds_in_place && i < m->num_bounds && i < frames; i++) {
        if (m5_check_is_odd_frame(f, i) || !is_far(m, i) || posed++ >= MOST_POSED ||
            do_joints_move(f, i))
            continue;
        m5_check_leave_out_box(f, i);
        say_jump(f, i);
    }
}
