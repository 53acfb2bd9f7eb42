/* Finds the one joint of an md5mesh that is far away from the model with all its vertices. Where it
 * shares vertices with other joints, misplaced.c finds it; a rigid part goes along, and only its
 * distance and the triangles between it and the rest show it.
 *
 * In 42 real meshes the gap between one joint's vertices and all others is at most 0.17 times the
 * size of the larger of the two. */
#include "far_joint.h"
#include "parts.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/play/algebra.h"

#include <string.h>

/* The gap, as a share of that size, for a note, and for a warning. Of two parts, either may be the
 * one that was moved, so a small gap between them says nothing. */
static const double FAR = 4, VERY_FAR = 50;
enum { TWO = 2 };
/* A warning, too, if triangles reach over the gap whose edges are all so many times as long as the
 * mean edge: a rope has as many, but is not so fine elsewhere. */
static const double STRETCHED = 100;
/* The joint is near its vertices, as a share of the gap: else these are wrong, and not the joint.
 */
static const double WITH_IT = 0.1;

typedef struct search {
    m5_lint_file *f;
    const m5_matrix *bind;
    uint32_t joint;
    m5_box own, others; /* vertices that it mostly moves, and those of others */
    uint32_t parts;     /* joints with vertices */
    uint32_t other;     /* another one of these */
    double gap, size;
} search;

/* Edges of triangles: those with one end on the joint, and those with none. */
typedef struct edges {
    uint32_t crossing, inside;
    double shortest; /* of the crossing ones */
    double sum;      /* of the others' lengths */
} edges;

/* The distance between two boxes. */
static double gap_of(const m5_box *a, const m5_box *b)
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double off = fmax(0, fmax(a->min[k] - b->max[k], b->min[k] - a->max[k]));
        square += off * off;
    }
    return sqrt(square);
}

static m5_box box_of(m5_vec point)
{
    m5_box box = m5_box_empty();
    m5_box_add(&box, point);
    return box;
}

/* The joint that is farthest from the middle of all joints, if it is also far from the box around
 * the others; else M5_NO_INDEX. Of two joints it is the one farther from 0 0 0. This is all that is
 * done for a sound model. */
static uint32_t candidate(const search *s)
{
    static const double tie = 1e-6;
    uint32_t count = s->f->model.md5mesh->num_joints, far = M5_NO_INDEX;
    m5_vec middle = {0, 0, 0};
    double most = 0;
    for (uint32_t i = 0; i < count; i++)
        middle = m5_vec_add(middle, m5_vec_times(m5_matrix_translation(&s->bind[i]), 1.0 / count));
    for (uint32_t i = 0; i < count; i++) {
        m5_vec at = m5_matrix_translation(&s->bind[i]);
        double here = m5_vec_distance(at, middle) + tie * m5_vec_length(at);
        far = here > most ? i : far;
        most = fmax(most, here);
    }
    m5_box others = m5_box_empty();
    for (uint32_t i = 0; i < count; i++)
        if (i != far)
            m5_box_add(&others, m5_matrix_translation(&s->bind[i]));
    m5_box own = far != M5_NO_INDEX ? box_of(m5_matrix_translation(&s->bind[far])) : others;
    return gap_of(&own, &others) > FAR * m5_box_diagonal(&others) ? far : M5_NO_INDEX;
}

static m5_vec place_of(const search *s, const m5_md5mesh_weight *w)
{
    return m5_matrix_apply(&s->bind[w->joint], m5_vec_of(w->pos));
}

/* A vertex belongs to the joint that has at least half of it. */
static bool measure(search *s)
{
    const m5_md5mesh *m = s->f->model.md5mesh;
    uint8_t *used = m5_check_scratch(s->f, m->num_joints, 1);
    if (used == NULL)
        return false;
    memset(used, 0, m->num_joints);
    s->own = s->others = m5_box_empty();
    for (uint32_t i = 0; i < m->num_meshes; i++)
        for (uint32_t k = 0; m->meshes[i].skin_whole && k < m->meshes[i].num_weights; k++) {
            const m5_md5mesh_weight *w = &m->meshes[i].weights[k];
            if (!(w->bias >= 0.5F))
                continue;
            m5_box_add(w->joint == s->joint ? &s->own : &s->others, place_of(s, w));
            s->parts += !used[w->joint];
            s->other = w->joint != s->joint ? w->joint : s->other;
            used[w->joint] = 1;
        }
    s->gap = gap_of(&s->own, &s->others);
    s->size = fmax(m5_box_diagonal(&s->own), m5_box_diagonal(&s->others));
    m5_box joint = box_of(m5_matrix_translation(&s->bind[s->joint]));
    double least = (s->parts == TWO ? VERY_FAR : FAR) * s->size;
    return used[s->joint] && s->parts >= TWO && s->size > 0 && s->gap > least && isfinite(s->gap) &&
           gap_of(&joint, &s->own) <= WITH_IT * s->gap;
}

