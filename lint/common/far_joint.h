/* Finds the one joint of an md5mesh that is far away from the model with all its vertices. */
#ifndef M5_LINT_COMMON_FAR_JOINT_H
#define M5_LINT_COMMON_FAR_JOINT_H

#include "lint/lint.h"
#include "parsers/play/vector.h"

/* Returns the joint if that was reported as a warning or more, else M5_NO_INDEX. `bind` has all
 * joints' matrices. */
uint32_t m5_check_md5mesh_far_joint(m5_lint_file *f, const m5_matrix *bind);

#endif
