/* Finds the one joint of an md5mesh whose position or orientation is wrong. Each weight gives its
 * vertex a position, and in the bind pose all weights of a vertex should agree. If one joint
 * disagrees with the others wherever it shares vertices with them, and the others agree among
 * themselves, that joint is wrong, and not the weights. */
#include "misplaced.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/core/number.h"
#include "parsers/play/algebra.h"
#include "parsers/play/pose.h"

#include <string.h>

/* Of a vertex's weights: a hostile file lets all vertices share all of them. */
enum { LOOK_AT_MOST = 32, USE_AT_MOST = 8 };
enum { ENOUGH = 1024, LEAST_SHARED = 2 };
static const double LEAST_BIAS = 0.05;
/* Positions agree if they are this near, as a share of the model's size. Exporters write five to
 * six digits, and 41 real meshes are within 5e-5. */
static const double AGREE = 0.003;
/* Near its pivot, a rotated joint moves nothing: in this share of its vertices it must disagree. */
static const double MOST_OWN = 0.7;
/* And this share of all that disagrees must be due to it. */
static const double MOST_ALL = 0.9;

/* What a joint has to do with vertices that it shares with other joints. */
typedef struct shared_joint {
    uint32_t shared, apart; /* vertices; those that it places elsewhere than all other joints */
    double sum;             /* of the distances to the nearest position by another joint */
    bool used;              /* has weights */
} shared_joint;

/* Where the joints of one vertex place it. */
typedef struct places {
    uint32_t count;
    uint32_t joint[USE_AT_MOST];
    m5_vec at[USE_AT_MOST];
} places;

typedef struct search {
    m5_lint_file *f;
    const m5_matrix *bind;
    shared_joint *joints;
    uint32_t used; /* joints with weights */
    uint32_t verts;
    double size;            /* of the model */
    uint32_t shared, apart; /* of all vertices */
    double sum;             /* of the largest distance in each vertex */
    uint32_t split; /* vertices that one joint places in two places: no joint explains them */
} search;

/* What is wrong with a joint: where its vertices are, compared with the other joints. */
typedef struct error {
    uint32_t mesh, vert; /* where it is worst */
    double worst;
    m5_vec shift;    /* the sum of the differences */
    double turn;     /* the sum of the differences in distance from the joint */
    double position; /* the sum of the lengths of all differences */
} error;

static places places_of(const search *s, const m5_md5mesh_mesh *m, const m5_md5mesh_vert *v)
{
    places p = {.count = 0};
    for (uint32_t k = 0; k < v->count && k < LOOK_AT_MOST && p.count < USE_AT_MOST; k++) {
        const m5_md5mesh_weight *w = &m->weights[v->start + k];
        if (!((double)w->bias >= LEAST_BIAS))
            continue;
        p.joint[p.count] = w->joint;
        p.at[p.count++] = m5_matrix_apply(&s->bind[w->joint], m5_vec_of(w->pos));
    }
    return p;
}

/* Which of the other joints' positions is nearest; p->count if there is no other joint. */
static uint32_t nearest(const places *p, uint32_t of, double *distance)
{
    uint32_t best = p->count;
    *distance = HUGE_VAL;
    for (uint32_t i = 0; i < p->count; i++) {
        double here = m5_vec_distance(p->at[of], p->at[i]);
        if (p->joint[i] == p->joint[of] || !(here < *distance))
            continue;
        *distance = here;
        best = i;
    }
    return best;
}

/* Whether a vertex has several weights. If they are too many, or their biases sum to far more than
 * 1, they belong to other vertices; another rule reports that. */
static bool is_blended(const m5_md5mesh_mesh *m, const m5_md5mesh_vert *v)
{
    double sum = 0;
    for (uint32_t k = 0; k < v->count && k < LOOK_AT_MOST; k++)
        sum += (double)m->weights[v->start + k].bias;
    return v->count >= 2 && v->count <= LOOK_AT_MOST && sum < 1.5;
}

static bool is_split(const search *s, const places *p)
{
    bool split = false;
    for (uint32_t i = 1; i < p->count; i++)
        for (uint32_t k = 0; k < i; k++)
            split |= p->joint[i] == p->joint[k] &&
                     m5_vec_distance(p->at[i], p->at[k]) > AGREE * s->size;
    return split;
}

