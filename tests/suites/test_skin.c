/* Tests skins (parsers/play/skin.h), and the parts of parsers/play/vector.h that they need most:
 * inverse matrices and boxes. The expected positions of vertices come from sums written out here,
 * or were worked out by hand. */
#include "support.h"
#include "lint/geometry/compare.h"
#include "parsers/core/allocate.h"
#include "parsers/play/pose.h"
#include "parsers/play/skin.h"
#include "parsers/play/skin_weight.h"

#include <check.h>
#include <stdlib.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))
#define NEAR(distance, tolerance) ck_assert_double_le(distance, tolerance)

static const m5_matrix still = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
static const m5_matrix quarter = {
    {{0, -1, 0, 0}, {1, 0, 0, 0}, {0, 0, 1, 10}}}; /* a rotation about z, and a move up */

/* The largest difference. NaN stays NaN, so it is not near anything. */
static double off(m5_vec a, m5_vec b)
{
    return fabs(a.x - b.x) + fabs(a.y - b.y) + fabs(a.z - b.z);
}

static double off_matrix(const m5_matrix *a, const m5_matrix *b)
{
    double sum = 0;
    for (int i = 0; i < 12; i++)
        sum += fabs(a->row[i / 4][i % 4] - b->row[i / 4][i % 4]);
    return sum;
}

/* Three rows times a column of 4. */
static m5_vec apply(const m5_matrix *m, m5_vec p)
{
    double in[4] = {p.x, p.y, p.z, 1}, out[3] = {0, 0, 0};
    for (int i = 0; i < 12; i++)
        out[i / 4] += m->row[i / 4][i % 4] * in[i % 4];
    return (m5_vec){out[0], out[1], out[2]};
}

static m5_vec sum_of(m5_vec a, m5_vec b, double by)
{
    return (m5_vec){a.x + b.x * by, a.y + b.y * by, a.z + b.z * by};
}

static double between(double least, double most)
{
    return least + (most - least) * rand() / (RAND_MAX + 1.0);
}

static m5_vec any_vec(void)
{
    return (m5_vec){between(-10, 10), between(-10, 10), between(-10, 10)};
}

/* Far from singular. */
static m5_matrix any_matrix(void)
{
    m5_matrix m;
    for (int i = 0; i < 12; i++)
        m.row[i / 4][i % 4] = between(-2, 2) + (i % 5 == 0 ? 5 : 0);
    return m;
}

/* ---- Inverse matrices ----------------------------------------------------------------------- */

