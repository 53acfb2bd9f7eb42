/* Finds out what it changes if joints are moved, and whether bounding boxes were made for that: see
 * bind.h. */
#include "bind.h"
#include "cross.h"
#include "placed.h"
#include "lint/common/parts.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/play/algebra.h"
#include "parsers/play/pose.h"

#include <string.h>

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
    const m5_moved_joint *moved;
    uint32_t count;
    m5_placed mesh;
} fitting;

/* The mesh's own box in a frame, with so many joints moved. */
static bool find_box(fitting *s, uint32_t frame, uint32_t count, m5_box *out)
{
    *out = m5_box_empty();
    if (!m5_placed_find(&s->mesh, frame, s->moved, count))
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

/* What the boxes of the frames seen say. */
typedef struct verdict {
    bool inside_now, fill_now, fill_then; /* the mesh fills all, as it is and with joints moved */
    bool worse_then, outside_then, better, outside; /* in some frame */
    bool follow;                                    /* not all boxes are the same */
} verdict;

/* Looks at a frame. False if its box says nothing. */
static bool look_at(fitting *s, uint32_t frame, m5_box *first, verdict *v)
{
    m5_box box, as_is, moved;
    if (!has_box(s->p, frame, &box) || !find_box(s, frame, 0, &as_is) ||
        !find_box(s, frame, s->count, &moved))
        return false;
    double size = m5_box_diagonal(&box), now = gaps_of(&box, &as_is), then = gaps_of(&box, &moved);
    *first = frame == 0 ? box : *first;
    v->inside_now &= outside_of(&box, &as_is) < WORSE * size;
    v->outside_then |= outside_of(&box, &moved) >= OTHERWISE * size;
    v->fill_now &= now <= FILLED * size;
    v->fill_then &= then <= FILLED * size && then <= now + WORSE * size;
    v->worse_then |= then - now >= OTHERWISE * size;
    v->better |= now >= 2 * then && now - then >= OTHERWISE * size;
    v->outside |= now >= 2 * then && outside_of(&box, &as_is) >= OTHERWISE * size;
    v->follow |= gaps_of(&box, first) >= OTHER * size;
    return true;
}

static m5_fit fit_with(fitting *s)
{
    m5_box first = m5_box_empty();
    verdict v = {.inside_now = true, .fill_now = true, .fill_then = true};
    uint32_t last = s->p->anim->num_frames - 1;
    for (uint32_t i = 0; i < LOOKS; i++)
        if (!look_at(s, (uint32_t)((uint64_t)last * i / (LOOKS - 1)), &first, &v))
            return M5_FIT_ANY;
    if (v.inside_now && v.outside_then)
        return M5_FIT_AS_IS;
    if (!v.follow || !(v.fill_then || v.fill_now))
        return M5_FIT_ANY;
    if (!v.fill_then)
        return v.worse_then ? M5_FIT_AS_IS : M5_FIT_ANY;
    return v.outside ? M5_FIT_ONLY : v.better ? M5_FIT_BETTER : M5_FIT_ANY;
}

/* Whether the mesh can be placed. */
static bool begin(fitting *s, m5_arena *room)
{
    return m5_check_can_pose(s->p->anim) && !s->p->mesh_file->far &&
           m5_check_can_skin(s->p->mesh) && m5_placed_begin(&s->mesh, s->p->mesh, s->p->anim, room);
}

m5_fit m5_bind_boxes_fit_with(const m5_bind_pair *p, const m5_moved_joint *moved, uint32_t count,
                              m5_arena *room)
{
    size_t mark = room->used;
    fitting s = {.p = p, .moved = moved, .count = count};
    bool boxed = p->anim->bounds_in_place && p->anim->num_bounds == p->anim->num_frames &&
                 p->anim->num_frames != 0;
    m5_fit fit = boxed && begin(&s, room) ? fit_with(&s) : M5_FIT_ANY;
    m5_arena_release(room, mark);
    return fit;
}

bool m5_bind_moves_vertices(const m5_bind_pair *p, const m5_moved_joint *moved, uint32_t count,
                            m5_arena *room)
{
    size_t mark = room->used;
    fitting s = {.p = p, .moved = moved, .count = count};
    bool done = begin(&s, room), moves = false;
    uint32_t verts = done ? s.mesh.skin.num_verts : 0;
    m5_vec *before = m5_arena_take(room, verts, sizeof *before);
    double least = OTHERWISE * m5_bind_size(p);
    done = done && before != NULL && m5_placed_find(&s.mesh, 0, NULL, 0);
    if (done)
        memcpy(before, s.mesh.verts, verts * sizeof *before);
    done = done && m5_placed_find(&s.mesh, 0, moved, count);
    for (uint32_t i = 0; done && i < verts; i++)
        moves |= s.mesh.skin.verts[i].count != 0 &&
                 m5_vec_distance(before[i], s.mesh.verts[i]) >= least;
    m5_arena_release(room, mark);
    return moves;
}
