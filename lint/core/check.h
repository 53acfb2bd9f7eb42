/* What every check works with, and the list of them. */
#ifndef M5_CHECK_H
#define M5_CHECK_H

#include "lint/lint.h"

struct m5_box;
struct m5_skin;
struct m5_vec;

/* Whether a rule could say anything under the levels in force, whatever it measured. */
bool check_wanted(const m5_lint_file *f, const m5_rule *rule);

/* A finding at the n-th token of the record at `offset`, or at all of a record's tokens from
 * the first to the n-th. */
m5_diag check_at(const m5_lint_file *f, const m5_rule *rule, uint32_t offset, uint32_t n);
m5_diag check_at_record(const m5_lint_file *f, const m5_rule *rule, uint32_t offset, uint32_t n);

/* A name, for %.*s. */
#define CHECK_NAME(file, name) (int)(name).length, (const char *)(file)->source.bytes + (name).offset

/* Formats into a buffer, as m5_text_format does: a part of a finding that is not always there. */
void check_print(char *out, size_t size, const char *format, ...) M5_PRINTF(3, 4);

/* Whether numbers are the same; 0 and -0 are. */
bool check_are_equal(const float *a, const float *b, unsigned count);

/* By how much x2+y2+z2 of a unit quaternion may be above 1 where its numbers, as these seem to be, were
 * rounded to three, four or five decimals. */
double check_rounding(const float q[3]);

/* Finds values of frames again, by lexing. Going forward within a frame costs only the way, so
 * that whoever asks in order stays linear. */
typedef struct check_value_finder {
    const m5_lint_file *file;
    m5_report silent;
    m5_lex lx;
    uint32_t frame, next; /* what the lexer stands in front of */
    m5_span at;           /* of value next - 1 */
} check_value_finder;
check_value_finder check_start_finding(const m5_lint_file *f);
m5_span check_find_value(check_value_finder *v, uint32_t frame, uint32_t component);

/* The same for one value alone. */
m5_span check_value_at(const m5_lint_file *f, uint32_t frame, uint32_t component);

/* Notes that a frame of an md5anim or MD4 was told to be wrong, if what tells it is a warning or more: where
 * its joints are need not be asked then. */
void check_mark_frame(m5_lint_file *f, uint32_t frame, const m5_rule *rule, double measure);
bool check_is_odd_frame(const m5_lint_file *f, uint32_t frame);

/* Whether all is there that tells where an animation's joints are. */
bool check_can_pose(const m5_md5anim *anim);

/* Scratch, given back by the caller; NULL when memory is short: the check is left out. */
void *check_scratch(m5_lint_file *f, size_t count, size_t size);

/* Sorts `index` by `less`, in place and without recursion: n log n whatever the input. */
void check_sort(uint32_t *index, uint32_t count,
                bool (*less)(const void *context, uint32_t a, uint32_t b), const void *context);

/* Orders names by their bytes, case folded first, so that names that only differ in case are
 * neighbours and equal ones next to each other. */
int check_compare_names(const m5_source *a_in, m5_name a, const m5_source *b_in, m5_name b);
bool check_same_but_case(const m5_source *a_in, m5_name a, const m5_source *b_in, m5_name b);

/* Joints or bones by name, whatever the format; f->names has their order, which is made by sorting them, in
 * the file's arena: NULL without memory. */
m5_name check_name_at(const m5_model *model, uint32_t i);
uint32_t check_name_count(const m5_model *model);
const uint32_t *check_sort_names(m5_lint_file *f);

/* Bones of an illskel or illanim that have the same name. */
void check_ill_duplicates(m5_lint_file *f, const m5_rule *rule, uint32_t count);

/* Whether a texture coordinate may count pixels, and how large all of them are; and whether so many do, up
 * to the size of a texture, that all are meant so: an ocean may be tiled 40 times. */
static inline bool check_is_pixel(const float st[2], float *largest)
{
    float s = st[0] < 0 ? -st[0] : st[0], t = st[1] < 0 ? -st[1] : st[1], most = s > t ? s : t;
    *largest = most > *largest ? most : *largest;
    return most > 16;
}
bool check_are_pixels(uint32_t count, uint32_t all, float largest);

/* The least measure that a rule would speak of under the levels in force. */
double check_least(const m5_lint_file *f, const m5_rule *rule);

/* How many bones and weights may be placed for files of so many bytes: so many for each, and no
 * more than was asked for. */
uint64_t check_budget(const m5_lint_file *f, uint64_t bytes);

/* A box of an animation by itself. A point is a placeholder. One corner is a bug of one
 * exporter, which writes max.x for min.x, min.y and min.z, or for some of them. Flat boxes may
 * look the same, so that it only counts in a file that has it in full somewhere, and not with 0. */
bool check_is_point(const m5_md5anim_bounds *box);
bool check_is_one_corner(const m5_md5anim_bounds *box);
uint32_t check_first_corner(const m5_md5anim *anim); /* M5_NO_INDEX: it has not */

/* An animation against the mesh it is for; findings go to the animation. Returns whether the
 * joints are the same, and all is there that tells where they are: then what follows may be
 * asked. */
