/* Finds meshes whose weights do not agree on where their vertices are. */
#ifndef M5_LINT_COMMON_TORN_H
#define M5_LINT_COMMON_TORN_H

#include "misplaced.h"
#include "lint/lint.h"
#include "parsers/play/vector.h"

/* Reports an md5mesh that is torn in the bind pose, whose matrices are `bind`, and sets a byte for
 * each mesh: 1 if it is torn or has a weight on the misplaced joint, else 0. Returns whether it was
 * reported. */
bool m5_check_md5mesh_torn(m5_lint_file *f, const m5_matrix *bind, const m5_misplaced *by,
                           uint8_t *torn);

#endif
