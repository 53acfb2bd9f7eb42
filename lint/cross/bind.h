/* What the checks of an animation against its mesh's bind pose share. */
#ifndef M5_LINT_CROSS_BIND_H
#define M5_LINT_CROSS_BIND_H

#include "placed.h"
#include "lint/geometry/compare.h"
#include "lint/lint.h"

/* A mesh and an animation of the same joints, and the frames that are compared: the first, one in
 * the middle and the last, or instead of one that is marked the next one. */
typedef struct m5_bind_pair {
    const m5_lint_file *mesh_file;
    m5_lint_file *f; /* with the animation */
    const m5_md5mesh *mesh;
    const m5_md5anim *anim;
    uint32_t frames[M5_SAMPLES];
} m5_bind_pair;

m5_bind_pair m5_bind_pair_of(const m5_lint_file *mesh, m5_lint_file *anim);

/* ---- Bones, each from a joint's parent to the joint ------------------------------------------ */

double m5_bone_length(const m5_md5mesh *mesh, uint32_t joint);

/* ---- Whole poses ----------------------------------------------------------------------------- */

/* Ways to read the two files: as they are; in one space; or with the orientations of one of them
 * inverted, which means with x, y and z negated. */
typedef enum m5_reading {
    M5_READ_AS_IS,
    M5_READ_ONE_SPACE,
    M5_READ_ANIM_INVERTED,
    M5_READ_MESH_INVERTED,
    M5_READINGS
} m5_reading;

/* Where a pose shows something. */
typedef struct m5_pose_place {
    uint32_t joint, frame; /* no joint, M5_NO_INDEX: nowhere */
} m5_pose_place;

/* Whether in one of the frames all joints but roots are in the bind pose if the mesh is read in
 * this way, and scaled; but as it is, most of them and at least two have another position. Returns
 * that frame and the first of these joints. */
m5_pose_place m5_bind_same_pose(const m5_bind_pair *pair, m5_reading reading, double scale);

/* Whether in one of the frames all joints, roots too, have the bind pose's orientations inverted:
 * one root or more and at least three others, which do not all turn about one axis. */
m5_pose_place m5_bind_inverted_pose(const m5_bind_pair *pair);

/* How a joint is turned in the bind pose, in the space of its parent if it has one. */
m5_quat m5_bind_turn(const m5_md5mesh *mesh, uint32_t joint, m5_reading reading);

/* A finding where a joint's position (or orientation: `turn`) in a frame comes from, the frame or
 * the baseframe, with the mesh's joint as a related place. */
m5_diag m5_bind_at(const m5_bind_pair *pair, const m5_rule *rule, m5_pose_place at, bool turn);

/* ---- What a joint moves ---------------------------------------------------------------------- */

/* The diagonal of the box around all joints in the bind pose. */
double m5_bind_size(const m5_bind_pair *pair);

/* Whether no frame animates a joint's position, which the baseframe has, from its parent. */
bool m5_bind_is_placed_by_base(const m5_bind_pair *pair, uint32_t joint);

/* Whether a triangle connects what hangs on a joint, or below it, with the rest: then skin is
 * stretched if the joint is elsewhere, and no part slides. */
bool m5_bind_is_attached(const m5_bind_pair *pair, uint32_t joint, m5_arena *scratch);

/* Whether a vertex is elsewhere with joints moved, in the first frame. */
bool m5_bind_moves_vertices(const m5_bind_pair *pair, const m5_moved_joint *moved, uint32_t count,
                            m5_arena *scratch);

/* What bounding boxes say of joints moved: nothing; they were made for the joints as they are; the
 * mesh would fill those of several frames better; or the mesh is outside without the moves. Boxes
 * that are only too large may be meant; those that are the same in all frames say nothing. */
typedef enum m5_fit { M5_FIT_ANY, M5_FIT_AS_IS, M5_FIT_BETTER, M5_FIT_ONLY } m5_fit;
m5_fit m5_bind_boxes_fit_with(const m5_bind_pair *pair, const m5_moved_joint *moved, uint32_t count,
                              m5_arena *scratch);

/* ---- Checks that are part of m5_check_cross_bind --------------------------------------------- */

/* Reports the only bone of an animation that has another length than in the mesh. Returns whether
 * there is one; `moved` is set if that was a warning or more, so that vertices are elsewhere. */
bool m5_check_cross_one_bone(const m5_bind_pair *pair, m5_arena *scratch, bool *moved);

/* Reports the only number of a baseframe that is damaged, compared with the bind pose. Returns
 * whether there is one: all boxes are right then. */
bool m5_check_cross_one_number(const m5_bind_pair *pair, m5_arena *scratch);

/* Reports the only two joints that have each other's position in the baseframe. Returns whether
 * there are any: all boxes are right then. */
bool m5_check_cross_exchanged(const m5_bind_pair *pair, m5_arena *scratch);

/* Reports orientations that are inverted in one of the files. Returns whether the animation's are.
 */
bool m5_check_cross_inverted(const m5_bind_pair *pair);

#endif
