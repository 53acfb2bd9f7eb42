/* What the geometric rules measure, against brute force and against models made to show one thing:
 * lint/envelope.h (boxes), lint/motion.h (jumps, flips), lint/shape.h (edges, winding, normals). */
#include "../lint/envelope.h"
#include "../lint/motion.h"
#include "../lint/shape.h"

#include <check.h>
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

/* ---- Boxes: a mesh that was made by chance ----------------------------------------------------- */

enum { BONES = 5, VERTS = 60, WEIGHTS = 3 * VERTS, FRAMES = 37 };

typedef struct scene {
    m5_skin_vert verts[VERTS];
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
    s->verts[i] = (m5_skin_vert){s->skin.num_weights, count};
    for (uint32_t k = 0; k < count; k++) {
        float bias = k + 1 == count ? left : (float)between(0, (double)left);
        left -= bias;
        s->weights[s->skin.num_weights++] = (m5_skin_weight){
            chance(BONES),
            bias,
            {(float)between(-3, 3), (float)between(-1, 2), (float)between(0, 1)}};
    }
}

/* Around each frame's mesh, a box that is that much too small or too large on each side. */
static void make_frame(scene *s, uint32_t f, double least, double most)
{
    for (uint32_t b = 0; b < BONES; b++) {
        m5_transform at = {{between(-9, 9), between(-9, 9), between(0, 30)},
                           turn_of(between(-3, 3), between(-3, 3), between(-3, 3))};
        s->bones[f][b] = m5_matrix_of(&at);
    }
    s->boxes[f] = m5_box_empty();
    for (uint32_t i = 0; i < VERTS; i++)
        m5_box_add(&s->boxes[f], m5_skin_place(&s->skin, i, s->bones[f]));
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

static m5_envelope find(scene *s, double limit, uint64_t budget)
{
    m5_envelope found;
    m5_arena arena;
    void *memory = room(&arena, 1 << 16);
    m5_boxed_frames frames = {s, FRAMES, scene_box, scene_pose};
    memset(s->posed, 0, sizeof s->posed);
    ck_assert(m5_envelope_find(&s->skin, &frames, limit, &budget, &arena, &found));
    ck_assert_uint_eq(arena.used, 0);
    free(memory);
    return found;
}

/* The same by looking at each vertex in each frame. */
static double farthest(const scene *s, uint32_t frame)
{
    double most = 0;
    for (uint32_t i = 0; i < VERTS; i++) {
        m5_vec p = m5_skin_place(&s->skin, i, s->bones[frame]);
        const double at[3] = {p.x, p.y, p.z};
        for (int k = 0; k < 3; k++)
            most = fmax(most, fmax(s->boxes[frame].min[k] - at[k], at[k] - s->boxes[frame].max[k]));
    }
    return most / m5_box_diagonal(&s->boxes[frame]);
}

START_TEST(the_worst_frame_is_that_of_brute_force)
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
    m5_envelope e = find(s, 0.01, UINT64_MAX);
    ck_assert_uint_eq(e.outside, outside);
    ck_assert_uint_eq(e.seen, e.boxed);
    ck_assert_double_eq_tol(outside != 0 ? e.worst.share : 0, outside != 0 ? worst : 0, 1e-12);
    for (uint32_t f = 0; f < FRAMES; f++)
        ck_assert_uint_eq(s->posed[f],
                          (uint32_t)s->boxed[f] + (outside != 0 && f == e.worst.frame));
    free(s);
}
END_TEST

START_TEST(a_box_that_fits_is_never_told)
{
    scene *s = make_scene((uint64_t)_i, 0, 0);
    m5_envelope e = find(s, 1e-9, UINT64_MAX);
    ck_assert_uint_eq(e.outside, 0);
    ck_assert_uint_eq(e.seen, FRAMES);
    free(s);
}
END_TEST

START_TEST(what_would_fit_fits)
{
    scene *s = make_scene((uint64_t)_i, -2, -1);
    m5_envelope e = find(s, 0.01, UINT64_MAX);
    ck_assert_uint_eq(e.outside, FRAMES);
    s->boxes[e.worst.frame] = e.fit;
    ck_assert_double_le(farthest(s, e.worst.frame), 0);
    free(s);
}
END_TEST

