/* Checks an MD4's vertices where the bones place them: against the bounding boxes of frames, and
 * against their own positions. Runs the other checks of geometry, too. */
#include "parsers/play/skin.h"
#include "checks.h"
#include "mesh_box.h"
#include "lint/common/checks.h"
#include "lint/common/frame_boxes.h"
#include "lint/common/misfit.h"
#include "lint/core/check.h"
#include "lint/geometry/frame_boxes.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/play/algebra.h"
#include "parsers/play/pose.h"

#include <math.h>
#include <string.h>

/* ---- Boxes ----------------------------------------------------------------------------------- */

static bool box_of(const void *context, uint32_t frame, m5_box *out)
{
    const m5_lint_file *file = context;
    m5_md4_frame f = m5_md4_frame_at(file->model.md4, frame);
    bool point = true;
    if (m5_check_is_odd_frame(file, frame) || /* no bone is where its matrices say */
        (m5_check_md4_wrong_corner(&f) >= 0 &&
         m5_would_say(&file->report, M5_LINT_ROW(md4_frame_local_origin), 0) >= M5_WARNING))
        return false;
    for (int k = 0; k < 3; k++) {
        out->min[k] = (double)f.min[k];
        out->max[k] = (double)f.max[k];
        point &= f.min[k] == f.max[k];
        if (!(f.min[k] <= f.max[k]))
            return false;
    }
    return !point;
}

static void pose(const void *context, uint32_t frame, m5_matrix *bones)
{
    const m5_md4 *m = ((const m5_lint_file *)context)->model.md4;
    for (uint32_t i = 0; i < m->num_bones; i++)
        bones[i] = m5_md4_matrix(m, frame, i);
}

static m5_diag at_box(const m5_lint_file *f, const m5_rule *rule, uint32_t frame)
{
    enum { BOUNDS = 24 };
    uint32_t offset = m5_md4_frame_at(f->model.md4, frame).offset;
    m5_diag d = m5_found(rule, (m5_span){offset, BOUNDS});
    d.path = m5_path2("frame", frame, "bounds", M5_NO_INDEX);
    return d;
}

static void say_outside(m5_lint_file *f, const m5_frame_boxes *e)
{
    const m5_md4 *m = f->model.md4;
    uint32_t vert = e->worst.vert, surf = 0;
    for (; vert >= m->surfs[surf].num_verts; surf++)
        vert -= m->surfs[surf].num_verts;
    m5_diag d = at_box(f, M5_LINT_ROW(md4_frame_bounds_mesh), e->worst.frame);
    uint32_t offset = m->surfs[surf].verts[vert];
    m5_relate(&d, &f->source, (m5_span){offset, M5_MD4_VERTEX}, "the vertex");
    m5_frame_boxes_say(e, &f->report, &d, vert, "surface", surf, "");
}

/* `parts` are the boxes of each bone's weights, without those of ignored vertices. */
static void check_bounds(m5_lint_file *f, const m5_box *parts)
{
    const m5_md4 *m = f->model.md4;
    const m5_rule *rule = M5_LINT_ROW(md4_frame_bounds_mesh);
    double limit = m5_check_least(f, rule), shown = m5_check_least_shown(f, rule);
    size_t mark = f->arena.used;
    uint64_t budget = m5_check_budget(f, f->source.size);
    m5_boxed_frames frames = {f,   m->num_frames, box_of, pose, m5_settings_of(&f->report)->plain,
                              NULL};
    m5_skin skin;
    m5_frame_boxes found;
    if (!m5_check_wanted(f, M5_LINT_ROW(md4_frame_bounds_loose)) &&
        m5_frame_boxes_hold(parts, m->num_bones, &frames, shown, budget, &f->arena))
        return;
    if (m5_check_md4_skin(m, &f->arena, &skin) &&
        m5_frame_boxes_find(&skin, &frames, limit, &budget, &f->arena, &found)) {
        m5_diag loose = at_box(f, M5_LINT_ROW(md4_frame_bounds_loose), found.largest);
        if (found.outside != 0)
            say_outside(f, &found);
        else if (found.seen != 0 && skin.num_weights != 0)
            m5_frame_boxes_say_loose(&found, &f->report, &loose);
    }
    m5_arena_release(&f->arena, mark);
}

/* ---- Spheres --------------------------------------------------------------------------------- */

