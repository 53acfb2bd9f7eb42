/* Checks that several formats share: how a model moves and what its triangles look like. They are
 * geometry, of models whose poses can be told. */
#ifndef M5_LINT_COMMON_CHECKS_H
#define M5_LINT_COMMON_CHECKS_H

#include "lint/lint.h"
#include "parsers/play/vector.h"

void m5_check_md5anim_motion(m5_lint_file *f);
void m5_check_illanim_motion(m5_lint_file *f);
/* Of all bones, whose matrices are rotations: `size` is that of the model in frame 0, or 0. */
void m5_check_md4_motion(m5_lint_file *f, double size);

/* An MD4's geometry goes surface by surface. */
typedef struct m5_md4_body {
    uint32_t index;
    const m5_md4_surface *surface;
    const m5_vec *pos; /* where the bones put its vertices in frame 0 */
    const uint32_t (*tris)[3];
} m5_md4_body;

/* Triangles, and what is checked with them: outliers, normals. */
void m5_check_md5mesh_topology(m5_lint_file *f);
void m5_check_illmesh_topology(m5_lint_file *f);
void m5_check_md4_topology(m5_lint_file *f, const m5_md4_body *body);

void m5_check_illmesh_normals(m5_lint_file *f, const m5_vec *pos);

/* Vertices that are far from all others. */
void m5_check_md5mesh_outliers(m5_lint_file *f, uint32_t mesh, const m5_vec *pos);
void m5_check_illmesh_outliers(m5_lint_file *f, const m5_vec *pos);
void m5_check_md4_outliers(m5_lint_file *f, const m5_md4_body *body);

#endif
