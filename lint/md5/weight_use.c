/* Which weights the vertices of a mesh use: a joint twice in one vertex, weights of no vertex, and
 * vertices that have skipped theirs. */
#include "checks.h"
#include "weights.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/md5/lex.h"

#include <string.h>

/* Tokens of  weight number joint bias ( x y z )  and  vert number ( s t ) startWeight countWeight
 */
enum { WEIGHT_NUMBER = 1, WEIGHT_JOINT = 2, VERT_START = 6 };

static void say_repeat(m5_lint_file *f, uint32_t mesh, uint32_t vert, uint32_t weight)
{
    const m5_md5mesh_weight *x = &f->model.md5mesh->meshes[mesh].weights[weight];
    m5_diag d = m5_check_at(f, M5_LINT_ROW(md5mesh_weight_joint_repeat), x->offset, WEIGHT_JOINT);
    d.path = m5_path2("mesh", mesh, "weight", weight);
    m5_emit(&f->report, &d, 0, "vertex %u has a second weight for joint %u", vert, x->joint);
}

/* Which joints and weights were met, in a mesh after `verts` vertices of the meshes before it. */
typedef struct met {
    uint32_t *last;    /* of a joint: the vertex of the file that used it last, plus one */
    uint8_t *reported; /* of a weight of this mesh */
    uint32_t verts;
} met;

/* Only the first repeated joint of a vertex is reported, and a weight that many vertices share is
 * reported once. */
static void find_repeats(m5_lint_file *f, uint32_t mesh, const met *r)
{
    const m5_md5mesh_mesh *m = &f->model.md5mesh->meshes[mesh];
    for (uint32_t i = 0; i < m->num_verts; i++) {
        const m5_md5mesh_vert *v = &m->verts[i];
        for (uint32_t k = v->start; k < v->start + v->count && v->count <= M5_WEIGHTS_ADDED; k++) {
            uint32_t *last = &r->last[m->weights[k].joint], own = r->verts + i + 1;
            bool again = *last == own;
            *last = own;
            if (!again)
                continue;
            if (!r->reported[k])
                say_repeat(f, mesh, i, k);
            r->reported[k] = 1;
            break;
        }
    }
}

static void check_repeats(m5_lint_file *f)
{
    const m5_md5mesh *model = f->model.md5mesh;
    size_t outer = f->arena.used;
    met r = {.last = m5_check_scratch(f, model->num_joints, sizeof *r.last)};
    if (r.last != NULL)
        memset(r.last, 0, model->num_joints * sizeof *r.last);
    for (uint32_t i = 0; i < model->num_meshes && r.last != NULL; i++) {
        const m5_md5mesh_mesh *m = &model->meshes[i];
        size_t mark = f->arena.used;
        r.reported = m->skin_whole ? m5_check_scratch(f, m->num_weights, 1) : NULL;
        if (r.reported != NULL) {
            memset(r.reported, 0, m->num_weights);
            find_repeats(f, i, &r);
        }
        r.verts += m->num_verts;
        m5_arena_release(&f->arena, mark);
    }
    m5_arena_release(&f->arena, outer);
}

/* ---- Weights that no vertex uses ------------------------------------------------------------- */

/* Which weights some vertex uses; NULL without memory. */
static uint8_t *find_used(m5_lint_file *f, const m5_md5mesh_mesh *m)
{
    uint8_t *used = m5_check_scratch(f, m->num_weights, sizeof *used);
    size_t mark = f->arena.used;
    /* how many ranges of vertices begin at a weight, minus how many end before it */
    int32_t *begin = m5_check_scratch(f, (size_t)m->num_weights + 1, sizeof *begin), users = 0;
    if (used == NULL || begin == NULL)
        return NULL;
    memset(begin, 0, ((size_t)m->num_weights + 1) * sizeof *begin);
    for (uint32_t i = 0; i < m->num_verts; i++) {
        begin[m->verts[i].start]++;
        begin[m->verts[i].start + m->verts[i].count]--;
    }
    for (uint32_t i = 0; i < m->num_weights; i++)
        used[i] = (users += begin[i]) != 0;
    m5_arena_release(&f->arena, mark);
    return used;
}

