/* Checks the bones of an MD4 and its frames: bounding boxes, radii, matrices. */

#include "checks.h"
#include "lint/common/checks.h"
#include "lint/core/check.h"
#include "lint/core/names.h"
#include "lint/geometry/compare.h"
#include "parsers/core/allocate.h"
#include "parsers/core/cursor.h"
#include "parsers/core/emit.h"

#include <math.h>
#include <string.h>

/* How far a rotation's rows may be from length 1 and from perpendicular, and how far the centre of
 * a box and its radius may be off, as a share of the box's size. */
static const double TOLERANCE = 1e-3;

static m5_diag found(const m5_rule *rule, uint32_t offset, uint32_t length, m5_path path)
{
    m5_diag d = m5_found(rule, (m5_span){offset, length});
    d.path = path;
    return d;
}

/* ---- Bones ----------------------------------------------------------------------------------- */

static void check_names(m5_lint_file *f)
{
    const m5_md4 *m = f->model.md4;
    const uint32_t *sorted = f->names;
    for (uint32_t i = 0; sorted != NULL && i < m->num_bones; i++) {
        m5_md4_bone bone = m5_md4_bone_at(m, sorted[i]);
        m5_path path = m5_path2("bone", sorted[i], "name", M5_NO_INDEX);
        if (bone.name.length == 0) {
            m5_diag d = found(M5_LINT_ROW(md4_bone_name_empty), bone.offset, 32, path);
            m5_emit(&f->report, &d, 0, "bone %u has no name", sorted[i]);
            continue;
        }
        m5_md4_bone before = m5_md4_bone_at(m, sorted[i > 0 ? i - 1 : 0]);
        if (i == 0 || m5_check_compare_names(&f->source, before.name, &f->source, bone.name) != 0)
            continue;
        m5_diag d = found(M5_LINT_ROW(md4_bone_name_duplicate), bone.offset, 32, path);
        m5_relate(&d, &f->source, (m5_span){before.offset, 32}, "the other bone with this name");
        m5_emit(&f->report, &d, 0, "bone %u is named '%.*s', the same as bone %u", sorted[i],
                M5_CHECK_NAME(f, bone.name), sorted[i - 1]);
    }
}

static void check_bones(m5_lint_file *f)
{
    const m5_md4 *m = f->model.md4;
    for (uint32_t i = 0; i < m->num_bones; i++) {
        m5_md4_bone bone = m5_md4_bone_at(m, i);
        if (m->bones_whole && bone.parent > (int64_t)i) {
            m5_diag d = found(M5_LINT_ROW(md4_bone_parent_order), bone.offset + 32, 4,
                              m5_path2("bone", i, "parent", M5_NO_INDEX));
            m5_emit(&f->report, &d, 0,
                    "bone %u comes before its parent, bone %d; expected parents first", i,
                    bone.parent);
        }
        if ((bone.flags & ~15) != 0) {
            m5_diag d = found(M5_LINT_ROW(md4_bone_flags), bone.offset + 36, 4,
                              m5_path2("bone", i, "flags", M5_NO_INDEX));
            m5_emit(&f->report, &d, 0, "flags are %d, expected 0 to 15", bone.flags);
        }
    }
}

/* ---- Frames ---------------------------------------------------------------------------------- */

/* A flaw that a frame may have, how many frames have it, and which is the first. */
typedef struct frame_flaw {
    bool (*is)(const m5_md4_frame *frame);
    void (*say)(m5_lint_file *f, uint32_t i, const m5_md4_frame *frame, const char *more);
    uint32_t count, first;
} frame_flaw;

/* The axis on which the minimum is above the maximum; -1 if there is none. */
static int inverted_axis(const m5_md4_frame *frame)
{
    for (int k = 0; k < 3; k++)
        if (frame->min[k] > frame->max[k])
            return k;
    return -1;
}

static bool is_inverted(const m5_md4_frame *frame)
{
    return inverted_axis(frame) >= 0;
}

static void say_inverted(m5_lint_file *f, uint32_t i, const m5_md4_frame *frame, const char *more)
{
    int k = inverted_axis(frame);
    m5_diag d = found(M5_LINT_ROW(md4_frame_bounds), frame->offset, 24,
                      m5_path2("frame", i, "bounds", M5_NO_INDEX));
    m5_emit(&f->report, &d, 0, "the minimum of %c is %.7g, above the maximum %.7g%s", "xyz"[k],
            (double)frame -> min[k], (double)frame -> max[k], more);
}

static double middle_of(const m5_md4_frame *frame, int axis)
{
    return ((double)frame->min[axis] + (double)frame->max[axis]) / 2;
}

