/* Whether an illmesh is about as large as the bones of the illskel it hangs on. */
#include "check.h"
#include "pose.h"

#include "../parsers/words.h"

#include <string.h>

/* How much larger a mesh may be than its bones reach, or smaller. Inches for metres are 39, and
 * centimetres 100. */
static const double LARGER = 25, SMALLER = 0.1;
enum { LEAST_BONES = 3 };

static m5_vec position(const m5_illmesh *m, uint32_t vertex)
{
    return m5_vec_of(m->verts + (size_t)vertex * m->stride + m->at[M5_ILL_POSITION]);
}

/* Marks the bones that move a vertex more than any others do. */
static void mark_strong(const m5_illmesh *m, uint8_t *strong, uint32_t bones)
{
    for (uint32_t i = 0; i < m->num_verts; i++) {
        const float *vertex = m->verts + (size_t)i * m->stride;
        const float *bone = vertex + m->at[M5_ILL_BONES], *weight = vertex + m->at[M5_ILL_WEIGHTS];
        for (int k = 0; k < 4; k++)
            if (weight[k] >= 0.5F && bone[k] < (float)bones)
                strong[(uint32_t)bone[k]] = 1;
    }
}

/* Whether a root moves a vertex more than any other bone does: a body may be far larger than what turns
 * on it. */
static bool is_of_root(const m5_illmesh *m, const m5_illskel *s, uint32_t vertex)
{
    const float *at = m->verts + (size_t)vertex * m->stride;
    const float *bone = at + m->at[M5_ILL_BONES], *weight = at + m->at[M5_ILL_WEIGHTS];
    for (int k = 0; k < 4; k++)
        if (weight[k] >= 0.5F && bone[k] < (float)s->num_bones)
            return s->bones[(uint32_t)bone[k]].parent < 0;
    return false;
}

/* The box around the origins of marked bones; how many there are. */
static uint32_t reach(const m5_illskel *s, const m5_matrix *pose, const uint8_t *marked, m5_box *box)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->num_bones; i++) {
        if (!marked[i])
            continue;
        m5_box_add(box, m5_matrix_apply(&pose[i], (m5_vec){0, 0, 0}));
        count++;
    }
    return count;
}

static void say(const m5_lint_file *skel, m5_lint_file *mesh, uint32_t bones, double by)
{
    const m5_illmesh *m = mesh->model.illmesh;
    uint32_t word = (uint32_t)m->at[M5_ILL_POSITION];
    m5_diag d = m5_found(M5_LINT_ROW(cross_ill_mesh_size),
                         m5_words_nth(&mesh->source, m->vert_offsets[0], word));
    d.path = m5_path2("vertex", 0, "position", M5_NO_INDEX);
    m5_relate(&d, &skel->source, skel->model.illskel->num_bones_at, "the skeleton's bones");
    m5_emit(&mesh->report, &d, 0, "the mesh is %.3g times as large as the reach of the %u bones it hangs "
            "on", by, bones);
}

void check_cross_ill_size(const m5_lint_file *skel, m5_lint_file *mesh)
{
    const m5_illmesh *m = mesh->model.illmesh;
    const m5_illskel *s = skel->model.illskel;
    size_t mark = mesh->arena.used;
    m5_matrix *pose = check_scratch(mesh, s->num_bones, sizeof *pose);
    uint8_t *strong = check_scratch(mesh, s->num_bones, 1);
    m5_box bones = m5_box_empty(), verts = m5_box_empty(), hung = m5_box_empty();
    if (pose != NULL && strong != NULL) {
        memset(strong, 0, s->num_bones);
        mark_strong(m, strong, s->num_bones);
        m5_illskel_pose(s, pose);
        uint32_t count = reach(s, pose, strong, &bones);
        for (uint32_t i = 0; i < m->num_verts; i++) {
            m5_box_add(&verts, position(m, i));
            if (!is_of_root(m, s, i))
                m5_box_add(&hung, position(m, i));
        }
        double size = m5_box_diagonal(&bones), by = m5_box_diagonal(&verts) / size;
        double own = m5_box_diagonal(&hung); /* infinite without any */
        bool larger = by > LARGER && isfinite(own) && own > LARGER * size;
        if (count >= LEAST_BONES && isfinite(by) && (larger || by < SMALLER))
            say(skel, mesh, count, by);
    }
    m5_arena_release(&mesh->arena, mark);
}
