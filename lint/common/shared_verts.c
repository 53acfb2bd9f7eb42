/* Where the joints of an md5mesh place the vertices that they share: see shared_verts.h. */
#include "shared_verts.h"
#include "parsers/play/algebra.h"
#include "parsers/play/pose.h"

#include <string.h>

/* Of a vertex's weights: a hostile file lets all vertices share all of them. */
enum { LOOK_AT_MOST = 32, ENOUGH = 1024 };
static const double LEAST_BIAS = 0.05;
/* Positions agree if they are this near, as a share of the model's size. Exporters write five to
 * six digits, and 41 real meshes are within 5e-5. */
static const double AGREE = 0.003;

bool m5_shared_agree(const m5_shared *s, double distance)
{
    return distance <= AGREE * s->size;
}

static const m5_matrix *bind_of(const m5_shared *s, uint32_t joint)
{
    for (int i = 0; i < 2; i++)
        if (joint == s->tried[i])
            return &s->elsewhere[i];
    return &s->bind[joint];
}

static bool is_skipped(const m5_shared *s, uint32_t joint)
{
    bool any = false;
    for (uint32_t i = 0; i < s->num_skipped; i++)
        any |= s->skipped[i] == joint;
    return any;
}

m5_places m5_places_of(const m5_shared *s, const m5_md5mesh_mesh *m, const m5_md5mesh_vert *v)
{
    m5_places p = {.count = 0};
    for (uint32_t k = 0; k < v->count && k < LOOK_AT_MOST && p.count < M5_PLACES_MOST; k++) {
        const m5_md5mesh_weight *w = &m->weights[v->start + k];
        if (!((double)w->bias >= LEAST_BIAS))
            continue;
        if (is_skipped(s, w->joint))
            return (m5_places){.count = 0};
        p.joint[p.count] = w->joint;
        p.at[p.count++] = m5_matrix_apply(bind_of(s, w->joint), m5_vec_of(w->pos));
    }
    return p;
}

uint32_t m5_places_nearest(const m5_places *p, uint32_t of, double *distance)
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

/* If they are too many, or their biases sum to far more than 1, they belong to other vertices;
 * another rule reports that. */
bool m5_shared_is_blended(const m5_md5mesh_mesh *m, const m5_md5mesh_vert *v)
{
    double sum = 0;
    for (uint32_t k = 0; k < v->count && k < LOOK_AT_MOST; k++)
        sum += (double)m->weights[v->start + k].bias;
    return v->count >= 2 && v->count <= LOOK_AT_MOST && sum < 1.5;
}

static bool is_split(const m5_shared *s, const m5_places *p)
{
    bool split = false;
    for (uint32_t i = 1; i < p->count; i++)
        for (uint32_t k = 0; k < i; k++)
            split |= p->joint[i] == p->joint[k] &&
                     !m5_shared_agree(s, m5_vec_distance(p->at[i], p->at[k]));
    return split;
}

static void add_vertex(m5_shared *s, const m5_places *p)
{
    double most = 0, here;
    bool shared = false;
    s->split += is_split(s, p);
    for (uint32_t i = 0; i < p->count; i++) {
        if (m5_places_nearest(p, i, &here) == p->count)
            continue;
        m5_shared_joint *j = &s->joints[p->joint[i]];
        j->shared++;
        j->apart += !m5_shared_agree(s, here);
        j->sum += here;
        most = fmax(most, here);
        shared = true;
    }
    s->shared += shared;
    s->apart += !m5_shared_agree(s, most);
    s->sum += most;
}

double m5_shared_size(const m5_shared *s, uint32_t joint)
{
    const m5_md5mesh *model = s->f->model.md5mesh;
    m5_box box = m5_box_empty();
    for (uint32_t i = 0; i < model->num_meshes; i++) {
        const m5_md5mesh_mesh *m = &model->meshes[i];
        uint32_t step = m->num_verts / ENOUGH + 1;
        for (uint32_t k = 0; m->skin_whole && k < m->num_verts; k += step) {
            m5_places p = m5_places_of(s, m, &m->verts[k]);
            uint32_t by = p.count != 0 && p.joint[0] == joint ? 1 : 0;
            if (by < p.count && p.joint[by] != joint)
                m5_box_add(&box, p.at[by]);
        }
    }
    return m5_box_diagonal(&box);
}

void m5_shared_count(m5_shared *s)
{
    const m5_md5mesh *model = s->f->model.md5mesh;
    memset(s->joints, 0, model->num_joints * sizeof *s->joints);
    s->used = s->verts = s->shared = s->apart = s->split = 0;
    s->sum = 0;
    for (uint32_t i = 0; i < model->num_meshes; i++) {
        const m5_md5mesh_mesh *m = &model->meshes[i];
        s->verts += m->skin_whole ? m->num_verts : 0;
        for (uint32_t k = 0; m->skin_whole && k < m->num_verts; k++) {
            if (!m5_shared_is_blended(m, &m->verts[k]))
                continue;
            m5_places p = m5_places_of(s, m, &m->verts[k]);
            add_vertex(s, &p);
        }
        for (uint32_t k = 0; m->skin_whole && k < m->num_weights; k++) {
            bool *used = &s->joints[m->weights[k].joint].used;
            s->used += !*used;
            *used = true;
        }
    }
}

bool m5_shared_disagree(const m5_shared *s)
{
    const m5_md5mesh *model = s->f->model.md5mesh;
    double limit = AGREE * s->size * AGREE * s->size;
    for (uint32_t i = 0; i < model->num_meshes; i++) {
        const m5_md5mesh_mesh *m = &model->meshes[i];
        for (uint32_t k = 0; m->skin_whole && k < m->num_verts; k++) {
            if (!m5_shared_is_blended(m, &m->verts[k]))
                continue;
            m5_places p = m5_places_of(s, m, &m->verts[k]);
            for (uint32_t n = 1; n < p.count; n++) {
                m5_vec apart = m5_vec_sub(p.at[n], p.at[0]);
                if (!(m5_vec_dot(apart, apart) <= limit / 4))
                    return true;
            }
        }
    }
    return false;
}
