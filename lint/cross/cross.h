/* Checks between files that belong together, and how well files fit each other. */
#ifndef M5_LINT_CROSS_CROSS_H
#define M5_LINT_CROSS_CROSS_H

#include "lint/common/same_rig.h"
#include "lint/lint.h"
#include "parsers/play/algebra.h"

/* Compares the joints of an animation with those of its mesh; findings go to the animation. Returns
 * whether the joints are the same and have known places: only then may the two checks below be
 * called. */
bool m5_check_cross(const m5_lint_file *mesh, m5_lint_file *anim);
/* Reports that a mesh and an animation are from different games or archives and have other joints.
 * Returns whether it did: one finding is enough then. */
bool m5_check_split(const m5_lint_file *mesh, m5_lint_file *anim);
/* Compares the animation with the mesh's bind pose. Returns whether the mesh can be posed by the
 * animation: both have the same scale, no bone has another length, and the animation is not
 * inverted, as far as no warning says otherwise. Works in `scratch`. */
bool m5_check_cross_bind(const m5_lint_file *mesh, m5_lint_file *anim, m5_arena *scratch);

/* Compares the animation's boxes with its mesh, and with those others that fit it as well and have
 * the same bind pose. Works in `scratch`, or in each mesh's own arena if that is NULL. */
void m5_check_cross_bounds(const m5_same_rig *others, m5_lint_file *mesh, m5_lint_file *anim,
                           m5_arena *scratch);

/* A vertex that is outside the bounding box of a frame. */
typedef struct m5_box_stray {
    const m5_lint_file *mesh;
    m5_lint_file *anim;
    uint32_t frame, in, vert; /* vertex `vert` of the file's mesh number `in` */
    double by, size;          /* how far outside it is; the size of all meshes in this frame */
    m5_box box;
    double limit;   /* so far outside is not counted as outside */
    m5_arena *room; /* to work in */
} m5_box_stray;

/* Whether the mesh is only outside since a joint jumps in this frame and is back in the next one:
 * writes that, and relates the finding to the joint's value. */
bool m5_check_is_by_jump(const m5_box_stray *stray, m5_diag *d, char *why, size_t size);

/* Writes why the vertex is outside, if one joint is the cause, and relates the finding to that
 * joint; else "". */
void m5_check_box_cause(const m5_box_stray *stray, m5_diag *d, char *why, size_t size);

/* Whether both have the same joints: names and parents, in order. */
bool m5_check_fits(const m5_lint_file *mesh, m5_lint_file *anim);

/* For two files that have the same joints: how many bones in frame 0 are as long as in the bind
 * pose, and whether two bind poses are the same. */
uint32_t m5_check_bones_alike(const m5_md5mesh *mesh, const m5_md5anim *anim);
bool m5_check_same_bind(const m5_md5mesh *a, const m5_md5mesh *b);

/* Compares declarations with each other, and with the meshes and animations that they name, and
 * finds out which model plays each animation. Works in the arena that has most room. */
void m5_check_cross_defs(m5_lint_file *const *files, size_t count, m5_declared *declared);

#endif
