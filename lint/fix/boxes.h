/* Private: the boxes around the meshes that an animation moves. */
#ifndef M5_LINT_FIX_BOXES_H
#define M5_LINT_FIX_BOXES_H

#include "fix.h"
#include "lint/cross/placed.h"

enum { M5_BOXED_MESHES = 16 };

/* The meshes of an animation. */
typedef struct m5_boxer {
    m5_placed meshes[M5_BOXED_MESHES];
    uint32_t count;
} m5_boxer;

/* Whether a box holds the mesh's, but for rounding. */
bool m5_box_holds(const m5_box *box, const m5_box *mesh);

/* Whether it is known which meshes the animation moves, and where they are in each frame. */
bool m5_can_box(const m5_fix_input *in);

/* Begins; works in the arena. False without memory. */
bool m5_boxer_begin(m5_boxer *b, const m5_fix_input *in, m5_arena *arena);

/* The box of all meshes in a frame. False without memory, or if nothing can be seen of them. */
bool m5_boxer_find(m5_boxer *b, uint32_t frame, m5_box *out);

#endif
