/* Checks of an illmesh or illanim against the illskel it belongs to. */
#ifndef M5_LINT_CROSS_ILL_CHECKS_H
#define M5_LINT_CROSS_ILL_CHECKS_H

#include "lint/common/same_rig.h"
#include "lint/lint.h"

/* Compares an illmesh or illanim with an illskel; and how many bones the mesh needs. `anims` and
 * `meshes` belong to the same skeleton. */
void m5_check_cross_illmesh(const m5_lint_file *skel, m5_lint_file *mesh, const m5_same_rig *anims);
void m5_check_cross_illanim(const m5_lint_file *skel, m5_lint_file *anim,
                            const m5_same_rig *meshes);
/* `in_range`: no bone index is too high for the skeleton. */
void m5_check_cross_ill_parts(const m5_lint_file *skel, m5_lint_file *mesh,
                              const m5_same_rig *anims, bool in_range);
void m5_check_cross_ill_bind(const m5_lint_file *skel, m5_lint_file *anim,
                             const m5_same_rig *meshes);
struct m5_ill_pair;
void m5_check_cross_ill_bones(const struct m5_ill_pair *pair, const m5_same_rig *meshes);
uint32_t m5_check_bones_needed(const m5_illmesh *mesh);

/* Whether m5_check_cross_ill_bind warns that bones are longer, or shorter, in an animation than in
 * its skeleton. Works in the arena of `room`: another thread may check the animation. */
bool m5_check_ill_warns_of_scale(const m5_lint_file *skel, m5_lint_file *anim, bool longer,
                                 m5_lint_file *room);

/* Whether it warns that the skeleton's matrices would be nearer to the keys if they were read in
 * another way. Works in the arena of `room`. */
bool m5_check_ill_warns_of_reading(const m5_lint_file *skel, m5_lint_file *anim,
                                   m5_lint_file *room);

/* How many bones of the same name are as far from their parents in the first keys as in the bind
 * pose; 0 if that is not known. */
uint32_t m5_check_ill_bones_alike(const m5_lint_file *skel, m5_lint_file *anim);

/* Reports bones of a skeleton that are not marked: no vertex is weighted to them. */
void m5_check_unbound(m5_lint_file *skel, const uint8_t *used);

#endif
