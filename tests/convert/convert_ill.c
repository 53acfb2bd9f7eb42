/* Writes an MD5 pair as illmesh, illskel and illanim. */
#include "convert_ill.h"

#include "convert_names.h"
#include "convert_skin.h"

#include <stdlib.h>

enum { DIGITS = 9, WEIGHT_DIGITS = 6, WEIGHTS = 4 };

static void put_count(bytes *b, uint32_t count, char end)
{
    put_number(b, count, 10, end);
}

static void put_numbers(bytes *b, const double *values, int count)
{
    for (int i = 0; i < count; i++)
        put_number(b, values[i], DIGITS, i + 1 < count ? ' ' : '\n');
}

static void put_vec(bytes *b, vec v)
{
    put_numbers(b, (const double[]){v.x, v.y, v.z}, 3);
}

static void put_name(bytes *b, const names *n, uint32_t i)
{
    put_text(b, name_at(n, i));
}

/* ---- illmesh ------------------------------------------------------------------------------ */

/* One mesh, and the directions at each of its vertices. */
typedef struct skin_of {
    const m5_md5mesh_mesh *from;
    vec *at, *normals, *tangents, *bitangents;
    triangle *tris;
    uint32_t num_tris;
    influence (*blend)[WEIGHTS];
} skin_of;

/* The position of a vertex is computed from all its weights, but only the largest are written. */
static void place_vertices(skin_of *s, const matrix *bones, influence *room)
{
    for (uint32_t i = 0; i < s->from->num_verts; i++) {
        uint32_t count = find_influences(s->from, &s->from->verts[i], room);
        s->at[i] = skin(bones, room, count);
        count = keep_strongest(room, count, WEIGHTS, 0);
        for (uint32_t k = 0; k < count; k++)
            s->blend[i][k] = room[k];
    }
}

static void begin(skin_of *s, const m5_md5mesh_mesh *m, const matrix *bones, influence *room)
{
    *s = (skin_of){.from = m};
    s->at = allocate(m->num_verts, sizeof *s->at);
    s->normals = allocate(m->num_verts, sizeof *s->normals);
    s->tangents = allocate(m->num_verts, sizeof *s->tangents);
    s->bitangents = allocate(m->num_verts, sizeof *s->bitangents);
    s->blend = allocate(m->num_verts, sizeof *s->blend);
    s->tris = allocate(m->num_tris, sizeof *s->tris);
    s->num_tris = find_triangles(m, s->tris);
    place_vertices(s, bones, room);
    shape all = {m->num_verts, s->num_tris, s->at, s->tris};
    find_normals(&all, s->normals);
    find_tangents(&all, m->verts, s->normals, s->tangents, s->bitangents);
}

static void end(skin_of *s)
{
    free(s->at);
    free(s->normals);
    free(s->tangents);
    free(s->bitangents);
    free(s->blend);
    free(s->tris);
}

static void put_texture(bytes *b, const m5_md5mesh_vert *v)
{
    put_numbers(b, (const double[]){v->st[0], v->st[1]}, 2);
}

static void put_blend(bytes *b, const influence *list)
{
    for (int i = 0; i < WEIGHTS; i++)
        put_count(b, list[i].bone, i + 1 < WEIGHTS ? ' ' : '\n');
    for (int i = 0; i < WEIGHTS; i++)
        put_number(b, list[i].weight, WEIGHT_DIGITS, i + 1 < WEIGHTS ? ' ' : '\n');
}

static void put_vertex(bytes *b, const skin_of *s, uint32_t i, bool engine_order)
{
    put_vec(b, s->at[i]);
    put_vec(b, s->normals[i]);
    put_vec(b, s->tangents[i]);
    put_vec(b, s->bitangents[i]);
    if (!engine_order)
        put_texture(b, &s->from->verts[i]);
    put_blend(b, s->blend[i]);
    if (engine_order)
        put_texture(b, &s->from->verts[i]);
}

/* Front faces are clockwise in MD5 and, in the known real illmesh files, counter-clockwise. */
static void put_triangle(bytes *b, const triangle *t, uint32_t first)
{
    put_count(b, first + t->corner[0], ' ');
    put_count(b, first + t->corner[2], ' ');
    put_count(b, first + t->corner[1], '\n');
}

static void put_mesh_header(bytes *b, const skin_of *meshes, uint32_t count)
{
    uint64_t verts = 0, tris = 0;
    for (uint32_t i = 0; i < count; i++) {
        verts += meshes[i].from->num_verts;
        tris += meshes[i].num_tris;
    }
    if (tris == 0)
        fail("the mesh has no triangles");
    if (verts > UINT32_MAX || 3 * tris > UINT32_MAX)
        fail("the mesh is too large");
    put_text(b, "ILLMESH0\n1\n1\n1\n1\n1\n0\n");
    put_count(b, (uint32_t)verts, '\n');
    put_count(b, (uint32_t)(3 * tris), '\n');
}

