/* Tests quaternions and matrices (parsers/play/vector.h) and skeletons (parsers/play/pose.h)
 * against results found in other ways: Rodrigues' formula, arms bent by right angles, frames made
 * from a bind pose. test_skin.c tests the rest. */
#include "support.h"
#include "lint/geometry/compare.h"
#include "parsers/play/pose.h"
#include "parsers/play/skin.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;
static const double x_axis[] = {1, 0, 0}, z_axis[] = {0, 0, 1};
#define HALF 0.70710678118654752440 /* the square root of 1/2 */
#define TINY 1e-13
#define NEAR(distance, tolerance) ck_assert_double_le(distance, tolerance)

/* ---- The same, another way ------------------------------------------------------------------ */

static m5_quat about(const double axis[3], double angle)
{
    double by = sin(angle / 2) / hypot(hypot(axis[0], axis[1]), axis[2]);
    return (m5_quat){axis[0] * by, axis[1] * by, axis[2] * by, cos(angle / 2)};
}

static m5_matrix rodrigues(const double axis[3], double angle, m5_vec pos)
{
    double s = sin(angle), c = cos(angle), length = hypot(hypot(axis[0], axis[1]), axis[2]);
    double k[3] = {axis[0] / length, axis[1] / length, axis[2] / length};
    m5_matrix m = {{{c, -s * k[2], s * k[1], pos.x},
                    {s * k[2], c, -s * k[0], pos.y},
                    {-s * k[1], s * k[0], c, pos.z}}};
    for (int i = 0; i < 9; i++)
        m.row[i / 3][i % 3] += (1 - c) * k[i / 3] * k[i % 3];
    return m;
}

/* Three rows times a column of 4. */
static m5_vec apply(const m5_matrix *m, m5_vec p)
{
    double in[4] = {p.x, p.y, p.z, 1}, out[3] = {0, 0, 0};
    for (int i = 0; i < 12; i++)
        out[i / 4] += m->row[i / 4][i % 4] * in[i % 4];
    return (m5_vec){out[0], out[1], out[2]};
}

/* The largest difference. NaN stays NaN, so it is not near anything. */
static double off(m5_vec a, m5_vec b)
{
    return fabs(a.x - b.x) + fabs(a.y - b.y) + fabs(a.z - b.z);
}

static double off4(m5_quat a, m5_quat b)
{
    return fabs(a.x - b.x) + fabs(a.y - b.y) + fabs(a.z - b.z) + fabs(a.w - b.w);
}

static m5_quat minus(m5_quat q)
{
    return (m5_quat){-q.x, -q.y, -q.z, -q.w};
}

static double off_turn(m5_quat a, m5_quat b)
{
    return fmin(off4(a, b), off4(a, minus(b)));
}

static double off_unit(m5_quat q)
{
    return fabs(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1);
}

static double between(double least, double most)
{
    return least + (most - least) * rand() / (RAND_MAX + 1.0);
}

static m5_vec any_vec(void)
{
    return (m5_vec){between(-10, 10), between(-10, 10), between(-10, 10)};
}

/* A position and rotation, and their matrix by Rodrigues' formula. */
typedef struct spot {
    double axis[3], angle;
    m5_transform place;
    m5_matrix matrix;
} spot;

static spot any_spot(void)
{
    spot s = {.axis = {between(-1, 1), between(-1, 1), between(0.1, 1)}, .angle = between(-pi, pi)};
    s.place = (m5_transform){any_vec(), about(s.axis, s.angle)};
    s.matrix = rodrigues(s.axis, s.angle, s.place.pos);
    return s;
}

/* ---- Quaternions and matrices --------------------------------------------------------------- */

