/* Finds the one joint of an md5mesh whose position or orientation is wrong. */
#ifndef M5_LINT_COMMON_MISPLACED_H
#define M5_LINT_COMMON_MISPLACED_H

#include "lint/lint.h"
#include "parsers/play/vector.h"

/* Joints, or M5_NO_INDEX. */
typedef struct m5_misplaced {
    uint32_t joint;       /* it was reported, as a warning or more */
    uint32_t suspects[2]; /* one of these explains all that is wrong, but so do other causes */
} m5_misplaced;

/* `bind` has all joints' matrices. Looks at whole meshes; linear in their weights. */
m5_misplaced m5_check_md5mesh_misplaced(m5_lint_file *f, const m5_matrix *bind);

/* Whether a mesh has a weight on a joint, which may be M5_NO_INDEX. */
bool m5_check_is_moved_by(const m5_md5mesh_mesh *mesh, uint32_t joint);

#endif
