/* Writes an MD5 pair as MD4, version 4. */
#include "convert_md4.h"

#include "convert_names.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sizes of structures, and the places of offset fields that are filled in later. */
enum {
    IDENT = 'I' | 'D' << 8 | 'P' << 16 | '4' << 24,
    VERSION = 4,
    NAME_ROOM = 64,
    BONE_NAME_ROOM = 32,
    OFS_FRAMES = 0x54,
    OFS_BONES = 0x58,
    OFS_SURFS = 0x5c,
    OFS_END = 0x60,
    SURF_OFS_VERTS = 152,
    SURF_OFS_TRIS = 160,
    SURF_OFS_REFS = 168,
    SURF_OFS_COLLAPSE = 172,
    SURF_OFS_END = 176
};

/* Fills in such an offset: the current length of the file, counted from `start`. */
static void put_offset_at(bytes *b, size_t start, size_t where)
{
    put_int_at(b, start + where, (int64_t)(b->count - start));
}

static void put_vec(bytes *b, vec v)
{
    put_float(b, v.x);
    put_float(b, v.y);
    put_float(b, v.z);
}

/* ---- Header and bones --------------------------------------------------------------------- */

static void put_header(bytes *b, const pair *p, const char *name, uint32_t num_surfs)
{
    put_int(b, IDENT);
    put_int(b, VERSION);
    put_field(b, name, NAME_ROOM);
    put_int(b, p->anim->num_frames);
    put_int(b, (int64_t)p->anim->num_joints * p->copies);
    put_int(b, num_surfs);
    for (int offset = 0; offset < 4; offset++)
        put_int(b, 0);
}

static void put_bone(bytes *b, const m5_md5mesh *m, uint32_t bone, const char *name, uint32_t copy)
{
    char text[BONE_NAME_ROOM];
    int32_t parent = m->joints[bone].parent, first = (int32_t)(copy * m->num_joints);
    snprintf(text, sizeof text, copy == 0 ? "%s" : "%.20s_%u", name, copy);
    put_field(b, text, BONE_NAME_ROOM);
    put_int(b, parent >= 0 ? first + parent : copy == 0 ? -1 : (int32_t)bone);
    put_int(b, 0); /* flags */
}

/* Each root of a copy is a child of the root that it was copied from. */
static void put_bones(bytes *b, const pair *p)
{
    names n = names_of(p->mesh, BONE_NAME_ROOM, true);
    for (uint32_t copy = 0; copy < p->copies; copy++)
        for (uint32_t i = 0; i < p->mesh->num_joints; i++)
            put_bone(b, p->mesh, i, name_at(&n, i), copy);
    names_free(&n);
}

/* ---- Frames ------------------------------------------------------------------------------- */

/* `poses` has room for all bones. The matrices are rounded to float. */
static void find_matrices(const pair *p, uint32_t frame, pose *poses, matrix *out)
{
    pose_frame(p, frame, poses);
    for (uint32_t i = 0; i < p->anim->num_joints; i++) {
        out[i] = matrix_of(&poses[i]);
        for (int k = 0; k < 12; k++)
            out[i].row[k / 4][k % 4] = as_float(out[i].row[k / 4][k % 4]);
    }
}

typedef struct box {
    vec min, max;
} box;

static void include(box *b, vec v)
{
    b->min = (vec){fmin(b->min.x, v.x), fmin(b->min.y, v.y), fmin(b->min.z, v.z)};
    b->max = (vec){fmax(b->max.x, v.x), fmax(b->max.y, v.y), fmax(b->max.z, v.z)};
}

static box find_box(const surfaces *all, const matrix *bones)
{
    box b = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}};
    for (uint32_t i = 0; i < all->count; i++) {
        const vertex *v = all->list[i].verts;
        for (uint32_t left = all->list[i].num_verts; left > 0; left--, v++)
            include(&b, skin(bones, v->weights, v->num_weights));
    }
    return (box){vec_as_float(b.min), vec_as_float(b.max)};
}

static void put_frame(bytes *b, const pair *p, const box *bounds, const matrix *bones)
{
    vec origin = vec_as_float(vec_times(vec_add(bounds->min, bounds->max), 0.5));
    put_vec(b, bounds->min);
    put_vec(b, bounds->max);
    put_vec(b, origin);
    put_float(b, vec_length(vec_sub(bounds->max, origin)));
    for (uint32_t i = 0; i < p->anim->num_joints * p->copies; i++)
        for (int k = 0; k < 12; k++)
            put_float(b, bones[i % p->anim->num_joints].row[k / 4][k % 4]);
}

static void put_frames(bytes *b, const pair *p, const surfaces *all, pose *poses, matrix *bones)
{
    for (uint32_t i = 0; i < p->anim->num_frames; i++) {
        find_matrices(p, i, poses, bones);
        box bounds = find_box(all, bones);
        put_frame(b, p, &bounds, bones);
    }
}

/* ---- Surfaces ----------------------------------------------------------------------------- */

/* How many copies of its bones share each weight of a vertex: as many as there is room for, but so
 * few that the smallest weight, which is the last, stays large enough. */
static uint32_t share_of(const vertex *v, uint32_t copies)
{
    uint32_t room = MD4_WEIGHTS / v->num_weights;
    uint32_t share = (uint32_t)(v->weights[v->num_weights - 1].weight / MD4_LEAST_WEIGHT);
    share = share < room ? share : room;
    share = share < copies ? share : copies;
    return share > 1 ? share : 1;
}