/* The axis on which localOrigin is farthest from the centre of the box; -1 if it is the centre. */
static int off_axis(const m5_md4_frame *frame)
{
    double extent = 1e-6, off = 0;
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        double by = fabs((double)frame->origin[k] - middle_of(frame, k));
        extent = fmax(extent, (double)frame->max[k] - (double)frame->min[k]);
        axis = by > off ? k : axis;
        off = fmax(off, by);
    }
    return off <= TOLERANCE * extent + 1e-6 * fabs(middle_of(frame, axis)) ? -1 : axis;
}

/* Whether a corner of the box is as far from localOrigin as the radius says. */
static bool is_at_radius(const m5_md4_frame *frame, const float corner[3])
{
    double square = 0, radius = frame->radius;
    for (int k = 0; k < 3; k++) {
        double reach = (double)corner[k] - (double)frame->origin[k];
        square += reach * reach;
    }
    return fabs(sqrt(square) - radius) <= TOLERANCE * radius;
}

/* Unknown, too, if localOrigin is 0 0 0, because it may be not filled in and the radius be the
 * distance from there, or if the box with localOrigin as its centre would be inside out. */
int m5_check_md4_wrong_corner(const m5_md4_frame *frame)
{
    const float *o = frame->origin;
    int axis = off_axis(frame);
    if (axis < 0 || !(frame->radius > 0) || (o[0] == 0 && o[1] == 0 && o[2] == 0))
        return -1;
    bool min = is_at_radius(frame, frame->min), max = is_at_radius(frame, frame->max);
    bool box = min ? o[axis] > frame->min[axis] : o[axis] < frame->max[axis];
    return min == max || !box ? -1 : min;
}

static bool is_corner_off(const m5_md4_frame *frame)
{
    return !is_inverted(frame) && m5_check_md4_wrong_corner(frame) >= 0;
}

static void say_corner(m5_lint_file *f, uint32_t i, const m5_md4_frame *frame, const char *more)
{
    int wrong = m5_check_md4_wrong_corner(frame), axis = off_axis(frame);
    uint32_t at = (uint32_t)(f->model.md4->per_axis_bounds ? 2 * axis + wrong : 3 * wrong + axis);
    const float *corner = wrong ? frame->max : frame->min, *other = wrong ? frame->min : frame->max;
    m5_diag d = found(M5_LINT_ROW(md4_frame_local_origin), frame->offset + 4 * at, 4,
                      m5_path2("frame", i, "bounds", at));
    m5_relate(&d, &f->source, (m5_span){frame->offset + 24, 12}, "localOrigin");
    m5_emit(&f->report, &d, 0, "the %s of %c is %.7g, expected %.7g from localOrigin and radius%s",
            wrong ? "maximum" : "minimum", "xyz"[axis], (double)corner[axis],
            2 * (double)frame -> origin[axis] - (double)other[axis], more);
}

static bool is_origin_off(const m5_md4_frame *frame)
{
    return !is_inverted(frame) && off_axis(frame) >= 0 && m5_check_md4_wrong_corner(frame) < 0;
}

static void say_origin(m5_lint_file *f, uint32_t i, const m5_md4_frame *frame, const char *more)
{
    int axis = off_axis(frame);
    m5_diag d = found(M5_LINT_ROW(md4_frame_local_origin), frame->offset + 24, 12,
                      m5_path2("frame", i, "localOrigin", M5_NO_INDEX));
    m5_emit(&f->report, &d, 0, "localOrigin.%c is %.7g, expected %.7g, the centre of the bounds%s",
            "xyz"[axis], (double)frame -> origin[axis], middle_of(frame, axis), more);
}

static double radius_of(const m5_md4_frame *frame)
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double reach = (double)frame->max[k] - (double)frame->origin[k];
        square += reach * reach;
    }
    return sqrt(square);
}

static bool is_radius_off(const m5_md4_frame *frame)
{
    double radius = frame->radius, should = radius_of(frame);
    return radius < 0 || (fabs(radius - should) > TOLERANCE * fmax(radius, should) + 1e-6 &&
                          !is_inverted(frame) && off_axis(frame) < 0);
}

static void say_radius(m5_lint_file *f, uint32_t i, const m5_md4_frame *frame, const char *more)
{
    double radius = frame->radius, should = radius_of(frame);
    m5_diag d = found(M5_LINT_ROW(md4_frame_radius), frame->offset + 36, 4,
                      m5_path2("frame", i, "radius", M5_NO_INDEX));
    if (radius < 0)
        m5_emit(&f->report, &d, M5_GRAVE, "radius is %.7g, expected %.7g%s", radius, should, more);
    else
        m5_emit(&f->report, &d, M5_MILD,
                "radius is %.7g, expected %.7g, the distance from localOrigin to a "
                "corner of the bounds%s",
                radius, should, more);
}