/* Boxes beside the mesh by more than its size: that is worse than any other. */
START_TEST(boxes_beside_the_mesh_are_disjoint)
{
    scene *s = make_scene(7, -2, -1);
    for (int k = 0; k < 2; k++) {
        double away = k == 0 ? 200 : -200;
        s->boxes[10 + k].min[k] += away;
        s->boxes[10 + k].max[k] += away;
    }
    m5_envelope e = find(s, 0.01, UINT64_MAX);
    ck_assert_uint_eq(e.disjoint, 2);
    ck_assert(e.worst.disjoint && (e.worst.frame == 10 || e.worst.frame == 11));
    free(s);
}
END_TEST

/* However little may be spent, the frames that are looked at are spread over all. */
START_TEST(frames_are_sampled_evenly)
{
    scene *s = make_scene(3, -2, -1);
    uint64_t most = 300 * FRAMES; /* not enough for all of them */
    m5_envelope e = find(s, 0.01, most / (uint64_t)(1 + _i));
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

START_TEST(a_budget_is_kept)
{
    scene *s = make_scene(3, -2, -1);
    m5_envelope e = find(s, 0.01, 1);
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
    m5_envelope_choose(&s->skin, used);
    for (uint32_t i = 0; i < VERTS; i++)
        ck_assert_uint_eq(used[i], i != 3 && i != 8 && i != 9 && i != 20);
    free(s);
}
END_TEST

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

static void film_all(const void *context, uint32_t frame, m5_transform *out)
{
    memcpy(out, ((const film *)context)->at[frame], TRACKS * sizeof *out);
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
    m5_motion m = {f, f->frames, TRACKS, film_at, film_all, size};
    f->count = 0;
    ck_assert(m5_motion_find(&m, &arena, take_jump, f, &f->flips));
    free(memory);
}

/* Both joints turn about z by so many degrees a frame; the second does it twice as fast. */
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

START_TEST(even_turns_are_no_jumps)
{
    static const double degrees[] = {0, 1, 5, 15, 30, 45, 60, 90, 120, 170, 180};
    film f = turning(degrees[_i]);
    watch(&f, 10);
    ck_assert_uint_eq(f.count, 0);
}
END_TEST

/* A turn of one frame is told from 20 degrees on, and where it stands out from what is around. */
START_TEST(a_turn_for_one_frame_is_told)
{
    static const struct {
        double speed, by;
        bool told;
    } cases[] = {{0, 19, false}, {0, 21, true}, {0, 90, true}, {0, 180, true}, {10, 30, false},
                 {10, 90, true}, {1, 21, true}, {1, 30, true}, {40, 60, false}};
    film f = turning(cases[_i].speed);
    f.at[12][0].turn = m5_quat_times(f.at[12][0].turn,
                                     turn_of(cases[_i].by / 57.29577951308232, 0, 0));
    watch(&f, 10);
    ck_assert_uint_eq(f.count, cases[_i].told);
    if (cases[_i].told)
        expect_one(&f, M5_JUMP_TURN, 12, 0);
}
END_TEST

START_TEST(a_move_for_one_frame_is_told)
{
    film f = turning(3);
    f.at[20][1].pos.z += 0.49; /* of a size of 10 */
    watch(&f, 10);
    ck_assert_uint_eq(f.count, 0);
    f.at[20][1].pos.z += 0.1;
    watch(&f, 10);
    expect_one(&f, M5_JUMP_MOVE, 20, 1);
    watch(&f, 0); /* of no known size */
    ck_assert_uint_eq(f.count, 0);
}
END_TEST

static void turn_from(film *f, uint32_t frame, double degrees)
{
    for (uint32_t i = frame; i < STEPS; i++)
        f->at[i][1].turn = m5_quat_times(f->at[i][1].turn,
                                         turn_of(0, degrees / 57.29577951308232, 0));
}

START_TEST(a_step_that_stays_is_told)
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

/* A thing that is put elsewhere, turned or not. */
START_TEST(what_is_carried_off_may_turn)
{
    film f = turning(0);
    turn_from(&f, 9, 180);
    for (uint32_t i = 9; i < STEPS; i++)
        f.at[i][1].pos.y += 3;
    watch(&f, 10);
    ck_assert_uint_eq(f.count, 0);
}
END_TEST

START_TEST(steps_at_either_end_are_seen)
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

START_TEST(few_frames_say_nothing)
{
    for (uint32_t frames = 0; frames <= 6; frames++) {
        film f = turning(0);
        f.frames = frames;
        f.at[2][0].turn = turn_of(3, 0, 0);
        watch(&f, 10);
        ck_assert_uint_eq(f.count, frames >= 6);
    }
}
END_TEST

START_TEST(what_is_no_number_says_nothing)
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
        m5_quat q = f.at[i][1].turn;
        f.at[i][1].turn = (m5_quat){-q.x, -q.y, -q.z, -q.w};
    }
    watch(&f, 10);
    ck_assert_uint_eq(f.count, 0);
    ck_assert_uint_eq(f.flips.count, 2);
    ck_assert_uint_eq(f.flips.frame, 5);
    ck_assert_uint_eq(f.flips.joint, 1);
}
END_TEST