/* Where the weights of a vertex may begin if they are not those that it names, although these sum
 * to 1: between the weights of its neighbours, or after the only weight of the vertex before it,
 * which it repeats. M5_NO_INDEX if there is no such place. */
static uint32_t other_start(const m5_md5mesh_mesh *m, uint32_t i)
{
    const m5_md5mesh_vert *v = &m->verts[i];
    m5_md5mesh_vert other = m5_weights_between(m, i);
    bool repeats = i > 0 && v->count == 1 && v[-1].count == 1 && v[-1].start == v->start &&
                   (i == 1 || v[-2].start != v->start) &&
                   (i + 1 == m->num_verts || v[1].start != v->start) &&
                   v->start + 1 < m->num_weights;
    bool between = other.count != 0 && other.count == v->count;
    if ((!between && !repeats) || !m5_weights_are_right(m, v))
        return M5_NO_INDEX;
    return between ? other.start : v->start + 1;
}

static bool has_other_start(const m5_md5mesh_mesh *m)
{
    for (uint32_t i = 0; i < m->num_verts; i++)
        if (other_start(m, i) != M5_NO_INDEX)
            return true;
    return false;
}

static void say_skipped(m5_lint_file *f, uint32_t mesh, uint32_t i, uint32_t start, uint32_t weight)
{
    const m5_md5mesh_mesh *m = &f->model.md5mesh->meshes[mesh];
    m5_diag d = m5_check_at(f, M5_LINT_ROW(md5mesh_vert_weight_skipped), m->verts[i].offset,
                            VERT_START);
    d.path = m5_path2("mesh", mesh, "vert", i);
    m5_relate(&d, &f->source, m5_lex_word_at(&f->source, m->weights[weight].offset),
              "the unused weight");
    m5_emit(&f->report, &d, 0,
            "vertex %u: startWeight is %u, expected %u: no vertex uses weight %u", i,
            m->verts[i].start, start, weight);
}

/* A weight that is reported with its vertex counts as used. */
static void check_skipped(m5_lint_file *f, uint32_t mesh, uint8_t *used)
{
    const m5_md5mesh_mesh *m = &f->model.md5mesh->meshes[mesh];
    for (uint32_t i = 0; i < m->num_verts; i++) {
        uint32_t start = other_start(m, i), end = start + m->verts[i].count, weight = start;
        if (start == M5_NO_INDEX)
            continue;
        while (weight < end && used[weight])
            weight++;
        if (weight == end)
            continue;
        say_skipped(f, mesh, i, start, weight);
        memset(used + start, 1, end - start);
    }
}

static void check_unused(m5_lint_file *f, uint32_t mesh, const uint8_t *used)
{
    const m5_md5mesh_mesh *m = &f->model.md5mesh->meshes[mesh];
    for (uint32_t i = 0; i < m->num_weights; i++) {
        if (used[i])
            continue;
        m5_diag d = m5_check_at(f, M5_LINT_ROW(md5mesh_weight_unused), m->weights[i].offset,
                                WEIGHT_NUMBER);
        d.path = m5_path2("mesh", mesh, "weight", i);
        m5_emit(&f->report, &d, 0, "weight %u is used by no vertex", i);
    }
}

static void check_use(m5_lint_file *f, uint32_t mesh)
{
    const m5_md5mesh_mesh *m = &f->model.md5mesh->meshes[mesh];
    size_t mark = f->arena.used;
    bool notes = m5_check_wanted(f, M5_LINT_ROW(md5mesh_weight_unused));
    uint8_t *used = notes || has_other_start(m) ? find_used(f, m) : NULL;
    if (used != NULL)
        check_skipped(f, mesh, used);
    if (used != NULL && notes)
        check_unused(f, mesh, used);
    m5_arena_release(&f->arena, mark);
}

void m5_check_md5mesh_weight_use(m5_lint_file *f)
{
    const m5_md5mesh *m = f->model.md5mesh;
    if (m5_check_wanted(f, M5_LINT_ROW(md5mesh_weight_joint_repeat)))
        check_repeats(f);
    for (uint32_t i = 0; i < m->num_meshes; i++)
        if (m->meshes[i].skin_whole && m->meshes[i].num_verts != 0)
            check_use(f, i);
}