/* The others have no inverse. */
enum { INVERSES = 6 };
static const m5_matrix inverses[][2] = {
    {{{{0, -1, 0, 1}, {1, 0, 0, 2}, {0, 0, 1, 3}}},
     {{{0, 1, 0, -2}, {-1, 0, 0, 1}, {0, 0, 1, -3}}}},
    {{{{2, 0, 0, 2}, {0, 4, 0, 4}, {0, 0, 0.5, 8}}},
     {{{0.5, 0, 0, -1}, {0, 0.25, 0, -1}, {0, 0, 2, -16}}}},
    {{{{1, 1, 0, 5}, {0, 1, 0, 1}, {0, 0, 1, 0}}}, {{{1, -1, 0, -4}, {0, 1, 0, -1}, {0, 0, 1, 0}}}},
    {{{{1, 2, 3, 0}, {0, 1, 4, 0}, {5, 6, 0, 0}}},
     {{{-24, 18, 5, 0}, {20, -15, -4, 0}, {-5, 4, 1, 0}}}},
    {{{{0x1p-60, 0, 0, 0}, {0, 0x1p-60, 0, 1}, {0, 0, 0x1p-60, 0}}},
     {{{0x1p60, 0, 0, 0}, {0, 0x1p60, 0, -0x1p60}, {0, 0, 0x1p60, 0}}}},
    {{{{0x1p380, 0, 0, 0}, {0, 0x1p380, 0, 0}, {0, 0, 0x1p380, 0}}},
     {{{0x1p-380, 0, 0, 0}, {0, 0x1p-380, 0, 0}, {0, 0, 0x1p-380, 0}}}},
    {{{{0, 0, 0, 1}, {0, 0, 0, 2}, {0, 0, 0, 3}}}},
    {{{{1, 2, 3, 4}, {1, 2, 3, 5}, {7, 8, 8, 6}}}},
    {{{{1, 2, 3, 0}, {4, 5, 6, 0}, {7, 8, 9, 0}}}},
    {{{{0, -1, 0, 1}, {2, 0, 0, 1}, {4, 3, 0, 1}}}},
    {{{{0.1, 0.2, 0.3, 1}, {0.3, 0.6, 0.9, 1}, {0.7, 0.1, 0, 1}}}}, /* singular without rounding */
    {{{{0x1p1000, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}},
};

/* The result may overwrite the matrix. If there is no inverse, nothing is changed. */
START_TEST(inverse_matrices_are_as_worked_out)
{
    m5_matrix m = inverses[_i][0], out = quarter;
    bool any = _i < INVERSES;
    ck_assert(m5_matrix_inverse(&inverses[_i][0], &out) == any && m5_matrix_inverse(&m, &m) == any);
    NEAR(off_matrix(&out, any ? &inverses[_i][1] : &quarter), 1e-12);
    NEAR(off_matrix(&m, &inverses[_i][any]), 1e-12);
}
END_TEST

/* ---- Boxes ---------------------------------------------------------------------------------- */

static double off_box(m5_box a, m5_box b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += fabs(a.min[k] - b.min[k]) + fabs(a.max[k] - b.max[k]);
    return sum;
}

START_TEST(boxes_are_joined)
{
    m5_box none = m5_box_empty(), all = none, other = {{-1, -2, -3}, {1, 2, 3}};
    ck_assert(none.min[0] > none.max[0] && none.min[1] > none.max[1] && none.min[2] > none.max[2]);
    m5_box_join(&all, &none);
    ck_assert(all.min[0] > all.max[0]);
    m5_box_add(&all, (m5_vec){5, 0, 7});
    m5_box_add(&all, (m5_vec){3, 5, 0});
    m5_box_join(&all, &none);
    NEAR(off_box(all, (m5_box){{3, 0, 0}, {5, 5, 7}}), 0);
    m5_box_join(&none, &other);
    NEAR(off_box(none, other), 0);
    m5_box_join(&all, &other);
    NEAR(off_box(all, (m5_box){{-1, -2, -3}, {5, 5, 7}}), 0);
    NEAR(fabs(m5_box_diagonal(&(m5_box){{1, -1, 4}, {3, 2, 10}}) - 7), 1e-15); /* sides 2, 3, 6 */
    ck_assert(m5_box_diagonal(&(m5_box){{1, 2, 3}, {1, 2, 3}}) == 0);
}
END_TEST

/* All corners are inside, and each side touches a corner. */
START_TEST(moved_boxes_enclose_their_corners_tightly)
{
    m5_box box = {{1, 2, 3}, {4, 6, 8}};
    NEAR(off_box(m5_box_moved(&box, &quarter), (m5_box){{-6, 1, 13}, {-2, 4, 18}}), 1e-14);
    for (int round = 0; round < 1000; round++) {
        m5_box fit = m5_box_empty();
        m5_matrix by = any_matrix();
        box = (m5_box){{between(-9, 1), 1, -2}, {6, between(1, 9), -2}};
        for (int i = 0; i < 8; i++) {
            const double x = i & 1 ? box.max[0] : box.min[0], y = i & 2 ? box.max[1] : box.min[1];
            m5_box_add(&fit, apply(&by, (m5_vec){x, y, i & 4 ? box.max[2] : box.min[2]}));
        }
        NEAR(off_box(m5_box_moved(&box, &by), fit), 1e-12);
    }
}
END_TEST

/* ---- Vertices ------------------------------------------------------------------------------- */

static m5_skin_weight few_weights[] = {
    {0, 1, {1, 2, 3}}, {0, 0.5F, {2, 0, 10}}, {1, 0.5F, {4, 0, 0}}};
static m5_skin_vertex few_verts[] = {{0, 1}, {1, 2}, {2, 1}, {0, 3}};
static const m5_skin few = {3, 4, 3, few_verts, few_weights};

/* One weight, two of one half each, and the same weights used again by other vertices. */
START_TEST(vertices_are_where_their_weights_put_them)
{
    static const m5_vec expected[] = {{1, 2, 3}, {1, 2, 10}, {0, 2, 5}, {2, 4, 13}};
    const m5_matrix bones[2] = {still, quarter};
    m5_vec all[4];
    m5_arena nothing;
    m5_box boxes[3];
    m5_arena_init(&nothing, NULL, 0);
    ck_assert(m5_skin_positions(&few, bones, &nothing, all));
    for (uint32_t i = 0; i < 4; i++) {
        NEAR(off(m5_skin_position(&few, i, bones), expected[i]), 1e-14);
        NEAR(off(all[i], expected[i]), 1e-14);
    }
    NEAR(off(m5_skin_weight_position(&few_weights[2], bones), (m5_vec){0, 4, 10}), 1e-14);
    m5_skin_boxes(&few, boxes);
    NEAR(off_box(boxes[0], (m5_box){{1, 0, 3}, {2, 2, 10}}), 0);
    NEAR(off_box(boxes[1], (m5_box){{4, 0, 0}, {4, 0, 0}}), 0);
    for (int k = 0; k < 3; k++)
        ck_assert(boxes[2].min[k] > boxes[2].max[k]); /* no vertex is weighted to that bone */
}
END_TEST

enum { MANY_BONES = 6, MANY_WHOLE = 30, MANY_VERTS = 130, MANY_WEIGHTS = 300 };
typedef struct many {
    m5_skin skin;
    m5_skin_vertex verts[MANY_VERTS];
    m5_skin_weight weights[MANY_WEIGHTS];
    m5_matrix bones[MANY_BONES];
} many;

/* Every 5 weights make a vertex; half of the vertices use the last weight only. Some more vertices
 * have up to 129 weights. */
static void make_many(many *m)
{
    m->skin = (m5_skin){MANY_BONES, MANY_VERTS, MANY_WEIGHTS, m->verts, m->weights};
    for (uint32_t i = 0; i < MANY_WEIGHTS; i++) {
        m5_vec p = any_vec();
        float bias = i / 5 % 2 ? 0 : (float)between(0, 0.25);
        m->weights[i] = (m5_skin_weight){
            (uint32_t)between(0, MANY_BONES), bias, {(float)p.x, (float)p.y, (float)p.z}};
        const m5_skin_weight *w = &m->weights[i];
        if (i % 5 == 4) /* so that they sum to 1 */
            m->weights[i].bias = 1 - w[-1].bias - w[-2].bias - w[-3].bias - w[-4].bias;
    }
    for (uint32_t i = 0; i < MANY_VERTS; i++)
        m->verts[i] = i < MANY_WHOLE ? (m5_skin_vertex){5 * i, 5}
                                     : (m5_skin_vertex){(uint32_t)between(0, MANY_WEIGHTS - i), i};
    for (int i = 0; i < MANY_BONES; i++)
        m->bones[i] = any_matrix();
}

static m5_vec add_up(const many *m, uint32_t vert)
{
    m5_vec sum = {0, 0, 0};
    for (uint32_t i = m->verts[vert].start; i < m->verts[vert].start + m->verts[vert].count; i++) {
        const m5_skin_weight *w = &m->weights[i];
        m5_vec p = {(double)w->pos[0], (double)w->pos[1], (double)w->pos[2]};
        sum = sum_of(sum, apply(&m->bones[w->bone], p), (double)w->bias);
    }
    return sum;
}

/* Also with so many weights that they are not added one by one; and in arenas of every size. */
START_TEST(positions_are_the_same_for_any_number_of_weights)
{
    many m;
    m5_vec all[MANY_VERTS];
    bool room = false;
    make_many(&m);
    for (size_t size = 8; size < 10000; size += 8) {
        m5_arena arena;
        void *memory = malloc(size);
        m5_arena_init(&arena, memory, size);
        m5_arena_take(&arena, 1, 8); /* used by something else */
        size_t used = arena.used;
        bool before = room;
        room = m5_skin_positions(&m.skin, m.bones, &arena, all);
        ck_assert(arena.used == used && room >= before && (size > 8 || !room));
        for (uint32_t i = (uint32_t)(size % 9); i < MANY_VERTS && room; i += 9)
            NEAR(off(all[i], add_up(&m, i)), 1e-9);
        free(memory);
    }
    ck_assert(room);
}
END_TEST

START_TEST(no_vertex_leaves_the_boxes_of_its_weights)
{
    for (int round = 0; round < 300; round++) {
        many m;
        m5_box parts[MANY_BONES], all = m5_box_empty();
        make_many(&m);
        m5_skin_boxes(&m.skin, parts);
        for (int i = 0; i < MANY_BONES; i++) {
            m5_box moved = m5_box_moved(&parts[i], &m.bones[i]);
            m5_box_join(&all, &moved);
        }
        for (uint32_t i = 0; i < MANY_WHOLE; i++) {
            m5_box with = all;
            m5_box_add(&with, add_up(&m, i));
            NEAR(off_box(with, all), 1e-4);
        }
    }
}
END_TEST

/* ---- Of models ------------------------------------------------------------------------------ */

static const char meshes[] =
    "MD5Version 10\ncommandline \"\"\nnumJoints 2\nnumMeshes 2\n"
    "joints {\n\"root\" -1 ( 0 0 0 ) ( 0 0 0 )\n\"arm\" 0 ( 0 0 10 ) ( 0 0 -0.707106781 )\n}\n"
    "mesh {\nshader \"a\"\nnumverts 2\nvert 0 ( 0 0 ) 0 1\nvert 1 ( 0 0 ) 1 1\nnumtris 0\n"
    "numweights 2\nweight 0 0 1 ( 1 2 3 )\nweight 1 1 1 ( 2 0 0 )\n}\n"
    "mesh {\nshader \"b\"\nnumverts 2\nvert 0 ( 0 0 ) 1 2\nvert 1 ( 0 0 ) 0 1\nnumtris 0\n"
    "numweights 3\nweight 0 1 1 ( 0 0 1 )\nweight 1 0 0.5 ( 2 0 10 )\nweight 2 1 0.5 ( 4 0 0 "
    ")\n}\n";

static linted *lint_md4(const char *path)
{
    size_t size;
    void *bytes = read_file(path, &size);
    ck_assert_ptr_nonnull(bytes);
    linted *l = lint_bytes("x.md4", bytes, size, NULL, false);
    ck_assert_int_eq(l->file.status, M5_CLEAN);
    free(bytes);
    return l;
}

static m5_arena *fresh_arena(void)
{
    static _Alignas(8) char memory[1 << 16];
    static m5_arena arena;
    m5_arena_init(&arena, memory, sizeof memory);
    return &arena;
}

/* A skin has all meshes, or some. */
START_TEST(a_skin_has_the_meshes_in_order)
{
    static const m5_vec expected[] = {{1, 2, 3}, {0, 2, 10}, {1, 2, 10}, {0, 0, 11}};
    static const uint32_t verts[] = {0, 2, 4}, weights[] = {0, 2, 5}; /* before each mesh */
    const m5_matrix bones[2] = {still, quarter};
    linted *l = lint_string("x.md5mesh", meshes);
    ck_assert_int_eq(l->file.status, M5_CLEAN);
    for (uint32_t i = 0; i < 3 * 3; i++) {
        uint32_t from = i / 3, to = i % 3;
        m5_skin s;
        if (to < from)
            continue;
        ck_assert(m5_skin_md5mesh(fresh_arena(), l->file.model.md5mesh, from, to - from, &s));
        ck_assert(s.num_bones == 2 && s.num_verts == verts[to] - verts[from]);
        ck_assert_uint_eq(s.num_weights, weights[to] - weights[from]);
        for (uint32_t k = 0; k < s.num_verts; k++)
            NEAR(off(m5_skin_position(&s, k, bones), expected[verts[from] + k]), 1e-6);
    }
    free_linted(l);
}
END_TEST

/* Worked out by hand: the lid of the box turns about z and rises by 2; some vertices are weighted
 * to it by a half or three quarters only. In the frames of others, vertices are where the file has
 * them. */
START_TEST(md4_vertices_move_with_their_bones)
{
    static const m5_vec lid[] = {{-4, -4, 0}, {4, -4, 0}, {4, 4, 0}, {-4, 4, 0},
                                 {4, -4, 10}, {4, 4, 10}, {0, 4, 9}, {-4, -2, 9.5}};
    static const struct {
        const char *path;
        uint32_t first, count, weights;
    } rows[] = {{"corpus/md4/whole/whole.box.md4", 0, 1, 10},
                {"corpus/md4/whole/whole.eight-weights.md4", 0, 1, 24},
                {"corpus/md4/whole/whole.two-surfaces.md4", 0, 2, 9},
                {"corpus/md4/whole/whole.two-surfaces.md4", 1, 1, 6}};
    bool is_box = _i == 0;
    linted *l = lint_md4(rows[_i].path);
    const m5_md4 *model = l->file.model.md4;
    uint32_t vert = 0, first = rows[_i].first, end = first + rows[_i].count;
    m5_skin s;
    m5_matrix bones[8];
    for (uint32_t i = 0; i < model->num_bones; i++)
        bones[i] = m5_md4_matrix(model, is_box, i);
    NEAR(is_box ? off_matrix(&bones[2], &quarter) : 0, 0);
    ck_assert(m5_skin_md4(fresh_arena(), model, first, end - first, &s));
    ck_assert_uint_eq(s.num_weights, rows[_i].weights);
    for (uint32_t i = first; i < end; i++)
        for (uint32_t k = 0; k < model->surfs[i].num_verts; k++) {
            m5_vec there = m5_vec_of(m5_md4_vertex_at(model, &model->surfs[i], k).pos);
            NEAR(off(m5_skin_position(&s, vert++, bones), is_box ? lid[k] : there), 1e-5);
        }
    ck_assert(vert == s.num_verts && s.num_bones == model->num_bones);
    free_linted(l);
}
END_TEST

static float one_vert[14] = {99, 2, 0, 3, 1, 99, 3, 5, -7, 0.125F, 0.5F, 0.25F, 0.125F, 99};
static const m5_illmesh one = {
    .num_verts = 1,
    .stride = 14,
    .verts = one_vert,
    .at = {[M5_ILL_BONES] = 1, [M5_ILL_POSITION] = 6, [M5_ILL_WEIGHTS] = 9}};

/* In their bind pose, all four bones put the vertex at the same position. If a bone has no inverse,
 * only its share is lost. */
START_TEST(illmesh_vertices_move_with_their_bones)
{
    const m5_vec p = {3, 5, -7};
    for (int round = 0; round < 1000; round++) {
        m5_vec there = {0, 0, 0}, parts[4];
        m5_matrix bind[4], bones[4];
        m5_skin s;
        for (int i = 0; i < 4; i++) {
            int bone = (int)one_vert[1 + i];
            bind[bone] = any_matrix();
            bones[bone] = any_matrix();
            m5_vec own = any_vec(), at = apply(&bind[bone], own);
            bind[bone].row[0][3] += p.x - at.x;
            bind[bone].row[1][3] += p.y - at.y;
            bind[bone].row[2][3] += p.z - at.z;
            parts[i] = apply(&bones[bone], own);
            there = sum_of(there, parts[i], (double)one_vert[9 + i]);
        }
        ck_assert(m5_skin_illmesh(fresh_arena(), &one, bind, 4, &s) && s.num_verts == 1);
        NEAR(off(m5_skin_position(&s, 0, bind), p), 1e-4);
        NEAR(off(m5_skin_position(&s, 0, bones), there), 1e-4);
        bind[0] = (m5_matrix){{{1, 2, 3, 0}, {1, 2, 3, 0}, {0, 0, 1, 0}}};
        bones[0] = still;
        ck_assert(m5_skin_illmesh(fresh_arena(), &one, bind, 4, &s));
        NEAR(off(m5_skin_position(&s, 0, bones), sum_of(there, parts[1], -0.5)), 1e-4);
    }
}
END_TEST

/* Vertices and weights alone need this much, and the bones need more. */
START_TEST(full_arenas_are_reported)
{
    static const size_t least[] = {4 * 8 + 5 * 20, 8 * 8 + 10 * 20, 8 + 4 * 20};
    const m5_matrix bind[4] = {still, quarter, still, quarter};
    linted *mesh = lint_string("x.md5mesh", meshes),
           *md4 = lint_md4("corpus/md4/whole/whole.box.md4");
    for (size_t size = 0; size < 2000; size += 8) {
        void *memory = malloc(size);
        m5_arena a[3];
        m5_skin s;
        for (int i = 0; i < 3; i++)
            m5_arena_init(&a[i], memory, size);
        bool room[] = {m5_skin_md5mesh(&a[0], mesh->file.model.md5mesh, 0, 2, &s),
                       m5_skin_md4(&a[1], md4->file.model.md4, 0, 1, &s),
                       m5_skin_illmesh(&a[2], &one, bind, 4, &s)};
        for (int i = 0; i < 3; i++)
            ck_assert(room[i] ? size >= least[i] : size < 1000);
        free(memory);
    }
    free_linted(mesh);
    free_linted(md4);
}
END_TEST

/* ---- Normals -------------------------------------------------------------------------------- */

/* A square with vertices 0 to 3, whose triangles face the side on which they are clockwise; one
 * more vertex on its diagonal, and one that no triangle uses. */
START_TEST(normals_are_as_worked_out)
{
    static const m5_vec p[] = {{0, 0, 5}, {0, 1, 5}, {1, 1, 5}, {1, 0, 5}, {2, 2, 5}, {9, 9, 9}};
    static const struct {
        uint32_t tris[3][3];
        double z[6];
    } rows[] = {{{{0, 1, 2}, {0, 2, 3}, {3, 0, 2}}, {1, 1, 1, 1, 0, 0}},
                {{{2, 1, 0}, {0, 3, 2}, {0, 3, 2}}, {-1, -1, -1, -1, 0, 0}},
                {{{0, 2, 4}, {1, 1, 3}, {4, 4, 4}}, {0}},
                {{{0, 2, 4}, {0, 1, 2}, {1, 1, 0}}, {1, 1, 1, 0, 0, 0}},
                {{{0, 1, 2}, {2, 1, 0}, {0, 2, 0}}, {0}}};
    m5_vec out[6];
    for (size_t i = 0; i < LENGTH(rows); i++) {
        m5_skin_normals(p, 6, rows[i].tris[0], 3, out);
        for (int k = 0; k < 6; k++)
            NEAR(off(out[k], (m5_vec){0, 0, rows[i].z[k]}), 0);
    }
}
END_TEST

/* The corner of a block with edges of 2, 1 and 1: the areas of the faces there are 1, 1/2 and 1,
 * also if a face is cut into many triangles. */
START_TEST(normals_weight_faces_by_area)
{
    for (uint32_t cuts = 0; cuts < 9; cuts++) {
        m5_vec p[13] = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0, 0, 1}}, out[13];
        uint32_t tris[11][3] = {{2, 3, 0}, {3, 1, 0}};
        for (uint32_t i = 0; i <= cuts; i++) {
            double t = (i + 1) / (cuts + 1.0);
            p[4 + i] = (m5_vec){2 - 2 * t, t, 0};
            tris[2 + i][1] = i == 0 ? 1 : 3 + i; /* counted from 0 */
            tris[2 + i][2] = 4 + i;
        }
        m5_skin_normals(p, 5 + cuts, tris[0], 3 + cuts, out);
        NEAR(off(out[0], (m5_vec){-1 / 3.0, -2 / 3.0, -2 / 3.0}), 1e-14);
    }
}
END_TEST