/* x y z and w; if x y z have a length of at least 1, w is 0. */
START_TEST(w_is_the_negative_root)
{
    static const float rows[] = {0,     0,           0, -1, 0.5F, -0.5F, 0.5F, -0.5F, 0,  0.75F,
                                 0,     -0.6614378F, 1, 0,  0,    0,     0,    0,     -1, 0,
                                 0.75F, -0.75F,      0, 0,  3,    4,     12,   0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i += 4) {
        const float *r = rows + i;
        m5_md5_pose pose = {0, {1, 2, 3}, {r[0], r[1], r[2]}};
        m5_transform place = m5_md5_transform(&pose);
        m5_quat expected = {(double)r[0], (double)r[1], (double)r[2], (double)r[3]};
        NEAR(off4(m5_quat_complete(r), expected), 1e-7);
        NEAR(off4(place.rotation, expected) + off(place.pos, (m5_vec){1, 2, 3}), 1e-7);
    }
}
END_TEST

/* Hamilton's product: i j = k, but j i = -k. */
START_TEST(quaternions_multiply_by_hamiltons_rules)
{
    const m5_quat one = {0, 0, 0, 1}, i = {1, 0, 0, 0}, j = {0, 1, 0, 0}, k = {0, 0, 1, 0};
    const m5_quat rows[][3] = {
        {i, j, k},          {j, i, minus(k)},   {j, k, i},
        {k, j, minus(i)},   {k, i, j},          {i, k, minus(j)},
        {i, i, minus(one)}, {j, j, minus(one)}, {k, k, minus(one)},
        {one, j, j},        {k, one, k},        {{1, 2, 3, 4}, {5, 6, 7, 8}, {24, 48, 48, -6}}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
        NEAR(off4(m5_quat_times(rows[n][0], rows[n][1]), rows[n][2]), 0);
    NEAR(off4(m5_quat_unit((m5_quat){0, 0, 0, 0}), one), 0);
    NEAR(off4(m5_quat_unit((m5_quat){0, -3, 0, 4}), (m5_quat){0, -0.6, 0, 0.8}), 1e-15);
}
END_TEST

/* Rotations, positions and matrices, and their products, of which the inner is applied first. */
START_TEST(rotations_agree_with_rodrigues_formula)
{
    for (int round = 0; round < 2000; round++) {
        spot a = any_spot(), b = any_spot();
        m5_quat q = a.place.rotation;
        m5_transform both = m5_transform_times(&a.place, &b.place);
        m5_matrix m = m5_matrix_of(&a.place), product = m5_matrix_times(&a.matrix, &b.matrix);
        m5_vec p = any_vec(), turned = m5_quat_rotate(q, p), there = apply(&a.matrix, p);
        NEAR(off(m5_matrix_apply(&m, p), there) + off(apply(&m, p), there), TINY);
        NEAR(off(m5_matrix_rotate(&m, p), turned) + off(m5_matrix_translation(&m), a.place.pos),
             TINY);
        NEAR(off(m5_quat_rotate(minus(q), p), turned), TINY);
        NEAR(off(m5_quat_rotate(m5_quat_inverse(q), turned), p), TINY);
        NEAR(fabs(hypot(hypot(turned.x, turned.y), turned.z) - hypot(hypot(p.x, p.y), p.z)), TINY);
        there = apply(&a.matrix, apply(&b.matrix, p));
        NEAR(off(apply(&product, p), there), TINY);
        NEAR(off4(both.rotation, m5_quat_times(q, b.place.rotation)), TINY);
        m = m5_matrix_of(&both);
        NEAR(off(apply(&m, p), there), TINY);
        NEAR(off_turn(m5_transform_of(&a.matrix, TINY).rotation, q), TINY);
    }
}
END_TEST

/* acos would return 0 below 1e-8, and be wrong by 1e-8. */
START_TEST(small_angles_are_exact)
{
    const double angles[] = {0, 1e-12, 1e-9, 1e-6, 0.1, 1.5707963267948966, 3, pi};
    for (int round = 0; round < 800; round++) {
        double angle = angles[round % 8];
        spot s = any_spot();
        m5_quat a = s.place.rotation, b = about(s.axis, s.angle + angle);
        NEAR(fabs(m5_quat_angle(a, b) - angle), 3e-15);
        NEAR(fabs(m5_quat_angle(minus(b), a) - angle), 3e-15);
        NEAR(fabs(m5_quat_angle(a, about(s.axis, s.angle + 2 * pi - angle)) - angle), 3e-15);
    }
}
END_TEST

/* ---- Part way ------------------------------------------------------------------------------- */

static m5_quat_mix *const mixes[] = {m5_quat_lerp, m5_quat_slerp};

/* Also between opposite quaternions, and nearly opposite ones. */
START_TEST(interpolation_begins_and_ends_at_its_ends)
{
    static const double apart[] = {0, 1e-16, 1e-12, 1e-7, 1e-6, 1e-3};
    for (int round = 0; round < 4000; round++) {
        m5_quat_mix *mix = mixes[round % 2];
        spot s = any_spot(), other = any_spot();
        m5_quat a = s.place.rotation, b = other.place.rotation;
        if (round % 7 != 0)
            b = minus(about(s.axis, s.angle + apart[round % 7 - 1]));
        NEAR(off4(mix(a, b, 0, false), a) + off4(mix(a, b, 0, true), a), TINY);
        NEAR(off4(mix(a, b, 1, false), b) + off_turn(mix(a, b, 1, true), b), TINY);
        NEAR(off_unit(mix(a, b, 0.5, false)) + off_unit(mix(a, b, 0.5, true)), TINY);
        NEAR(off_unit(mix(a, b, between(0, 1), false)), TINY);
        NEAR(round % 7 == 0 ? 0 : off4(mix(a, b, 0.5, true), a), 1e-3);
    }
}
END_TEST

/* Over 90 degrees, a quarter along the chord is a smaller angle: it follows from a triangle with
 * sides of 3/4 and 1/4. Over 270 degrees, or 90 degrees back. Over an angle so small that there is
 * no difference. */
START_TEST(slerp_has_constant_speed_and_lerp_does_not)
{
    static const double small[] = {0, 1e-15, 1e-9, 1e-7, 1.9e-6, 2e-6, 2.1e-6, 1e-5, 1e-4};
    double less = 2 * atan2(sin(pi / 4) / 4, 0.75 + cos(pi / 4) / 4);
    for (int round = 0; round < 900; round++) {
        bool shortest = round % 2;
        spot s = any_spot();
        double way = shortest ? -pi / 2 : 1.5 * pi, near = small[round % 9];
        m5_quat a = s.place.rotation, b = about(s.axis, s.angle + pi / 2);
        m5_quat far = about(s.axis, s.angle + 1.5 * pi), c = about(s.axis, s.angle + near);
        NEAR(off4(m5_quat_lerp(a, b, 0.5, shortest), about(s.axis, s.angle + pi / 4)), TINY);
        NEAR(off4(m5_quat_slerp(a, b, 0.5, shortest), about(s.axis, s.angle + pi / 4)), TINY);
        NEAR(off4(m5_quat_lerp(a, b, 0.25, shortest), about(s.axis, s.angle + less)), TINY);
        NEAR(off4(m5_quat_slerp(a, b, 0.25, shortest), about(s.axis, s.angle + pi / 8)), TINY);
        NEAR(off4(m5_quat_slerp(a, far, 0.25, shortest), about(s.axis, s.angle + way / 4)), TINY);
        NEAR(off4(m5_quat_lerp(a, c, 0.25, shortest), about(s.axis, s.angle + near / 4)), 2e-13);
        NEAR(off4(m5_quat_slerp(a, c, 0.25, shortest), about(s.axis, s.angle + near / 4)), TINY);
    }
}
END_TEST

/* Rounding makes the cosine between two rotations more than 1, or less than -1. */
START_TEST(slerp_accepts_quaternions_slightly_longer_than_1)
{
    const m5_quat a = {0, 0, 0, 1 + 1e-9}, b = {0, 0, 0, -1 - 1e-9};
    NEAR(off4(m5_quat_slerp(a, a, 0.5, false), (m5_quat){0, 0, 0, 1}), TINY);
    NEAR(off_unit(m5_quat_slerp(a, b, 0.25, false)), TINY);
}
END_TEST

/* Each matrix violates one condition for being a rotation. */
START_TEST(matrices_that_are_not_rotations_give_none)
{
    const double root = sqrt(0.5);
    const m5_matrix odd[] = {
        {{{2, 0, 0, 1}, {0, 1, 0, 2}, {0, 0, 1, 3}}},          /* the first row is too long */
        {{{1, 0, 0, 1}, {0, 2, 0, 2}, {0, 0, 1, 3}}},          /* the second row is too long */
        {{{1, 0, 0, 1}, {0, 1, 0, 2}, {0, 0, -1, 3}}},         /* a mirror */
        {{{1, 0, 0, 1}, {root, root, 0, 2}, {0, 0, root, 3}}}, /* not perpendicular */
    };
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        m5_transform t = m5_transform_of(&odd[i], 1e-3);
        ck_assert(isnan(t.rotation.x) && isnan(t.rotation.w));
        NEAR(off(t.pos, (m5_vec){1, 2, 3}), TINY);
    }
}
END_TEST

