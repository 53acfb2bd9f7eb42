/* Cuts an MD5 mesh into surfaces that MD4's limits allow. */
#include "convert_surface.h"

#include "convert_collapse.h"

#include <stdlib.h>
#include <string.h>

/* A mesh that is being cut into surfaces. */
typedef struct work {
    const m5_md5mesh_mesh *from;
    vertex *verts;
    triangle *tris;
    uint32_t num_tris;
    uint32_t *place; /* of each vertex in the surface that is being filled, from 1; 0: not there */
} work;

/* ---- The whole mesh ----------------------------------------------------------------------- */

static void hang(vertex *out, const m5_md5mesh_mesh *m, const m5_md5mesh_vert *v, influence *room)
{
    uint32_t count = find_influences(m, v, room);
    count = keep_strongest(room, count, MD4_WEIGHTS, MD4_LEAST_WEIGHT);
    for (uint32_t i = 0; i < count; i++)
        out->weights[i] = (influence){room[i].bone, as_float(room[i].weight),
                                      vec_as_float(room[i].at)};
    out->num_weights = count;
    memcpy(out->st, v->st, sizeof out->st);
}

/* Normals are those of the whole mesh, so that cuts are not visible. */
static void skin_mesh(work *w, const matrix *bones, influence *room)
{
    uint32_t count = w->from->num_verts;
    vec *at = allocate(count, sizeof *at), *normals = allocate(count, sizeof *normals);
    for (uint32_t i = 0; i < count; i++) {
        vertex *v = &w->verts[i];
        hang(v, w->from, &w->from->verts[i], room);
        at[i] = v->at = vec_as_float(skin(bones, v->weights, v->num_weights));
    }
    find_normals(&(shape){count, w->num_tris, at, w->tris}, normals);
    for (uint32_t i = 0; i < count; i++)
        w->verts[i].normal = normals[i];
    free(at);
    free(normals);
}

/* ---- Cutting ------------------------------------------------------------------------------ */

static uint32_t corners_missing(const work *w, const triangle *t)
{
    uint32_t missing = 0;
    for (int k = 0; k < 3; k++)
        missing += w->place[t->corner[k]] == 0;
    return missing;
}

static triangle take(surface *s, work *w, triangle t)
{
    for (int k = 0; k < 3; k++) {
        uint32_t *place = &w->place[t.corner[k]];
        if (*place == 0) {
            s->verts[s->num_verts++] = w->verts[t.corner[k]];
            *place = s->num_verts;
        }
        t.corner[k] = *place - 1;
    }
    return t;
}

/* Takes triangles from `first` on, in the order of the file, until the surface is full. Returns the
 * first triangle that is left. */
static uint32_t fill(surface *s, work *w, uint32_t first, cut most)
{
    uint32_t i = first;
    s->verts = allocate(most.verts, sizeof *s->verts);
    s->tris = allocate(most.tris, sizeof *s->tris);
    for (; i < w->num_tris && s->num_tris < most.tris; i++) {
        if (s->num_verts + corners_missing(w, &w->tris[i]) > most.verts)
            break;
        s->tris[s->num_tris++] = take(s, w, w->tris[i]);
    }
    memset(w->place, 0, w->from->num_verts * sizeof *w->place);
    return i;
}

/* ---- One surface -------------------------------------------------------------------------- */

typedef struct lasting {
    uint32_t end, index;
    triangle t;
} lasting;

static int by_end(const void *a, const void *b)
{
    const lasting *x = a, *y = b;
    if (x->end != y->end)
        return x->end < y->end ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

static void sort_triangles(surface *s)
{
    lasting *sorted = allocate(s->num_tris, sizeof *sorted);
    for (uint32_t i = 0; i < s->num_tris; i++)
        sorted[i] = (lasting){triangle_end(s->collapse, s->tris[i]), i, s->tris[i]};
    qsort(sorted, s->num_tris, sizeof *sorted, by_end);
    for (uint32_t i = 0; i < s->num_tris; i++)
        s->tris[i] = sorted[i].t;
    free(sorted);
}

static void renumber(surface *s, const uint32_t *ranks)
{
    vertex *sorted = allocate(s->num_verts, sizeof *sorted);
    for (uint32_t i = 0; i < s->num_verts; i++)
        sorted[ranks[i]] = s->verts[i];
    free(s->verts);
    s->verts = sorted;
    for (uint32_t i = 0; i < s->num_tris; i++)
        for (int k = 0; k < 3; k++)
            s->tris[i].corner[k] = ranks[s->tris[i].corner[k]];
}

static void collapse(surface *s)
{
    vec *at = allocate(s->num_verts, sizeof *at);
    uint32_t *ranks = allocate(s->num_verts, sizeof *ranks);
    s->collapse = allocate(s->num_verts, sizeof *s->collapse);
    for (uint32_t i = 0; i < s->num_verts; i++)
        at[i] = s->verts[i].at;
    find_collapse(&(shape){s->num_verts, s->num_tris, at, s->tris}, ranks, s->collapse);
    renumber(s, ranks);
    sort_triangles(s);
    free(at);
    free(ranks);
}

/* ---- All ---------------------------------------------------------------------------------- */

static void add_surfaces(surfaces *out, work *w, cut most)
{
    for (uint32_t next = 0; next < w->num_tris;) {
        if (out->count == MD4_SURFACES)
            fail("more than %d surfaces of %u vertices and %u triangles: see --surface-verts",
                 MD4_SURFACES, most.verts, most.tris);
        surface *s = &out->list[out->count++];
        s->from = w->from;
        next = fill(s, w, next, most);
        collapse(s);
    }
}

static void add_mesh(surfaces *out, const m5_md5mesh_mesh *m, const matrix *bones, influence *room,
                     cut most)
{
    work w = {.from = m};
    w.verts = allocate(m->num_verts, sizeof *w.verts);
    w.place = allocate(m->num_verts, sizeof *w.place);
    w.tris = allocate(m->num_tris, sizeof *w.tris);
    w.num_tris = find_triangles(m, w.tris);
    skin_mesh(&w, bones, room);
    add_surfaces(out, &w, most);
    free(w.verts);
    free(w.place);
    free(w.tris);
}

void surfaces_build(surfaces *out, const m5_md5mesh *m, const matrix *bones, cut most)
{
    influence *room = allocate(m->num_joints, sizeof *room);
    *out = (surfaces){0};
    for (uint32_t i = 0; i < m->num_meshes; i++)
        add_mesh(out, &m->meshes[i], bones, room, most);
    free(room);
    if (out->count == 0)
        fail("the mesh has no triangles");
}

void surfaces_free(surfaces *all)
{
    for (uint32_t i = 0; i < all->count; i++) {
        free(all->list[i].verts);
        free(all->list[i].tris);
        free(all->list[i].collapse);
    }
}