/* A tiny box is not compared with the mesh. */
bool m5_check_md4_is_sphere_right(const m5_lint_file *f, const m5_md4_frame *frame,
                                  const m5_box *mesh)
{
    static const double tolerance = 0.01, margin = 1.5, tiny = 0.01;
    m5_box box = m5_box_empty();
    m5_box_add(&box, m5_vec_of(frame->min));
    m5_box_add(&box, m5_vec_of(frame->max));
    double size = m5_box_diagonal(mesh), own = m5_box_diagonal(&box), outside = 0;
    for (int k = 0; k < 3; k++) {
        double middle = (mesh->min[k] + mesh->max[k]) / 2;
        if (!(fabs((double)frame->origin[k] - middle) <= tolerance * size))
            return false;
        outside = fmax(outside, fmax(box.min[k] - mesh->min[k], mesh->max[k] - box.max[k]));
    }
    double ratio = 2 * (double)frame->radius / size;
    return ratio >= 1 - tolerance && ratio <= margin && own > tiny * size &&
           m5_would_say(&f->report, M5_LINT_ROW(md4_frame_bounds_mesh), outside / own) >=
               M5_WARNING;
}

/* Whether a frame's box and sphere disagree, and the box will be compared with the mesh. */
static bool is_doubtful(const m5_lint_file *f, uint32_t frame)
{
    m5_box box;
    m5_md4_frame record = m5_md4_frame_at(f->model.md4, frame);
    return m5_check_md4_is_sphere_off(&record) && box_of(f, frame, &box);
}

/* Marks boxes that are wrong where localOrigin and radius are right. Needs memory only if there is
 * a doubt. */
static void find_wrong_boxes(m5_lint_file *f)
{
    uint32_t i = 0, count = f->model.md4->num_frames;
    m5_mesh_boxer boxer;
    m5_box mesh;
    while (i < count && !is_doubtful(f, i))
        i++;
    if (i == count || !m5_mesh_box_is_known(f))
        return;
    size_t mark = f->arena.used;
    bool room = m5_mesh_boxer_begin(&boxer, f->model.md4, &f->arena);
    for (; room && i < count; i++) {
        m5_md4_frame record = m5_md4_frame_at(f->model.md4, i);
        if (is_doubtful(f, i) && m5_mesh_box(&boxer, i, &mesh) &&
            m5_check_md4_is_sphere_right(f, &record, &mesh))
            m5_check_leave_out_box(f, i);
    }
    m5_arena_release(&f->arena, mark);
}

/* ---- Positions ------------------------------------------------------------------------------- */

/* Vertices whose own position is not where the bones place them in frame 0. */
typedef struct strays {
    double limit, most;
    uint32_t count, all; /* vertices beyond the limit, and all */
    uint32_t surf, vert; /* the farthest vertex */
    bool any_position;   /* whether any is not 0: many exporters write only 0 */
} strays;

static void add_stray(strays *s, double off, uint32_t surf, uint32_t vert)
{
    s->all++;
    s->count += off > s->limit;
    if (off <= s->most)
        return;
    s->most = off;
    s->surf = surf;
    s->vert = vert;
}

static void say_position(m5_lint_file *f, const strays *s)
{
    uint32_t offset = f->model.md4->surfs[s->surf].verts[s->vert];
    m5_diag d = m5_found(M5_LINT_ROW(md4_vertex_position), (m5_span){offset, 12});
    d.path = m5_path2("surface", s->surf, "vertex", s->vert);
    d.path.step[2].name = "vertex";
    d.path.step[2].index = M5_NO_INDEX;
    m5_emit(&f->report, &d, 0,
            "the vertex's own position is %.4g units from where its bones place it in frame 0 "
            "(%u of %u vertices are off by more than 1%% of the model's size)",
            s->most, s->count, s->all);
}

/* ---- Vertex by vertex ------------------------------------------------------------------------ */

typedef struct walk {
    m5_lint_file *f;
    const m5_matrix *bones; /* in frame 0 */
    m5_box *parts;          /* for each bone, as check_bounds needs them */
    m5_box all;             /* the model in frame 0 */
    strays strays;
} walk;

typedef struct vertex {
    m5_md4_weight weights[M5_MD4_MAX_WEIGHTS];
    uint32_t count;
    bool sound; /* the weights keep it between the positions that they give it */
    m5_vec own, placed;
} vertex;

static vertex read_vertex(const walk *w, const m5_md4_surface *s, uint32_t i)
{
    const m5_md4 *m = w->f->model.md4;
    m5_md4_vertex record = m5_md4_vertex_at(m, s, i);
    vertex v;
    v.count = record.num_weights;
    v.own = m5_vec_of(record.pos);
    v.placed = (m5_vec){0, 0, 0};
    double sum = 0, least = 0;
    for (uint32_t k = 0; k < v.count; k++) {
        m5_md4_weight *weight = &v.weights[k];
        *weight = m5_md4_weight_at(m, s, i, k);
        double bias = (double)weight->weight;
        m5_vec at = m5_matrix_apply(&w->bones[weight->bone], m5_vec_of(weight->pos));
        v.placed = m5_vec_add(v.placed, m5_vec_times(at, bias));
        sum += bias;
        least = bias < least ? bias : least;
    }
    v.sound = m5_biases_hold(sum, least);
    return v;
}