/* By 180 degrees about each axis, where w is 0 and does not give the axis. */
START_TEST(half_turns_have_their_axes)
{
    const m5_matrix half[] = {{{{1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, -1, 0}}},
                              {{{-1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, -1, 0}}},
                              {{{-1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, 1, 0}}}};
    const m5_quat axis[] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    for (size_t i = 0; i < sizeof half / sizeof *half; i++)
        NEAR(off_turn(m5_transform_of(&half[i], TINY).rotation, axis[i]), TINY);
}
END_TEST

/* ---- Frames --------------------------------------------------------------------------------- */

START_TEST(frames_replace_the_components_of_their_flags)
{
    m5_md5_pose base[2] = {{0, {9, 9, 9}, {0, 0, 0}}, {0, {1, 2, 3}, {0.125F, 0.25F, 0.375F}}};
    m5_md5anim_channel channels[2] = {{0, 0}, {(uint32_t)_i, 3}};
    float values[18];
    for (int i = 0; i < 18; i++)
        values[i] = (float)i / 32;
    m5_md5anim a = {.num_components = 9, .channels = channels, .base = base, .components = values};
    m5_transform got = m5_md5anim_local(&a, 1, 1);
    double e[6] = {1, 2, 3, 0.125, 0.25, 0.375}, next = 12 / 32.0; /* the 3rd of the last 9 */
    for (int k = 0; k < 6; k++)
        if (_i >> k & 1) {
            e[k] = next;
            next += 1 / 32.0;
        }
    NEAR(off(got.pos, (m5_vec){e[0], e[1], e[2]}), 0);
    NEAR(off4(got.rotation, (m5_quat){e[3], e[4], e[5], got.rotation.w}) + off_unit(got.rotation),
         1e-15);
    ck_assert_double_lt(got.rotation.w, 0);
}
END_TEST