/* The bones that a surface's weights use, including copies, in ascending order; and the index of
 * each bone in that list. */
typedef struct references {
    uint32_t count, bones[MD4_BONES], of[MD4_BONES];
} references;

static references find_references(const surface *s, const pair *p)
{
    bool used[MD4_BONES] = {false};
    references r = {0};
    for (const vertex *v = s->verts; v < s->verts + s->num_verts; v++)
        for (uint32_t i = 0; i < v->num_weights * share_of(v, p->copies); i++) {
            uint32_t copy = i / v->num_weights, bone = v->weights[i % v->num_weights].bone;
            used[copy * p->mesh->num_joints + bone] = true;
        }
    for (uint32_t i = 0; i < MD4_BONES; i++)
        if (used[i]) {
            r.of[i] = r.count;
            r.bones[r.count++] = i;
        }
    return r;
}

static void put_vertex(bytes *b, const vertex *v, const references *r, const pair *p)
{
    uint32_t share = share_of(v, p->copies);
    put_vec(b, v->at);
    put_vec(b, v->normal);
    put_float(b, v->st[0]);
    put_float(b, v->st[1]);
    put_int(b, v->num_weights * share);
    for (uint32_t i = 0; i < v->num_weights * share; i++) {
        const influence *w = &v->weights[i / share];
        put_int(b, r->of[i % share * p->mesh->num_joints + w->bone]);
        put_float(b, w->weight / share);
        put_vec(b, w->at);
    }
}

static void put_ints(bytes *b, const uint32_t *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        put_int(b, values[i]);
}

/* The last part of the shader's name and a number: body_0 */
static void put_surface_name(bytes *b, const char *shader, uint32_t index)
{
    char name[NAME_ROOM];
    const char *slash = strrchr(shader, '/');
    snprintf(name, sizeof name, "%.48s_%u", slash ? slash + 1 : shader, index);
    put_field(b, name, NAME_ROOM);
}

static uint32_t least_detail(uint32_t num_verts)
{
    uint32_t quarter = num_verts / 4 > 3 ? num_verts / 4 : 3;
    return quarter < num_verts ? quarter : num_verts;
}

static void put_surface_header(bytes *b, const surface *s, const char *shader, uint32_t index,
                               uint32_t num_refs)
{
    int64_t start = (int64_t)b->count;
    put_int(b, IDENT);
    put_surface_name(b, shader, index);
    put_field(b, shader, NAME_ROOM);
    put_int(b, 0); /* shaderIndex */
    put_int(b, 0); /* lodBias */
    put_int(b, least_detail(s->num_verts));
    put_int(b, -start);
    const uint32_t counts[] = {s->num_verts, s->num_tris, num_refs};
    for (int i = 0; i < 3; i++) {
        put_int(b, counts[i]);
        put_int(b, 0);
    }
    put_int(b, 0); /* ofsCollapseMap, ofsEnd */
    put_int(b, 0);
}

static void put_surface(bytes *b, const surface *s, const char *shader, uint32_t index,
                        const pair *p)
{
    size_t start = b->count;
    references refs = find_references(s, p);
    put_surface_header(b, s, shader, index, refs.count);
    put_offset_at(b, start, SURF_OFS_VERTS);
    for (uint32_t i = 0; i < s->num_verts; i++)
        put_vertex(b, &s->verts[i], &refs, p);
    put_offset_at(b, start, SURF_OFS_TRIS);
    for (uint32_t i = 0; i < s->num_tris; i++)
        put_ints(b, s->tris[i].corner, 3);
    put_offset_at(b, start, SURF_OFS_REFS);
    put_ints(b, refs.bones, refs.count);
    put_offset_at(b, start, SURF_OFS_COLLAPSE);
    put_ints(b, s->collapse, s->num_verts);
    put_offset_at(b, start, SURF_OFS_END);
}

/* ---- The file ----------------------------------------------------------------------------- */

static void put_blocks(bytes *b, const pair *p, const surfaces *all, pose *poses, matrix *bones)
{
    put_offset_at(b, 0, OFS_FRAMES);
    put_frames(b, p, all, poses, bones);
    put_offset_at(b, 0, OFS_BONES);
    put_bones(b, p);
    put_offset_at(b, 0, OFS_SURFS);
    for (uint32_t i = 0; i < all->count; i++) {
        char *shader = name_of(p->mesh->source, all->list[i].from->shader, NAME_ROOM, true);
        put_surface(b, &all->list[i], shader, i, p);
        free(shader);
    }
    put_offset_at(b, 0, OFS_END);
}

static void check_limits(const pair *p)
{
    if (p->anim->num_frames == 0 || p->anim->num_frames > MD4_FRAMES)
        fail("%u frames: an MD4 model has 1 to %d", p->anim->num_frames, MD4_FRAMES);
    uint64_t bones = (uint64_t)p->anim->num_joints * p->copies;
    if (bones == 0 || bones > MD4_BONES)
        fail("%llu bones: an MD4 model has 1 to %d", (unsigned long long)bones, MD4_BONES);
}

void put_md4(bytes *out, const pair *p, const char *name, cut most)
{
    check_limits(p);
    pose poses[MD4_BONES];
    matrix bones[MD4_BONES];
    surfaces all;
    find_matrices(p, 0, poses, bones);
    surfaces_build(&all, p->mesh, bones, most);
    put_header(out, p, name, all.count);
    put_blocks(out, p, &all, poses, bones);
    surfaces_free(&all);
}
