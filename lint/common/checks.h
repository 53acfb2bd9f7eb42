/* Checks that several formats share: how a model moves, and its triangles and vertices. They need a
 * model whose poses can be computed. */
#ifndef M5_LINT_COMMON_CHECKS_H
#define M5_LINT_COMMON_CHECKS_H

#include "lint/geometry/outliers.h"
#include "lint/lint.h"
#include "parsers/play/vector.h"

void m5_check_md5anim_motion(m5_lint_file *f);
void m5_check_illanim_motion(m5_lint_file *f);
/* The matrices of all bones must be rotations. `size`: of the model in frame 0, or 0. */
void m5_check_md4_motion(m5_lint_file *f, double size);

/* An MD4's geometry is checked surface by surface. */
typedef struct m5_md4_body {
    uint32_t index;
    const m5_md4_surface *surface;
    const m5_vec *pos; /* where the bones place its vertices in frame 0 */
    const uint32_t (*tris)[3];
} m5_md4_body;

/* Check triangles, and with them vertices far away and normals. */
void m5_check_md5mesh_topology(m5_lint_file *f);
void m5_check_illmesh_topology(m5_lint_file *f);
void m5_check_md4_topology(m5_lint_file *f, const m5_md4_body *body);

/* Leaves out triangles at the vertices `far`. */
void m5_check_illmesh_normals(m5_lint_file *f, const m5_vec *pos, const m5_outliers *far);

/* Report vertices that are far away from all others. That of illmesh returns those that it
 * reported. */
void m5_check_md5mesh_outliers(m5_lint_file *f, uint32_t mesh, const m5_vec *pos);
m5_outliers m5_check_illmesh_outliers(m5_lint_file *f, const m5_vec *pos);
void m5_check_md4_outliers(m5_lint_file *f, const m5_md4_body *body);

#endif