/* A joint in parent space: its position, and x y z of its orientation. */
typedef struct limb {
    int parent;
    double at[6];
    unsigned flags;
} limb;

static char *write_place(char *out, const double v[6])
{
    return out + sprintf(out, " ( %.9f %.9f %.9f ) ( %.9f %.9f %.9f )\n", v[0], v[1], v[2], v[3],
                         v[4], v[5]);
}

/* An animation of one frame. The baseframe has other values for the components that it replaces. */
static void write_anim(char *out, const limb *limbs, unsigned count)
{
    out += sprintf(out, "MD5Version 10\ncommandline \"\"\n\nnumFrames 1\nnumJoints %u\n", count);
    out += sprintf(out, "frameRate 24\nnumAnimatedComponents %u\n\nhierarchy {\n", 6 * count);
    for (unsigned i = 0; i < count; i++)
        out += sprintf(out, "\"j%u\" %d %u %u\n", i, limbs[i].parent, limbs[i].flags, 6 * i);
    out += sprintf(out, "}\n\nbounds {\n\t( -1 -1 -1 ) ( 1 1 1 )\n}\n\nbaseframe {\n");
    for (unsigned i = 0; i < count; i++) {
        double base[6];
        for (int k = 0; k < 6; k++)
            base[k] = limbs[i].flags >> k & 1 ? 0.25 : limbs[i].at[k];
        out = write_place(out, base);
    }
    out += sprintf(out, "}\n\nframe 0 {\n");
    for (unsigned i = 0; i < 12 * count; i++) { /* the rest of 6 for each joint is not used */
        bool animated = limbs[i / 12].flags >> i % 6 & 1;
        if (animated == (i % 12 < 6))
            out += sprintf(out, " %.9f", animated ? limbs[i / 12].at[i % 6] : 9);
    }
    sprintf(out, "\n}\n");
}

