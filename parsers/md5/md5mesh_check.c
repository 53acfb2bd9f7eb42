/* Checks the indices of a mesh: from vertices to weights, from triangles to vertices, from weights
 * to joints. */
#include "md5mesh_state.h"
#include "../core/emit.h"

#include <math.h>

/* ---- Indices -------------------------------------------------------------------------------- */

/* The number that startWeight is counted from: 1, or the number of weights in the meshes before. 0
 * if counting from there does not give exactly the weights that there are. */
static uint32_t started_from(const m5_md5mesh_mesh *mesh, uint32_t limit)
{
    uint32_t least = UINT32_MAX;
    uint64_t end = 0;
    for (uint32_t i = 0; i < mesh->num_verts; i++) {
        const m5_md5mesh_vert *v = &mesh->verts[i];
        least = v->start < least ? v->start : least;
        end = (uint64_t)v->start + v->count > end ? (uint64_t)v->start + v->count : end;
    }
    return mesh->num_verts > 1 && end - least == limit ? least : 0;
}

static void say_beyond(m5_md5mesh_state *w, uint32_t i, uint32_t limit, uint32_t from)
{
    const m5_md5mesh_vert *v = &w->mesh->verts[i];
    unsigned long long sum = (unsigned long long)v->start + v->count;
    m5_diag d = m5_md5_at(w->p, M5_ROW(md5mesh_vert_weight_range), v->offset,
                          v->start >= limit ? 6 : 7);
    if (from == 0)
        m5_emit(
            w->p->report, &d, 0,
            "vertex %u: startWeight %u + countWeight %u is %llu, expected at most %u, the number "
            "of weights",
            i, v->start, v->count, sum, limit);
    else
        m5_emit(
            w->p->report, &d, 0,
            "vertex %u: startWeight %u + countWeight %u is %llu, expected at most %u, the number "
            "of weights: no startWeight is below %u, so they seem to be counted from %u",
            i, v->start, v->count, sum, limit, from, from);
}

static void say_bad_count(m5_md5mesh_state *w, uint32_t i)
{
    const m5_md5mesh_vert *v = &w->mesh->verts[i];
    bool is_start = (int32_t)v->start < 0;
    m5_diag d = m5_md5_at(w->p, M5_ROW(md5mesh_vert_no_weights), v->offset, is_start ? 6 : 7);
    if (!is_start && v->count == 0) {
        m5_emit(w->p->report, &d, 0, "vertex %u has no weights", i);
        return;
    }
    d.rule = M5_ROW(md5mesh_vert_count_negative);
    d.tag = is_start && (int32_t)v->count > 0 ? M5_TAG_far : M5_TAG_none;
    m5_emit(w->p->report, &d, 0, "vertex %u: %s is %.*s, expected 0 or more", i,
            is_start ? "startWeight" : "countWeight", (int)d.at.length,
            (const char *)w->p->lx.base + d.at.offset);
}

static bool is_beyond(const m5_md5mesh_vert *v, uint32_t limit)
{
    return (uint64_t)v->start + v->count > limit;
}

static bool check_verts(m5_md5mesh_state *w)
{
    m5_md5mesh_mesh *mesh = w->mesh;
    uint32_t limit = m5_md5_limit(&w->weights);
    uint32_t from = 0;
    bool sound = true, told = false;
    for (uint32_t i = 0; i < mesh->num_verts; i++) {
        m5_md5mesh_vert *v = &mesh->verts[i];
        if (v->count != 0 && !is_beyond(v, mesh->num_weights))
            continue;
        w->p->lx.path.step[1].index = i;
        if (v->start == M5_BROKEN) {
            /* reported already */
        } else if ((int32_t)v->start < 0 || (int32_t)v->count <= 0) {
            say_bad_count(w, i);
        } else if (w->weights.known && is_beyond(v, limit) && (limit != 0 || i == 0) && from == 0) {
            from = told ? 0 : started_from(mesh, limit);
            say_beyond(w, i, limit, from);
            told = true;
        }
        v->start = M5_BROKEN;
        v->count = 0;
        sound = false;
    }
    mesh->weights_in_place &= from == 0;
    return sound;
}

/* The number that the vertices of triangles are counted from: 1, or the number of vertices in the
 * meshes before. 0 if they would not fit any better. */
static uint32_t counted_from(const m5_md5mesh_mesh *mesh, uint32_t limit)
{
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t i = 0; i < mesh->num_tris; i++)
        for (unsigned k = 0; k < 3 && mesh->tris[i].vert[0] != M5_BROKEN; k++) {
            uint32_t vert = mesh->tris[i].vert[k];
            least = vert < least ? vert : least;
            most = vert > most ? vert : most;
        }
    return mesh->num_tris > 1 && most - least < limit ? least : 0;
}

