/* Finds meshes whose weights do not agree on where their vertices are.
 *
 * Distances are compared with the size of the whole model, and torn vertices with all vertices of
 * the model: in id's own models a thin strand of saliva is torn by its own size, but that is 0.3%
 * to 2.4% of the vertices with several weights. Where joints or weights are wrong it is 98% to
 * 100%. */
#include "torn.h"
#include "weight_space.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/play/algebra.h"
#include "parsers/play/pose.h"

#include <string.h>

enum { VERT_LAST = 7, WEIGHT_LAST = 8 };

static const double FAR = 0.03; /* of the model's size */

/* A model whose joints are somewhere. */
typedef struct placed {
    const m5_md5mesh *model;
    const m5_matrix *bind;
    const m5_misplaced *by;
    double limit;
} placed;

/* Vertices with several weights, those that are torn, the first of these, and how far apart its
 * weights place a vertex at most. */
typedef struct tears {
    uint64_t blended, torn;
    uint32_t first;
    double apart;
} tears;

static m5_vec place_of(const placed *p, const m5_md5mesh_weight *w)
{
    return m5_matrix_apply(&p->bind[w->joint], m5_vec_of(w->pos));
}

/* Every so many vertices are enough. */
static uint32_t step_for(uint64_t verts, uint32_t enough)
{
    return (uint32_t)(verts / enough) + 1;
}

/* ---- How large the model is ------------------------------------------------------------------ */

static void add_verts(const placed *p, const m5_md5mesh_mesh *mesh, uint32_t step, m5_box *box)
{
    for (uint32_t i = 0; i < mesh->num_verts; i += step) {
        const m5_md5mesh_weight *w = mesh->weights + mesh->verts[i].start;
        m5_vec at = {0, 0, 0};
        for (uint32_t k = 0; k < mesh->verts[i].count && k < M5_WEIGHTS_LOOKED_AT; k++)
            at = m5_vec_add(at, m5_vec_times(place_of(p, &w[k]), (double)w[k].bias));
        m5_box_add(box, at);
    }
}

static double size_of(const placed *p)
{
    enum { ENOUGH = 4096 };
    const m5_md5mesh *m = p->model;
    uint64_t verts = 0;
    m5_box box = m5_box_empty();
    for (uint32_t i = 0; i < m->num_meshes; i++)
        verts += m5_check_has_shape(&m->meshes[i], p->by) ? m->meshes[i].num_verts : 0;
    for (uint32_t i = 0; i < m->num_meshes; i++)
        if (m5_check_has_shape(&m->meshes[i], p->by))
            add_verts(p, &m->meshes[i], step_for(verts, ENOUGH), &box);
    return verts != 0 ? m5_box_diagonal(&box) : 0;
}

/* ---- How much of it is torn ------------------------------------------------------------------ */

/* How far apart weights with enough influence place a vertex. */
static double spread_of(const placed *p, const m5_md5mesh_mesh *mesh, uint32_t vert)
{
    const m5_md5mesh_weight *w = mesh->weights + mesh->verts[vert].start;
    bool begun = false;
    m5_vec first = {0, 0, 0};
    double most = 0;
    for (uint32_t k = 0; k < mesh->verts[vert].count && k < M5_WEIGHTS_LOOKED_AT; k++) {
        if (!((double)w[k].bias >= M5_LEAST_BIAS))
            continue;
        m5_vec at = place_of(p, &w[k]);
        first = begun ? first : at;
        begun = true;
        most = fmax(most, m5_vec_distance(first, at));
    }
    return most;
}

static tears look_at(const placed *p, const m5_md5mesh_mesh *mesh, uint32_t step)
{
    tears t = {0, 0, 0, 0};
    for (uint32_t i = 0; i < mesh->num_verts; i += step) {
        if (mesh->verts[i].count < 2)
            continue;
        double apart = spread_of(p, mesh, i);
        t.blended++;
        if (!(apart > p->limit))
            continue;
        t.first = t.torn++ == 0 ? i : t.first;
        t.apart = fmax(t.apart, apart);
    }
    return t;
}

/* Adds up all meshes, of each mesh about so many vertices; `torn` is set for each mesh. Some torn
 * vertices are fine, in one mesh and in the model. */
static tears look_at_all(const placed *p, uint32_t enough, uint8_t *torn)
{
    enum { FEW = 8 };
    const m5_md5mesh *m = p->model;
    tears all = {0, 0, 0, 0};
    for (uint32_t i = 0; i < m->num_meshes; i++) {
        uint32_t step = step_for(m->meshes[i].num_verts, enough);
        tears t = {0, 0, 0, 0};
        if (m5_check_has_shape(&m->meshes[i], p->by))
            t = look_at(p, &m->meshes[i], step);
        torn[i] = t.torn >= FEW && 4 * t.torn >= 3 * t.blended;
        all.blended += t.blended * step;
        all.torn += t.torn * step;
        all.apart = fmax(all.apart, t.apart);
    }
    return all;
}

