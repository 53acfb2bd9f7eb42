/* Whether a skinned mesh stays in the boxes that its frames are culled by. */
#ifndef M5_LINT_GEOMETRY_FRAME_BOXES_H
#define M5_LINT_GEOMETRY_FRAME_BOXES_H

#include "parsers/core/arena.h"
#include "parsers/play/algebra.h"
#include "parsers/play/skin.h"

/* Frames with boxes, in whatever format. */
typedef struct m5_boxed_frames {
    const void *context;
    uint32_t count;
    bool (*box)(const void *context, uint32_t frame, m5_box *out); /* false: it has none to judge */
    void (*pose)(const void *context, uint32_t frame, m5_matrix *bones);
    bool plain; /* nothing is settled by boxes around weights, with the same result */
} m5_boxed_frames;

/* What is outside of a frame's box. */
typedef struct m5_stray {
    uint32_t frame;
    uint32_t vert; /* the farthest */
    int axis;      /* 0 to 2 */
    bool above;    /* beyond the box's maximum, or else its minimum */
    double at, by; /* where on that axis, and how far outside */
    double share;  /* ... of the box's diagonal */
    bool disjoint; /* nothing of the mesh is inside */
} m5_stray;
#include "parsers/play/skin.h"
#include "parsers/play/vector.h"

typedef struct m5_frame_boxes {
    uint32_t boxed, seen;       /* frames with a box, and those of them that were looked at */
    uint32_t outside, disjoint; /* frames where something is out by more than the limit */
    m5_stray worst;             /* if any is */
    m5_box fit;                 /* that frame's mesh */
    uint32_t largest;           /* the frame with the largest box */
    m5_box boxes, reach; /* of all frames seen: their boxes, and what no vertex can be beyond */
} m5_frame_boxes;

/* Looks at all frames, or, if that would place more than `*budget` bones and weights, at frames
 * spread evenly until that is spent. A box that is next to nothing beside the mesh is none, and
 * vertices without weights are none. Something is out if it is by more than `limit` of the box's
 * diagonal. The biases of each vertex must be 0 to 1 and sum to 1. False when the arena has no
 * room to work in. */
bool m5_frame_boxes_find(const m5_skin *skin, const m5_boxed_frames *frames, double limit,
                         uint64_t *budget, m5_arena *arena, m5_frame_boxes *out);

/* The boxes of each bone's weights, in its own space, as m5_skin_boxes gives them: what there
 * mostly is to know. Whether they alone tell that nothing is out in any frame. False, too, if that
 * would place more than `budget` bones, or the arena has no room to work in. */
bool m5_frame_boxes_hold(const m5_box *parts, uint32_t num_bones, const m5_boxed_frames *frames,
                         double limit, uint64_t budget, m5_arena *arena);

/* Of two meshes in the same boxes. */
bool m5_frame_boxes_are_worse(const m5_frame_boxes *a, const m5_frame_boxes *b);

/* Whether biases are such that a vertex stays between the places that its weights have for it: by
 * their sum and the least of them. If not, that is told elsewhere. */
static inline bool m5_biases_hold(double sum, double least)
{
    return least >= 0 && fabs(sum - 1) <= 1e-3;
}

/* Unmarks vertices whose biases do not hold. */
void m5_frame_boxes_choose(const m5_skin *skin, uint8_t *used);

/* Leaves out vertices that are not marked: they keep their numbers, but have no weights, and
 * weights that only they had get bias 0. False when the arena has no room to work in. */
bool m5_skin_leave_out(m5_skin *skin, const uint8_t *used, m5_arena *arena);

#endif