static void say_corner(m5_md5mesh_state *w, uint32_t i, unsigned corner, uint32_t limit,
                       uint32_t from)
{
    m5_md5_parser *p = w->p;
    m5_diag d = m5_md5_at(p, M5_ROW(md5mesh_tri_vertex_range), w->mesh->tris[i].offset, corner + 2);
    const char *text = (const char *)p->lx.base + d.at.offset;
    int length = (int)d.at.length;
    uint32_t last = limit - 1;
    d.tag = limit == 0 ? M5_TAG_nothing : M5_TAG_none;
    if (limit == 0)
        m5_emit(p->report, &d, 0, "triangle %u uses vertex %.*s, but the mesh has no vertices", i,
                length, text);
    else if (from == 0)
        m5_emit(p->report, &d, 0, "triangle %u uses vertex %.*s, expected 0 to %u", i, length, text,
                last);
    else
        m5_emit(p->report, &d, 0,
                "triangle %u uses vertex %.*s, expected 0 to %u: none uses a vertex below %u, so "
                "they seem to be counted from %u",
                i, length, text, last, from, from);
}

/* Marks a triangle, with the corners that are in range last. */
static void spoil_tri(m5_md5mesh_tri *t, uint32_t num_verts)
{
    m5_md5mesh_tri known = *t;
    unsigned last = 3;
    for (unsigned k = 0; k < 3; k++)
        if (known.vert[k] < num_verts)
            t->vert[--last] = known.vert[k];
    while (last != 0)
        t->vert[--last] = M5_BROKEN;
}

static bool check_tris(m5_md5mesh_state *w)
{
    m5_md5mesh_mesh *mesh = w->mesh;
    uint32_t limit = m5_md5_limit(&w->verts);
    uint32_t from = 0;
    bool sound = true, told = false;
    for (uint32_t i = 0; i < mesh->num_tris; i++) {
        m5_md5mesh_tri *t = &mesh->tris[i];
        uint32_t n = mesh->num_verts;
        if (t->vert[0] < n && t->vert[1] < n && t->vert[2] < n)
            continue;
        w->p->lx.path.step[1].index = i;
        for (unsigned k = 0; k < 3 && t->vert[0] != M5_BROKEN; k++) {
            if (t->vert[k] < limit || !w->verts.known || from != 0)
                continue;
            from = told ? 0 : counted_from(mesh, limit);
            say_corner(w, i, k, limit, from);
            told = true;
        }
        spoil_tri(t, n);
        sound = false;
    }
    return sound;
}

/* Whether several joints are one too large, none more than that, and none is 0. */
static bool joints_from_one(const m5_md5mesh_mesh *mesh, uint32_t limit)
{
    enum { SEVERAL = 4 };
    uint32_t large = 0;
    for (uint32_t i = 0; i < mesh->num_weights; i++) {
        const m5_md5mesh_weight *x = &mesh->weights[i];
        if (x->joint == 0 || x->joint > limit)
            return false;
        large += x->joint == limit;
    }
    return large >= SEVERAL;
}

static void say_joint(m5_md5mesh_state *w, uint32_t i, uint32_t limit, bool from_one)
{
    m5_md5_parser *p = w->p;
    const m5_md5mesh_weight *x = &w->mesh->weights[i];
    m5_diag d = m5_md5_at(p, M5_ROW(md5mesh_weight_joint_range), x->offset, 2);
    m5_emit(p->report, &d, 0, "weight %u is on joint %d, expected 0 to %u%s", i, (int32_t)x->joint,
            limit - 1,
            from_one ? ", and none is on joint 0: are joints counted from 1, or is a joint missing?"
                     : "");
}

static bool check_weights(m5_md5mesh_state *w)
{
    uint32_t limit = m5_md5_limit(w->joints);
    bool sound = true, from_one = false;
    for (uint32_t i = 0; i < w->mesh->num_weights; i++) {
        m5_md5mesh_weight *x = &w->mesh->weights[i];
        if (x->joint < w->joints_found)
            continue;
        if (x->joint >= limit && w->joints->known && !isnan(x->bias) && !from_one) {
            from_one = sound && joints_from_one(w->mesh, limit);
            w->p->lx.path.step[1].index = i;
            say_joint(w, i, limit, from_one);
        }
        x->joint = M5_BROKEN;
        sound = false;
    }
    return sound;
}

/* Whether a list has as many records as are declared, each in its place. */
static bool is_complete(const m5_md5_count *list)
{
    return list->known && list->in_place;
}

void m5_md5mesh_check_indices(m5_md5mesh_state *w)
{
    m5_path *path = &w->p->lx.path;
    path->step[1].name = "vert";
    bool verts = check_verts(w) && is_complete(&w->verts);
    path->step[1].name = "tri";
    bool tris = check_tris(w) && is_complete(&w->tris);
    path->step[1].name = "weight";
    bool weights = check_weights(w) && is_complete(&w->weights);
    w->mesh->skin_whole = verts && weights;
    w->mesh->whole = verts && weights && tris;
}
