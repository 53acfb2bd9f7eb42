/* Makes skins of the meshes of each format, and computes positions, normals and boxes from them. */
#include "skin_weight.h"
#include "../core/allocate.h"
#include "../core/exact.h"

#include <string.h>

/* ---- From models ----------------------------------------------------------------------------- */

static bool make(m5_arena *arena, m5_skin *skin)
{
    skin->verts = m5_arena_take(arena, skin->num_verts, sizeof *skin->verts);
    skin->weights = m5_arena_take(arena, skin->num_weights, sizeof *skin->weights);
    return skin->verts != NULL && skin->weights != NULL;
}

bool m5_skin_md5mesh(m5_arena *arena, const m5_md5mesh *mesh, uint32_t first, uint32_t count,
                     m5_skin *out)
{
    *out = (m5_skin){.num_bones = mesh->num_joints};
    for (uint32_t i = first; i < first + count; i++) {
        out->num_verts += mesh->meshes[i].num_verts;
        out->num_weights += mesh->meshes[i].num_weights;
    }
    if (!make(arena, out))
        return false;
    uint32_t verts = 0, weights = 0;
    for (uint32_t i = first; i < first + count; i++) {
        const m5_md5mesh_mesh *m = &mesh->meshes[i];
        for (uint32_t k = 0; k < m->num_verts; k++)
            out->verts[verts++] = (m5_skin_vertex){weights + m->verts[k].start, m->verts[k].count};
        for (uint32_t k = 0; k < m->num_weights; k++) {
            const m5_md5mesh_weight *w = &m->weights[k];
            out->weights[weights++] = (m5_skin_weight){
                w->joint, w->bias, {w->pos[0], w->pos[1], w->pos[2]}};
        }
    }
    return true;
}

static uint32_t count_md4_weights(const m5_md4 *model, uint32_t surf)
{
    uint32_t weights = 0;
    for (uint32_t k = 0; k < model->surfs[surf].num_verts; k++)
        weights += m5_md4_vertex_at(model, &model->surfs[surf], k).num_weights;
    return weights;
}

bool m5_skin_md4(m5_arena *arena, const m5_md4 *model, uint32_t first, uint32_t count, m5_skin *out)
{
    *out = (m5_skin){.num_bones = model->num_bones};
    for (uint32_t i = first; i < first + count; i++) {
        out->num_verts += model->surfs[i].num_verts;
        out->num_weights += count_md4_weights(model, i);
    }
    if (!make(arena, out))
        return false;
    uint32_t verts = 0, weights = 0;
    for (uint32_t i = first; i < first + count; i++)
        for (uint32_t k = 0; k < model->surfs[i].num_verts; k++) {
            m5_md4_vertex v = m5_md4_vertex_at(model, &model->surfs[i], k);
            out->verts[verts++] = (m5_skin_vertex){weights, v.num_weights};
            for (uint32_t n = 0; n < v.num_weights; n++) {
                m5_md4_weight w = m5_md4_weight_at(model, &model->surfs[i], k, n);
                out->weights[weights++] = (m5_skin_weight){
                    w.bone, w.weight, {w.pos[0], w.pos[1], w.pos[2]}};
            }
        }
    return true;
}

/* The weight of a vertex for a bone: its position in the bone's space. */
static m5_skin_weight seen_from(const m5_matrix *bind, uint32_t bone, float bias, m5_vec p)
{
    m5_matrix inverse;
    if (!m5_matrix_inverse(bind, &inverse))
        return (m5_skin_weight){bone, 0, {0, 0, 0}};
    m5_vec own = m5_matrix_apply(&inverse, p);
    return (m5_skin_weight){bone, bias, {(float)own.x, (float)own.y, (float)own.z}};
}

bool m5_skin_illmesh(m5_arena *arena, const m5_illmesh *mesh, const m5_matrix *bind,
                     uint32_t num_bones, m5_skin *out)
{
    *out = (m5_skin){
        .num_bones = num_bones, .num_verts = mesh->num_verts, .num_weights = 4 * mesh->num_verts};
    if (!make(arena, out))
        return false;
    for (uint32_t i = 0; i < mesh->num_verts; i++) {
        const float *v = mesh->verts + (size_t)i * mesh->stride;
        m5_vec p = m5_vec_of(v + mesh->at[M5_ILL_POSITION]);
        out->verts[i] = (m5_skin_vertex){4 * i, 4};
        for (uint32_t k = 0; k < 4; k++) {
            uint32_t bone = (uint32_t)v[(uint32_t)mesh->at[M5_ILL_BONES] + k];
            float bias = v[(uint32_t)mesh->at[M5_ILL_WEIGHTS] + k];
            out->weights[4 * i + k] = seen_from(&bind[bone], bone, bias, p);
        }
    }
    return true;
}