static bool is_point(const m5_md4_frame *frame)
{
    return frame->min[0] == frame->max[0] && frame->min[1] == frame->max[1] &&
           frame->min[2] == frame->max[2];
}

static void say_points(m5_lint_file *f, const frame_flaw *points)
{
    uint32_t all = f->model.md4->num_frames;
    m5_md4_frame frame = m5_md4_frame_at(f->model.md4, points->first);
    m5_diag d = found(M5_LINT_ROW(md4_frame_bounds_zero), frame.offset, 24,
                      m5_path2("frame", points->first, "bounds", M5_NO_INDEX));
    if (points->count != 0)
        m5_emit(&f->report, &d, points->count <= all / 4 ? M5_GRAVE : M5_MILD,
                "%u of %u bounding boxes have zero size", points->count, all);
}

/* Whether all bytes of a frame are 0, its bones included. */
static bool is_unwritten(const m5_lint_file *f, uint32_t i)
{
    const m5_md4 *m = f->model.md4;
    const uint8_t *byte = f->source.bytes + m5_md4_frame_at(m, i).offset;
    size_t size = M5_MD4_FRAME + (size_t)m->num_bones * M5_MD4_MATRIX, k = 0;
    while (k < size && byte[k] == 0)
        k++;
    return k == size && m->num_bones != 0;
}

static bool is_finite(const m5_lint_file *f, const m5_md4_frame *frame)
{
    return m5_cursor_odd_float(&f->source, frame->offset, 10) == 10;
}

bool m5_check_md4_is_sphere_off(const m5_md4_frame *frame)
{
    return is_origin_off(frame) || is_radius_off(frame);
}

/* Whether the numbers of a frame's box and sphere can be compared with each other. */
static bool is_comparable(const m5_lint_file *f, uint32_t i, const m5_md4_frame *frame)
{
    return is_finite(f, frame) && !is_unwritten(f, i) && !m5_check_is_odd_box(f, i);
}

/* Reports each frame, or only the first if most frames have the flaw: then one cause is likely. */
static void say_flaw(m5_lint_file *f, const frame_flaw *x)
{
    enum { FEW = 3 };
    uint32_t all = f->model.md4->num_frames, left = x->count;
    bool most = left > FEW && 2 * (uint64_t)left > all;
    char more[48] = "";
    if (most)
        m5_check_print(more, sizeof more, " (%u of %u frames)", left, all);
    left = most ? 1 : left;
    for (uint32_t i = x->first; left != 0; i++) {
        m5_md4_frame frame = m5_md4_frame_at(f->model.md4, i);
        if (!is_comparable(f, i, &frame) || !x->is(&frame))
            continue;
        x->say(f, i, &frame, more);
        left--;
    }
}

static void say_layout(m5_lint_file *f)
{
    m5_md4_frame frame = m5_md4_frame_at(f->model.md4, 0);
    m5_diag d = found(M5_LINT_ROW(md4_frame_bounds_layout), frame.offset, 24,
                      m5_path2("frame", 0, "bounds", M5_NO_INDEX));
    if (is_finite(f, &frame))
        m5_emit(&f->report, &d, 0,
                "bounds are stored as min x, max x, min y and so on, as in the format text; "
                "engines read min x, y, z, then max x, y, z");
}

static void find_flaws(const m5_lint_file *f, frame_flaw *flaws, int count)
{
    for (uint32_t i = 0; i < f->model.md4->num_frames; i++) {
        m5_md4_frame frame = m5_md4_frame_at(f->model.md4, i);
        if (!is_comparable(f, i, &frame))
            continue;
        for (int k = 0; k < count; k++)
            if (flaws[k].is(&frame) && flaws[k].count++ == 0)
                flaws[k].first = i;
    }
}

static void check_frames(m5_lint_file *f)
{
    enum { POINT = 2, FLAWS };
    frame_flaw flaws[FLAWS] = {{is_inverted, say_inverted, 0, 0},
                               {is_corner_off, say_corner, 0, 0},
                               {is_point, NULL, 0, 0}};
    if (f->model.md4->per_axis_bounds)
        say_layout(f);
    find_flaws(f, flaws, FLAWS);
    for (int k = 0; k < POINT; k++)
        say_flaw(f, &flaws[k]);
    if (f->model.md4->num_surfs != 0) /* else there is nothing for a box to contain */
        say_points(f, &flaws[POINT]);
}

