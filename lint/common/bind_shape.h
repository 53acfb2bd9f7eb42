/* Checks where the bind pose puts the vertices of a mesh. */
#ifndef M5_LINT_COMMON_BIND_SHAPE_H
#define M5_LINT_COMMON_BIND_SHAPE_H

#include "lint/lint.h"
#include "parsers/play/skin.h"
#include "parsers/play/vector.h"

/* Reports weights that disagree, vertices that are all in one place, and vertices far away. `skin`
 * is of this mesh alone, and `pos` are its vertices. Returns whether the mesh has a shape, which
 * can be checked further. */
bool m5_check_md5mesh_bind(m5_lint_file *f, uint32_t mesh, const m5_skin *skin,
                           const m5_matrix *bind, const m5_vec *pos);

#endif
