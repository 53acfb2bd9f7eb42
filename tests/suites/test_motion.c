/* Tests jumps and flips (lint/geometry/motion.h) in animations that each show one thing. */
#include "lint/geometry/motion.h"
#include "lint/geometry/posed.h"
#include "parsers/play/algebra.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static m5_quat turn_of(double about_x, double about_y, double about_z)
{
    m5_quat x = {sin(about_x / 2), 0, 0, cos(about_x / 2)},
            y = {0, sin(about_y / 2), 0, cos(about_y / 2)};
    m5_quat z = {0, 0, sin(about_z / 2), cos(about_z / 2)};
    return m5_quat_times(z, m5_quat_times(y, x));
}

static void *room(m5_arena *arena, size_t size)
{
    void *memory = malloc(size);
    ck_assert_ptr_nonnull(memory);
    m5_arena_init(arena, memory, size);
    return memory;
}

/* ---- Motion: one joint, or two --------------------------------------------------------------- */

enum { STEPS = 24, TRACKS = 2 };

typedef struct film {
    m5_transform at[STEPS][TRACKS];
    m5_jump jumps[64];
    uint32_t count, frames;
    m5_flips flips;
} film;

static m5_transform film_at(const void *context, uint32_t frame, uint32_t joint)
{
    return ((const film *)context)->at[frame][joint];
}

static void film_stirs(const void *context, uint32_t frame, double square, uint8_t *marks)
{
    const film *f = context;
    for (int k = 0; k < TRACKS; k++) {
        m5_transform last = f->at[frame - 1][k], now = f->at[frame][k];
        m5_vec way = m5_vec_sub(now.pos, last.pos);
        double product = m5_quat_dot(last.rotation, now.rotation);
        marks[k] = !(product >= M5_STILL && m5_vec_dot(way, way) <= square);
    }
}

static m5_quat film_otherwise(const void *context, uint32_t frame, uint32_t joint, int way)
{
    (void)context, (void)frame, (void)joint, (void)way;
    return (m5_quat){NAN, NAN, NAN, NAN};
}

static void take_jump(void *user, const m5_jump *jump)
{
    film *f = user;
    ck_assert_uint_lt(f->count, 64);
    f->jumps[f->count++] = *jump;
}

static void watch(film *f, double size)
{
    m5_arena arena;
    void *memory = room(&arena, 1 << 16);
    m5_motion m = {f, f->frames, TRACKS, film_at, film_stirs, film_otherwise, size, false};
    f->count = 0;
    ck_assert(m5_motion_find(&m, &arena, take_jump, f, &f->flips));
    free(memory);
}

/* Both joints turn about z by this many degrees per frame; the second turns twice as fast. */
static film turning(double degrees)
{
    film f = {.frames = STEPS};
    for (uint32_t i = 0; i < STEPS; i++)
        for (uint32_t k = 0; k < TRACKS; k++)
            f.at[i][k] = (m5_transform){{i * 0.1, 0, 0},
                                        turn_of(0, 0, degrees * (k + 1) * i / 57.29577951308232)};
    return f;
}

static void expect_one(const film *f, m5_jump_kind kind, uint32_t frame, uint32_t joint)
{
    ck_assert_uint_eq(f->count, 1);
    ck_assert_int_eq(f->jumps[0].kind, kind);
    ck_assert_uint_eq(f->jumps[0].frame, frame);
    ck_assert_uint_eq(f->jumps[0].joint, joint);
}

START_TEST(steady_turns_are_no_jumps)
{
    static const double degrees[] = {0, 1, 5, 15, 30, 45, 60, 90, 120, 170, 180};
    film f = turning(degrees[_i]);
    watch(&f, 10);
    ck_assert_uint_eq(f.count, 0);
}
END_TEST