/* A few vertices with one bone, or with two bones, weighted equally (in one case with opposite
 * effects) or three to one. */
START_TEST(normals_rotate_with_their_bones)
{
    const m5_matrix half = {{{-1, 0, 0, 5}, {0, -1, 0, 5}, {0, 0, 1, 5}}};
    const double root = sqrt(0.5), ten = sqrt(10);
    const struct {
        uint32_t vert;
        m5_matrix bind[2], bones[2];
        m5_vec normal, expected;
    } rows[] = {{0, {still, half}, {quarter, half}, {1, 0, 0}, {0, 1, 0}},
                {0, {quarter, half}, {still, half}, {1, 0, 0}, {0, -1, 0}},
                {1, {still, still}, {still, quarter}, {1, 0, 0}, {root, root, 0}},
                {1, {still, half}, {quarter, quarter}, {0, 1, 0}, {0, 0, 0}},
                {3, {still, still}, {still, quarter}, {1, 0, 0}, {3 / ten, 1 / ten, 0}},
                {2, {half, quarter}, {half, half}, {0.6, 0, 0.8}, {0, 0.6, 0.8}}};
    for (size_t i = 0; i < LENGTH(rows); i++) {
        const m5_matrix *bind = rows[i].bind, *bones = rows[i].bones;
        m5_vec got = m5_skin_normal(&few, rows[i].vert, rows[i].normal, bind, bones);
        NEAR(off(got, rows[i].expected), 1e-15);
    }
    for (uint32_t round = 0; round < 400; round++) {
        const m5_matrix bind[2] = {any_matrix(), any_matrix()};
        const m5_vec normal = {0.48, -0.6, 0.64};
        NEAR(off(m5_skin_normal(&few, round % 4, normal, bind, bind), normal), 1e-14);
    }
}
END_TEST

