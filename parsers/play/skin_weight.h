/* Private: a single weight of a skin. */
#ifndef M5_SKIN_WEIGHT_H
#define M5_SKIN_WEIGHT_H

#include "algebra.h"
#include "skin.h"

M5_BEGIN_C

/* Where a weight would have its vertex. */
static inline m5_vec m5_skin_weight_position(const m5_skin_weight *weight, const m5_matrix *bones)
{
    return m5_matrix_apply(&bones[weight->bone], m5_vec_of(weight->pos));
}

/* Adds a weight to the box of its bone; one with a bias of 0 places nothing. */
static inline void m5_skin_weight_add(const m5_skin_weight *weight, m5_box *boxes)
{
    if (weight->bias != 0)
        m5_box_add(&boxes[weight->bone], m5_vec_of(weight->pos));
}

M5_END_C

#endif