/* ---- Positions ------------------------------------------------------------------------------- */

m5_vec m5_skin_position(const m5_skin *skin, uint32_t vert, const m5_matrix *bones)
{
    const m5_skin_weight *w = skin->weights + skin->verts[vert].start;
    m5_vec sum = {0, 0, 0};
    for (uint32_t i = 0; i < skin->verts[vert].count; i++, w++)
        sum = m5_vec_add(sum, m5_vec_times(m5_skin_weight_position(w, bones), (double)w->bias));
    return sum;
}

/* Vertices may share weights, and a hostile file lets all of them share all: up to this many are
 * added one by one, more by the difference of two running sums. */
enum { ADD_AT_MOST = 32 };

/* sum[i] is the sum of the weights before i. */
static m5_vec *running_sums(const m5_skin *skin, const m5_matrix *bones, m5_arena *arena)
{
    m5_vec *sum = m5_arena_take(arena, (size_t)skin->num_weights + 1, sizeof *sum);
    if (sum == NULL)
        return NULL;
    sum[0] = (m5_vec){0, 0, 0};
    for (uint32_t i = 0; i < skin->num_weights; i++) {
        const m5_skin_weight *w = &skin->weights[i];
        sum[i + 1] = m5_vec_add(sum[i],
                                m5_vec_times(m5_skin_weight_position(w, bones), (double)w->bias));
    }
    return sum;
}

bool m5_skin_positions(const m5_skin *skin, const m5_matrix *bones, m5_arena *arena, m5_vec *out)
{
    size_t mark = arena->used;
    const m5_vec *sums = NULL;
    bool room = true;
    for (uint32_t i = 0; i < skin->num_verts && room; i++) {
        const m5_skin_vertex *v = &skin->verts[i];
        if (v->count > ADD_AT_MOST && sums == NULL)
            room = (sums = running_sums(skin, bones, arena)) != NULL;
        if (v->count <= ADD_AT_MOST)
            out[i] = m5_skin_position(skin, i, bones);
        else if (room)
            out[i] = m5_vec_sub(sums[v->start + v->count], sums[v->start]);
    }
    m5_arena_release(arena, mark);
    return room;
}

void m5_skin_boxes(const m5_skin *skin, m5_box *out)
{
    for (uint32_t i = 0; i < skin->num_bones; i++)
        out[i] = m5_box_empty();
    for (uint32_t i = 0; i < skin->num_weights; i++)
        m5_skin_weight_add(&skin->weights[i], out);
}

/* ---- Normals --------------------------------------------------------------------------------- */

static m5_vec unit_or_none(m5_vec v)
{
    double length = m5_vec_length(v);
    return length > 0 ? m5_vec_times(v, 1 / length) : (m5_vec){0, 0, 0};
}

void m5_skin_normals(const m5_vec *positions, uint32_t num_verts, const uint32_t *tris,
                     uint32_t num_tris, m5_vec *out)
{
    memset(out, 0, num_verts * sizeof *out);
    for (uint32_t i = 0; i < num_tris; i++) {
        const uint32_t *t = tris + 3 * (size_t)i;
        m5_vec a = m5_vec_sub(positions[t[1]], positions[t[0]]);
        m5_vec b = m5_vec_sub(positions[t[2]], positions[t[0]]);
        m5_vec twice_the_area = m5_vec_cross(b, a); /* front faces run clockwise */
        for (int k = 0; k < 3; k++)
            out[t[k]] = m5_vec_add(out[t[k]], twice_the_area);
    }
    for (uint32_t i = 0; i < num_verts; i++)
        out[i] = unit_or_none(out[i]);
}

m5_vec m5_skin_normal(const m5_skin *skin, uint32_t vert, m5_vec normal, const m5_matrix *bind,
                      const m5_matrix *bones)
{
    const m5_skin_weight *w = skin->weights + skin->verts[vert].start;
    m5_vec sum = {0, 0, 0};
    for (uint32_t i = 0; i < skin->verts[vert].count; i++, w++) {
        m5_matrix back;
        if (!m5_matrix_inverse(&bind[w->bone], &back))
            continue;
        m5_vec own = m5_matrix_rotate(&back, normal);
        sum = m5_vec_add(sum,
                         m5_vec_times(m5_matrix_rotate(&bones[w->bone], own), (double)w->bias));
    }
    return unit_or_none(sum);
}
