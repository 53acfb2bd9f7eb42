/* An MD4's geometry: what its checks share, and these. */
#ifndef M5_CHECK_MD4_BODY_H
#define M5_CHECK_MD4_BODY_H

#include "check.h"
#include "skin.h"

/* Vertices and triangles of all surfaces, one after another. A triangle's indices count the
 * vertices of its surface. */
typedef struct md4_body {
    m5_skin skin;
    m5_vec *pos; /* where the bones put the vertices in frame 0 */
    uint32_t (*tris)[3];
    double size; /* of all that; 0 without frames */
} md4_body;

void check_md4_motion(m5_lint_file *f, const md4_body *body);
void check_md4_shape(m5_lint_file *f, const md4_body *body);
void check_md4_positions(m5_lint_file *f, const md4_body *body);
void check_md4_collapse(m5_lint_file *f, const md4_body *body);
void check_md4_bounds(m5_lint_file *f, md4_body *body); /* leaves vertices out of the skin */

#endif
