/* Computes positions, normals and influences of an MD5 mesh's vertices. */
#include "convert_skin.h"

#include <math.h>
#include <stdlib.h>

/* ---- Influences --------------------------------------------------------------------------- */

static influence *find_bone(influence *list, uint32_t *count, uint32_t bone)
{
    for (uint32_t i = 0; i < *count; i++)
        if (list[i].bone == bone)
            return &list[i];
    list[*count] = (influence){.bone = bone};
    return &list[(*count)++];
}

/* Two weights of one bone move the vertex as one does at their weighted mean. */
static void merge(influence *into, double weight, vec at)
{
    double sum = into->weight + weight;
    vec step = vec_times(vec_sub(at, into->at), weight / sum);
    into->at = vec_add(into->at, step);
    into->weight = sum;
}

static int by_strength(const void *a, const void *b)
{
    const influence *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->bone < y->bone ? -1 : 1;
}

static void make_sum_1(influence *list, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += list[i].weight;
    for (uint32_t i = 0; i < count; i++)
        list[i].weight /= sum;
}

static vec vec_of(const float v[3])
{
    return (vec){v[0], v[1], v[2]};
}

uint32_t find_influences(const m5_md5mesh_mesh *m, const m5_md5mesh_vert *v, influence *out)
{
    const m5_md5mesh_weight *w = &m->weights[v->start];
    uint32_t count = 0;
    for (uint32_t i = 0; i < v->count; i++)
        if (w[i].bias > 0)
            merge(find_bone(out, &count, w[i].joint), w[i].bias, vec_of(w[i].pos));
    if (count == 0)
        out[count++] = (influence){w->joint, 1, vec_of(w->pos)};
    qsort(out, count, sizeof *out, by_strength);
    make_sum_1(out, count);
    return count;
}

/* Compared as floats, since that is how they are written. */
uint32_t keep_strongest(influence *list, uint32_t count, uint32_t most, double least)
{
    if (count > most)
        count = most;
    while (count > 1 && (float)list[count - 1].weight < least)
        count--;
    make_sum_1(list, count);
    return count;
}

vec skin(const matrix *bones, const influence *list, uint32_t count)
{
    vec sum = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        vec moved = matrix_times(&bones[list[i].bone], list[i].at);
        sum = vec_add(sum, vec_times(moved, list[i].weight));
    }
    return sum;
}

/* ---- Triangles and normals ---------------------------------------------------------------- */

uint32_t find_triangles(const m5_md5mesh_mesh *m, triangle *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->num_tris; i++) {
        const uint32_t *v = m->tris[i].vert;
        if (v[0] != v[1] && v[1] != v[2] && v[2] != v[0])
            out[count++] = (triangle){{v[0], v[1], v[2]}};
    }
    return count;
}

static const double TOO_SHORT = 1e-100;

static vec unit_or(vec v, vec otherwise)
{
    return vec_length(v) > TOO_SHORT ? vec_unit(v) : otherwise;
}

void find_normals(const shape *s, vec *normals)
{
    for (uint32_t i = 0; i < s->num_verts; i++)
        normals[i] = (vec){0, 0, 0};
    for (uint32_t i = 0; i < s->num_tris; i++) {
        const uint32_t *c = s->tris[i].corner;
        vec one = vec_sub(s->at[c[1]], s->at[c[0]]), two = vec_sub(s->at[c[2]], s->at[c[0]]);
        vec twice_area = vec_cross(two, one);
        for (int k = 0; k < 3; k++)
            normals[c[k]] = vec_add(normals[c[k]], twice_area);
    }
    for (uint32_t i = 0; i < s->num_verts; i++)
        normals[i] = unit_or(normals[i], (vec){0, 0, 1});
}

/* ---- Tangents ----------------------------------------------------------------------------- */

/* The directions, not normalised, in which s and t grow on a triangle's plane. If the texture is
 * mirrored there, both would have the opposite direction; the sign of the determinant corrects
 * that. */
static void add_axes(const shape *s, const m5_md5mesh_vert *verts, const triangle *t, vec *tangents,
                     vec *bitangents)
{
    uint32_t a = t->corner[0], b = t->corner[1], c = t->corner[2];
    vec one = vec_sub(s->at[b], s->at[a]), two = vec_sub(s->at[c], s->at[a]);
    const float *sa = verts[a].st, *sb = verts[b].st, *sc = verts[c].st;
    double s1 = (double)sb[0] - sa[0], t1 = (double)sb[1] - sa[1];
    double s2 = (double)sc[0] - sa[0], t2 = (double)sc[1] - sa[1];
    double determinant = s1 * t2 - s2 * t1;
    double sign = determinant < 0 ? -1 : determinant > 0 ? 1 : 0;
    vec along_s = vec_times(vec_sub(vec_times(one, t2), vec_times(two, t1)), sign);
    vec along_t = vec_times(vec_sub(vec_times(two, s1), vec_times(one, s2)), sign);
    for (int k = 0; k < 3; k++) {
        tangents[t->corner[k]] = vec_add(tangents[t->corner[k]], along_s);
        bitangents[t->corner[k]] = vec_add(bitangents[t->corner[k]], along_t);
    }
}

/* The axis that is farthest from the normal, made perpendicular to it. */
static vec any_square_to(vec normal)
{
    double x = fabs(normal.x), y = fabs(normal.y), z = fabs(normal.z);
    vec axis = x <= y && x <= z ? (vec){1, 0, 0} : y <= z ? (vec){0, 1, 0} : (vec){0, 0, 1};
    return vec_unit(vec_sub(axis, vec_times(normal, vec_dot(axis, normal))));
}

static vec square_to(vec normal, vec v)
{
    v = unit_or(v, normal);
    v = vec_sub(v, vec_times(normal, vec_dot(v, normal)));
    return vec_length(v) > 1e-6 ? vec_unit(v) : any_square_to(normal);
}

void find_tangents(const shape *s, const m5_md5mesh_vert *verts, const vec *normals, vec *tangents,
                   vec *bitangents)
{
    for (uint32_t i = 0; i < s->num_verts; i++)
        tangents[i] = bitangents[i] = (vec){0, 0, 0};
    for (uint32_t i = 0; i < s->num_tris; i++)
        add_axes(s, verts, &s->tris[i], tangents, bitangents);
    for (uint32_t i = 0; i < s->num_verts; i++) {
        tangents[i] = square_to(normals[i], tangents[i]);
        vec beside = vec_cross(normals[i], tangents[i]);
        bool mirrored = vec_dot(beside, bitangents[i]) < 0;
        bitangents[i] = vec_times(beside, mirrored ? -1 : 1);
    }
}
