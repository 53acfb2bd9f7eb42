/* Tests edges, winding and normals (lint/geometry/topology.h) on a ball with one thing wrong. */
#include "lint/geometry/topology.h"
#include "parsers/play/vector.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static void *room(m5_arena *arena, size_t size)
{
    void *memory = malloc(size);
    ck_assert_ptr_nonnull(memory);
    m5_arena_init(arena, memory, size);
    return memory;
}

/* ---- Shapes: a ball ----------------------------------------------------------------------------
 */

enum {
    RINGS = 6,
    AROUND = 8,
    BALL_VERTS = 2 + (RINGS - 1) * AROUND,
    BALL_TRIS = 2 * AROUND * (RINGS - 1)
};

typedef struct ball {
    m5_vec pos[3 * BALL_TRIS]; /* room for triangles that share no corners */
    uint32_t tris[BALL_TRIS + 8][3];
    uint32_t verts, count;
    m5_topology_fact facts[BALL_TRIS];
    uint32_t found;
} ball;

static uint32_t on_ring(int ring, int k)
{
    return ring == 0 ? 0 : ring == RINGS ? 1 : 2 + (uint32_t)((ring - 1) * AROUND + k % AROUND);
}

static void add_tri(ball *b, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t t[3] = {x, y, z};
    if (x != y && y != z && x != z)
        memcpy(b->tris[b->count++], t, sizeof t);
}

static ball make_ball(void)
{
    ball b = {.verts = BALL_VERTS, .pos = {{0, 0, 1}, {0, 0, -1}}};
    for (int ring = 1; ring < RINGS; ring++)
        for (int k = 0; k < AROUND; k++) {
            double down = ring * 3.14159265 / (int)RINGS, round = k * 2 * 3.14159265 / (int)AROUND;
            b.pos[on_ring(ring, k)] = (m5_vec){sin(down) * cos(round), sin(down) * sin(round),
                                               cos(down)};
        }
    for (int ring = 0; ring < RINGS; ring++)
        for (int k = 0; k < AROUND; k++) {
            add_tri(&b, on_ring(ring, k), on_ring(ring + 1, k), on_ring(ring + 1, k + 1));
            add_tri(&b, on_ring(ring, k), on_ring(ring + 1, k + 1), on_ring(ring, k + 1));
        }
    ck_assert_uint_eq(b.count, BALL_TRIS);
    return b;
}

static void take_fact(void *user, const m5_topology_fact *fact)
{
    ball *b = user;
    ck_assert_uint_lt(b->found, BALL_TRIS);
    b->facts[b->found++] = *fact;
}

static void find(ball *b, unsigned unwanted)
{
    m5_arena arena;
    void *memory = room(&arena, 1 << 18);
    m5_topology shape = {b->verts, b->count, b->pos, (const uint32_t(*)[3])b->tris,
                         unwanted, false};
    b->found = 0;
    ck_assert(m5_topology_find(&shape, &arena, take_fact, b));
    ck_assert_uint_eq(arena.used, 0);
    free(memory);
}

/* The facts of a kind do not depend on which other kinds are wanted. */
static void find_only(const ball *all, m5_topology_kind kind)
{
    static ball only;
    only = *all;
    find(&only, ~(1U << kind));
    for (uint32_t i = 0, k = 0; i <= all->found; i++) {
        while (k < only.found && only.facts[k].kind != kind)
            k++;
        if (i == all->found)
            ck_assert_uint_eq(k, only.found);
        else if (all->facts[i].kind == kind) {
            ck_assert_uint_lt(k, only.found);
            ck_assert_uint_eq(only.facts[k].first, all->facts[i].first);
            ck_assert_uint_eq(only.facts[k].count, all->facts[i].count);
            ck_assert_uint_eq(only.facts[k++].surrounded, all->facts[i].surrounded);
        }
    }
}

static void inspect(ball *b)
{
    find(b, 0);
    for (unsigned kind = 0; kind <= M5_TOPOLOGY_NO_NORMAL; kind++)
        find_only(b, (m5_topology_kind)kind);
}

static void expect_fact(const ball *b, m5_topology_kind kind, uint32_t first, uint32_t count)
{
    ck_assert_uint_eq(b->found, 1);
    ck_assert_int_eq(b->facts[0].kind, kind);
    ck_assert_uint_eq(b->facts[0].first, first);
    ck_assert_uint_eq(b->facts[0].count, count);
}

/* Each triangle has its own corners, as if all had different texture coordinates. */
static void part(ball *b)
{
    m5_vec pos[3 * BALL_TRIS];
    for (uint32_t i = 0; i < b->count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            pos[3 * i + k] = b->pos[b->tris[i][k]];
            b->tris[i][k] = 3 * i + k;
        }
    memcpy(b->pos, pos, sizeof pos);
    b->verts = 3 * b->count;
}

static void flip(ball *b, uint32_t tri)
{
    uint32_t swap = b->tris[tri][0];
    b->tris[tri][0] = b->tris[tri][1];
    b->tris[tri][1] = swap;
}

START_TEST(a_ball_is_healthy)
{
    ball b = make_ball();
    inspect(&b);
    ck_assert_uint_eq(b.found, 0);
    part(&b);
    inspect(&b);
    ck_assert_uint_eq(b.found, 0);
}
END_TEST

