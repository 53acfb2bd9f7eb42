/* The skin of an MD4, and the box of its mesh in a frame. */
#ifndef M5_LINT_MD4_MESH_BOX_H
#define M5_LINT_MD4_MESH_BOX_H

#include "lint/lint.h"
#include "parsers/play/algebra.h"
#include "parsers/play/skin.h"

/* Makes a skin of the vertices that boxes should hold. False if the arena is full. */
bool m5_check_md4_skin(const m5_md4 *m, m5_arena *arena, m5_skin *out);

/* The skin of all surfaces, and room to place it. */
typedef struct m5_mesh_boxer {
    const m5_md4 *m;
    m5_arena *arena;
    m5_skin skin;
    m5_matrix *bones;
    m5_vec *places;
} m5_mesh_boxer;

/* Whether the mesh can be placed in all frames, as where m5_check_md4_geometry compares it with
 * boxes. */
bool m5_mesh_box_is_known(const m5_lint_file *f);

/* False without memory. */
bool m5_mesh_boxer_begin(m5_mesh_boxer *b, const m5_md4 *m, m5_arena *arena);

/* False if nothing can be seen of the mesh, or without memory. */
bool m5_mesh_box(const m5_mesh_boxer *b, uint32_t frame, m5_box *out);

#endif