bool check_cross(const m5_lint_file *mesh, m5_lint_file *anim);
/* Returns whether both have the same scale, for all that is told as a warning. Works in `scratch`. */
bool check_cross_bind(const m5_lint_file *mesh, m5_lint_file *anim, m5_arena *scratch);

/* ... and against all other meshes of its group that fit it as well and have the same bind pose:
 * the same character's. Works in `scratch`, or in
 * each mesh's own arena if that is NULL. */
void check_cross_bounds(m5_lint_file *const *files, size_t count, m5_lint_file *mesh,
                        m5_lint_file *anim, m5_arena *scratch);

/* Whether bones, of which all are so many times as long, are of another scale: many of them, or if one of two
 * units is so many of the other, as with inches, metres, those of an engine, or twice. */
bool check_is_other_scale(double scale, uint32_t bones);

/* What hangs on each joint: adds the boxes of the weights of one mesh in the file, as far as these
 * are seen. The skin, of that mesh alone, is spoilt. False without memory. */
bool check_add_parts(m5_lint_file *f, uint32_t mesh, struct m5_skin *skin, struct m5_box *parts);

/* Leaves out of a skin, of `count` meshes, what cannot be judged: a vertex in no triangle is never seen; of one
 * with odd biases nothing can be said. Works in `scratch`; false without memory. */
bool check_leave_out_unused(const m5_md5mesh_mesh *meshes, uint32_t count, struct m5_skin *skin, m5_arena *scratch);

/* How well they fit: the number of joint names in both, or UINT64_MAX if all is the same. */
uint64_t check_fit(const m5_lint_file *mesh, m5_lint_file *anim);

/* Whether a file bears the name of a mesh, with something behind it or not: hero.md5mesh, hero-walk.md5anim. */
bool check_is_named_after(const m5_lint_file *mesh, const m5_lint_file *f);

/* Whether two files are of the same name, but for their extensions and what stands behind the mesh's name:
 * hero.illmesh, hero.illanim, hero-walk.illanim; and how near they are: by name, then by how many folders
 * they share, then by how much of a name. */
bool check_belongs_by_name(const char *mesh, const char *file);
unsigned check_kinship(const char *mesh, const char *file);
size_t check_length_of_stem(const char *name);

/* Of two that have the same joints: how many bones in frame 0 are as long as in the bind pose, and
 * whether two bind poses are one. */
uint32_t check_bones_alike(const m5_md5mesh *mesh, const m5_md5anim *anim);
bool check_same_bind(const m5_md5mesh *a, const m5_md5mesh *b);

/* An illmesh or illanim against an illskel; and how well they fit: bones that the mesh needs, names
 * in both. */
void check_cross_illmesh(const m5_lint_file *skel, m5_lint_file *mesh);
void check_cross_illanim(const m5_lint_file *skel, m5_lint_file *anim);
void check_cross_ill_size(const m5_lint_file *skel, m5_lint_file *mesh);
void check_cross_ill_bind(const m5_lint_file *skel, m5_lint_file *anim);
bool check_is_w_first(const m5_illanim *anim); /* its quaternions, as far as they tell by themselves */
uint32_t check_bones_needed(const m5_lint_file *mesh);
uint32_t check_shared_names(const m5_lint_file *a, const m5_lint_file *b);

/* How many bones of the same name are as far from their parents in the first keys as in the bind pose; 0 where
 * that is not known. */
uint32_t check_ill_bones_alike(const m5_lint_file *skel, m5_lint_file *anim);

/* Bones of a skeleton that no vertex hangs on: each mesh marks those it uses, a byte for each. */
void check_mark_bones(const m5_lint_file *mesh, uint8_t *used, uint32_t bones);
void check_unbound(m5_lint_file *skel, const uint8_t *used);

/* One for each format, and of some formats one for each concern. Each may be called for any
 * model of its format, flawed or not. */
void check_md5mesh(m5_lint_file *f);
void check_md5anim(m5_lint_file *f);
void check_md4(m5_lint_file *f);
void check_illmesh(m5_lint_file *f);
void check_illskel(m5_lint_file *f);
void check_illanim(m5_lint_file *f);

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
void check_md4_bones(m5_lint_file *f);
bool check_md4_frames(m5_lint_file *f); /* whether all matrices are rotations */
void check_md4_surfaces(m5_lint_file *f);
enum { CHECK_MD4_MIN_LOD = 140 }; /* from a surface's start on */

/* Geometry: of models whose poses can be told. */
void check_md5anim_motion(m5_lint_file *f);
void check_illanim_motion(m5_lint_file *f);
void check_md5mesh_shape(m5_lint_file *f);
void check_illmesh_shape(m5_lint_file *f);
void check_illmesh_normals(m5_lint_file *f, const struct m5_vec *pos);
void check_md5mesh_far(m5_lint_file *f, uint32_t mesh, const struct m5_vec *pos);
void check_illmesh_far(m5_lint_file *f, const struct m5_vec *pos);
void check_md4_geometry(m5_lint_file *f, bool rigid); /* whether all matrices are rotations */
/* Of a model, not some other file by the name of one, which may have long lines. */
void check_md5_layout(m5_lint_file *f, bool is_model, bool long_lines);

#endif
