/* An MD4's vertices where the bones put them: in the boxes of frames, at the place that they
 * give themselves. And all that stands on them. */
#include "check_md4_body.h"
#include "envelope.h"
#include "pose.h"

#include <string.h>

/* ---- Boxes ----------------------------------------------------------------------------------- */

static bool box_of(const void *context, uint32_t frame, m5_box *out)
{
    m5_md4_frame f = m5_md4_frame_at(context, frame);
    bool point = true;
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
    const m5_md4 *m = context;
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

static void say_outside(m5_lint_file *f, const m5_envelope *e)
{
    const m5_md4 *m = f->model.md4;
    uint32_t vert = e->worst.vert, surf = 0;
    for (; vert >= m->surfs[surf].num_verts; surf++)
        vert -= m->surfs[surf].num_verts;
    m5_diag d = at_box(f, M5_LINT_ROW(md4_frame_bounds_mesh), e->worst.frame);
    uint32_t offset = m->surfs[surf].verts[vert];
    m5_relate(&d, &f->source, (m5_span){offset, M5_MD4_VERTEX}, "the vertex");
    m5_envelope_say(e, &f->report, &d, vert, "surface", surf, "");
}

/* A vertex in no triangle is never seen; of one with odd weights nothing can be said. */
static bool leave_out_unused(m5_lint_file *f, md4_body *body)
{
    const m5_md4 *m = f->model.md4;
    uint8_t *used = check_scratch(f, body->skin.num_verts, 1), *own = used;
    const uint32_t(*tris)[3] = (const uint32_t(*)[3])body->tris;
    if (used == NULL)
        return false;
    memset(used, 0, body->skin.num_verts);
    for (uint32_t i = 0; i < m->num_surfs; i++) {
        for (uint32_t k = 0; k < m->surfs[i].num_tris; k++, tris++)
            own[(*tris)[0]] = own[(*tris)[1]] = own[(*tris)[2]] = 1;
        own += m->surfs[i].num_verts;
    }
    m5_envelope_choose(&body->skin, used);
    return m5_skin_leave_out(&body->skin, used, &f->arena);
}

void check_md4_bounds(m5_lint_file *f, md4_body *body)
{
    const m5_md4 *m = f->model.md4;
    double limit = check_least(f, M5_LINT_ROW(md4_frame_bounds_mesh));
    size_t mark = f->arena.used;
    uint64_t budget = check_budget(f, f->source.size);
    m5_boxed_frames frames = {m, m->num_frames, box_of, pose};
    m5_envelope found;
    if (leave_out_unused(f, body) &&
        m5_envelope_find(&body->skin, &frames, limit, &budget, &f->arena, &found)) {
        m5_diag loose = at_box(f, M5_LINT_ROW(md4_frame_bounds_loose), found.largest);
        if (found.outside != 0)
            say_outside(f, &found);
        else if (found.seen != 0 && body->skin.num_weights != 0)
            m5_envelope_say_loose(&found, &f->report, &loose);
    }
    m5_arena_release(&f->arena, mark);
}

/* ---- Positions ------------------------------------------------------------------------------- */

/* Vertices whose own position is not where the bones put them in frame 0. */
typedef struct strays {
    double most;
    uint32_t count, all, surf, vert;
    bool any_position; /* that is not 0: many exporters leave it so */
} strays;

static double weight_sum(const m5_skin *skin, uint32_t vert)
{
    double sum = 0;
    for (uint32_t k = 0; k < skin->verts[vert].count; k++)
        sum += (double)skin->weights[skin->verts[vert].start + k].bias;
    return sum;
}

/* How far off a vertex is; 0 where its weights do not sum to 1, which is told elsewhere. */
static double off_by(const m5_skin *skin, uint32_t vert, m5_vec own, m5_vec placed)
{
    return fabs(weight_sum(skin, vert) - 1) <= 1e-3 ? m5_vec_distance(own, placed) : 0;
}

static void measure_surface(const m5_lint_file *f, const md4_body *body, uint32_t surf,
                            uint32_t first, double limit, strays *s)
{
    const m5_md4_surface *surface = &f->model.md4->surfs[surf];
    for (uint32_t i = 0; i < surface->num_verts; i++) {
        m5_vec own = m5_vec_of(m5_md4_vertex_at(f->model.md4, surface, i).pos);
        double off = off_by(&body->skin, first + i, own, body->pos[first + i]);
        s->any_position |= own.x != 0 || own.y != 0 || own.z != 0;
        s->all++;
        s->count += off > limit;
        if (off <= s->most)
            continue;
        s->most = off;
        s->surf = surf;
        s->vert = i;
    }
}

static strays measure(const m5_lint_file *f, const md4_body *body, double limit)
{
    strays s = {.most = 0};
    uint32_t first = 0;
    for (uint32_t i = 0; i < f->model.md4->num_surfs; i++) {
        measure_surface(f, body, i, first, limit, &s);
        first += f->model.md4->surfs[i].num_verts;
    }
    return s;
}

static void say_position(m5_lint_file *f, const strays *s)
{
    uint32_t offset = f->model.md4->surfs[s->surf].verts[s->vert];
    m5_diag d = m5_found(M5_LINT_ROW(md4_vertex_position), (m5_span){offset, 12});
    d.path = m5_path2("surface", s->surf, "vertex", s->vert);
    d.path.step[2].name = "vertex";
    d.path.step[2].index = M5_NO_INDEX;
    m5_emit(&f->report, &d, 0,
            "the vertex's own position is %.4g away from where its bones put it in frame 0; "
            "%u of %u vertices are off by over 1%% of the model's size",
            s->most, s->count, s->all);
}

void check_md4_positions(m5_lint_file *f, const md4_body *body)
{
    double limit = 0.01 * body->size;
    strays s = measure(f, body, limit);
    if (s.any_position && s.most > limit && f->model.md4->num_frames != 0)
        say_position(f, &s);
}

/* ---- All of it ------------------------------------------------------------------------------- */

static bool read_triangles(m5_lint_file *f, md4_body *body)
{
    const m5_md4 *m = f->model.md4;
    size_t count = 0;
    for (uint32_t i = 0; i < m->num_surfs; i++)
        count += m->surfs[i].num_tris;
    body->tris = check_scratch(f, count, sizeof *body->tris);
    uint32_t(*tri)[3] = body->tris;
    for (uint32_t i = 0; i < m->num_surfs && tri != NULL; i++)
        for (uint32_t k = 0; k < m->surfs[i].num_tris; k++)
            m5_md4_triangle_at(m, &m->surfs[i], k, *tri++);
    return body->tris != NULL;
}

static bool place_vertices(m5_lint_file *f, md4_body *body)
{
    const m5_md4 *m = f->model.md4;
    body->pos = check_scratch(f, body->skin.num_verts, sizeof *body->pos);
    size_t mark = f->arena.used;
    m5_matrix *bones = check_scratch(f, m->num_bones, sizeof *bones);
    bool room = body->pos != NULL && bones != NULL;
    m5_box box = m5_box_empty();
    if (room) {
        pose(m, 0, bones);
        room = m5_skin_place_all(&body->skin, bones, &f->arena, body->pos);
    }
    for (uint32_t i = 0; i < body->skin.num_verts && room; i++)
        m5_box_add(&box, body->pos[i]);
    body->size = m->num_frames != 0 && body->skin.num_verts != 0 ? m5_box_diagonal(&box) : 0;
    m5_arena_release(&f->arena, mark);
    return room;
}

void check_md4_geometry(m5_lint_file *f)
{
    size_t mark = f->arena.used;
    md4_body body;
    if (m5_skin_md4(&f->arena, f->model.md4, 0, f->model.md4->num_surfs, &body.skin) &&
        place_vertices(f, &body) && read_triangles(f, &body)) {
        check_md4_motion(f, &body);
        check_md4_shape(f, &body);
        check_md4_positions(f, &body);
        check_md4_collapse(f, &body);
        check_md4_bounds(f, &body);
    }
    m5_arena_release(&f->arena, mark);
}
