/* Tests bounding boxes (lint/geometry/frame_boxes.h) against a search over every vertex of every
 * frame. */
#include "files.h"
#include "support.h"
#include "lint/geometry/frame_boxes.h"
#include "parsers/play/algebra.h"
#include "parsers/play/skin.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Chance ---------------------------------------------------------------------------------- */

static uint64_t seed;

static uint32_t chance(uint32_t below)
{
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(seed >> 33) % below;
}

static double between(double low, double high)
{
    return low + (high - low) * chance(1000001) / 1e6;
}

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

/* ---- Boxes: a mesh that was made by chance -----------------------------------------------------
 */

enum { BONES = 5, VERTS = 60, WEIGHTS = 3 * VERTS, FRAMES = 37 };

typedef struct scene {
    m5_skin_vertex verts[VERTS];
    m5_skin_weight weights[WEIGHTS];
    m5_skin skin;
    m5_matrix bones[FRAMES][BONES];
    m5_box boxes[FRAMES];
    bool boxed[FRAMES];
    uint32_t posed[FRAMES]; /* how often a frame was asked for */
} scene;

static bool scene_box(const void *context, uint32_t frame, m5_box *out)
{
    const scene *s = context;
    *out = s->boxes[frame];
    return s->boxed[frame];
}

static void scene_pose(const void *context, uint32_t frame, m5_matrix *bones)
{
    scene *s = (scene *)(uintptr_t)context;
    memcpy(bones, s->bones[frame], sizeof s->bones[frame]);
    s->posed[frame]++;
}

static void make_vertex(scene *s, uint32_t i)
{
    uint32_t count = 1 + chance(3);
    float left = 1;
    s->verts[i] = (m5_skin_vertex){s->skin.num_weights, count};
    for (uint32_t k = 0; k < count; k++) {
        float bias = k + 1 == count ? left : (float)between(0, (double)left);
        left -= bias;
        s->weights[s->skin.num_weights++] = (m5_skin_weight){
            chance(BONES),
            bias,
            {(float)between(-3, 3), (float)between(-1, 2), (float)between(0, 1)}};
    }
}

/* A box around each frame's mesh that is too small or too large on each side by this amount. */
static void make_frame(scene *s, uint32_t f, double least, double most)
{
    for (uint32_t b = 0; b < BONES; b++) {
        m5_transform at = {{between(-9, 9), between(-9, 9), between(0, 30)},
                           turn_of(between(-3, 3), between(-3, 3), between(-3, 3))};
        s->bones[f][b] = m5_matrix_of(&at);
    }
    s->boxes[f] = m5_box_empty();
    for (uint32_t i = 0; i < VERTS; i++)
        m5_box_add(&s->boxes[f], m5_skin_position(&s->skin, i, s->bones[f]));
    for (int k = 0; k < 3; k++) {
        s->boxes[f].min[k] -= between(least, most);
        s->boxes[f].max[k] += between(least, most);
    }
    s->boxed[f] = true;
}

static scene *make_scene(uint64_t from, double least, double most)
{
    scene *s = calloc(1, sizeof *s);
    ck_assert_ptr_nonnull(s);
    seed = from;
    s->skin = (m5_skin){BONES, VERTS, 0, s->verts, s->weights};
    for (uint32_t i = 0; i < VERTS; i++)
        make_vertex(s, i);
    for (uint32_t f = 0; f < FRAMES; f++)
        make_frame(s, f, least, most);
    return s;
}

static bool holds(scene *s, double limit, uint64_t budget, size_t memory)
{
    m5_arena arena;
    void *block = room(&arena, memory);
    m5_boxed_frames frames = {s, FRAMES, scene_box, scene_pose, false, NULL};
    m5_box parts[BONES];
    m5_skin_boxes(&s->skin, parts);
    bool all = m5_frame_boxes_hold(parts, BONES, &frames, limit, budget, &arena);
    ck_assert_uint_eq(arena.used, 0);
    free(block);
    return all;
}

static m5_frame_boxes find(scene *s, double limit, uint64_t budget)
{
    m5_frame_boxes found;
    m5_arena arena;
    void *memory = room(&arena, 1 << 16);
    m5_boxed_frames frames = {s, FRAMES, scene_box, scene_pose, false, NULL};
    bool well = holds(s, limit, UINT64_MAX, 1 << 16);
    memset(s->posed, 0, sizeof s->posed);
    ck_assert(m5_frame_boxes_find(&s->skin, &frames, limit, &budget, &arena, &found));
    ck_assert(!well || found.outside == 0);
    ck_assert_uint_eq(arena.used, 0);
    free(memory);
    return found;
}

