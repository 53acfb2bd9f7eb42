/* Checks of files that go together, and how well they fit. */
#ifndef M5_LINT_CROSS_CROSS_H
#define M5_LINT_CROSS_CROSS_H

#include "lint/lint.h"

/* An animation against the mesh it is for; findings go to the animation. Returns whether the
 * joints are the same, and all is there that tells where they are: then what follows may be
 * asked. */
bool m5_check_cross(const m5_lint_file *mesh, m5_lint_file *anim);
/* Returns whether both have the same scale, for all that is told as a warning. Works in `scratch`.
 */
bool m5_check_cross_bind(const m5_lint_file *mesh, m5_lint_file *anim, m5_arena *scratch);

/* ... and against all other meshes of its group that fit it as well and have the same bind pose:
 * the same character's. Works in `scratch`, or in
 * each mesh's own arena if that is NULL. */
void m5_check_cross_bounds(m5_lint_file *const *files, size_t count, m5_lint_file *mesh,
                           m5_lint_file *anim, m5_arena *scratch);

/* Whether bones, of which all are so many times as long, are of another scale: many of them, or if
 * one of two units is so many of the other, as with inches, metres, those of an engine, or twice.
 */
bool m5_check_is_other_scale(double scale, uint32_t bones);

/* How well they fit: the number of joint names in both, or UINT64_MAX if all is the same. */
uint64_t m5_check_fit(const m5_lint_file *mesh, m5_lint_file *anim);

/* Of two that have the same joints: how many bones in frame 0 are as long as in the bind pose, and
 * whether two bind poses are one. */
uint32_t m5_check_bones_alike(const m5_md5mesh *mesh, const m5_md5anim *anim);
bool m5_check_same_bind(const m5_md5mesh *a, const m5_md5mesh *b);

/* An illmesh or illanim against an illskel; and how well they fit: bones that the mesh needs, names
 * in both. */
void m5_check_cross_illmesh(const m5_lint_file *skel, m5_lint_file *mesh);
void m5_check_cross_illanim(const m5_lint_file *skel, m5_lint_file *anim);
void m5_check_cross_ill_size(const m5_lint_file *skel, m5_lint_file *mesh);
void m5_check_cross_ill_bind(const m5_lint_file *skel, m5_lint_file *anim);
uint32_t m5_check_bones_needed(const m5_lint_file *mesh);
uint32_t m5_check_shared_names(const m5_lint_file *a, const m5_lint_file *b);

/* How many bones of the same name are as far from their parents in the first keys as in the bind
 * pose; 0 where that is not known. */
uint32_t m5_check_ill_bones_alike(const m5_lint_file *skel, m5_lint_file *anim);

/* Bones of a skeleton that no vertex hangs on: each mesh marks those it uses, a byte for each. */
void m5_check_mark_bones(const m5_lint_file *mesh, uint8_t *used, uint32_t bones);
void m5_check_unbound(m5_lint_file *skel, const uint8_t *used);

#endif