static void put_meshes(bytes *b, const skin_of *meshes, uint32_t count, bool engine_order)
{
    put_mesh_header(b, meshes, count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < meshes[i].from->num_verts; k++)
            put_vertex(b, &meshes[i], k, engine_order);
    uint32_t first = 0;
    for (uint32_t i = 0; i < count; first += meshes[i++].from->num_verts)
        for (uint32_t k = 0; k < meshes[i].num_tris; k++)
            put_triangle(b, &meshes[i].tris[k], first);
}

static matrix *bind_matrices(const pair *p)
{
    pose *poses = allocate(p->mesh->num_joints, sizeof *poses);
    matrix *bones = allocate(p->mesh->num_joints, sizeof *bones);
    pose_bind(p, poses);
    for (uint32_t i = 0; i < p->mesh->num_joints; i++)
        bones[i] = matrix_of(&poses[i]);
    free(poses);
    return bones;
}

void put_illmesh(bytes *out, const pair *p, bool engine_order)
{
    uint32_t count = p->mesh->num_meshes;
    matrix *bones = bind_matrices(p);
    influence *room = allocate(p->mesh->num_joints, sizeof *room);
    skin_of *meshes = allocate(count, sizeof *meshes);
    for (uint32_t i = 0; i < count; i++)
        begin(&meshes[i], &p->mesh->meshes[i], bones, room);
    put_meshes(out, meshes, count, engine_order);
    for (uint32_t i = 0; i < count; i++)
        end(&meshes[i]);
    free(meshes);
    free(room);
    free(bones);
}

/* ---- illskel ------------------------------------------------------------------------------ */

static void put_matrices(bytes *b, const pose *poses, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        matrix m = matrix_of(&poses[i]);
        for (int row = 0; row < 3; row++)
            put_numbers(b, m.row[row], 4);
        put_text(b, "0 0 0 1\n\n");
    }
}

static void put_parents(bytes *b, const m5_md5mesh *m, uint32_t copy)
{
    for (uint32_t i = 0; i < m->num_joints; i++) {
        int32_t parent = m->joints[i].parent;
        double in_copy = (double)copy * m->num_joints + parent;
        put_number(b, parent >= 0 ? in_copy : copy == 0 ? -1 : 0, 10, '\n');
    }
}

/* `head`, in the second copy `head#1` */
static void put_names(bytes *b, const names *n, uint32_t count, uint32_t copy)
{
    for (uint32_t i = 0; i < count; i++) {
        put_name(b, n, i);
        put_text(b, copy ? "#" : "\n");
        if (copy)
            put_count(b, copy, '\n');
    }
}

void put_illskel(bytes *out, const pair *p)
{
    uint32_t count = p->mesh->num_joints;
    pose *poses = allocate(count, sizeof *poses);
    names n = names_of(p->mesh, 0, false);
    pose_bind_in_parent(p, poses);
    put_text(out, "ILLSKEL0\n");
    put_number(out, (double)count * p->copies, 10, '\n');
    for (uint32_t i = 0; i < p->copies; i++)
        put_matrices(out, poses, count);
    for (uint32_t i = 0; i < p->copies; i++)
        put_parents(out, p->mesh, i);
    for (uint32_t i = 0; i < p->copies; i++)
        put_names(out, &n, count, i);
    names_free(&n);
    free(poses);
}

/* ---- illanim ------------------------------------------------------------------------------ */

static void put_key(bytes *b, const pose *key)
{
    const quat *q = &key->turn;
    put_vec(b, key->at);
    put_numbers(b, (const double[]){q->v.x, q->v.y, q->v.z, q->w}, 4);
    put_text(b, "1 1 1\n");
}

/* The file lists keys bone by bone, while poses are computed frame by frame: so all poses are
 * computed first. */
void put_illanim(bytes *out, const pair *p)
{
    uint32_t frames = p->anim->num_frames, bones = p->anim->num_joints;
    if (frames == 0)
        fail("the animation has no frames");
    names n = names_of(p->mesh, 0, false);
    pose *keys = allocate((size_t)frames * bones, sizeof *keys);
    for (uint32_t i = 0; i < frames; i++)
        pose_frame_in_parent(p, i, keys + (size_t)i * bones);
    put_text(out, "ILLANIM0\n");
    put_count(out, p->anim->frame_rate, '\n');
    put_count(out, frames, '\n');
    put_count(out, bones, '\n');
    for (uint32_t bone = 0; bone < bones; bone++) {
        put_name(out, &n, bone);
        put_text(out, "\n");
        for (uint32_t i = 0; i < frames; i++)
            put_key(out, &keys[(size_t)i * bones + bone]);
    }
    free(keys);
    names_free(&n);
}
