/* Builds the surface of the biped from tubes, with weights. */
#include "generate_body.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for one more item. Arrays double, so a full one holds a power of two, or nothing. */
static void *one_more(void *items, size_t count, size_t size)
{
    if (count & (count - 1))
        return items;
    items = realloc(items, (count ? count * 2 : 1) * size);
    if (!items) {
        fprintf(stderr, "generate: out of memory\n");
        exit(2);
    }
    return items;
}

static mesh *current(const body *b)
{
    return &b->meshes[b->mesh_count - 1];
}

/* ---- Vertices ----------------------------------------------------------------------------- */

/* Positions of weights are computed from the joint as it is printed, so that all weights of a
 * vertex agree on its position, except for the rounding of their own digits. */
static void add_weight(body *b, int which, double bias, vec place)
{
    const joint *j = &b->rig->joints[which];
    vec at = quat_rotate(quat_inverse(j->turn), vec_sub(place, j->at));
    b->weights = one_more(b->weights, b->weight_count, sizeof *b->weights);
    b->weights[b->weight_count++] = (weight){which, bias, vec_as_printed(&b->rig->digits, at)};
    current(b)->weights++;
}

static void add_vertex(body *b, const row *w, double s, vec place)
{
    const digits *d = &b->rig->digits;
    b->vertices = one_more(b->vertices, b->vertex_count, sizeof *b->vertices);
    b->vertices[b->vertex_count++] = (vertex){as_printed(d, s), as_printed(d, w->t),
                                              b->weight_count, w->by.count};
    current(b)->vertices++;
    for (int i = 0; i < w->by.count; i++)
        add_weight(b, w->by.joint[i], w->by.bias[i], place);
}

/* The texture runs around to the far side and back, so that no seam needs vertices twice. */
static void add_around(body *b, const row *w, int i)
{
    double angle = turns((double)i / w->around), s = 1 - fabs(1 - 2.0 * i / w->around);
    vec out = vec_add(vec_times(w->across, cos(angle)), vec_times(w->beside, sin(angle)));
    add_vertex(b, w, s, vec_add(w->centre, out));
}

/* ---- Rings -------------------------------------------------------------------------------- */

static const weight *weights_of(const body *b, const ring *r, int i)
{
    return &b->weights[b->vertices[r->first_vertex + (size_t)i].first_weight];
}

static void find_centre(const body *b, ring *r)
{
    memcpy(r->centre, weights_of(b, r, 0), (size_t)r->weights * sizeof *r->centre);
    for (int k = 0; k < r->weights; k++) {
        vec sum = {0, 0, 0};
        for (int i = 0; i < r->vertices; i++)
            sum = vec_add(sum, weights_of(b, r, i)[k].at);
        r->centre[k].at = vec_times(sum, 1.0 / r->vertices);
    }
}

static void find_radius(const body *b, ring *r)
{
    for (int i = 0; i < r->vertices; i++) {
        const weight *w = weights_of(b, r, i);
        double far = 0;
        for (int k = 0; k < r->weights; k++)
            far += w[k].bias * vec_length(vec_sub(w[k].at, r->centre[k].at));
        r->radius = fmax(r->radius, far);
    }
}

static void add_ring(body *b, const row *w)
{
    ring r = {.first_vertex = b->vertex_count, .vertices = w->around, .weights = w->by.count};
    if (w->around == 1)
        add_vertex(b, w, 0.5, w->centre);
    for (int i = 0; w->around > 1 && i < w->around; i++)
        add_around(b, w, i);
    find_centre(b, &r);
    find_radius(b, &r);
    b->rings = one_more(b->rings, b->ring_count, sizeof *b->rings);
    b->rings[b->ring_count++] = r;
}

static void add_triangle(body *b, int x, int y, int z)
{
    b->triangles = one_more(b->triangles, b->triangle_count, sizeof *b->triangles);
    b->triangles[b->triangle_count++] = (triangle){{x, y, z}};
    current(b)->triangles++;
}

/* Triangles between the last two rings, of which one may be a tip. Seen from outside, their corners
 * run clockwise: Doom 3 draws that side. */
static void join_rings(body *b)
{
    const ring *to = &b->rings[b->ring_count - 1], *from = to - 1;
    int a = (int)(from->first_vertex - current(b)->first_vertex), as = from->vertices;
    int z = (int)(to->first_vertex - current(b)->first_vertex), zs = to->vertices;
    int around = as > zs ? as : zs;
    for (int i = 0; i < around; i++) {
        int next = (i + 1) % around;
        if (as > 1)
            add_triangle(b, a + i, z + i % zs, a + next);
        if (zs > 1)
            add_triangle(b, a + next % as, z + i, z + next);
    }
}

/* ---- Meshes ------------------------------------------------------------------------------- */

static void begin_mesh(body *b, const char *part)
{
    b->meshes = one_more(b->meshes, b->mesh_count, sizeof *b->meshes);
    b->meshes[b->mesh_count++] = (mesh){.part = part,
                                        .first_vertex = b->vertex_count,
                                        .first_triangle = b->triangle_count,
                                        .first_weight = b->weight_count};
}

/* Whether to begin a new mesh: for another part, or because this one has no room for a ring (and a
 * tip, so that a tube's first tip is never alone in a mesh that has no room for the ring). */
static bool mesh_is_due(const body *b, const char *part, int around)
{
    if (b->mesh_count == 0 || strcmp(current(b)->part, part) != 0)
        return true;
    return current(b)->vertices + (size_t)around + 1 > MAX_MESH_VERTICES;
}

/* A mesh that gets full in the middle of a tube ends with a ring, and the next starts with it. */
static void add_tube(body *b, const tube *t, side s, double detail)
{
    path p;
    path_find(&p, t, b->rig, s, detail);
    row now, before;
    for (int i = 0; i < path_rows(&p); i++) {
        now = path_row(&p, i, &b->rig->digits);
        if (mesh_is_due(b, t->part, p.around)) {
            begin_mesh(b, t->part);
            if (i > 0)
                add_ring(b, &before);
        }
        add_ring(b, &now);
        if (i > 0)
            join_rings(b);
        before = now;
    }
}

void body_build(body *b, const rig *r, double detail)
{
    *b = (body){.rig = r};
    for (int i = 0; i < tube_count; i++) {
        add_tube(b, &tubes[i], tubes[i].sided ? LEFT : CENTRE, detail);
        if (tubes[i].sided)
            add_tube(b, &tubes[i], RIGHT, detail);
    }
}

void body_free(body *b)
{
    free(b->meshes);
    free(b->vertices);
    free(b->triangles);
    free(b->weights);
    free(b->rings);
}