static void add_vertex(search *s, const places *p)
{
    double most = 0, here;
    bool shared = false;
    s->split += is_split(s, p);
    for (uint32_t i = 0; i < p->count; i++) {
        if (nearest(p, i, &here) == p->count)
            continue;
        shared_joint *j = &s->joints[p->joint[i]];
        j->shared++;
        j->apart += here > AGREE * s->size;
        j->sum += here;
        most = fmax(most, here);
        shared = true;
    }
    s->shared += shared;
    s->apart += most > AGREE * s->size;
    s->sum += most;
}

/* The size of the model, from at most about a thousand vertices of each mesh, as all joints but
 * one place them. */
static double size_without(const search *s, uint32_t joint)
{
    const m5_md5mesh *model = s->f->model.md5mesh;
    m5_box box = m5_box_empty();
    for (uint32_t i = 0; i < model->num_meshes; i++) {
        const m5_md5mesh_mesh *m = &model->meshes[i];
        uint32_t step = m->num_verts / ENOUGH + 1;
        for (uint32_t k = 0; m->skin_whole && k < m->num_verts; k += step) {
            places p = places_of(s, m, &m->verts[k]);
            uint32_t by = p.count != 0 && p.joint[0] == joint ? 1 : 0;
            if (by < p.count && p.joint[by] != joint)
                m5_box_add(&box, p.at[by]);
        }
    }
    return m5_box_diagonal(&box);
}

static void add_meshes(search *s)
{
    const m5_md5mesh *model = s->f->model.md5mesh;
    for (uint32_t i = 0; i < model->num_meshes; i++) {
        const m5_md5mesh_mesh *m = &model->meshes[i];
        s->verts += m->skin_whole ? m->num_verts : 0;
        for (uint32_t k = 0; m->skin_whole && k < m->num_verts; k++) {
            if (!is_blended(m, &m->verts[k]))
                continue;
            places p = places_of(s, m, &m->verts[k]);
            add_vertex(s, &p);
        }
        for (uint32_t k = 0; m->skin_whole && k < m->num_weights; k++) {
            bool *used = &s->joints[m->weights[k].joint].used;
            s->used += !*used;
            *used = true;
        }
    }
}

/* Whether any vertex is placed elsewhere by one of its joints: in sound models none is. */
static bool disagree(const search *s)
{
    const m5_md5mesh *model = s->f->model.md5mesh;
    double limit = AGREE * s->size * AGREE * s->size;
    for (uint32_t i = 0; i < model->num_meshes; i++) {
        const m5_md5mesh_mesh *m = &model->meshes[i];
        for (uint32_t k = 0; m->skin_whole && k < m->num_verts; k++) {
            if (!is_blended(m, &m->verts[k]))
                continue;
            places p = places_of(s, m, &m->verts[k]);
            for (uint32_t n = 1; n < p.count; n++) {
                m5_vec apart = m5_vec_sub(p.at[n], p.at[0]);
                if (!(m5_vec_dot(apart, apart) <= limit / 4))
                    return true;
            }
        }
    }
    return false;
}

static bool explains_all(const search *s, const shared_joint *j)
{
    return j->shared >= LEAST_SHARED && j->apart >= MOST_OWN * j->shared &&
           j->apart >= MOST_ALL * s->apart && j->sum >= MOST_ALL * s->sum;
}

/* How far a joint is from the middle of all joints. Of two joints that share their vertices only
 * with each other, the one that is farther away is more likely the one that was moved. */
static double away(const search *s, m5_vec middle, uint32_t joint)
{
    return m5_vec_distance(m5_matrix_translation(&s->bind[joint]), middle);
}

/* The joint that disagrees most, if it explains all; else M5_NO_INDEX. `*twin`: another that does
 * so just as much. */
