/* Where an md5mesh's vertices are in a frame of its animation. */
#ifndef M5_LINT_CROSS_PLACED_H
#define M5_LINT_CROSS_PLACED_H

#include "lint/lint.h"
#include "parsers/play/skin.h"

/* A mesh, an animation of its joints, and room for one frame. */
typedef struct m5_placed {
    const m5_md5anim *anim;
    m5_arena *arena;
    m5_skin skin; /* vertices that no triangle uses have no weights in it */
    m5_transform *joints;
    m5_matrix *bones;
    m5_vec *verts; /* of all meshes, one after another */
} m5_placed;

/* A joint that is elsewhere than a frame says, seen from its parent: at another position, and if it
 * is `turned`, with another rotation, too. */
typedef struct m5_moved_joint {
    uint32_t joint;
    m5_transform to;
    bool turned;
} m5_moved_joint;

/* Takes the memory, which belongs to the arena. The mesh must be skinnable (m5_check_can_skin), the
 * animation have its poses (m5_check_can_pose). Returns false if there is too little memory. */
bool m5_placed_begin(m5_placed *p, const m5_md5mesh *mesh, const m5_md5anim *anim, m5_arena *arena);

/* Computes `verts` in a frame, with `count` joints moved. Returns false if there is too little
 * memory. */
bool m5_placed_find(m5_placed *p, uint32_t frame, const m5_moved_joint *moved, uint32_t count);

/* Adds the vertices that have weights to a box. */
void m5_placed_add_to(const m5_placed *p, m5_box *box);

#endif
