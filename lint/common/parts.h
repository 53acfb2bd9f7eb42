/* What hangs on each joint, as far as it is seen. */
#ifndef M5_LINT_COMMON_PARTS_H
#define M5_LINT_COMMON_PARTS_H

#include "lint/lint.h"
#include "parsers/play/skin.h"
#include "parsers/play/vector.h"

/* What hangs on each joint: adds the boxes of the weights of one mesh in the file, as far as these
 * are seen. The skin, of that mesh alone, is spoilt. False without memory. */
bool m5_check_add_parts(m5_lint_file *f, uint32_t mesh, m5_skin *skin, m5_box *parts);

/* Leaves out of a skin, of `count` meshes, what cannot be judged: a vertex in no triangle is never
 * seen; of one with odd biases nothing can be said. Works in `scratch`; false without memory. */
bool m5_check_leave_out_unused(const m5_md5mesh_mesh *meshes, uint32_t count, m5_skin *skin,
                               m5_arena *scratch);

#endif
