/* Fixes the bounding boxes of an MD4's frames, with the spheres around them: boxes that do not hold
 * the skinned mesh are computed anew, rounded outward. */
#include "boxes.h"
#include "numbers.h"
#include "lint/core/check.h"
#include "lint/md4/checks.h"
#include "lint/md4/mesh_box.h"
#include "parsers/core/allocate.h"
#include "parsers/play/algebra.h"

#include <math.h>
#include <string.h>

/* ---- Boxes ----------------------------------------------------------------------------------- */

static m5_md4_frame boxed(const m5_box *box)
{
    m5_md4_frame f = {0};
    double square = 0;
    for (unsigned k = 0; k < 3; k++) {
        f.min[k] = m5_fix_float(box->min[k], M5_ROUND_DOWN);
        f.max[k] = m5_fix_float(box->max[k], M5_ROUND_UP);
        f.origin[k] = (float)(((double)f.min[k] + (double)f.max[k]) / 2);
        double reach = fmax((double)f.max[k] - (double)f.origin[k],
                            (double)f.origin[k] - (double)f.min[k]);
        square += reach * reach;
    }
    f.radius = m5_fix_float(sqrt(square), M5_ROUND_UP);
    return f;
}

/* Writes the box and the sphere of a frame. */
static void put_frame(m5_fixing *x, uint32_t offset, const m5_md4_frame *f)
{
    bool per_axis = x->f->model.md4->per_axis_bounds;
    float numbers[10];
    char bytes[M5_MD4_FRAME];
    for (unsigned k = 0; k < 3; k++) {
        numbers[per_axis ? 2 * k : k] = f->min[k];
        numbers[per_axis ? 2 * k + 1 : k + 3] = f->max[k];
        numbers[6 + k] = f->origin[k];
    }
    numbers[9] = f->radius;
    for (unsigned i = 0; i < 10; i++) {
        uint32_t word;
        memcpy(&word, &numbers[i], sizeof word);
        for (unsigned k = 0; k < 4; k++)
            bytes[4 * i + k] = (char)(word >> 8 * k & 0xff);
    }
    if (memcmp(bytes, x->f->source.bytes + offset, sizeof bytes) != 0)
        m5_fix_replace(x, (m5_span){offset, sizeof bytes}, bytes, sizeof bytes);
}

static bool is_inverted(const m5_md4_frame *f)
{
    return !(f->min[0] <= f->max[0] && f->min[1] <= f->max[1] && f->min[2] <= f->max[2]);
}

static bool is_point(const m5_md4_frame *f)
{
    return memcmp(f->min, f->max, sizeof f->min) == 0;
}

static bool holds(const m5_md4_frame *f, const m5_box *mesh)
{
    m5_box box = m5_box_of(f->min, f->max);
    return m5_box_holds(&box, mesh);
}

/* Changes a frame of x if the rule is about it; `mesh`: the box of the mesh. */
typedef void fix_frame(m5_fixing *x, const m5_md4_frame *f, const m5_box *mesh);

static bool fix_frames(m5_fixing *x, uint32_t first, fix_frame *fix)
{
    const m5_md4 *m = x->f->model.md4;
    m5_mesh_boxer b;
    size_t mark = x->arena->used;
    if (!m5_mesh_box_is_known(x->f))
        return false;
    bool room = m5_mesh_boxer_begin(&b, m, x->arena);
    for (uint32_t i = first; room && i < m->num_frames; i++) {
        m5_md4_frame frame = m5_md4_frame_at(m, i);
        m5_box mesh;
        if (!m5_check_is_odd_frame(x->f, i) && m5_mesh_box(&b, i, &mesh))
            fix(x, &frame, &mesh);
    }
    m5_arena_release(x->arena, mark);
    return room;
}

/* ---- Findings -------------------------------------------------------------------------------- */

/* A box with a corner that is known to be wrong is compared with nothing. */
static bool is_compared(const m5_md4_frame *f)
{
    return !is_inverted(f) && !is_point(f) && m5_check_md4_wrong_corner(f) < 0;
}

/* The box only grows, unless localOrigin and radius show that it is wrong. */
static void fix_outside(m5_fixing *x, const m5_md4_frame *f, const m5_box *mesh)
{
    m5_box all = m5_box_of(f->min, f->max);
    if (!is_compared(f) || holds(f, mesh))
        return;
    m5_box_join(&all, mesh);
    bool wrong = m5_check_md4_is_sphere_off(f) && m5_check_md4_is_sphere_right(x->f, f, mesh);
    m5_md4_frame new = boxed(wrong ? mesh : &all);
    put_frame(x, f->offset, &new);
}

bool m5_fix_md4_bounds_mesh(m5_fixing *x)
{
    return fix_frames(x, 0, fix_outside);
}

/* The file holds all surfaces that are in the box. */
static void fix_loose(m5_fixing *x, const m5_md4_frame *f, const m5_box *mesh)
{
    m5_md4_frame new = boxed(mesh);
    if (is_compared(f))
        put_frame(x, f->offset, &new);
}

bool m5_fix_md4_bounds_loose(m5_fixing *x)
{
    return fix_frames(x, 0, fix_loose);
}

static void fix_point(m5_fixing *x, const m5_md4_frame *f, const m5_box *mesh)
{
    m5_md4_frame new = boxed(mesh);
    if (is_point(f))
        put_frame(x, f->offset, &new);
}

bool m5_fix_md4_bounds_zero(m5_fixing *x)
{
    return fix_frames(x, x->diag->path.step[0].index, fix_point);
}

/* Exchanges the corners along each axis where the minimum is above, or computes the box anew if it
 * would not hold the mesh then. */
static void fix_inverted(m5_fixing *x, const m5_md4_frame *f, const m5_box *mesh)
{
    m5_md4_frame new = *f, computed = boxed(mesh);
    if (!is_inverted(f))
        return;
    for (unsigned k = 0; k < 3; k++) {
        new.min[k] = f->min[k] < f->max[k] ? f->min[k] : f->max[k];
        new.max[k] = f->min[k] < f->max[k] ? f->max[k] : f->min[k];
    }
    bool turned = holds(&new, mesh);
    x->unsafe |= !turned;
    put_frame(x, f->offset, turned ? &new : &computed);
}

bool m5_fix_md4_bounds(m5_fixing *x)
{
    return fix_frames(x, x->diag->path.step[0].index, fix_inverted);
}
