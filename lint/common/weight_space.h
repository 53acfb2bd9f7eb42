/* Finds in which space, or unit, the weights of torn meshes are. */
#ifndef M5_LINT_COMMON_WEIGHT_SPACE_H
#define M5_LINT_COMMON_WEIGHT_SPACE_H

#include "misplaced.h"
#include "lint/lint.h"
#include "parsers/play/vector.h"

/* Weights with less influence say little about where a vertex is. */
#define M5_LEAST_BIAS 0.05

/* Of a vertex's weights: a hostile file lets all vertices share all. */
enum { M5_WEIGHTS_LOOKED_AT = 32 };

/* What explains why the weights of torn meshes do not agree: their positions are in model space, or
 * `scale` times too large for the joints; else false and 0. */
typedef struct m5_weights_read {
    bool in_model;
    double scale;
    bool others_whole; /* other meshes show that it is not the joints that were scaled */
} m5_weights_read;

/* `bind` are the joints' matrices; `torn` is 1 for each torn mesh, else 0. Linear in vertices. */
m5_weights_read m5_check_read_weights(m5_lint_file *f, const m5_matrix *bind,
                                      const m5_misplaced *by, const uint8_t *torn);

/* Whether a mesh has a shape: not all its weights are at their joints, and none is on a misplaced
 * joint. Other rules report these. */
bool m5_check_has_shape(const m5_md5mesh_mesh *mesh, const m5_misplaced *by);

#endif
