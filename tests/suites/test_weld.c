/* Tests finding vertices at the same position (lint/geometry/weld.h) with the points of a lattice,
 * each moved by a tiny distance. */
#include "lint/geometry/weld.h"
#include "parsers/core/allocate.h"
#include "parsers/play/vector.h"

#include <check.h>
#include <stdlib.h>

enum { SIDE = 4, MOST = 4000, MEMORY = 1 << 18 };

typedef struct points {
    m5_vec pos[MOST];
    int lattice[MOST]; /* the point of the lattice */
    uint32_t point[MOST];
    uint32_t count;
} points;

static double chance(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return (*state >> 8) / 16777216.0;
}

static double at(int step, double by)
{
    return step - SIDE / 2 + by;
}

/* `count` vertices, each moved by up to `by` along each axis. */
static points *scatter(uint32_t count, double by, uint32_t seed)
{
    points *p = malloc(sizeof *p);
    ck_assert_ptr_nonnull(p);
    p->count = count;
    for (uint32_t i = 0; i < count; i++) {
        int k[3];
        double off[3];
        for (int axis = 0; axis < 3; axis++) {
            k[axis] = (int)(chance(&seed) * SIDE);
            off[axis] = by * chance(&seed);
        }
        p->lattice[i] = (k[0] * SIDE + k[1]) * SIDE + k[2];
        p->pos[i] = (m5_vec){at(k[0], off[0]), at(k[1], off[1]), at(k[2], off[2])};
    }
    return p;
}

static bool weld(points *p, size_t memory)
{
    m5_arena arena;
    void *block = malloc(memory + 1);
    ck_assert_ptr_nonnull(block);
    m5_arena_init(&arena, block, memory);
    bool done = m5_weld(p->pos, p->count, &arena, p->point);
    ck_assert_uint_eq(arena.used, 0);
    free(block);
    return done;
}

static void check_lattice(points *p)
{
    uint32_t first[SIDE * SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE * SIDE; i++)
        first[i] = UINT32_MAX;
    ck_assert(weld(p, MEMORY));
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t *expected = &first[p->lattice[i]];
        *expected = *expected == UINT32_MAX ? i : *expected;
        ck_assert_uint_eq(p->point[i], *expected);
    }
    free(p);
}

START_TEST(nearby_vertices_are_welded_to_the_first)
{
    static const uint32_t counts[] = {1, 2, 31, 32, 33, 300, MOST};
    for (uint32_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        check_lattice(scatter(counts[i], 0, i));
        check_lattice(scatter(counts[i], 2e-7, i)); /* below 1e-6 of the size, which is 5 */
    }
}
END_TEST

/* Vertices a little farther apart, along each axis in turn, are not welded. */
START_TEST(vertices_farther_than_rounding_stay_apart)
{
    for (int axis = 0; axis < 3; axis++) {
        points *p = scatter(3, 0, 1);
        double *z = &p->pos[2].x + axis;
        p->pos[0] = (m5_vec){-1, -1, -1};
        p->pos[1] = p->pos[2] = (m5_vec){1, 1, 1};
        *z = 1 + 1e-5;
        ck_assert(weld(p, MEMORY));
        ck_assert_uint_eq(p->point[1], 1);
        ck_assert_uint_eq(p->point[2], 2);
        *z = 1 + 5e-7;
        ck_assert(weld(p, MEMORY));
        ck_assert_uint_eq(p->point[2], 1);
        free(p);
    }
}
END_TEST

START_TEST(zero_and_minus_zero_are_one_position)
{
    points *p = scatter(3, 0, 1);
    p->pos[0] = (m5_vec){0, 0, 0};
    p->pos[1] = (m5_vec){-0.0, -0.0, -0.0};
    p->pos[2] = (m5_vec){-1e-3, -1, -1};
    ck_assert(weld(p, MEMORY));
    ck_assert_uint_eq(p->point[1], 0);
    ck_assert_uint_eq(p->point[2], 2);
    free(p);
}
END_TEST

START_TEST(nothing_is_welded_without_memory)
{
    points *p = scatter(100, 0, 1);
    ck_assert(!weld(p, 100));
    ck_assert(weld(p, 2 * (100 * 8 + M5_ARENA_GAP)));
    p->count = 0;
    ck_assert(weld(p, 0));
    free(p);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("weld");
    TCase *c = tcase_create("weld");
    tcase_add_test(c, nearby_vertices_are_welded_to_the_first);
    tcase_add_test(c, vertices_farther_than_rounding_stay_apart);
    tcase_add_test(c, zero_and_minus_zero_are_one_position);
    tcase_add_test(c, nothing_is_welded_without_memory);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