static linted *lint_clean(const char *name, const char *text)
{
    linted *l = lint_string(name, text);
    ck_assert_int_eq(l->file.status, M5_CLEAN);
    return l;
}

/* By 90 degrees: as w is negative, x y z are minus the sine of half the angle. The last is a half
 * turn about the diagonal of x and z, after it is normalised. */
#define NO_TURN 0, 0, 0
#define ABOUT_X -HALF, 0, 0
#define ABOUT_Y 0, -HALF, 0
#define ABOUT_Z 0, 0, -HALF
#define TOO_LONG 0.75, 0, 0.75

/* Three joints, their positions, and the directions of the last joint's x and y axes. */
static const struct {
    limb limbs[3];
    m5_vec expected[5];
} arms[] = {
    {{{-1, {0, 0, 10, ABOUT_Z}, 0}, {0, {10, 0, 0, NO_TURN}, 0}, {1, {0, 0, 5, NO_TURN}, 0}},
     {{0, 0, 10}, {0, 10, 10}, {0, 10, 15}, {0, 1, 0}, {-1, 0, 0}}},
    {{{-1, {0, 0, 0, NO_TURN}, 0}, {0, {10, 0, 0, ABOUT_Z}, 0}, {1, {5, 0, 0, NO_TURN}, 0}},
     {{0, 0, 0}, {10, 0, 0}, {10, 5, 0}, {0, 1, 0}, {-1, 0, 0}}},
    {{{-1, {0, 0, 0, ABOUT_Z}, 0}, {0, {10, 0, 0, ABOUT_Z}, 0}, {1, {5, 0, 0, NO_TURN}, 0}},
     {{0, 0, 0}, {0, 10, 0}, {-5, 10, 0}, {-1, 0, 0}, {0, -1, 0}}},
    {{{-1, {0, 0, 0, ABOUT_Z}, 0}, {0, {10, 0, 0, ABOUT_X}, 0}, {1, {0, 5, 2, NO_TURN}, 0}},
     {{0, 0, 0}, {0, 10, 0}, {2, 10, 5}, {0, 1, 0}, {0, 0, 1}}},
    {{{-1, {0, 0, 0, ABOUT_X}, 0}, {0, {10, 0, 0, ABOUT_Z}, 0}, {1, {0, 5, 2, NO_TURN}, 0}},
     {{0, 0, 0}, {10, 0, 0}, {5, -2, 0}, {0, 0, 1}, {-1, 0, 0}}},
    {{{-1, {1, 2, 3, ABOUT_Y}, 0}, {0, {0, 0, 1, ABOUT_Z}, 0}, {0, {4, 5, 6, ABOUT_X}, 0}},
     {{1, 2, 3}, {2, 2, 3}, {7, 7, -1}, {0, 0, -1}, {1, 0, 0}}},
    {{{-1, {0, 0, 0, NO_TURN}, 0}, {0, {10, 0, 0, TOO_LONG}, 0}, {1, {5, 0, 0, TOO_LONG}, 0}},
     {{0, 0, 0}, {10, 0, 0}, {10, 0, 5}, {1, 0, 0}, {0, 1, 0}}},
};