static bool is_torn(const tears *all, const uint8_t *torn, uint32_t meshes)
{
    enum { SHARE = 10 }; /* one in so many vertices, far from 2.4% and from 98% */
    return all->torn * SHARE >= all->blended && memchr(torn, 1, meshes) != NULL;
}

/* ---- Other readings of the joints ------------------------------------------------------------ */

/* The bind pose with x, y and z of each orientation negated. */
static bool invert(const placed *p, m5_transform *out)
{
    for (uint32_t i = 0; i < p->model->num_joints; i++) {
        out[i] = m5_md5_transform(&p->model->bind[i]);
        out[i].rotation = m5_quat_inverse(out[i].rotation);
    }
    return true;
}

/* The bind pose if each joint is relative to its parent. False if parents are not known. */
static bool compose(const placed *p, m5_transform *out)
{
    for (uint32_t i = 0; i < p->model->num_joints; i++) {
        int32_t parent = p->model->joints[i].parent;
        out[i] = m5_md5_transform(&p->model->bind[i]);
        if (parent >= (int32_t)i)
            return false;
        if (parent >= 0)
            out[i] = m5_transform_times(&out[parent], &out[i]);
    }
    return true;
}

/* Whether the mesh is whole if its joints are read in another way. */
static bool is_whole_if(m5_lint_file *f, placed p, uint32_t enough,
                        bool (*read)(const placed *p, m5_transform *out))
{
    uint32_t joints = p.model->num_joints, meshes = p.model->num_meshes;
    size_t mark = f->arena.used;
    m5_matrix *bind = m5_check_scratch(f, joints, sizeof *bind);
    m5_transform *pose = m5_check_scratch(f, joints, sizeof *pose);
    uint8_t *torn = m5_check_scratch(f, meshes, 1);
    bool whole = bind != NULL && pose != NULL && torn != NULL && read(&p, pose);
    for (uint32_t i = 0; i < joints && whole; i++)
        bind[i] = m5_matrix_of(&pose[i]);
    p.bind = bind;
    if (whole) {
        tears all = look_at_all(&p, enough, torn);
        whole = !is_torn(&all, torn, meshes);
    }
    m5_arena_release(&f->arena, mark);
    return whole;
}

/* ---- What to say ----------------------------------------------------------------------------- */

/* Prints what is wrong with all joints, or else how large the tears are. */
static void print_cause(const m5_lint_file *f, const placed *p, const m5_weights_read *read,
                        double apart, char *out, size_t room)
{
    if (f->inverted)
        m5_check_print(out, room, ": orientations of joints seem to be inverted");
    else if (f->in_parents)
        m5_check_print(out, room, ": joints seem to be in their parents' space");
    else if (read->in_model)
        m5_check_print(out, room, ": positions of weights seem to be in model space");
    else if (read->scale != 0)
        m5_check_print(out, room,
                       ": positions of weights seem to be scaled by %.4g, but joints are not",
                       read->scale);
    else
        m5_check_print(out, room, ", %.3g%% of the model's size", 100 * FAR * apart / p->limit);
}

static void say(m5_lint_file *f, const placed *p, const tears *all, const m5_weights_read *read,
                uint32_t mesh, uint32_t meshes)
{
    const m5_md5mesh_mesh *m = &p->model->meshes[mesh];
    uint32_t vert = look_at(p, m, 1).first;
    m5_diag d = m5_check_at_record(f, M5_LINT_ROW(md5mesh_bind_torn), m->verts[vert].offset,
                                   VERT_LAST);
    d.path = m5_path2("mesh", mesh, "vert", vert);
    for (int i = 0; i < 2; i++)
        if (p->by->suspects[i] != M5_NO_INDEX)
            m5_relate(&d, &f->source, p->model->joints[p->by->suspects[i]].name,
                      "a joint of all these vertices");
    char more[48] = "", cause[96];
    if (meshes > 1)
        m5_check_print(more, sizeof more, ", in %u of %u meshes", meshes, p->model->num_meshes);
    print_cause(f, p, read, all->apart, cause, sizeof cause);
    m5_emit(&f->report, &d, 0,
            "mesh %u is torn in the bind pose: %u of %u vertices with several weights (%.3g%%%s) "
            "are placed up to %.4g units apart by them%s",
            mesh, (uint32_t)all->torn, (uint32_t)all->blended,
            100 * (double)all->torn / (double)all->blended, more, all->apart, cause);
}

