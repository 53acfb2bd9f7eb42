/* Whether a skinned mesh stays in the boxes that its frames are culled by. */
#ifndef M5_LINT_GEOMETRY_FRAME_BOXES_H
#define M5_LINT_GEOMETRY_FRAME_BOXES_H

#include "parsers/core/arena.h"
#include "parsers/play/algebra.h"
#include "parsers/play/skin.h"

/* Frames with boxes, in any format. */
typedef struct m5_boxed_frames {
    const void *context;
    uint32_t count;
    bool (*box)(const void *context, uint32_t frame, m5_box *out); /* false: it has none to judge */
    void (*pose)(const void *context, uint32_t frame, m5_matrix *bones);
    bool plain;       /* without the shortcuts by boxes around weights, with the same result */
    uint8_t *outside; /* set to 1 for each frame with something outside; or NULL */
} m5_boxed_frames;

/* A vertex outside of a frame's box. */
typedef struct m5_stray {
    uint32_t frame;
    uint32_t vert; /* the farthest */
    int axis;      /* 0 to 2 */
    bool above;    /* above the box's maximum; otherwise below its minimum */
    double at, by; /* where on that axis, and how far outside */
    double share;  /* `by` as a share of the box's diagonal */
    bool disjoint; /* nothing of the mesh is inside */
} m5_stray;
#include "parsers/play/skin.h"
#include "parsers/play/vector.h"

typedef struct m5_frame_boxes {
    uint32_t boxed, seen;       /* frames with a box, and how many of them were looked at */
    uint32_t outside, disjoint; /* frames with something outside by more than the limit */
    m5_stray worst;             /* if any is */
    m5_box fit;                 /* that frame's mesh */
    uint32_t largest;           /* the frame with the largest box */
    m5_box boxes, reach;        /* around the boxes of all frames seen; around all their vertices */
} m5_frame_boxes;

/* Looks at all frames. If that would place more than `*budget` bones and weights, it looks at
 * evenly spread frames until the budget is spent. Boxes that are tiny compared with the mesh,
 * and vertices without weights, are ignored. A vertex counts as outside if it is outside by more
 * than `limit` times the box's diagonal. The biases of each vertex must be 0 to 1 and sum to 1.
 * False if the arena has no room to work in. */
bool m5_frame_boxes_find(const m5_skin *skin, const m5_boxed_frames *frames, double limit,
                         uint64_t *budget, m5_arena *arena, m5_frame_boxes *out);

/* Whether the boxes of the bones' weights (`parts`, each in its bone's space, from
 * m5_skin_boxes) are enough to show that nothing is outside in any frame by more than the limit,
 * and that some bone's are all inside, so that the mesh is not beside its box; this is the usual
 * case. Also false if that would place more than `budget` bones, or if the arena has no room to
 * work in. */
bool m5_frame_boxes_hold(const m5_box *parts, uint32_t num_bones, const m5_boxed_frames *frames,
                         double limit, uint64_t budget, m5_arena *arena);

/* Compares two meshes in the same boxes. */
bool m5_frame_boxes_are_worse(const m5_frame_boxes *a, const m5_frame_boxes *b);

/* Whether a vertex with biases of this sum and this smallest value is between the positions of
 * its weights. If not, other rules report it. */
static inline bool m5_biases_hold(double sum, double least)
{
    return least >= 0 && fabs(sum - 1) <= 1e-3;
}

/* The same for a vertex; false if it has no weights, or over 32. */
bool m5_skin_biases_hold(const m5_skin *skin, uint32_t vert);

/* Unmarks vertices whose biases do not hold. */
void m5_frame_boxes_choose(const m5_skin *skin, uint8_t *used);

/* Leaves out vertices that are not marked: they keep their numbers but have no weights, and
 * weights that only they use get bias 0. False if the arena has no room to work in. */
bool m5_skin_leave_out(m5_skin *skin, const uint8_t *used, m5_arena *arena);

#endif