START_TEST(a_flipped_triangle_is_found)
{
    ball b = make_ball();
    flip(&b, (uint32_t)_i);
    inspect(&b);
    expect_fact(&b, M5_TOPOLOGY_FLIPPED, (uint32_t)_i, 1);
    ck_assert(b.facts[0].surrounded);
    part(&b);
    inspect(&b);
    expect_fact(&b, M5_TOPOLOGY_FLIPPED, (uint32_t)_i, 1);
}
END_TEST

/* Triangles 2i and 2i + 1 of a ring between the poles form a square. */
START_TEST(a_flipped_square_is_one_patch)
{
    ball b = make_ball();
    flip(&b, 20);
    flip(&b, 21);
    inspect(&b);
    expect_fact(&b, M5_TOPOLOGY_FLIPPED, 20, 2);
}
END_TEST

START_TEST(a_hole_is_counted)
{
    ball b = make_ball();
    memcpy(b.tris[30], b.tris[--b.count], sizeof b.tris[30]);
    inspect(&b);
    ck_assert_uint_eq(b.found, 1);
    ck_assert_int_eq(b.facts[0].kind, M5_TOPOLOGY_OPEN);
    ck_assert_uint_eq(b.facts[0].count, 3);
}
END_TEST

START_TEST(a_fin_makes_an_edge_of_three_triangles)
{
    ball b = make_ball();
    b.pos[b.verts] = (m5_vec){3, 3, 3};
    add_tri(&b, b.tris[30][0], b.tris[30][1], b.verts++);
    inspect(&b);
    ck_assert_uint_eq(b.found, 2); /* and the fin's other two edges are open */
    ck_assert_int_eq(b.facts[0].kind, M5_TOPOLOGY_CROWDED);
    ck_assert_uint_eq(b.facts[0].count, 1);
    ck_assert_int_eq(b.facts[1].kind, M5_TOPOLOGY_OPEN);
    ck_assert_uint_eq(b.facts[1].count, 2);
}
END_TEST

/* A leaf: two sides back to back, with separate vertices or the same. */
START_TEST(sides_back_to_back_share_no_edges)
{
    ball b = {.verts = 6,
              .pos = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    add_tri(&b, 0, 1, 2);
    add_tri(&b, 5, 4, 3);
    inspect(&b);
    ck_assert_uint_eq(b.found, 0);
    b.count = 1;
    add_tri(&b, 2, 1, 0);
    inspect(&b);
    expect_fact(&b, M5_TOPOLOGY_NO_NORMAL, 0, 3);
}
END_TEST

START_TEST(each_triangle_without_area_is_found)
{
    ball b = {.verts = 5, .pos = {{0, 0, 0}, {1, 0, 0}, {3, 0, 0}, {0, 1, 0}, {3, 0, 0}}};
    add_tri(&b, 0, 1, 3);
    add_tri(&b, 0, 1, 2);
    add_tri(&b, 3, 2, 4);
    inspect(&b);
    ck_assert_uint_eq(b.found, 4);
    for (uint32_t i = 0; i < 2; i++) {
        ck_assert_int_eq(b.facts[i].kind, M5_TOPOLOGY_ZERO_AREA);
        ck_assert_uint_eq(b.facts[i].first, i + 1);
    }
    ck_assert_int_eq(b.facts[2].kind, M5_TOPOLOGY_OPEN);
    ck_assert_int_eq(b.facts[3].kind, M5_TOPOLOGY_NO_NORMAL); /* vertices 2 and 4 */
    ck_assert_uint_eq(b.facts[3].first, 2);
    ck_assert_uint_eq(b.facts[3].count, 2);
}
END_TEST

START_TEST(negative_zero_is_the_same_position)
{
    ball b = make_ball();
    part(&b);
    for (uint32_t i = 0; i < b.verts; i++)
        if (fabs(b.pos[i].x) < 1e-9)
            b.pos[i].x = i % 2 == 0 ? 0.0 : -0.0;
    inspect(&b);
    ck_assert_uint_eq(b.found, 0);
}
END_TEST

/* With too little memory the result is false; never more memory than there is is used. */
START_TEST(too_little_memory_is_reported)
{
    ball b = make_ball();
    m5_topology shape = {b.verts, b.count, b.pos, (const uint32_t(*)[3])b.tris, 0, false};
    size_t enough = 0;
    for (size_t size = 0; enough == 0; size += 8) {
        m5_arena arena;
        void *memory = room(&arena, size + 8);
        arena.size = size;
        if (m5_topology_find(&shape, &arena, take_fact, &b))
            enough = size;
        ck_assert_uint_eq(arena.used, 0);
        free(memory);
    }
    ck_assert_uint_lt(enough, 64 * BALL_TRIS + 64 * BALL_VERTS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("shape");
    TCase *c = tcase_create("shape");
    tcase_set_timeout(c, 0);
    tcase_add_test(c, a_ball_is_healthy);
    tcase_add_loop_test(c, a_flipped_triangle_is_found, 0, BALL_TRIS);
    tcase_add_test(c, a_flipped_square_is_one_patch);
    tcase_add_test(c, a_hole_is_counted);
    tcase_add_test(c, a_fin_makes_an_edge_of_three_triangles);
    tcase_add_test(c, sides_back_to_back_share_no_edges);
    tcase_add_test(c, each_triangle_without_area_is_found);
    tcase_add_test(c, negative_zero_is_the_same_position);
    tcase_add_test(c, too_little_memory_is_reported);
    suite_add_tcase(suite, c);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