/* The result is the same, whichever components are animated or come from the baseframe. */
START_TEST(bent_arms_have_the_expected_positions)
{
    for (unsigned flags = 0; flags < 64; flags++) {
        char text[2048];
        limb limbs[3];
        m5_transform pose[3];
        for (int i = 0; i < 3; i++) {
            limbs[i] = arms[_i].limbs[i];
            limbs[i].flags = flags;
        }
        write_anim(text, limbs, 3);
        linted *l = lint_clean("x.md5anim", text);
        m5_md5anim_pose(l->file.model.md5anim, 0, pose);
        if (flags == 0)
            m5_md5anim_base_pose(l->file.model.md5anim, pose);
        for (unsigned i = 0; i < 3; i++)
            NEAR(off(pose[i].pos, arms[_i].expected[i]), 1e-5);
        NEAR(off(m5_quat_rotate(pose[2].rotation, (m5_vec){1, 0, 0}), arms[_i].expected[3]), 1e-6);
        NEAR(off(m5_quat_rotate(pose[2].rotation, (m5_vec){0, 1, 0}), arms[_i].expected[4]), 1e-6);
        free_linted(l);
    }
}
END_TEST

/* ---- Frames made from a bind pose ----------------------------------------------------------- */

enum { JOINTS_MAX = 40 };
typedef struct skeleton {
    unsigned count;
    limb limbs[JOINTS_MAX];
    m5_matrix place[JOINTS_MAX]; /* in model space */
    double at[JOINTS_MAX][6];    /* the same, as in the file */
} skeleton;

/* As in an MD5 file; returns false if w is so small that x y z are not accurate enough. */
static bool store(const m5_matrix *m, double at[6])
{
    const double(*r)[4] = m->row;
    double w = -sqrt(fmax(1e-9, 1 + r[0][0] + r[1][1] + r[2][2])) / 2;
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3, last = (k + 2) % 3;
        at[k] = r[k][3];
        at[k + 3] = (r[last][next] - r[next][last]) / (4 * w);
    }
    return w < -0.25;
}

/* The transposed rotation of the first times the second. */
static m5_matrix seen_from(const m5_matrix *parent, const m5_matrix *m)
{
    m5_matrix out = {0};
    for (int i = 0; i < 12; i++)
        for (int n = 0; n < 3; n++)
            out.row[i / 4][i % 4] += parent->row[n][i / 4] * m->row[n][i % 4];
    return out;
}

static void add_joint(skeleton *s, unsigned i)
{
    static const m5_matrix model = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    limb *l = &s->limbs[i];
    m5_matrix seen;
    l->parent = i == 0 ? -1 : (int)between(0, i);
    l->flags = (unsigned)between(0, 64);
    const m5_matrix *parent = i == 0 ? &model : &s->place[l->parent];
    do {
        s->place[i] = any_spot().matrix; /* in parent space for now */
        seen = seen_from(parent, &s->place[i]);
        for (int k = 0; k < 3; k++)
            s->place[i].row[k][3] += parent->row[k][3];
    } while (!store(&s->place[i], s->at[i]) || !store(&seen, l->at));
}

static void write_mesh(char *out, const skeleton *s)
{
    out += sprintf(out, "MD5Version 10\ncommandline \"\"\n\nnumJoints %u\n", s->count);
    out += sprintf(out, "numMeshes 1\n\njoints {\n");
    for (unsigned i = 0; i < s->count; i++) {
        out += sprintf(out, "\t\"j%u\" %d", i, s->limbs[i].parent);
        out = write_place(out, s->at[i]);
    }
    sprintf(out, "}\n\nmesh {\n\tshader \"x\"\n\n\tnumverts 1\n\tvert 0 ( 0 0 ) 0 1\n\n"
                 "\tnumtris 0\n\n\tnumweights 1\n\tweight 0 0 1 ( 0 0 0 )\n}\n");
}