/* Returns whether the model is torn, after it was reported; `torn` is set for each mesh. */
static bool find(m5_lint_file *f, placed *p, uint8_t *torn)
{
    enum { ENOUGH = 256 };
    uint32_t first = 0, count = 0, meshes = p->model->num_meshes;
    p->limit = FAR * size_of(p);
    if (!(p->limit > 0))
        return false;
    tears all = look_at_all(p, ENOUGH, torn);
    if (is_torn(&all, torn, meshes))
        all = look_at_all(p, UINT32_MAX, torn);
    if (!is_torn(&all, torn, meshes))
        return false;
    for (uint32_t i = meshes; i-- > 0;) {
        first = torn[i] ? i : first;
        count += torn[i];
    }
    f->inverted = is_whole_if(f, *p, ENOUGH, invert);
    f->in_parents = !f->inverted && is_whole_if(f, *p, ENOUGH, compose);
    m5_weights_read read = {false, 0, false};
    if (!f->inverted && !f->in_parents)
        read = m5_check_read_weights(f, p->bind, p->by, torn);
    f->scaled_by = read.others_whole ? 0 : read.scale;
    say(f, p, &all, &read, first, count);
    f->misfit = !f->inverted && !f->in_parents && /* which move no vertex of an animation */
                m5_would_say(&f->report, M5_LINT_ROW(md5mesh_bind_torn), 0) >= M5_WARNING;
    return true;
}

/* ---- One vertex ------------------------------------------------------------------------------ */

/* The vertex that is torn most, and how far apart others are at most. */
typedef struct most_torn {
    uint32_t mesh, vert, count;
    double apart, others;
} most_torn;

static most_torn find_most_torn(const placed *p)
{
    most_torn most = {0, 0, 0, 0, 0};
    for (uint32_t i = 0; i < p->model->num_meshes; i++) {
        const m5_md5mesh_mesh *mesh = &p->model->meshes[i];
        for (uint32_t k = 0; mesh->skin_whole && k < mesh->num_verts; k++) {
            if (mesh->verts[k].count < 2)
                continue;
            double apart = spread_of(p, mesh, k);
            most.count++;
            most.others = fmax(most.others, fmin(apart, most.apart));
            if (apart > most.apart) {
                most.mesh = i;
                most.vert = k;
                most.apart = apart;
            }
        }
    }
    return most;
}

/* Whether a vertex has the weights between those of the vertices around it. Otherwise these are not
 * its own, which other rules report. */
static bool has_own_weights(const m5_md5mesh_mesh *mesh, uint32_t vert)
{
    const m5_md5mesh_vert *v = &mesh->verts[vert];
    uint32_t end = v->start + v->count;
    return (vert == 0 ? v->start == 0 : v[-1].start + v[-1].count == v->start) &&
           (vert + 1 == mesh->num_verts ? end == mesh->num_weights : v[1].start == end);
}

/* Models that are torn a little have several such vertices, so only one that stands out is
 * reported. */
static void check_one(m5_lint_file *f, const placed *p)
{
    enum { ENOUGH = 14 };
    const double stands_out = 10;
    most_torn most = find_most_torn(p);
    if (most.count < ENOUGH || !(p->limit > 0) || most.apart <= p->limit ||
        most.apart < stands_out * most.others)
        return;
    const m5_md5mesh_mesh *mesh = &p->model->meshes[most.mesh];
    if (!has_own_weights(mesh, most.vert))
        return;
    m5_diag d = m5_check_at_record(f, M5_LINT_ROW(md5mesh_vert_torn), mesh->verts[most.vert].offset,
                                   VERT_LAST);
    d.path = m5_path2("mesh", most.mesh, "vert", most.vert);
    uint32_t weight = mesh->weights[mesh->verts[most.vert].start].offset;
    m5_relate(&d, &f->source, m5_check_at_record(f, d.rule, weight, WEIGHT_LAST).at,
              "the first of its weights");
    m5_emit(
        &f->report, &d, 0,
        "vertex %u: its weights place it up to %.4g units apart in the bind pose, %.3g%% of the "
        "model's size; those of the other %u vertices agree within %.4g units",
        most.vert, most.apart, 100 * FAR * most.apart / p->limit, most.count - 1, most.others);
}

bool m5_check_md5mesh_torn(m5_lint_file *f, const m5_matrix *bind, const m5_misplaced *by,
                           uint8_t *torn)
{
    placed p = {f->model.md5mesh, bind, by, 0};
    bool found = find(f, &p, torn); /* if all joints are wrong, so is each mesh */
    if (!found && by->count == 0 && m5_check_wanted(f, M5_LINT_ROW(md5mesh_vert_torn)))
        check_one(f, &p);
    for (uint32_t i = 0; i < p.model->num_meshes; i++)
        torn[i] = (found && (torn[i] || f->inverted || f->in_parents)) ||
                  m5_check_is_moved_by(&p.model->meshes[i], by);
    return found;
}
