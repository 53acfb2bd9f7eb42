/* Finds in which space, or unit, the weights of torn meshes are. Nothing here depends on the size
 * of the model, which is not known where joints or weights are wrong: what counts is how far apart
 * joints would have to be for weights to agree. */
#include "weight_space.h"
#include "lint/core/check.h"
#include "lint/geometry/units.h"
#include "parsers/core/allocate.h"
#include "parsers/play/algebra.h"

#include <string.h>

bool m5_check_has_shape(const m5_md5mesh_mesh *mesh, const m5_misplaced *by)
{
    static const float zero[3];
    if (m5_check_is_moved_by(mesh, by))
        return false;
    for (uint32_t i = 0; mesh->skin_whole && i < mesh->num_weights; i++)
        if (!m5_check_are_equal(mesh->weights[i].pos, zero, 3))
            return true;
    return false;
}

/* ---- Pairs of weights ------------------------------------------------------------------------ */

/* Meshes whose pairs of weights are visited: those that are torn, or the others. */
typedef struct meshes {
    const m5_md5mesh *model;
    const m5_matrix *bind;
    const m5_misplaced *by;
    const uint8_t *torn;
    uint8_t which;
} meshes;

/* Two weights of a vertex, both with enough influence. */
typedef struct weight_pair {
    const m5_md5mesh_weight *first, *other;
    m5_vec joint;    /* of the other one */
    m5_vec joints;   /* from the first one's joint to this */
    m5_vec expected; /* the same, if the weights agreed */
} weight_pair;

typedef void pair_visitor(void *user, const weight_pair *pair);

static void visit_vertex(const meshes *in, const m5_md5mesh_mesh *mesh, uint32_t vert,
                         pair_visitor *visit, void *user)
{
    const m5_md5mesh_weight *w = mesh->weights + mesh->verts[vert].start, *first = NULL;
    m5_vec first_joint = {0, 0, 0}, first_at = {0, 0, 0};
    for (uint32_t k = 0; k < mesh->verts[vert].count && k < M5_WEIGHTS_LOOKED_AT; k++) {
        if (!((double)w[k].bias >= M5_LEAST_BIAS))
            continue;
        const m5_matrix *bind = &in->bind[w[k].joint];
        m5_vec joint = m5_matrix_translation(bind);
        m5_vec at = m5_matrix_rotate(bind, m5_vec_of(w[k].pos)); /* from the joint */
        if (first == NULL) {
            first = &w[k];
            first_joint = joint;
            first_at = at;
            continue;
        }
        weight_pair pair = {first, &w[k], joint, m5_vec_sub(joint, first_joint),
                            m5_vec_sub(first_at, at)};
        visit(user, &pair);
    }
}

/* Visits the pairs of a vertex's first weight with each other one, in a sample of all vertices. */
static void visit_pairs(const meshes *in, pair_visitor *visit, void *user)
{
    enum { ENOUGH = 256 };
    for (uint32_t i = 0; i < in->model->num_meshes; i++) {
        const m5_md5mesh_mesh *mesh = &in->model->meshes[i];
        if (in->torn[i] != in->which || !m5_check_has_shape(mesh, in->by))
            continue;
        uint32_t step = mesh->num_verts / ENOUGH + 1;
        for (uint32_t v = 0; v < mesh->num_verts; v += step)
            visit_vertex(in, mesh, v, visit, user);
    }
}

static double square(m5_vec v)
{
    return m5_vec_dot(v, v);
}

/* ---- What they say --------------------------------------------------------------------------- */

typedef struct sums {
    uint64_t pairs;
    double joints, expected, both;   /* squares of the two vectors, and their products */
    double numbers;                  /* squares of the differences of positions as in the file */
    double from_joints, from_origin; /* distances of these positions */
    m5_box box;                      /* of these positions */
    uint8_t *used;                   /* for each joint, whether it has one of these weights */
} sums;

static void add_pair(void *user, const weight_pair *w)
{
    sums *s = user;
    m5_vec pos = m5_vec_of(w->other->pos);
    s->pairs++;
    s->joints += square(w->joints);
    s->expected += square(w->expected);
    s->both += m5_vec_dot(w->expected, w->joints);
    s->numbers += square(m5_vec_sub(pos, m5_vec_of(w->first->pos)));
    s->from_joints += m5_vec_distance(pos, w->joint);
    s->from_origin += m5_vec_length(pos);
    m5_box_add(&s->box, pos);
    s->used[w->first->joint] = s->used[w->other->joint] = 1;
}

/* Whether the weights of a vertex have the same position, which is nearer to their joints than to
 * the origin. Near the origin it may be a position in the space of one joint that all got. */
static bool are_in_model(const sums *s)
{
    static const double same = 0.02, least = 0.1; /* of the distance of joints */
    double size = m5_box_diagonal(&s->box);
    return s->numbers <= same * same * s->joints && s->from_joints < s->from_origin &&
           size * size * (double)s->pairs > least * least * s->joints;
}

/* How well pairs agree if joints are `scale` times as far apart. */
typedef struct comparison {
    double scale;
    uint64_t pairs, agree;
    double off, off_scaled; /* squares of how far apart they are, as it is and with this scale */
} comparison;

static void compare_pair(void *user, const weight_pair *w)
{
    static const double near = 0.2; /* of the distance of the joints */
    comparison *c = user;
    m5_vec scaled = m5_vec_times(w->joints, c->scale);
    double off = square(m5_vec_sub(w->expected, scaled));
    c->pairs++;
    c->agree += off <= near * near * square(scaled);
    c->off += square(m5_vec_sub(w->expected, w->joints));
    c->off_scaled += off;
}

/* By how much the positions are too large for the joints; 0 if no factor explains nearly all pairs,
 * or if it may do so by chance, where few joints are used. */
static double find_scale(const meshes *in, const sums *s)
{
    static const double most = 0.995; /* 1: the two vectors have one direction in all pairs */
    static const double many = 0.9;
    uint32_t joints = 0;
    for (uint32_t i = 0; i < in->model->num_joints; i++)
        joints += s->used[i];
    comparison c = {s->both / s->joints, 0, 0, 0, 0};
    if (!(c.scale > 0) || s->both * s->both < most * s->joints * s->expected ||
        !m5_is_other_scale(c.scale, joints))
        return 0;
    visit_pairs(in, compare_pair, &c);
    return (double)c.agree >= many * (double)c.pairs ? c.scale : 0;
}

static bool are_whole(const meshes *in, double scale)
{
    comparison c = {scale, 0, 0, 0, 0};
    visit_pairs(in, compare_pair, &c);
    return c.off < c.off_scaled;
}

m5_weights_read m5_check_read_weights(m5_lint_file *f, const m5_matrix *bind,
                                      const m5_misplaced *by, const uint8_t *torn)
{
    size_t mark = f->arena.used;
    uint32_t joints = f->model.md5mesh->num_joints;
    meshes in = {f->model.md5mesh, bind, by, torn, 1}, others = in;
    sums s = {.box = m5_box_empty(), .used = m5_check_scratch(f, joints, 1)};
    m5_weights_read read = {false, 0, false};
    others.which = 0;
    if (s.used != NULL) {
        memset(s.used, 0, joints);
        visit_pairs(&in, add_pair, &s);
        read.in_model = are_in_model(&s);
        read.scale = read.in_model ? 0 : find_scale(&in, &s);
        read.others_whole = read.scale != 0 && are_whole(&others, read.scale);
    }
    m5_arena_release(&f->arena, mark);
    return read;
}