/* A bone that was flattened in the bind pose has no effect on normals. */
START_TEST(bones_without_inverse_do_not_affect_normals)
{
    const m5_matrix flat = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}}};
    const m5_matrix bind[2] = {still, flat}, bones[2] = {quarter, still};
    NEAR(off(m5_skin_normal(&few, 1, (m5_vec){1, 0, 0}, bind, bones), (m5_vec){0, 1, 0}), 1e-15);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("skin");
    TCase *t = tcase_create("skin");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, inverse_matrices_are_as_worked_out, 0, LENGTH(inverses));
    tcase_add_test(t, boxes_are_joined);
    tcase_add_test(t, moved_boxes_enclose_their_corners_tightly);
    tcase_add_test(t, vertices_are_where_their_weights_put_them);
    tcase_add_test(t, positions_are_the_same_for_any_number_of_weights);
    tcase_add_test(t, no_vertex_leaves_the_boxes_of_its_weights);
    tcase_add_test(t, a_skin_has_the_meshes_in_order);
    tcase_add_loop_test(t, md4_vertices_move_with_their_bones, 0, 4);
    tcase_add_test(t, illmesh_vertices_move_with_their_bones);
    tcase_add_test(t, full_arenas_are_reported);
    tcase_add_test(t, normals_are_as_worked_out);
    tcase_add_test(t, normals_weight_faces_by_area);
    tcase_add_test(t, normals_rotate_with_their_bones);
    tcase_add_test(t, bones_without_inverse_do_not_affect_normals);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