/* A turn for one frame is found if it has at least 20 degrees, far more than in nearby frames. */
START_TEST(a_turn_for_one_frame_is_found)
{
    static const struct {
        double speed, by;
        bool found;
    } cases[] = {{0, 19, false}, {0, 21, true}, {0, 90, true}, {0, 180, true}, {10, 30, false},
                 {10, 90, true}, {1, 21, true}, {1, 30, true}, {40, 60, false}};
    film f = turning(cases[_i].speed);
    f.at[12][0].rotation = m5_quat_times(f.at[12][0].rotation,
                                         turn_of(cases[_i].by / 57.29577951308232, 0, 0));
    watch(&f, 10);
    ck_assert_uint_eq(f.count, cases[_i].found);
    if (cases[_i].found)
        expect_one(&f, M5_JUMP_ROTATION, 12, 0);
}
END_TEST

START_TEST(a_move_for_one_frame_is_found)
{
    film f = turning(3);
    f.at[20][1].pos.z += 0.49; /* the size is 10 */
    watch(&f, 10);
    ck_assert_uint_eq(f.count, 0);
    f.at[20][1].pos.z += 0.1;
    watch(&f, 10);
    expect_one(&f, M5_JUMP_MOVE, 20, 1);
    watch(&f, 0); /* unknown size */
    ck_assert_uint_eq(f.count, 0);
}
END_TEST

/* All numbers are ten times as large, or as they were. */
START_TEST(a_lost_decimal_point_explains_a_move)
{
    static const struct {
        m5_vec to;
        bool explained;
    } cases[] = {{{20, 20, 30}, true},
                 {{20, 2, 3}, true},
                 {{20, 2, 13}, false},
                 {{20, 7, 13}, false},
                 {{-20, 2, 3}, false}};
    film f = turning(3);
    for (uint32_t i = 0; i < STEPS; i++)
        f.at[i][0].pos = (m5_vec){2, 2, 3};
    f.at[12][0].pos = cases[_i].to;
    watch(&f, 10);
    expect_one(&f, M5_JUMP_MOVE, 12, 0);
    ck_assert(f.jumps[0].explained == cases[_i].explained);
}
END_TEST

static void turn_from(film *f, uint32_t frame, double degrees)
{
    for (uint32_t i = frame; i < STEPS; i++)
        f->at[i][1].rotation = m5_quat_times(f->at[i][1].rotation,
                                             turn_of(0, degrees / 57.29577951308232, 0));
}

START_TEST(a_lasting_step_is_found)
{
    static const double degrees[] = {119, 121, 180};
    for (int i = 0; i < 3; i++) {
        film f = turning(2);
        turn_from(&f, 9, degrees[i]);
        watch(&f, 10);
        ck_assert_uint_eq(f.count, i > 0);
        if (i > 0)
            expect_one(&f, M5_JUMP_STEP, 9, 1);
    }
}
END_TEST

/* An object that is moved elsewhere, turned or not. */
START_TEST(an_object_moved_far_away_may_turn)
{
    film f = turning(0);
    turn_from(&f, 9, 180);
    for (uint32_t i = 9; i < STEPS; i++)
        f.at[i][1].pos.y += 3;
    watch(&f, 10);
    ck_assert_uint_eq(f.count, 0);
}
END_TEST

START_TEST(steps_at_the_first_and_last_frame_are_found)
{
    film f = turning(0);
    turn_from(&f, 1, 180);
    watch(&f, 10);
    expect_one(&f, M5_JUMP_STEP, 1, 1);
    f = turning(0);
    turn_from(&f, STEPS - 1, 180);
    watch(&f, 10);
    expect_one(&f, M5_JUMP_STEP, STEPS - 1, 1);
}
END_TEST

START_TEST(jumps_need_at_least_six_frames)
{
    for (uint32_t frames = 0; frames <= 6; frames++) {
        film f = turning(0);
        f.frames = frames;
        f.at[2][0].rotation = turn_of(3, 0, 0);
        watch(&f, 10);
        ck_assert_uint_eq(f.count, frames >= 6);
    }
}
END_TEST

START_TEST(nan_is_no_jump)
{
    film f = turning(0);
    f.at[12][0] = (m5_transform){{NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}};
    watch(&f, 10);
    ck_assert_uint_eq(f.count, 0);
    ck_assert_uint_eq(f.flips.count, 0);
}
END_TEST