/* ---- Shapes: a ball ---------------------------------------------------------------------------- */

enum {
    RINGS = 6,
    AROUND = 8,
    BALL_VERTS = 2 + (RINGS - 1) * AROUND,
    BALL_TRIS = 2 * AROUND * (RINGS - 1)
};

typedef struct ball {
    m5_vec pos[3 * BALL_TRIS]; /* room for corners that are all parted */
    uint32_t tris[BALL_TRIS + 8][3];
    uint32_t verts, count;
    m5_shape_fact facts[BALL_TRIS];
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
            double down = ring * 3.14159265 / RINGS, round = k * 2 * 3.14159265 / AROUND;
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

static void take_fact(void *user, const m5_shape_fact *fact)
{
    ball *b = user;
    ck_assert_uint_lt(b->found, BALL_TRIS);
    b->facts[b->found++] = *fact;
}

static void inspect(ball *b)
{
    m5_arena arena;
    void *memory = room(&arena, 1 << 18);
    m5_shape shape = {b->verts, b->count, b->pos, (const uint32_t(*)[3])b->tris};
    b->found = 0;
    ck_assert(m5_shape_find(&shape, &arena, take_fact, b));
    ck_assert_uint_eq(arena.used, 0);
    free(memory);
}

static void expect_fact(const ball *b, m5_shape_kind kind, uint32_t first, uint32_t count)
{
    ck_assert_uint_eq(b->found, 1);
    ck_assert_int_eq(b->facts[0].kind, kind);
    ck_assert_uint_eq(b->facts[0].first, first);
    ck_assert_uint_eq(b->facts[0].count, count);
}

/* Each triangle with corners of its own, as where texture coordinates part them. */
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
    expect_fact(&b, M5_SHAPE_FLIPPED, (uint32_t)_i, 1);
    ck_assert(b.facts[0].surrounded);
    part(&b);
    inspect(&b);
    expect_fact(&b, M5_SHAPE_FLIPPED, (uint32_t)_i, 1);
}
END_TEST

/* Triangles 2i and 2i + 1 of a ring between the poles are one square. */
START_TEST(a_flipped_square_is_one_patch)
{
    ball b = make_ball();
    flip(&b, 20);
    flip(&b, 21);
    inspect(&b);
    expect_fact(&b, M5_SHAPE_FLIPPED, 20, 2);
}
END_TEST

START_TEST(a_hole_is_counted)
{
    ball b = make_ball();
    memcpy(b.tris[30], b.tris[--b.count], sizeof b.tris[30]);
    inspect(&b);
    ck_assert_uint_eq(b.found, 1);
    ck_assert_int_eq(b.facts[0].kind, M5_SHAPE_OPEN);
    ck_assert_uint_eq(b.facts[0].count, 3);
}
END_TEST

START_TEST(a_fin_makes_an_edge_of_three)
{
    ball b = make_ball();
    b.pos[b.verts] = (m5_vec){3, 3, 3};
    add_tri(&b, b.tris[30][0], b.tris[30][1], b.verts++);
    inspect(&b);
    ck_assert_uint_eq(b.found, 2); /* and the fin's other two edges are open */
    ck_assert_int_eq(b.facts[0].kind, M5_SHAPE_CROWDED);
    ck_assert_uint_eq(b.facts[0].count, 1);
    ck_assert_int_eq(b.facts[1].kind, M5_SHAPE_OPEN);
    ck_assert_uint_eq(b.facts[1].count, 2);
}
END_TEST