static uint32_t choose(const search *s, uint32_t *twin)
{
    static const double alike = 0.999;
    uint32_t count = s->f->model.md5mesh->num_joints, best = M5_NO_INDEX;
    m5_vec middle = {0, 0, 0};
    double most = 0;
    for (uint32_t i = 0; i < count; i++)
        middle = m5_vec_add(middle, m5_vec_times(m5_matrix_translation(&s->bind[i]), 1.0 / count));
    *twin = M5_NO_INDEX;
    for (uint32_t i = 0; i < count; i++) {
        if (!explains_all(s, &s->joints[i]))
            continue;
        double mean = s->joints[i].sum / s->joints[i].shared;
        bool same = best != M5_NO_INDEX && mean >= alike * most && most >= alike * mean;
        *twin = same ? best : mean > most ? M5_NO_INDEX : *twin;
        if (!same && !(mean > most))
            continue;
        most = fmax(mean, most);
        if (same && away(s, middle, i) < away(s, middle, best))
            *twin = i;
        else
            best = i;
    }
    return best;
}

static void add_error(const search *s, error *e, uint32_t mesh, uint32_t vert, uint32_t joint)
{
    const m5_md5mesh_mesh *m = &s->f->model.md5mesh->meshes[mesh];
    places p = places_of(s, m, &m->verts[vert]);
    for (uint32_t i = 0; i < p.count; i++) {
        double here;
        uint32_t other = p.joint[i] == joint ? nearest(&p, i, &here) : p.count;
        if (other == p.count)
            continue;
        m5_vec from = m5_matrix_translation(&s->bind[joint]);
        e->shift = m5_vec_add(e->shift, m5_vec_sub(p.at[i], p.at[other]));
        e->turn += fabs(m5_vec_distance(p.at[i], from) - m5_vec_distance(p.at[other], from));
        e->position += here;
        if (here > e->worst) {
            e->worst = here;
            e->mesh = mesh;
            e->vert = vert;
        }
    }
}

static error measure(const search *s, uint32_t joint)
{
    const m5_md5mesh *model = s->f->model.md5mesh;
    error e = {.worst = 0};
    for (uint32_t i = 0; i < model->num_meshes; i++)
        for (uint32_t k = 0; model->meshes[i].skin_whole && k < model->meshes[i].num_verts; k++)
            if (is_blended(&model->meshes[i], &model->meshes[i].verts[k]))
                add_error(s, &e, i, k, joint);
    return e;
}

/* Whether all differences are the same, so that another position would mend the joint. */
static bool is_shifted(const error *e)
{
    return m5_vec_length(e->shift) >= 0.99 * e->position;
}

/* What would mend the joint: another position, if all differences are the same; another
 * orientation, if all distances from the joint are right. */
static void print_cure(const search *s, const error *e, uint32_t joint, char *out, size_t size)
{
    m5_vec mean = m5_vec_times(e->shift, 1.0 / s->joints[joint].shared);
    m5_vec at = m5_vec_sub(m5_matrix_translation(&s->bind[joint]), mean);
    double none = 1e-6 * size_without(s, joint); /* less is rounding */
    out[0] = '\0';
    if (is_shifted(e))
        m5_check_print(out, size, "; expected position ( %.6g %.6g %.6g )",
                       fabs(at.x) < none ? 0 : at.x, fabs(at.y) < none ? 0 : at.y,
                       fabs(at.z) < none ? 0 : at.z);
    else if (e->turn <= 0.05 * e->position)
        m5_check_print(out, size, "; its orientation is wrong, its position fits");
}

/* Whether the orientation of the joint is too long, which is reported, and its position fits. */
static bool is_overlong(const search *s, uint32_t joint, const error *e)
{
    const float *q = s->f->model.md5mesh->bind[joint].orient;
    double over = (double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2] - 1;
    return over > 0 && !is_shifted(e) &&
           m5_would_say(&s->f->report, M5_LINT_ROW(md5_quat_overlength),
                        over - m5_check_rounding(q)) >= M5_WARNING;
}

/* Whether the joint or the one before it is its own parent. That is reported: the lines of a joint
 * and its parent were exchanged, so that each has the weights of the other. */