/* How far a vertex is from its own position; 0 if its weights are invalid. */
static double off_by(const vertex *v)
{
    return v->sound ? m5_vec_distance(v->own, v->placed) : 0;
}

static void add_parts(walk *w, const vertex *v)
{
    for (uint32_t k = 0; k < v->count; k++)
        if (v->weights[k].weight != 0)
            m5_box_add(&w->parts[v->weights[k].bone], m5_vec_of(v->weights[k].pos));
}

/* `used` marks the vertices that occur in triangles. */
static void place_vertices(walk *w, uint32_t surf, const uint8_t *used, m5_vec *pos)
{
    const m5_md4_surface *s = &w->f->model.md4->surfs[surf];
    for (uint32_t i = 0; i < s->num_verts; i++) {
        vertex v = read_vertex(w, s, i);
        pos[i] = v.placed;
        m5_box_add(&w->all, v.placed);
        w->strays.any_position |= v.own.x != 0 || v.own.y != 0 || v.own.z != 0;
        add_stray(&w->strays, off_by(&v), surf, i);
        if (used[i] && v.sound)
            add_parts(w, &v);
    }
}

static bool check_surface(walk *w, uint32_t surf, uint64_t *budget)
{
    m5_lint_file *f = w->f;
    const m5_md4_surface *s = &f->model.md4->surfs[surf];
    size_t mark = f->arena.used;
    m5_vec *pos = m5_check_scratch(f, s->num_verts, sizeof *pos);
    uint32_t(*tris)[3] = m5_check_scratch(f, s->num_tris, sizeof *tris);
    uint8_t *used = m5_check_scratch(f, s->num_verts, 1);
    bool room = pos != NULL && tris != NULL && used != NULL;
    if (room) {
        memset(used, 0, s->num_verts);
        for (uint32_t i = 0; i < s->num_tris; i++) {
            m5_md4_triangle_at(f->model.md4, s, i, tris[i]);
            used[tris[i][0]] = used[tris[i][1]] = used[tris[i][2]] = 1;
        }
        place_vertices(w, surf, used, pos);
        m5_md4_body body = {surf, s, pos, (const uint32_t(*)[3])tris};
        m5_check_md4_outliers(f, &body);
        m5_check_md4_topology(f, &body);
        m5_check_md4_collapse(f, &body, budget);
    }
    m5_arena_release(&f->arena, mark);
    return room;
}

static void check_positions(walk *w, double size)
{
    const m5_md4 *m = w->f->model.md4;
    double limit = 0.01 * size;
    if (!w->strays.any_position || !(w->strays.most > limit) || m->num_frames == 0 ||
        m5_check_is_odd_frame(w->f, 0))
        return;
    w->strays = (strays){.limit = limit};
    for (uint32_t i = 0; i < m->num_surfs; i++)
        for (uint32_t k = 0; k < m->surfs[i].num_verts; k++) {
            vertex v = read_vertex(w, &m->surfs[i], k);
            add_stray(&w->strays, off_by(&v), i, k);
        }
    say_position(w->f, &w->strays);
}

static void check_all(walk *w, bool rigid)
{
    const m5_md4 *m = w->f->model.md4;
    uint64_t budget = m5_check_budget(w->f, w->f->source.size);
    bool room = true;
    for (uint32_t i = 0; i < m->num_surfs && room; i++)
        room = check_surface(w, i, &budget);
    if (!room)
        return;
    bool any = m->num_frames != 0 && w->strays.all != 0;
    double size = any ? m5_box_diagonal(&w->all) : 0;
    bool torn = m5_check_md4_torn(w->f, size);
    if (!torn && !m5_check_is_odd_frame(w->f, 0) && any)
        m5_check_md4_misfit(w->f, w->bones, w->parts);
    if (!torn)
        check_positions(w, size);
    if (rigid)
        m5_check_md4_motion(w->f, size);
    if (w->f->far || torn || w->f->misfit)
        return;
    find_wrong_boxes(w->f);
    check_bounds(w->f, w->parts);
}

void m5_check_md4_geometry(m5_lint_file *f, bool rigid)
{
    const m5_md4 *m = f->model.md4;
    size_t mark = f->arena.used;
    m5_matrix *bones = m5_check_scratch(f, m->num_bones, sizeof *bones);
    m5_box *parts = m5_check_scratch(f, m->num_bones, sizeof *parts);
    if (bones != NULL && parts != NULL) {
        pose(f, 0, bones);
        for (uint32_t i = 0; i < m->num_bones; i++)
            parts[i] = m5_box_empty();
        walk w = {.f = f, .bones = bones, .parts = parts, .all = m5_box_empty()};
        check_all(&w, rigid);
    }
    m5_arena_release(&f->arena, mark);
}