static void compare_poses(const skeleton *s, const m5_md5mesh *mesh, const m5_md5anim *anim)
{
    m5_transform frame[JOINTS_MAX];
    m5_md5anim_pose(anim, 0, frame);
    for (unsigned i = 0; i < s->count; i++) {
        m5_transform bind = m5_md5_transform(&mesh->bind[i]);
        m5_matrix m = m5_matrix_of(&bind);
        for (int k = 0; k < 12; k++)
            NEAR(fabs(m.row[k / 4][k % 4] - s->place[i].row[k / 4][k % 4]), 1e-5);
        NEAR(off(frame[i].pos, bind.pos), 1e-4);
        NEAR(off_turn(frame[i].rotation, bind.rotation), 1e-5);
    }
}

START_TEST(frames_made_from_the_bind_pose_give_the_bind_pose)
{
    char text[16384];
    srand((unsigned)_i);
    for (unsigned count = 2; count <= JOINTS_MAX; count++) {
        skeleton s = {.count = count};
        for (unsigned i = 0; i < count; i++)
            add_joint(&s, i);
        write_mesh(text, &s);
        linted *mesh = lint_clean("x.md5mesh", text);
        write_anim(text, s.limbs, count);
        linted *anim = lint_clean("x.md5anim", text);
        compare_poses(&s, mesh->file.model.md5mesh, anim->file.model.md5anim);
        free_linted(mesh);
        free_linted(anim);
    }
}
END_TEST

/* Mixes into one of the two poses or elsewhere, by slerp or by lerp, which follows the chord. */
START_TEST(poses_are_interpolated)
{
    for (int i = 0; i < 5 * 3 * 4; i++) {
        double t = i % 5 / 4.0, turn = i / 15 % 2 ? -pi / 2 : 1.5 * pi;
        double part = i < 30 ? 2 * atan2(t * sin(turn / 2), 1 - t + t * cos(turn / 2)) : turn * t;
        m5_transform a[2] = {{{0, 2, 3}, {0, 0, 0, 1}}, {{1, 2, 3}, about(x_axis, 0.3)}}, c[2];
        m5_transform b[2] = {{{2, 4, -6}, about(z_axis, 1.5 * pi)}, {{1, 2, 5}, a[1].rotation}};
        m5_transform *out = i / 5 % 3 == 0 ? a : i / 5 % 3 == 1 ? b : c;
        m5_pose_interpolate(a, b, 2, t, mixes[i / 30], i / 15 % 2, out);
        NEAR(off(out[0].pos, (m5_vec){2 * t, 2 + 2 * t, 3 - 9 * t}), 1e-15);
        NEAR(off(out[1].pos, (m5_vec){1, 2, 3 + 2 * t}), 1e-15);
        NEAR(off_turn(out[0].rotation, about(z_axis, part)), TINY);
        NEAR(off_turn(out[1].rotation, about(x_axis, 0.3)), TINY);
    }
}
END_TEST

/* Each bone is 10 units ahead of its parent and turned about z by 90 degrees. The root, which comes
 * last, is scaled by 2 in x and y. */
START_TEST(bones_are_posed_whatever_their_order)
{
    static const char text[] = "ILLSKEL0 3\n0 -1 0 10 1 0 0 0 0 0 1 0 0 0 0 1\n"
                               "0 -1 0 10 1 0 0 0 0 0 1 0 0 0 0 1\n"
                               "0 -2 0 10 2 0 0 0 0 0 1 0 0 0 0 1\n1 2 -1\ntip middle root\n";
    static const m5_matrix expected[3] = {{{{0, 2, 0, -10}, {-2, 0, 0, 20}, {0, 0, 1, 0}}},
                                          {{{-2, 0, 0, 10}, {0, -2, 0, 20}, {0, 0, 1, 0}}},
                                          {{{0, -2, 0, 10}, {2, 0, 0, 0}, {0, 0, 1, 0}}}};
    linted *l = lint_clean("x.illskel", text);
    m5_matrix all[3];
    m5_illskel_pose(l->file.model.illskel, all);
    for (int i = 0; i < 36; i++)
        NEAR(fabs(all[i / 12].row[i / 4 % 3][i % 4] - expected[i / 12].row[i / 4 % 3][i % 4]),
             1e-12);
    free_linted(l);
}
END_TEST