void m5_check_md4_spheres(m5_lint_file *f)
{
    enum { FLAWS = 2 };
    frame_flaw flaws[FLAWS] = {{is_origin_off, say_origin, 0, 0},
                               {is_radius_off, say_radius, 0, 0}};
    find_flaws(f, flaws, FLAWS);
    for (int k = 0; k < FLAWS; k++)
        say_flaw(f, &flaws[k]);
}

/* ---- Matrices -------------------------------------------------------------------------------- */

/* Why a bone's matrix is not a rotation; NULL if it is one, or if the parser reports it. */
static const char *flaw_of(const m5_lint_file *f, uint32_t frame, uint32_t bone)
{
    float m[3][4];
    uint32_t offset = m5_md4_matrix_at(f->model.md4, frame, bone, m);
    if (!f->model.md4->frames_whole && m5_cursor_odd_float(&f->source, offset, 12) != 12)
        return NULL;
    return m5_rotation_flaw(m[0], TOLERANCE);
}

static void say_matrix(m5_lint_file *f, uint32_t frame, uint32_t bone, const char *more)
{
    float m[3][4];
    uint32_t offset = m5_md4_matrix_at(f->model.md4, frame, bone, m);
    m5_path path = m5_path2("frame", frame, "bone", bone);
    path.step[2].name = "matrix";
    path.step[2].index = M5_NO_INDEX;
    m5_diag d = found(M5_LINT_ROW(md4_bone_matrix), offset, M5_MD4_MATRIX, path);
    m5_emit(&f->report, &d, 0, "the matrix is not a rotation: %s%s", flaw_of(f, frame, bone), more);
}

enum { NEW = 1, REPORTED };

/* Reports the NEW bones of a frame, or only the first if they are most of the bones. */
static void say_new(m5_lint_file *f, uint32_t frame, uint8_t *state, uint32_t count)
{
    enum { FEW = 3 };
    uint32_t all = f->model.md4->num_bones;
    bool most = count > FEW && 2 * (uint64_t)count > all, due = true;
    char more[48] = "";
    if (most)
        m5_check_print(more, sizeof more, " (%u of %u bones)", count, all);
    for (uint32_t i = 0; i < all; i++) {
        if (state[i] != NEW)
            continue;
        if (due)
            say_matrix(f, frame, i, more);
        due = !most;
        state[i] = REPORTED;
    }
}

/* Reports the first of the frames that were never written, which have no box either. */
static void say_unwritten(m5_lint_file *f, uint32_t first, uint32_t count)
{
    char more[112];
    m5_check_print(more, sizeof more,
                   ", and so are all others of the frame: it was probably never written "
                   "(%u of %u frames)",
                   count, f->model.md4->num_frames);
    if (count != 0)
        say_matrix(f, first, 0, more);
}

/* Reports the first bad matrix of each bone: mostly, all frames of a bone have the same flaw. */
static bool check_matrices(m5_lint_file *f)
{
    const m5_md4 *m = f->model.md4;
    size_t mark = f->arena.used;
    uint32_t unwritten = 0, first = 0;
    uint8_t *state = m5_check_scratch(f, m->num_bones, 1);
    if (state != NULL)
        memset(state, 0, m->num_bones);
    for (uint32_t i = 0; state != NULL && i < m->num_frames; i++) {
        uint32_t count = 0;
        if (is_unwritten(f, i)) {
            m5_check_mark_frame(f, i, M5_LINT_ROW(md4_bone_matrix), 0);
            first = unwritten++ == 0 ? i : first;
            continue;
        }
        for (uint32_t k = 0; k < m->num_bones; k++) {
            if (flaw_of(f, i, k) == NULL)
                continue;
            m5_check_mark_frame(f, i, M5_LINT_ROW(md4_bone_matrix), 0);
            count += state[k] == 0;
            state[k] = state[k] == 0 ? NEW : REPORTED;
        }
        if (count != 0)
            say_new(f, i, state, count);
    }
    say_unwritten(f, first, unwritten);
    bool none = state != NULL && unwritten == 0 && memchr(state, REPORTED, m->num_bones) == NULL;
    m5_arena_release(&f->arena, mark);
    return none;
}

void m5_check_md4_bones(m5_lint_file *f)
{
    check_names(f);
    check_bones(f);
}

bool m5_check_md4_frames(m5_lint_file *f)
{
    check_frames(f);
    return check_matrices(f);
}
