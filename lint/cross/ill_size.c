/* Checks that an illmesh is where the bones of the illskel are that move it, and about as large. */
#include "cross.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/play/algebra.h"
#include "parsers/play/pose.h"

#include "parsers/ill/words.h"

/* How much larger or smaller a mesh may be than the box around its bones. Inches mistaken for
 * metres make it 39 times as large, and centimetres 100 times. */
static const double LARGER = 25, SMALLER = 0.1;
enum { LEAST_BONES = 3 };

static m5_vec position(const m5_illmesh *m, uint32_t vertex)
{
    return m5_vec_of(m->verts + (size_t)vertex * m->stride + m->at[M5_ILL_POSITION]);
}

/* For each bone, the box around the vertices that it moves more than any other bone does. */
static void find_parts(const m5_illmesh *m, m5_box *part, uint32_t bones)
{
    for (uint32_t i = 0; i < bones; i++)
        part[i] = m5_box_empty();
    for (uint32_t i = 0; i < m->num_verts; i++) {
        const float *vertex = m->verts + (size_t)i * m->stride;
        const float *bone = vertex + m->at[M5_ILL_BONES], *weight = vertex + m->at[M5_ILL_WEIGHTS];
        for (int k = 0; k < 4; k++)
            if (weight[k] >= 0.5F && bone[k] < (float)bones)
                m5_box_add(&part[(uint32_t)bone[k]], position(m, i));
    }
}

static bool is_strong(const m5_box *part)
{
    return part->min[0] <= part->max[0];
}

static bool is_near(const m5_box *b, m5_vec p, double by)
{
    const double at[3] = {p.x, p.y, p.z};
    for (int k = 0; k < 3; k++)
        if (!(at[k] >= b->min[k] - by && at[k] <= b->max[k] + by))
            return false;
    return true;
}

/* Whether most bones, except roots, are in or near what they move. The hands of a clock have bones
 * that are close together, but each hand turns about its own end. */
static bool are_in_place(const m5_illskel *s, const m5_matrix *pose, const m5_box *part)
{
    static const double near = 0.25; /* of what the bone moves */
    uint32_t in = 0, of = 0;
    for (uint32_t i = 0; i < s->num_bones; i++) {
        if (!is_strong(&part[i]) || s->bones[i].parent < 0)
            continue;
        m5_vec at = m5_matrix_apply(&pose[i], (m5_vec){0, 0, 0});
        in += is_near(&part[i], at, near * m5_box_diagonal(&part[i]));
        of++;
    }
    return 2 * (uint64_t)in > of;
}

/* ---- What differs ---------------------------------------------------------------------------- */

/* The mesh, and the bones that have at least half of a vertex. */
typedef struct body {
    m5_box verts, bones; /* around all vertices, and around the origins of these bones */
    uint32_t count;      /* of these bones */
    bool in_place;       /* see are_in_place */
} body;

/* Works in the mesh's arena; false if there is no room. */
static bool find_body(const m5_illskel *s, m5_lint_file *mesh, body *b)
{
    const m5_illmesh *m = mesh->model.illmesh;
    m5_matrix *pose = m5_check_scratch(mesh, s->num_bones, sizeof *pose);
    m5_box *part = m5_check_scratch(mesh, s->num_bones, sizeof *part);
    *b = (body){m5_box_empty(), m5_box_empty(), 0, false};
    if (pose == NULL || part == NULL)
        return false;
    find_parts(m, part, s->num_bones);
    m5_illskel_pose(s, pose);
    for (uint32_t i = 0; i < m->num_verts; i++)
        m5_box_add(&b->verts, position(m, i));
    for (uint32_t i = 0; i < s->num_bones; i++) {
        if (!is_strong(&part[i]))
            continue;
        m5_box_add(&b->bones, m5_matrix_apply(&pose[i], (m5_vec){0, 0, 0}));
        b->count++;
    }
    b->in_place = are_in_place(s, pose, part);
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

/* Whether all bones are farther from all vertices than bones or vertices are from each other. */
static bool is_elsewhere(const body *b)
{
    double verts = m5_box_diagonal(&b->verts), bones = m5_box_diagonal(&b->bones);
    return bones > SMALLER * verts && gap_between(&b->verts, &b->bones) > fmax(verts, bones);
}

/* Whether an animation differs from the skeleton in the same way as the mesh: then the skeleton is
 * the cause, and the animation reports it. */
static bool is_reported(const m5_lint_file *skel, m5_lint_file *mesh, const m5_same_rig *anims,
                        bool larger)
{
    for (uint32_t i = 0; i < anims->count; i++)
        if (m5_check_ill_warns_of_scale(skel, anims->files[anims->list[i]], larger, mesh))
            return true;
    return false;
}

/* ---- Findings -------------------------------------------------------------------------------- */

static m5_diag at_first(const m5_lint_file *skel, const m5_lint_file *mesh, const m5_rule *rule)
{
    const m5_illmesh *m = mesh->model.illmesh;
    uint32_t word = (uint32_t)m->at[M5_ILL_POSITION];
    m5_diag d = m5_found(rule, m5_words_nth(&mesh->source, m->vert_offsets[0], word));
    d.path = m5_path2("vertex", 0, "position", M5_NO_INDEX);
    m5_relate(&d, &skel->source, skel->model.illskel->num_bones_at, "the skeleton's bones");
    return d;
}

static void say_size(const m5_lint_file *skel, m5_lint_file *mesh, uint32_t bones, double by)
{
    m5_diag d = at_first(skel, mesh, M5_LINT_ROW(cross_ill_mesh_size));
    m5_emit(&mesh->report, &d, 0,
            "the mesh is %.3g times as large as the box around the %u bones that move it, expected "
            "%.7g to %.7g times",
            by, bones, SMALLER, LARGER);
}

static void say_elsewhere(const m5_lint_file *skel, m5_lint_file *mesh, const body *b)
{
    m5_diag d = at_first(skel, mesh, M5_LINT_ROW(cross_ill_mesh_moved));
    m5_emit(
        &mesh->report, &d, 0,
        "the vertices are %.3g units from all of the %u bones that move them, but the mesh's size "
        "is only %.3g: the vertices seem to be moved, but the bones are not",
        gap_between(&b->verts, &b->bones), b->count, m5_box_diagonal(&b->verts));
}

void m5_check_cross_ill_size(const m5_lint_file *skel, m5_lint_file *mesh, const m5_same_rig *anims)
{
    size_t mark = mesh->arena.used;
    body b;
    bool known = find_body(skel->model.illskel, mesh, &b) && b.count >= LEAST_BONES;
    double by = known ? m5_box_diagonal(&b.verts) / m5_box_diagonal(&b.bones) : NAN;
    bool off = isfinite(by) && (by > LARGER || by < SMALLER) && !b.in_place;
    m5_arena_release(&mesh->arena, mark);
    if (off && !is_reported(skel, mesh, anims, by > 1))
        say_size(skel, mesh, b.count, by);
    if (known && !off && is_elsewhere(&b) && !is_reported(skel, mesh, anims, true) &&
        !is_reported(skel, mesh, anims, false))
        say_elsewhere(skel, mesh, &b);
}
