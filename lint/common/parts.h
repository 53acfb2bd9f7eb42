/* Finds the boxes of the weights on each joint, for vertices that can be seen. */
#ifndef M5_LINT_COMMON_PARTS_H
#define M5_LINT_COMMON_PARTS_H

#include "lint/lint.h"
#include "parsers/play/skin.h"
#include "parsers/play/vector.h"

/* Adds to each joint's box the weights on it, of one mesh and of vertices that can be seen. The
 * skin, of that mesh alone, cannot be used afterwards. False without memory. */
bool m5_check_add_parts(m5_lint_file *f, uint32_t mesh, m5_skin *skin, m5_box *parts);

/* Makes a skin of all meshes, in which vertices that cannot be judged have no weights: those in no
 * triangle, which are never seen, and those that are marked, have a marked weight, or invalid
 * biases. m5_check_can_place must hold. False without memory. */
bool m5_check_make_skin(const m5_md5mesh *mesh, m5_arena *arena, m5_skin *skin);

/* The joint of a vertex's strongest weight; M5_NO_INDEX if it has none. */
uint32_t m5_check_joint_of(const m5_md5mesh_mesh *mesh, uint32_t vert);

/* Whether all of a mesh's vertices can be placed, and it has any. */
bool m5_check_can_skin(const m5_md5mesh *mesh);

/* The same, but vertices may be missing, and a few of them and of the weights may be marked. If
 * more are, all may be wrong. */
bool m5_check_can_place(const m5_md5mesh *mesh);

#endif