/* ---- Triangles over the gap ------------------------------------------------------------------ */

static void add_edge(const search *s, const m5_md5mesh_mesh *m, uint32_t a, uint32_t b, edges *e)
{
    uint32_t one = m5_check_joint_of(m, a), other = m5_check_joint_of(m, b);
    if (one == M5_NO_INDEX || other == M5_NO_INDEX)
        return;
    double length = m5_vec_distance(place_of(s, &m->weights[m->verts[a].start]),
                                    place_of(s, &m->weights[m->verts[b].start]));
    if ((one == s->joint) != (other == s->joint)) {
        e->shortest = e->crossing++ == 0 ? length : fmin(e->shortest, length);
    } else {
        e->sum += length;
        e->inside++;
    }
}

/* Whether a corner of the triangle is on the joint, and another one is not. */
static bool is_crossing(const search *s, const m5_md5mesh_mesh *m, uint32_t tri)
{
    uint32_t on_joint = 0;
    for (int c = 0; c < 3 && m->tris[tri].vert[0] != M5_BROKEN; c++)
        on_joint += m5_check_joint_of(m, m->tris[tri].vert[c]) == s->joint;
    return on_joint == 1 || on_joint == 2;
}

/* Whether a mesh of the model is a beam, of light or a rope: at least half of its triangles reach
 * over the gap. Its end is meant to be there. */
static bool has_beam(const search *s)
{
    const m5_md5mesh *model = s->f->model.md5mesh;
    for (uint32_t i = 0; i < model->num_meshes; i++) {
        const m5_md5mesh_mesh *m = &model->meshes[i];
        uint32_t crossing = 0;
        for (uint32_t k = 0; m->skin_whole && k < m->num_tris; k++)
            crossing += is_crossing(s, m, k);
        if (crossing != 0 && crossing >= m->num_tris - crossing)
            return true;
    }
    return false;
}

static bool is_stretched(const search *s)
{
    const m5_md5mesh *model = s->f->model.md5mesh;
    edges e = {0, 0, 0, 0};
    for (uint32_t i = 0; i < model->num_meshes; i++) {
        const m5_md5mesh_mesh *m = &model->meshes[i];
        for (uint32_t k = 0; m->skin_whole && k < m->num_tris; k++)
            for (int c = 0; c < 3 && m->tris[k].vert[0] != M5_BROKEN; c++)
                add_edge(s, m, m->tris[k].vert[c], m->tris[k].vert[(c + 1) % 3], &e);
    }
    return e.crossing != 0 && e.inside != 0 && e.shortest * e.inside > STRETCHED * e.sum;
}

/* ---- What to say ----------------------------------------------------------------------------- */

static bool say(const search *s, bool stretched)
{
    enum { JOINT_LAST = 12 };
    const m5_rule *rule = M5_LINT_ROW(md5mesh_joint_far);
    const m5_md5_joint *joint = &s->f->model.md5mesh->joints[s->joint];
    bool grave = (stretched || s->gap > VERY_FAR * s->size) && !has_beam(s);
    double measure = grave ? M5_GRAVE : M5_MILD;
    m5_diag d = m5_check_at_record(s->f, rule, joint->offset, JOINT_LAST);
    d.path = m5_path1("joint", s->joint);
    if (s->parts == TWO)
        m5_relate(&d, &s->f->source, s->f->model.md5mesh->joints[s->other].name,
                  "the only other joint with vertices, which may be wrong instead");
    m5_emit(&s->f->report, &d, measure,
            "joint %u '%.*s' is %.4g units away from the rest of the model with all its vertices, "
            "%.3g times the model's size%s",
            s->joint, M5_CHECK_NAME(s->f, joint->name), s->gap, s->gap / s->size,
            !stretched ? ""
            : grave    ? ", and triangles are stretched between them"
                       : ", and a beam of triangles reaches there");
    return m5_would_say(&s->f->report, rule, measure) >= M5_WARNING;
}

uint32_t m5_check_md5mesh_far_joint(m5_lint_file *f, const m5_matrix *bind)
{
    size_t mark = f->arena.used;
    search s = {.f = f, .bind = bind};
    bool reported = false;
    if (m5_check_wanted(f, M5_LINT_ROW(md5mesh_joint_far)) &&
        (s.joint = candidate(&s)) != M5_NO_INDEX && measure(&s))
        reported = say(&s, is_stretched(&s));
    m5_arena_release(&f->arena, mark);
    return reported ? s.joint : M5_NO_INDEX;
}
