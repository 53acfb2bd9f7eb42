/* What every check works with, and the list of them. */
#ifndef M5_CHECK_H
#define M5_CHECK_H

#include "lint.h"

/* Whether a rule could say anything under the levels in force, whatever it measured. */
bool check_wanted(const m5_lint_file *f, const m5_rule *rule);

/* A finding at the n-th token of the record at `offset`, or at all of a record's tokens from
 * the first to the n-th. */
m5_diag check_at(const m5_lint_file *f, const m5_rule *rule, uint32_t offset, uint32_t n);
m5_diag check_at_record(const m5_lint_file *f, const m5_rule *rule, uint32_t offset, uint32_t n);

/* A name, for %.*s. */
#define CHECK_NAME(file, name) (int)(name).length, (const char *)(file)->source.bytes + (name).offset

/* Scratch, given back by the caller; NULL when memory is short: the check is left out. */
void *check_scratch(m5_lint_file *f, size_t count, size_t size);

/* Sorts `index` by `less`, in place and without recursion: n log n whatever the input. */
void check_sort(uint32_t *index, uint32_t count,
                bool (*less)(const void *context, uint32_t a, uint32_t b), const void *context);

/* Orders names by their bytes, case folded first, so that names that only differ in case are
 * neighbours and equal ones next to each other. */
int check_compare_names(const m5_source *a_in, m5_name a, const m5_source *b_in, m5_name b);
bool check_same_but_case(const m5_source *a_in, m5_name a, const m5_source *b_in, m5_name b);

/* An animation against the mesh it is for; findings go to the animation. */
void check_cross(const m5_lint_file *mesh, m5_lint_file *anim);

/* How well they fit: the number of joint names in both, or UINT64_MAX if all is the same. */
uint64_t check_fit(const m5_lint_file *mesh, m5_lint_file *anim);

/* One for each concern. Each may be called for any model of its format, flawed or not. */
void check_md5_joints(m5_lint_file *f, const m5_md5_joint *joints, uint32_t count, bool in_place,
                      m5_span at);
void check_md5mesh_joints(m5_lint_file *f);
void check_md5mesh_shaders(m5_lint_file *f);
void check_md5mesh_verts(m5_lint_file *f);
void check_md5mesh_triangles(m5_lint_file *f);
void check_md5mesh_weights(m5_lint_file *f);
void check_md5anim_joints(m5_lint_file *f);
bool check_md5anim_components(m5_lint_file *f); /* whether it is known which are whose */
void check_md5anim_frames(m5_lint_file *f, bool components_known);
void check_md5anim_bounds(m5_lint_file *f);
void check_md5_layout(m5_lint_file *f, bool is_model); /* or some other file by the name of one */

#endif