START_TEST(keys_scale_then_rotate_then_move)
{
    m5_illanim_key key = {0, {1, 2, 3}, {0, 0, 3, 3}, {2, 3, 4}}; /* about z; not normalised */
    m5_matrix m = m5_illanim_matrix(&key);
    NEAR(off(apply(&m, (m5_vec){1, 1, 1}), (m5_vec){1 - 3, 2 + 2, 3 + 4}), 1e-14);
}
END_TEST

START_TEST(keys_are_interpolated)
{
    m5_illanim_key a = {0, {0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    m5_illanim_key b = {0, {2, 4, 6}, {0, 0, 2, 0}, {3, 1, 1}}; /* half a turn about z */
    m5_matrix begin = m5_illanim_interpolate(&a, &b, 0, m5_quat_slerp, true);
    m5_matrix half = m5_illanim_interpolate(&a, &b, 0.5, m5_quat_slerp, true);
    m5_matrix end = m5_illanim_interpolate(&a, &b, 1, m5_quat_lerp, false);
    NEAR(off(apply(&begin, (m5_vec){1, 0, 1}), (m5_vec){1, 0, 1}), 1e-14);
    NEAR(off(apply(&half, (m5_vec){1, 0, 1}), (m5_vec){1, 2 + 2, 3 + 1}), 1e-14);
    NEAR(off(apply(&end, (m5_vec){1, 0, 1}), (m5_vec){2 - 3, 4, 6 + 1}), 1e-14);
}
END_TEST

/* What a failed malloc leaves: nothing is in it, and a skin of nothing needs nothing. */
START_TEST(an_arena_may_be_without_memory)
{
    m5_arena arena;
    m5_md5mesh nothing = {.num_joints = 1};
    m5_skin skin;
    m5_arena_init(&arena, NULL, 1 << 20);
    ck_assert_uint_eq(arena.size, 0);
    ck_assert(m5_skin_md5mesh(&arena, &nothing, 0, 0, &skin));
    m5_arena_end(&arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pose");
    TCase *t = tcase_create("pose");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, w_is_the_negative_root);
    tcase_add_test(t, quaternions_multiply_by_hamiltons_rules);
    tcase_add_test(t, rotations_agree_with_rodrigues_formula);
    tcase_add_test(t, small_angles_are_exact);
    tcase_add_test(t, interpolation_begins_and_ends_at_its_ends);
    tcase_add_test(t, slerp_has_constant_speed_and_lerp_does_not);
    tcase_add_test(t, slerp_accepts_quaternions_slightly_longer_than_1);
    tcase_add_test(t, matrices_that_are_not_rotations_give_none);
    tcase_add_test(t, half_turns_have_their_axes);
    tcase_add_loop_test(t, frames_replace_the_components_of_their_flags, 0, 64);
    tcase_add_loop_test(t, bent_arms_have_the_expected_positions, 0, sizeof arms / sizeof *arms);
    tcase_add_loop_test(t, frames_made_from_the_bind_pose_give_the_bind_pose, 0, 8);
    tcase_add_test(t, poses_are_interpolated);
    tcase_add_test(t, bones_are_posed_whatever_their_order);
    tcase_add_test(t, keys_scale_then_rotate_then_move);
    tcase_add_test(t, keys_are_interpolated);
    tcase_add_test(t, an_arena_may_be_without_memory);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
