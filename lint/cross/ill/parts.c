/* Checks that an illmesh is where the bones of the illskel are that move it: that both have the
 * same scale and axes, that vertices have the right bones, and that matrices are read as they were
 * written. A vertex has one position, so what shows a mistake is that bones are far from what they
 * move. */
#include "checks.h"
#include "shift.h"
#include "skin.h"
#include "lint/common/misfit.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/play/pose.h"

#include "parsers/ill/words.h"

enum { LEAST_BONES = 3 };

/* The mesh, and the bones that have at least half of a vertex. */
typedef struct body {
    const m5_lint_file *skel;
    m5_lint_file *mesh;
    const m5_same_rig *anims;
    const m5_illskel *s;
    m5_matrix *pose;        /* of all bones */
    m5_moved_part *parts;   /* first one for each bone, then only those with vertices */
    uint32_t *bone, *first; /* of each part: its bone and its first vertex */
    m5_vec *elsewhere;      /* of each part: where the bone would be if it were read otherwise */
    uint32_t count;         /* of parts */
    m5_box verts, bones;    /* around all vertices, and around the joints of the parts */
} body;

static m5_vec position(const m5_illmesh *m, uint32_t vertex)
{
    return m5_vec_of(m->verts + (size_t)vertex * m->stride + m->at[M5_ILL_POSITION]);
}

static bool is_empty(const m5_box *box)
{
    return !(box->min[0] <= box->max[0]);
}

static void add_vertex(body *b, uint32_t bone, uint32_t vertex)
{
    m5_moved_part *part = &b->parts[bone];
    if (is_empty(&part->box))
        b->first[bone] = vertex;
    m5_box_add(&part->box, position(b->mesh->model.illmesh, vertex));
}

/* For each bone, the box around the vertices of which it moves at least half. */
static void find_boxes(body *b)
{
    const m5_illmesh *m = b->mesh->model.illmesh;
    for (uint32_t i = 0; i < b->s->num_bones; i++)
        b->parts[i] = (m5_moved_part){m5_matrix_translation(&b->pose[i]), m5_box_empty()};
    for (uint32_t i = 0; i < m->num_verts; i++) {
        m5_box_add(&b->verts, position(m, i));
        for (uint32_t k = 0; k < 4; k++) {
            uint32_t bone = m5_ill_main_bone(m, i, k, b->s->num_bones);
            if (bone != M5_NO_INDEX)
                add_vertex(b, bone, i);
        }
    }
}

static void find_parts(body *b)
{
    find_boxes(b);
    for (uint32_t i = 0; i < b->s->num_bones; i++) {
        if (is_empty(&b->parts[i].box))
            continue;
        m5_box_add(&b->bones, b->parts[i].joint);
        b->parts[b->count] = b->parts[i];
        b->first[b->count] = b->first[i];
        b->bone[b->count++] = i;
    }
}

/* Works in the mesh's arena; false if there is no room. */
static bool make_body(body *b)
{
    uint32_t bones = b->s->num_bones;
    b->pose = m5_check_scratch(b->mesh, bones, sizeof *b->pose);
    b->parts = m5_check_scratch(b->mesh, bones, sizeof *b->parts);
    b->bone = m5_check_scratch(b->mesh, bones, sizeof *b->bone);
    b->first = m5_check_scratch(b->mesh, bones, sizeof *b->first);
    b->elsewhere = m5_check_scratch(b->mesh, bones, sizeof *b->elsewhere);
    if (b->pose == NULL || b->parts == NULL || b->bone == NULL || b->first == NULL ||
        b->elsewhere == NULL)
        return false;
    m5_illskel_pose(b->s, b->pose);
    find_parts(b);
    return true;
}

/* A finding at a word of a vertex. */
static m5_diag at_vertex(const body *b, const m5_rule *rule, uint32_t vertex, int32_t word,
                         const char *what)
{
    const m5_illmesh *m = b->mesh->model.illmesh;
    m5_diag d = m5_found(rule,
                         m5_words_nth(&b->mesh->source, m->vert_offsets[vertex], (uint32_t)word));
    d.path = m5_path2("vertex", vertex, what, M5_NO_INDEX);
    m5_relate(&d, &b->skel->source, b->s->num_bones_at, "the skeleton's bones");
    return d;
}

static m5_diag at_position(const body *b, const m5_rule *rule, uint32_t vertex)
{
    return at_vertex(b, rule, vertex, b->mesh->model.illmesh->at[M5_ILL_POSITION], "position");
}

/* ---- Bone indices ---------------------------------------------------------------------------- */

/* Returns whether all bone indices seem to be one too high or too low. */
static bool check_shift(const body *b)
{
    const m5_rule *rule = M5_LINT_ROW(cross_ill_bone_shift);
    m5_shift shift = m5_check_wanted(b->mesh, rule)
                         ? m5_shift_find(b->s, b->mesh, b->pose, b->parts, b->bone, b->count)
                         : (m5_shift){.by = 0};
    if (shift.by == 0)
        return false;
    m5_diag d = at_vertex(b, rule, b->first[0], b->mesh->model.illmesh->at[M5_ILL_BONES], "bones");
    m5_emit(&b->mesh->report, &d, 0,
            "all bone indices seem to be one too %s: of %u bones, %u are farther from their "
            "vertices than the bone %s them",
            shift.by > 0 ? "high" : "low", b->count, shift.nearer,
            shift.by > 0 ? "before" : "after");
    return true;
}

/* ---- Matrices read in another way ------------------------------------------------------------ */

enum { TRANSPOSED, IN_MODEL, INVERSE_IN_MODEL, READINGS };
static const char *const readings[READINGS] = {
    [TRANSPOSED] = "the skeleton's matrices are transposed",
    [IN_MODEL] = "the skeleton's matrices are in model space, not parent space",
    [INVERSE_IN_MODEL] =
        "the skeleton's matrices are inverted and in model space, not parent space"};