/* A leaf: two sides back to back, with vertices of their own or the same. */
START_TEST(back_to_back_counts_for_no_edge)
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
    expect_fact(&b, M5_SHAPE_NO_NORMAL, 0, 3);
}
END_TEST

START_TEST(no_area_is_told_of_each)
{
    ball b = {.verts = 5, .pos = {{0, 0, 0}, {1, 0, 0}, {3, 0, 0}, {0, 1, 0}, {3, 0, 0}}};
    add_tri(&b, 0, 1, 3);
    add_tri(&b, 0, 1, 2);
    add_tri(&b, 3, 2, 4);
    inspect(&b);
    ck_assert_uint_eq(b.found, 4);
    for (uint32_t i = 0; i < 2; i++) {
        ck_assert_int_eq(b.facts[i].kind, M5_SHAPE_ZERO_AREA);
        ck_assert_uint_eq(b.facts[i].first, i + 1);
    }
    ck_assert_int_eq(b.facts[2].kind, M5_SHAPE_OPEN);
    ck_assert_int_eq(b.facts[3].kind, M5_SHAPE_NO_NORMAL); /* vertices 2 and 4 */
    ck_assert_uint_eq(b.facts[3].first, 2);
    ck_assert_uint_eq(b.facts[3].count, 2);
}
END_TEST

START_TEST(negative_zero_is_the_same_place)
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

/* With any less memory than it takes, false; never more than is there. */
START_TEST(short_memory_is_told)
{
    ball b = make_ball();
    m5_shape shape = {b.verts, b.count, b.pos, (const uint32_t(*)[3])b.tris};
    size_t enough = 0;
    for (size_t size = 0; enough == 0; size += 8) {
        m5_arena arena;
        void *memory = room(&arena, size + 8);
        arena.size = size;
        if (m5_shape_find(&shape, &arena, take_fact, &b))
            enough = size;
        ck_assert_uint_eq(arena.used, 0);
        free(memory);
    }
    ck_assert_uint_lt(enough, 64 * BALL_TRIS + 64 * BALL_VERTS);
}
END_TEST

static Suite *geometry_suite(void)
{
    Suite *s = suite_create("geometry");
    TCase *c = tcase_create("geometry");
    tcase_set_timeout(c, 0);
    tcase_add_loop_test(c, the_worst_frame_is_that_of_brute_force, 0, 100);
    tcase_add_loop_test(c, a_box_that_fits_is_never_told, 0, 30);
    tcase_add_loop_test(c, what_would_fit_fits, 0, 30);
    tcase_add_test(c, boxes_beside_the_mesh_are_disjoint);
    tcase_add_loop_test(c, frames_are_sampled_evenly, 0, 8);
    tcase_add_test(c, a_budget_is_kept);
    tcase_add_test(c, odd_biases_are_left_out);
    tcase_add_loop_test(c, even_turns_are_no_jumps, 0, 11);
    tcase_add_loop_test(c, a_turn_for_one_frame_is_told, 0, 9);
    tcase_add_test(c, a_move_for_one_frame_is_told);
    tcase_add_test(c, a_step_that_stays_is_told);
    tcase_add_test(c, what_is_carried_off_may_turn);
    tcase_add_test(c, steps_at_either_end_are_seen);
    tcase_add_test(c, few_frames_say_nothing);
    tcase_add_test(c, what_is_no_number_says_nothing);
    tcase_add_test(c, flips_are_counted);
    tcase_add_test(c, a_ball_is_healthy);
    tcase_add_loop_test(c, a_flipped_triangle_is_found, 0, BALL_TRIS);
    tcase_add_test(c, a_flipped_square_is_one_patch);
    tcase_add_test(c, a_hole_is_counted);
    tcase_add_test(c, a_fin_makes_an_edge_of_three);
    tcase_add_test(c, back_to_back_counts_for_no_edge);
    tcase_add_test(c, no_area_is_told_of_each);
    tcase_add_test(c, negative_zero_is_the_same_place);
    tcase_add_test(c, short_memory_is_told);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    SRunner *runner = srunner_create(geometry_suite());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
