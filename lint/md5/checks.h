/* The checks of md5mesh, md5anim and md5camera, a file for each concern. Each may be called for any
 * model, flawed or not. */
#ifndef M5_LINT_MD5_CHECKS_H
#define M5_LINT_MD5_CHECKS_H

#include "lint/lint.h"

void m5_check_md5_joints(m5_lint_file *f, const m5_md5_joint *joints, uint32_t count, bool in_place,
                         m5_span at);

/* Finds out whether comments name the parents of joints as a rule (f->comments_name_parents). */
void m5_check_read_comments(m5_lint_file *f, const m5_md5_joint *joints, uint32_t count,
                            bool in_place);

/* The parent that a joint's comment names if it has another one; M5_NO_INDEX if not, or if comments
 * do not name the parents. */
uint32_t m5_check_commented_parent(const m5_lint_file *f, const m5_md5_joint *joints,
                                   uint32_t count, uint32_t joint);

/* Reports the first joint whose comment names another parent, and which no other finding is about:
 * the second root, or a joint with another parent than in `base`, which may be NULL. Returns that
 * joint, or M5_NO_INDEX. */
uint32_t m5_check_md5_parent_comments(m5_lint_file *f, const m5_md5_joint *joints, uint32_t count,
                                      const m5_md5_joint *base);

/* `is_model`: the file is a model and not just named like one. `long_lines`: it may have lines that
 * are too long; `glued`: comments or strings right after a word. */
void m5_check_md5_layout(m5_lint_file *f, bool is_model, bool long_lines, bool glued);

void m5_check_md5mesh_joints(m5_lint_file *f);
void m5_check_md5mesh_shaders(m5_lint_file *f);
void m5_check_md5mesh_verts(m5_lint_file *f);
void m5_check_md5mesh_triangles(m5_lint_file *f);

/* Whether two triangles are the same, beginning with any corner; and an order in which those are
 * neighbours, the first of the file first (`tris` are m5_md5mesh_tri, a and b indices). */
bool m5_check_same_triangle(const m5_md5mesh_tri *a, const m5_md5mesh_tri *b);
bool m5_check_triangle_less(const void *tris, uint32_t a, uint32_t b);

void m5_check_md5mesh_weights(m5_lint_file *f);
void m5_check_md5mesh_weight_use(m5_lint_file *f);
bool m5_check_is_miscounted(const m5_lint_file *f, const m5_md5mesh_mesh *mesh, uint32_t vert);

/* Reports joints with the same name, or nearly, and comments that name another parent. In a group
 * this is left to the pair, which may have reported one of them; `base` is the mesh or NULL. */
void m5_check_md5anim_names(m5_lint_file *f, const m5_md5mesh *base);

/* Reports several roots. In a group this is left to the pair: the mesh may have them too. */
void m5_check_md5anim_roots(m5_lint_file *f);

/* Reports two joints that have each other's components. In a group this waits for the pair: if the
 * mesh has other names for them, that is reported; `mesh` or NULL. Returns whether it was a warning
 * or more. */
bool m5_check_md5anim_exchanged(m5_lint_file *f, const m5_lint_file *mesh);
bool m5_check_md5anim_components(m5_lint_file *f); /* whether each belongs to one known joint */
void m5_check_md5anim_frames(m5_lint_file *f, bool components_known);
void m5_check_md5anim_bounds(m5_lint_file *f);
void m5_check_md5anim_box_jumps(m5_lint_file *f); /* after m5_check_md5anim_motion */

void m5_check_md5camera_frames(m5_lint_file *f);
void m5_check_md5camera_jumps(m5_lint_file *f); /* all cuts and frames must be there */
/* Positions outside of any map, of this severity or more, in frames of which nothing else was
 * reported: what is only a note comes after jumps. */
void m5_check_md5camera_far(m5_lint_file *f, m5_severity least);

#endif