/* The same by checking each vertex in each frame. */
static double farthest(const scene *s, uint32_t frame)
{
    double most = 0;
    for (uint32_t i = 0; i < VERTS; i++) {
        m5_vec p = m5_skin_position(&s->skin, i, s->bones[frame]);
        const double at[3] = {p.x, p.y, p.z};
        for (int k = 0; k < 3; k++)
            most = fmax(most, fmax(s->boxes[frame].min[k] - at[k], at[k] - s->boxes[frame].max[k]));
    }
    return most / m5_box_diagonal(&s->boxes[frame]);
}

START_TEST(the_worst_frame_is_the_same_as_by_brute_force)
{
    scene *s = make_scene((uint64_t)_i, -1.5, 1);
    double worst = 0;
    uint32_t outside = 0;
    for (uint32_t f = 0; f < FRAMES; f++) {
        s->boxed[f] = chance(4) != 0;
        double share = s->boxed[f] ? farthest(s, f) : 0;
        outside += share > 0.01;
        worst = fmax(worst, share);
    }
    m5_frame_boxes e = find(s, 0.01, UINT64_MAX);
    ck_assert_uint_eq(e.outside, outside);
    ck_assert_uint_eq(e.seen, e.boxed);
    ck_assert_double_eq_tol(outside != 0 ? e.worst.share : 0, outside != 0 ? worst : 0, 1e-12);
    for (uint32_t f = 0; f < FRAMES; f++)
        ck_assert_uint_eq(s->posed[f],
                          (uint32_t)s->boxed[f] + (outside != 0 && f == e.worst.frame));
    free(s);
}
END_TEST

START_TEST(a_box_that_fits_is_never_reported)
{
    scene *s = make_scene((uint64_t)_i, 0, 0);
    m5_frame_boxes e = find(s, 1e-9, UINT64_MAX);
    ck_assert_uint_eq(e.outside, 0);
    ck_assert_uint_eq(e.seen, FRAMES);
    free(s);
}
END_TEST

/* Boxes with room around the mesh are checked by the boxes of the bones alone. One box that is too
 * small makes a closer check necessary, unless the frame has no box. */
START_TEST(boxes_with_room_are_accepted_without_a_closer_check)
{
    scene *s = make_scene((uint64_t)_i, 8, 12);
    ck_assert(holds(s, 0.01, UINT64_MAX, 1 << 16));
    ck_assert(holds(s, 0.01, FRAMES * BONES, 1 << 16));
    ck_assert(!holds(s, 0.01, FRAMES * BONES - 1, 1 << 16));
    ck_assert(!holds(s, 0.01, UINT64_MAX, 100));
    m5_box *box = &s->boxes[_i % FRAMES];
    box->max[_i % 3] = (box->min[_i % 3] + box->max[_i % 3]) / 2;
    ck_assert(!holds(s, 0.01, UINT64_MAX, 1 << 16));
    s->boxed[_i % FRAMES] = false;
    ck_assert(holds(s, 0.01, UINT64_MAX, 1 << 16));
    free(s);
}
END_TEST

START_TEST(the_suggested_box_fits)
{
    scene *s = make_scene((uint64_t)_i, -2, -1);
    m5_frame_boxes e = find(s, 0.01, UINT64_MAX);
    ck_assert_uint_eq(e.outside, FRAMES);
    s->boxes[e.worst.frame] = e.fit;
    ck_assert_double_le(farthest(s, e.worst.frame), 0);
    free(s);
}
END_TEST

/* Boxes that are beside the mesh by more than its size, which is worse than any other error. */
START_TEST(boxes_beside_the_mesh_are_reported_as_disjoint)
{
    scene *s = make_scene(7, -2, -1);
    for (int k = 0; k < 2; k++) {
        double away = k == 0 ? 200 : -200;
        s->boxes[10 + k].min[k] += away;
        s->boxes[10 + k].max[k] += away;
    }
    m5_frame_boxes e = find(s, 0.01, UINT64_MAX);
    ck_assert_uint_eq(e.disjoint, 2);
    ck_assert(e.worst.disjoint && (e.worst.frame == 10 || e.worst.frame == 11));
    free(s);
}
END_TEST

/* However small the budget is, the frames that are checked are spread over all frames. */
START_TEST(frames_are_sampled_evenly)
{
    scene *s = make_scene(3, -2, -1);
    uint64_t most = 300 * FRAMES; /* not enough for all of them */
    m5_frame_boxes e = find(s, 0.01, most / (uint64_t)(1 + _i));
    uint32_t seen = 0, gap = 0, widest = 0;
    for (uint32_t f = 0; f < FRAMES; f++) {
        bool looked = s->posed[f] > (f == e.worst.frame);
        seen += looked;
        gap = looked ? 0 : gap + 1;
        widest = gap > widest ? gap : widest;
    }
    ck_assert_uint_eq(seen, e.seen);
    ck_assert_uint_eq(e.boxed, FRAMES);
    ck_assert_uint_gt(e.seen, 1);
    ck_assert_uint_lt(e.seen, FRAMES);
    ck_assert_uint_le(widest, 2 * 64 / e.seen + 1); /* 64 is the power of two that holds FRAMES */
    free(s);
}
END_TEST