START_TEST(flips_are_counted)
{
    film f = turning(1);
    watch(&f, 10);
    ck_assert_uint_eq(f.flips.count, 0);
    for (uint32_t i = 5; i < 8; i++) {
        m5_quat q = f.at[i][1].rotation;
        f.at[i][1].rotation = (m5_quat){-q.x, -q.y, -q.z, -q.w};
    }
    watch(&f, 10);
    ck_assert_uint_eq(f.count, 0);
    ck_assert_uint_eq(f.flips.count, 2);
    ck_assert_uint_eq(f.flips.frame, 5);
    ck_assert_uint_eq(f.flips.joint, 1);
}
END_TEST

/* ---- Marks of joints ------------------------------------------------------------------------- */

/* Two roots: 2 with 0, 1 below it and 4 below that; and 3. */
static const int32_t parents[] = {2, 2, -1, -1, 1};
static const uint32_t order[] = {3, 2, 1, 0, 4};
enum { JOINTS = 5 };

static int32_t parent_of(const void *context, uint32_t joint)
{
    return ((const int32_t *)context)[joint];
}

START_TEST(marks_are_of_parents_or_of_what_is_below)
{
    static const uint8_t below[JOINTS][JOINTS] = {
        {1}, {[1] = 1, [4] = 1}, {1, 1, 1, 0, 1}, {[3] = 1}, {[4] = 1}};
    static const uint8_t above[JOINTS][JOINTS] = {
        {[0] = 1, [2] = 1}, {[1] = 1, [2] = 1}, {[2] = 1}, {[3] = 1}, {0, 1, 1, 0, 1}};
    m5_posed p = {.context = parents, .num_joints = JOINTS, .order = order, .parent = parent_of};
    for (uint32_t i = 0; i < JOINTS; i++) {
        uint8_t marks[JOINTS] = {1, 1, 1, 1, 1};
        m5_posed_mark_below(&p, i, marks);
        ck_assert_mem_eq(marks, below[i], JOINTS);
        memset(marks, 0, JOINTS);
        marks[i] = 1;
        m5_posed_mark_parents(&p, marks);
        ck_assert_mem_eq(marks, above[i], JOINTS);
    }
}
END_TEST

/* The root is the first joint, as in nearly all files. */
START_TEST(all_is_below_the_first_joint)
{
    static const int32_t chain[] = {-1, 0, 1, 0, 3};
    uint8_t marks[JOINTS] = {0};
    m5_posed p = {.context = chain, .num_joints = JOINTS, .parent = parent_of};
    m5_posed_mark_below(&p, 0, marks);
    for (uint32_t i = 0; i < JOINTS; i++)
        ck_assert_uint_eq(marks[i], 1);
    memset(marks, 0, JOINTS);
    marks[4] = 1;
    m5_posed_mark_parents(&p, marks);
    ck_assert(marks[0] && !marks[1] && !marks[2] && marks[3]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("motion");
    TCase *c = tcase_create("motion");
    tcase_set_timeout(c, 0);
    tcase_add_loop_test(c, steady_turns_are_no_jumps, 0, 11);
    tcase_add_loop_test(c, a_turn_for_one_frame_is_found, 0, 9);
    tcase_add_test(c, a_move_for_one_frame_is_found);
    tcase_add_loop_test(c, a_lost_decimal_point_explains_a_move, 0, 5);
    tcase_add_test(c, a_lasting_step_is_found);
    tcase_add_test(c, an_object_moved_far_away_may_turn);
    tcase_add_test(c, steps_at_the_first_and_last_frame_are_found);
    tcase_add_test(c, jumps_need_at_least_six_frames);
    tcase_add_test(c, nan_is_no_jump);
    tcase_add_test(c, flips_are_counted);
    tcase_add_test(c, marks_are_of_parents_or_of_what_is_below);
    tcase_add_test(c, all_is_below_the_first_joint);
    suite_add_tcase(suite, c);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