static bool is_exchanged(const search *s, uint32_t joint)
{
    const m5_md5mesh *m = s->f->model.md5mesh;
    for (uint32_t i = joint != 0 ? joint - 1 : 0; i <= joint; i++) {
        m5_span at = m5_check_at(s->f, NULL, m->joints[i].offset, 1).at;
        int32_t parent = -1;
        if (m->joints[i].parent == M5_BROKEN_PARENT &&
            m5_read_int(s->f->source.bytes + at.offset, at.length, &parent) < M5_NUMBER_IS_FLOAT &&
            parent == (int64_t)i)
            return true;
    }
    return false;
}

/* Returns whether the joint is reported, here or by another rule. */
static bool say(const search *s, uint32_t joint, uint32_t twin)
{
    enum { JOINT_LAST = 12, VERT_LAST = 7 };
    const m5_rule *rule = M5_LINT_ROW(md5mesh_joint_misplaced);
    const m5_md5mesh *m = s->f->model.md5mesh;
    const shared_joint *j = &s->joints[joint];
    double mean = j->sum / j->shared;
    error e = measure(s, joint);
    char cure[96];
    if (is_overlong(s, joint, &e) || is_exchanged(s, joint))
        return true;
    print_cure(s, &e, joint, cure, sizeof cure);
    m5_diag d = m5_check_at_record(s->f, rule, m->joints[joint].offset, JOINT_LAST);
    d.path = m5_path1("joint", joint);
    m5_relate(&d, &s->f->source,
              m5_check_at_record(s->f, NULL, m->meshes[e.mesh].verts[e.vert].offset, VERT_LAST).at,
              "the vertex where they are farthest apart");
    if (twin != M5_NO_INDEX)
        m5_relate(&d, &s->f->source, m->joints[twin].name,
                  "the only other joint of these vertices, which may be wrong instead");
    m5_emit(&s->f->report, &d, mean / s->size,
            "in the bind pose, joint %u '%.*s' places %u vertices %.4g units (at most %.4g) from "
            "where their other joints place them%s",
            joint, M5_CHECK_NAME(s->f, m->joints[joint].name), j->shared, mean, e.worst, cure);
    return m5_would_say(&s->f->report, rule, mean / s->size) >= M5_WARNING;
}

/* Whether there are vertices about which other joints agree. If all shared vertices are this
 * joint's, all joints may be wrong in the same way; but that is unlikely if most of the model is
 * rigid, and has other joints. */
static bool is_alone(const search *s, uint32_t joint)
{
    enum { SEVERAL = 3 };
    return s->shared >= s->joints[joint].shared + LEAST_SHARED ||
           (s->used >= SEVERAL && 2 * (uint64_t)s->shared <= s->verts);
}

static void find(search *s, m5_misplaced *out)
{
    uint32_t twin;
    s->size = size_without(s, M5_NO_INDEX);
    if (!(s->size > 0) || !disagree(s))
        return;
    add_meshes(s);
    uint32_t joint = s->apart != 0 ? choose(s, &twin) : M5_NO_INDEX;
    if (joint == M5_NO_INDEX || 2 * (uint64_t)s->split >= s->joints[joint].apart)
        return;
    if (!is_alone(s, joint))
        *out = (m5_misplaced){M5_NO_INDEX, {joint, twin}};
    else if (say(s, joint, twin))
        out->joint = joint;
}

m5_misplaced m5_check_md5mesh_misplaced(m5_lint_file *f, const m5_matrix *bind)
{
    m5_misplaced out = {M5_NO_INDEX, {M5_NO_INDEX, M5_NO_INDEX}};
    size_t mark = f->arena.used;
    uint32_t count = f->model.md5mesh->num_joints;
    search s = {.f = f, .bind = bind, .joints = m5_check_scratch(f, count, sizeof *s.joints)};
    if (s.joints != NULL) {
        memset(s.joints, 0, count * sizeof *s.joints);
        find(&s, &out);
    }
    m5_arena_release(&f->arena, mark);
    return out;
}

bool m5_check_is_moved_by(const m5_md5mesh_mesh *m, uint32_t joint)
{
    for (uint32_t i = 0; joint != M5_NO_INDEX && i < m->num_weights; i++)
        if (m->weights[i].joint == joint)
            return true;
    return false;
}