START_TEST(the_budget_is_not_exceeded)
{
    scene *s = make_scene(3, -2, -1);
    m5_frame_boxes e = find(s, 0.01, 1);
    ck_assert_uint_eq(e.seen, 1);
    e = find(s, 0.01, 0);
    ck_assert_uint_eq(e.seen, 0);
    ck_assert_uint_eq(e.outside, 0);
    free(s);
}
END_TEST

START_TEST(odd_biases_are_left_out)
{
    scene *s = make_scene(5, 0, 0);
    uint8_t used[VERTS];
    memset(used, 1, sizeof used);
    used[3] = 0;
    s->weights[s->verts[8].start].bias += 0.01F;
    s->weights[s->verts[9].start].bias = -1;
    s->verts[20].count = 40;
    m5_frame_boxes_choose(&s->skin, used);
    for (uint32_t i = 0; i < VERTS; i++)
        ck_assert_uint_eq(used[i], i != 3 && i != 8 && i != 9 && i != 20);
    free(s);
}
END_TEST

/* ---- The budget for a file ------------------------------------------------------------------- */

enum { CIRCLE = 1000, TURNED = 3000, WRONG = 1234 };

/* A mesh whose vertices are in a circle. */
static void make_circle(file *f)
{
    add(f, "MD5Version 10\ncommandline \"\"\nnumJoints 1\nnumMeshes 1\njoints {\n"
           "\"a\" -1 ( 0 0 0 ) ( 0 0 0 )\n}\nmesh {\nshader \"s\"\n");
    add(f, "numverts %d\n", CIRCLE);
    for (int i = 0; i < CIRCLE; i++)
        add(f, "vert %d ( 0 0 ) %d 1\n", i, i);
    add(f, "numtris %d\n", CIRCLE - 2);
    for (int i = 0; i < CIRCLE - 2; i++)
        add(f, "tri %d 0 %d %d\n", i, i + 1, i + 2);
    add(f, "numweights %d\n", CIRCLE);
    for (int i = 0; i < CIRCLE; i++) {
        double angle = 2 * acos(-1) * i / CIRCLE;
        add(f, "weight %d 0 1 ( %.4f %.4f 0 )\n", i, 10 * cos(angle), 10 * sin(angle));
    }
    add(f, "}\n");
}

/* It is turned by 45 degrees, so that the box around it turns out of the frames' boxes, but it does
 * not. One box is too small. */
static void make_turned(file *f)
{
    add(f,
        "MD5Version 10\ncommandline \"\"\nnumFrames %d\nnumJoints 1\nframeRate 24\n"
        "numAnimatedComponents 1\nhierarchy {\n\"a\" -1 32 0\n}\nbounds {\n",
        TURNED);
    for (int i = 0; i < TURNED; i++)
        add(f, "( -10.1 -10.1 -0.1 ) ( %s 10.1 0.1 )\n", i == WRONG ? "5" : "10.1");
    add(f, "}\nbaseframe {\n( 0 0 0 ) ( 0 0 0 )\n}\n");
    for (int i = 0; i < TURNED; i++)
        add(f, "frame %d {\n0.382683\n}\n", i);
}

START_TEST(one_wrong_box_among_thousands_is_found)
{
    file mesh = {0}, anim = {0};
    make_circle(&mesh);
    make_turned(&anim);
    text_file files[] = {{"a.md5mesh", mesh.bytes, mesh.size},
                         {"a.md5anim", anim.bytes, anim.size}};
    linted *all[2];
    lint_files(files, 2, NULL, false, all);
    char *found = describe(all[1], "", true);
    ck_assert_msg(strstr(found, "frame 1234: ") != NULL &&
                      strstr(found, "(1 of 3000 frames)") != NULL,
                  "%s", found);
    free(found);
    free_linted(all[0]);
    free_linted(all[1]);
    free(mesh.bytes);
    free(anim.bytes);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("frame_boxes");
    TCase *c = tcase_create("frame_boxes");
    tcase_set_timeout(c, 0);
    tcase_add_loop_test(c, the_worst_frame_is_the_same_as_by_brute_force, 0, 100);
    tcase_add_loop_test(c, a_box_that_fits_is_never_reported, 0, 30);
    tcase_add_loop_test(c, boxes_with_room_are_accepted_without_a_closer_check, 0, 30);
    tcase_add_loop_test(c, the_suggested_box_fits, 0, 30);
    tcase_add_test(c, boxes_beside_the_mesh_are_reported_as_disjoint);
    tcase_add_loop_test(c, frames_are_sampled_evenly, 0, 8);
    tcase_add_test(c, the_budget_is_not_exceeded);
    tcase_add_test(c, one_wrong_box_among_thousands_is_found);
    tcase_add_test(c, odd_biases_are_left_out);
    suite_add_tcase(suite, c);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
