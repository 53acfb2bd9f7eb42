/* An animation beside the bind pose of the rig that it moves, in any format: bones that have
 * another length, axes of the root. */
#ifndef M5_LINT_GEOMETRY_POSED_H
#define M5_LINT_GEOMETRY_POSED_H

#include "compare.h"
#include "parsers/play/vector.h"

/* Both are relative to the joint's parent. Of a joint that is not animated, `at` is NaN. */
typedef struct m5_posed {
    const void *context;
    uint32_t num_joints;
    const uint32_t *order;       /* each joint after its parent; NULL: by number */
    uint32_t frames[M5_SAMPLES]; /* that are looked at, the first one first */
    int32_t (*parent)(const void *context, uint32_t joint); /* below 0: a root */
    m5_transform (*bind)(const void *context, uint32_t joint);
    m5_transform (*at)(const void *context, uint32_t frame, uint32_t joint);
} m5_posed;

/* Marks the parents of marked joints, and theirs. */
void m5_posed_mark_parents(const m5_posed *p, uint8_t *marks);

/* Marks a joint and all below it, and no other. */
void m5_posed_mark_below(const m5_posed *p, uint32_t joint, uint8_t *marks);

/* How many times as long as in the bind pose a bone is in all of the frames; NaN if its length
 * changes from one to another. */
double m5_posed_ratio(const m5_posed *p, uint32_t joint);

/* Whether one bone alone has another length. Both are logarithms of ratios, without their signs:
 * the largest and the next one. */
bool m5_posed_is_odd(double most, double second);

/* Whether any bone that is longer than `least` is much longer or shorter than in the bind pose. */
bool m5_posed_has_odd_bone(const m5_posed *p, double least);

/* Returns the only bone that is much longer or shorter than in the bind pose, of those that are
 * marked and longer than `least` there; M5_NO_INDEX if there is none, or others are, too, or they
 * are too few. `ratio`: how many times as long it is. */
uint32_t m5_posed_find_odd_bone(const m5_posed *p, const uint8_t *marks, double least,
                                double *ratio);

/* Whether the joint is in the same direction from its parent as in the bind pose. */
bool m5_posed_is_parallel(const m5_posed *p, uint32_t joint);

/* How many quarter turns about one axis, 1 or 2, take the only root from the axes of the bind pose
 * to those of the animation, if all other joints are in the bind pose: then it is not a pose. 0 if
 * none do. */
int m5_posed_find_quarters(const m5_posed *p, uint32_t *root, int *axis);

#endif
