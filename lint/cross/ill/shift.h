/* Finds a mesh whose bone indices are all one too high or too low. */
#ifndef M5_LINT_CROSS_ILL_SHIFT_H
#define M5_LINT_CROSS_ILL_SHIFT_H

#include "lint/geometry/misfit.h"
#include "lint/lint.h"

typedef struct m5_shift {
    int by;          /* 1 or -1: how much too high indices are; 0: not at all */
    uint32_t nearer; /* bones whose vertices are nearer to the bone that they should have */
} m5_shift;

/* The bones have `pose` in model space; `count` of them, `bone`, have `parts`. Works in the arena
 * of `mesh`. Linear in bones and vertices. */
m5_shift m5_shift_find(const m5_illskel *skel, m5_lint_file *mesh, const m5_matrix *pose,
                       const m5_moved_part *parts, const uint32_t *bone, uint32_t count);

#endif
