/* Fixes bounding boxes of an md5anim: those that do not hold the skinned mesh are computed anew. */
#include "boxes.h"
#include "numbers.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/play/algebra.h"

#include <math.h>

enum { LEAST_DECIMALS = 6 };

static void put_box(m5_fixing *x, uint32_t number, const m5_box *box)
{
    unsigned decimals = LEAST_DECIMALS;
    m5_span at[6];
    m5_fix_corners(x, number, at);
    for (unsigned k = 0; k < 6; k++) {
        unsigned own = m5_fix_decimals(&x->f->source, at[k]);
        decimals = own > decimals ? own : decimals;
    }
    for (unsigned k = 0; k < 3; k++)
        m5_fix_number(x, at[k], box->min[k], decimals, M5_ROUND_DOWN);
    for (unsigned k = 0; k < 3; k++)
        m5_fix_number(x, at[k + 3], box->max[k], decimals, M5_ROUND_UP);
}

/* Which boxes a finding is about. */
typedef bool is_wrong(const m5_fixing *x, uint32_t number, const m5_box *box, const m5_box *mesh);

/* Other meshes may be in the boxes, too, unless declarations name all: then they must not shrink.
 */
static bool may_shrink(const m5_fixing *x)
{
    return x->f->declared.source != NULL && !x->f->declared.shared;
}

static void fix_box(m5_fixing *x, uint32_t i, const m5_box *mesh, is_wrong *wrong)
{
    const m5_md5anim_bounds *b = &x->f->model.md5anim->bounds[i];
    m5_box box = m5_box_of(b->min, b->max), new = *mesh;
    if (!wrong(x, i, &box, mesh))
        return;
    bool sound = box.min[0] <= box.max[0] && box.min[1] <= box.max[1] && box.min[2] <= box.max[2] &&
                 !m5_check_is_point(b) && !m5_check_is_one_corner(b);
    if (!may_shrink(x) && sound)
        m5_box_join(&new, &box);
    put_box(x, i, &new);
}

static bool fix_boxes(m5_fixing *x, is_wrong *wrong)
{
    m5_boxer b;
    size_t mark = x->arena->used;
    if (!m5_can_box(x->in))
        return false;
    x->has_edits = x->in->probe;
    if (x->has_edits)
        return true;
    bool room = m5_boxer_begin(&b, x->in, x->arena);
    const m5_md5anim *anim = x->f->model.md5anim;
    for (uint32_t i = 0; room && i < anim->num_frames; i++) {
        m5_box mesh;
        if (!m5_check_is_odd_frame(x->f, i) && m5_check_is_read(anim, i) &&
            m5_boxer_find(&b, i, &mesh))
            fix_box(x, i, &mesh, wrong);
    }
    m5_arena_release(x->arena, mark);
    return room;
}

/* ---- Findings -------------------------------------------------------------------------------- */

static bool is_outside(const m5_fixing *x, uint32_t number, const m5_box *box, const m5_box *mesh)
{
    (void)x;
    (void)number;
    return !m5_box_holds(box, mesh);
}

/* Other advice than the rule's is that the box may be right. */
bool m5_fix_bounds_mesh(m5_fixing *x)
{
    return x->diag->fix == x->diag->rule->fix && fix_boxes(x, is_outside);
}

static bool is_other(const m5_fixing *x, uint32_t number, const m5_box *box, const m5_box *mesh)
{
    (void)x;
    (void)number;
    return !m5_box_holds(box, mesh) || !m5_box_holds(mesh, box);
}

bool m5_fix_bounds_loose(m5_fixing *x)
{
    return may_shrink(x) && fix_boxes(x, is_other);
}

static bool is_zero(const m5_fixing *x, uint32_t number, const m5_box *box, const m5_box *mesh)
{
    return m5_check_is_point(&x->f->model.md5anim->bounds[number]) &&
           is_other(x, number, box, mesh);
}

bool m5_fix_bounds_zero(m5_fixing *x)
{
    return fix_boxes(x, is_zero);
}

static bool is_corner(const m5_fixing *x, uint32_t number, const m5_box *box, const m5_box *mesh)
{
    return m5_check_is_one_corner(&x->f->model.md5anim->bounds[number]) &&
           is_other(x, number, box, mesh);
}

bool m5_fix_bounds_corner(m5_fixing *x)
{
    return fix_boxes(x, is_corner);
}

static bool is_it(const m5_fixing *x, uint32_t number, const m5_box *box, const m5_box *mesh)
{
    return number == x->diag->path.step[0].index && is_other(x, number, box, mesh);
}

bool m5_fix_bounds_jump(m5_fixing *x)
{
    return may_shrink(x) && fix_boxes(x, is_it);
}