static m5_matrix transposed(const m5_matrix *m)
{
    m5_matrix out = *m;
    for (int i = 0; i < 9; i++)
        out.row[i / 3][i % 3] = m->row[i % 3][i / 3];
    return out;
}

/* The bones in the bind pose, in model space, if their rotations are transposed. */
static void pose_transposed(const m5_illskel *s, m5_matrix *pose)
{
    for (uint32_t i = 0; i < s->num_bones; i++) {
        uint32_t bone = s->order[i];
        m5_matrix own = m5_illskel_matrix(s, bone);
        own = transposed(&own);
        pose[bone] = s->bones[bone].parent < 0
                         ? own
                         : m5_matrix_times(&pose[s->bones[bone].parent], &own);
    }
}

/* Overwrites the pose; false if there is none. */
static bool read_otherwise(const body *b, int reading)
{
    if (reading == TRANSPOSED)
        pose_transposed(b->s, b->pose);
    for (uint32_t i = 0; i < b->s->num_bones && reading != TRANSPOSED; i++) {
        b->pose[i] = m5_illskel_matrix(b->s, i);
        m5_matrix own = b->pose[i];
        if (reading == INVERSE_IN_MODEL && !m5_matrix_inverse(&own, &b->pose[i]))
            return false;
    }
    for (uint32_t i = 0; i < b->count; i++)
        b->elsewhere[i] = m5_matrix_translation(&b->pose[b->bone[i]]);
    return true;
}

/* Whether an animation shows the same mistake, and reports it. */
static bool anim_warns_of_reading(const body *b)
{
    for (uint32_t i = 0; i < b->anims->count; i++)
        if (m5_check_ill_warns_of_reading(b->skel, b->anims->files[b->anims->list[i]], b->mesh))
            return true;
    return false;
}

static void say_reading(const body *b, int reading, const m5_misfit *found)
{
    m5_diag d = at_position(b, M5_LINT_ROW(cross_ill_bind_vs_mesh), b->first[found->worst]);
    m5_emit(&b->mesh->report, &d, 0,
            "%u of %u bones are far from the vertices weighted to them; it would be %u if %s",
            found->outside, b->count, found->mended, readings[reading]);
}

/* Returns whether another way to read the matrices brings the bones to their vertices. Uses up the
 * pose. */
static bool check_readings(const body *b)
{
    for (int i = 0; i < READINGS; i++) {
        m5_misfit found = {.found = false};
        if (read_otherwise(b, i))
            found = m5_misfit_elsewhere(b->parts, b->elsewhere, b->count);
        if (!found.found)
            continue;
        if (!anim_warns_of_reading(b))
            say_reading(b, i, &found);
        return true;
    }
    return false;
}

/* ---- Scale, axes and place ------------------------------------------------------------------- */

/* Whether an animation differs from the skeleton in the same way as the mesh: then the skeleton is
 * the cause, and the animation reports it. */
static bool anim_warns_of_scale(const body *b, bool larger)
{
    for (uint32_t i = 0; i < b->anims->count; i++)
        if (m5_check_ill_warns_of_scale(b->skel, b->anims->files[b->anims->list[i]], larger,
                                        b->mesh))
            return true;
    return false;
}

/* Returns whether the mesh is scaled or rotated. */
static bool check_misfit(const body *b)
{
    m5_misfit found = m5_misfit_find(b->parts, b->count);
    bool larger = found.scale == 0 ? found.ratio > 1 : found.scale > 1;
    if (!found.found)
        return false;
    if (found.scale != 1 && anim_warns_of_scale(b, larger))
        return true;
    m5_diag d = at_position(b,
                            m5_check_misfit_rule(&found, M5_LINT_ROW(cross_ill_mesh_size),
                                                 M5_LINT_ROW(cross_ill_mesh_turned)),
                            b->first[found.worst]);
    m5_check_say_misfit(b->mesh, &d, &found, b->count, "bone");
    return true;
}

/* How far apart two boxes are. */
static double gap_between(const m5_box *a, const m5_box *b)
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double off = fmax(0, fmax(a->min[k] - b->max[k], b->min[k] - a->max[k]));
        square += off * off;
    }
    return sqrt(square);
}

/* All bones are farther from all vertices than bones or vertices are from each other. */
static void check_place(const body *b)
{
    double verts = m5_box_diagonal(&b->verts), bones = m5_box_diagonal(&b->bones);
    double gap = gap_between(&b->verts, &b->bones);
    if (!(bones > M5_MISFIT_SMALLER * verts && gap > fmax(verts, bones)) ||
        anim_warns_of_scale(b, true) || anim_warns_of_scale(b, false))
        return;
    m5_diag d = at_position(b, M5_LINT_ROW(cross_ill_mesh_moved), 0);
    m5_emit(
        &b->mesh->report, &d, 0,
        "the vertices are %.3g units from all of the %u bones that move them, but the mesh's size "
        "is only %.3g: the vertices seem to be moved, but the bones are not",
        gap, b->count, verts);
}

void m5_check_cross_ill_parts(const m5_lint_file *skel, m5_lint_file *mesh,
                              const m5_same_rig *anims, bool in_range)
{
    size_t mark = mesh->arena.used;
    body b = {.skel = skel,
              .mesh = mesh,
              .anims = anims,
              .s = skel->model.illskel,
              .verts = m5_box_empty(),
              .bones = m5_box_empty()};
    if (make_body(&b) && b.count >= LEAST_BONES && !(in_range && check_shift(&b)) &&
        !check_readings(&b) && !check_misfit(&b))
        check_place(&b);
    m5_arena_release(&mesh->arena, mark);
}
