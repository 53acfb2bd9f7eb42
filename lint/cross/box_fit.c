/* Finds out whether bounding boxes were made for another position of a joint: see bind.h. */
#include "bind.h"
#include "cross.h"
#include "placed.h"
#include "lint/common/parts.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/play/algebra.h"
#include "parsers/play/pose.h"

enum { LOOKS = 8 }; /* evenly spread frames */
/* Shares of a box's diagonal, of the gaps on all six sides together: the mesh fills its box, or
 * fits no worse than without the change. */
static const double FILLED = 0.03, WORSE = 0.005;
/* The mesh is outside by as much, or has as much larger gaps. */
static const double OTHERWISE = 0.01;
/* Boxes that follow the animation differ by as much. Others may be those of the bind pose. */
static const double OTHER = 0.01;

typedef struct fitting {
    const m5_bind_pair *p;
    const m5_bind_move *moves;
    uint32_t count;
    m5_placed mesh;
} fitting;

/* The mesh's own box in a frame, with some of the moves. */
static bool find_box(fitting *s, uint32_t frame, uint32_t count, m5_box *out)
{
    m5_moved_joint moved[M5_BIND_MOVES];
    for (uint32_t i = 0; i < count; i++) {
        const m5_bind_move *move = &s->moves[i];
        moved[i] = (m5_moved_joint){move->joint, move->to};
        if (!move->turned)
            moved[i].to.rotation = m5_md5anim_local(s->p->anim, frame, move->joint).rotation;
    }
    *out = m5_box_empty();
    if (!m5_placed_find(&s->mesh, frame, moved, count))
        return false;
    m5_placed_add_to(&s->mesh, out);
    return true;
}

/* The sum of the gaps between two boxes on all sides. */
static double gaps_of(const m5_box *a, const m5_box *b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += fabs(a->min[k] - b->min[k]) + fabs(a->max[k] - b->max[k]);
    return sum;
}

static double outside_of(const m5_box *box, const m5_box *mesh)
{
    double most = 0;
    for (int k = 0; k < 3; k++)
        most = fmax(most, fmax(box->min[k] - mesh->min[k], mesh->max[k] - box->max[k]));
    return most;
}

static bool has_box(const m5_bind_pair *p, uint32_t frame, m5_box *out)
{
    const m5_md5anim_bounds *b = &p->anim->bounds[frame];
    *out = m5_box_of(b->min, b->max);
    return !m5_check_is_odd_frame(p->f, frame) && m5_check_is_read(p->anim, frame) &&
           !m5_check_is_odd_box(p->f, frame) && out->min[0] <= out->max[0] &&
           out->min[1] <= out->max[1] && out->min[2] <= out->max[2];
}

static m5_fit fit_with(fitting *s)
{
    m5_box first = m5_box_empty();
    m5_fit fit = M5_FIT_ANY;
    bool follows = false;
    for (uint32_t i = 0; i < LOOKS; i++) {
        m5_box box, as_is, moved;
        uint32_t last = s->p->anim->num_frames - 1;
        uint32_t frame = (uint32_t)((uint64_t)last * i / (LOOKS - 1));
        if (!has_box(s->p, frame, &box) || !find_box(s, frame, 0, &as_is) ||
            !find_box(s, frame, s->count, &moved))
            return M5_FIT_ANY;
        double size = m5_box_diagonal(&box), now = gaps_of(&box, &as_is),
               then = gaps_of(&box, &moved);
        if (!(then <= FILLED * size) || then > now + WORSE * size)
            return M5_FIT_ANY;
        first = i == 0 ? box : first;
        if (now >= 2 * then && now - then >= OTHERWISE * size && fit == M5_FIT_ANY)
            fit = M5_FIT_BETTER;
        if (now >= 2 * then && outside_of(&box, &as_is) >= OTHERWISE * size)
            fit = M5_FIT_ONLY;
        follows |= gaps_of(&box, &first) >= OTHER * size;
    }
    return follows ? fit : M5_FIT_ANY;
}

m5_fit m5_bind_boxes_fit_with(const m5_bind_pair *p, const m5_bind_move *moves, uint32_t count,
                              m5_arena *room)
{
    size_t mark = room->used;
    fitting s = {.p = p, .moves = moves, .count = count};
    bool boxed = p->anim->bounds_in_place && p->anim->num_bounds == p->anim->num_frames &&
                 p->anim->num_frames != 0;
    bool can = boxed && m5_check_can_pose(p->anim) && !p->mesh_file->far &&
               m5_check_can_skin(p->mesh) && m5_placed_begin(&s.mesh, p->mesh, p->anim, room);
    m5_fit fit = can ? fit_with(&s) : M5_FIT_ANY;
    m5_arena_release(room, mark);
    return fit;
}
