/* The promises of m5.h: memory, every way of running out of it, reentrancy, linear time, and
 * that a clean model may be walked without one check. */
#define _XOPEN_SOURCE 700

#include "../fuzz/harness.h"
#include "support.h"

#include <check.h>
#include <ftw.h>
#include <pthread.h>
#include <string.h>

/* ---- One run --------------------------------------------------------------------------------- */

static m5_levels all_on[M5_RULES]; /* set once, before there is any thread */

static void turn_all_on(void)
{
    for (unsigned i = 0; i < M5_RULES; i++) {
        all_on[i] = m5_rule_at(i)->levels;
        if (m5_judge(&all_on[i], DBL_MAX) == M5_SILENT)
            all_on[i] = (m5_levels)M5_IS_NOTE;
    }
}

typedef struct outcome {
    m5_status status;
    uint64_t errors, warnings, notes, digest;
    size_t parse_peak, lint_peak;
} outcome;

static bool same_findings(const outcome *a, const outcome *b)
{
    return a->status == b->status && a->errors == b->errors && a->warnings == b->warnings &&
           a->notes == b->notes && a->digest == b->digest;
}

/* Parses and lints in an arena of `room` bytes. Without a sink the findings are only counted;
 * `user` begins with a harness_run. */
static outcome run(const m5_format *format, const void *bytes, size_t size, size_t room,
                   void (*take)(void *user, const m5_diag *d), harness_run *user)
{
    m5_lint_file f = {.source = {"input", bytes, (uint32_t)size}};
    void *memory = malloc(room);
    ck_assert(memory != NULL || room == 0);
    m5_arena_init(&f.arena, memory, room);
    if (user != NULL) {
        user->source = &f.source;
        user->digest = 0;
    }
    f.report = (m5_report){.source = &f.source, .sink = {take, user}, .levels = all_on};
    outcome o = {.status = m5_parse(format, &f.report, &f.arena, &f.model)};
    o.parse_peak = f.arena.peak;
    if (o.status == M5_CLEAN)
        harness_walk(&f.model);
    size_t used = f.arena.used;
    m5_lint_model(&f);
    HARNESS_ASSERT(f.arena.used == used);
    o.lint_peak = f.arena.peak;
    o.errors = f.report.errors;
    o.warnings = f.report.warnings;
    o.notes = f.report.notes;
    o.digest = user != NULL ? user->digest : 0;
    free(memory);
    return o;
}

static const m5_format *mesh_format(void)
{
    return m5_format_by_name("x.md5mesh");
}

static const m5_format *anim_format(void)
{
    return m5_format_by_name("x.md5anim");
}

/* ---- Texts in the making --------------------------------------------------------------------- */

/* `target` is how long the text is to become: what its counts are made to fit. */
typedef struct text {
    char *bytes;
    size_t size, target, room;
} text;

static text empty_text(size_t target)
{
    return (text){calloc(1, 1), 0, target, 1};
}

/* Makes room for `count` more bytes and a NUL. */
static void reserve(text *t, size_t count)
{
    if (t->size + count < t->room)
        return;
    t->room = 2 * (t->size + count) + 1000;
    t->bytes = realloc(t->bytes, t->room);
}

static void add_bytes(text *t, const char *bytes, size_t count)
{
    reserve(t, count);
    memcpy(t->bytes + t->size, bytes, count);
    t->size += count;
    t->bytes[t->size] = '\0';
}

static void add(text *t, const char *format, ...) M5_PRINTF(2, 3);
static void add(text *t, const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    add_bytes(t, line, (size_t)n);
}

static size_t left(const text *t)
{
    return t->size < t->target ? t->target - t->size : 0;
}

/* The largest count that the rest can hold behind the header or the line that states it. */
static unsigned fits(const text *t, unsigned bytes)
{
    size_t stated = left(t) > 400 ? 120 : 16;
    return (unsigned)((left(t) > stated ? left(t) - stated : 0) / bytes);
}

/* A line over and over, until `part` of what was left is filled. */
static void fill(text *t, const char *line, double part)
{
    size_t n = strlen(line), times = (size_t)((double)left(t) * part) / n;
    for (; times > 0; times--)
        add_bytes(t, line, n);
}

static void fill_times(text *t, const char *line, unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        add_bytes(t, line, strlen(line));
}

static void mesh_header(text *t, unsigned joints, unsigned meshes)
{
    add(t, "MD5Version 10\ncommandline \"\"\nnumJoints %u\nnumMeshes %u\n", joints, meshes);
}

static void anim_header(text *t, unsigned frames, unsigned joints, unsigned components)
{
    add(t, "MD5Version 10\ncommandline \"\"\nnumFrames %u\nnumJoints %u\nframeRate 24\n"
        "numAnimatedComponents %u\n", frames, joints, components);
}

static void one_joint(text *t)
{
    add(t, "joints {\n\"origin\" -1 ( 0 0 0 ) ( 0 0 0 )\n}\n");
}

/* ---- Meshes made to reserve ------------------------------------------------------------------ */

/* The least text of each, by which the parser judges a count. */
enum { SHORT_JOINT = 17, SHORT_MESH = 39, SHORT_VERT = 14, SHORT_TRI = 11, SHORT_WEIGHT = 19 };

/* Each claims all there is left, and holds nothing. */
static void empty_meshes(text *t)
{
    mesh_header(t, 1, fits(t, 90));
    one_joint(t);
    while (left(t) > 90) {
        add(t, "mesh {\nnumverts %u\nnumtris ", fits(t, SHORT_VERT));
        add(t, "%u\nnumweights %u\n}\n", fits(t, SHORT_TRI), fits(t, SHORT_WEIGHT));
    }
}

static void shortest_meshes(text *t)
{
    mesh_header(t, 1, fits(t, SHORT_MESH));
    one_joint(t);
    fill(t, "mesh{}", 1);
}

static void full_joints_then_meshes(text *t)
{
    unsigned n = fits(t, SHORT_JOINT);
    mesh_header(t, n > 0 ? n : 1, fits(t, SHORT_MESH));
    add(t, "joints{");
    fill(t, "a 0(0 0 0)(0 0 0)", 1);
}

static void nameless_joints(text *t)
{
    unsigned n = fits(t, SHORT_JOINT);
    mesh_header(t, n > 0 ? n : 1, fits(t, SHORT_MESH));
    add(t, "joints{");
    fill(t, "\"\"0(0 0 0)(0 0 0)", 1);
}

/* A record that cannot be read takes as much memory as one that can, and far less text. */
static void unreadable_joints(text *t)
{
    unsigned n = fits(t, SHORT_JOINT);
    mesh_header(t, n > 0 ? n : 1, fits(t, SHORT_MESH));
    add(t, "joints{\n");
    fill_times(t, "a\n", n);
    add(t, "}\n");
    while (left(t) > 120) {
        add(t, "mesh{\nnumverts %u\n", fits(t, SHORT_VERT));
        fill(t, "vert\n", 0.25);
        add(t, "numtris %u\n", fits(t, SHORT_TRI));
        fill(t, "tri\n", 0.3);
        add(t, "numweights %u\n", fits(t, SHORT_WEIGHT));
        fill(t, "weight\n", 0.3);
        add(t, "}\n");
    }
}

static void unreadable_verts(text *t)
{
    mesh_header(t, 1, fits(t, SHORT_MESH));
    one_joint(t);
    while (left(t) > 100) {
        add(t, "mesh{\nnumverts %u\n", fits(t, SHORT_VERT));
        fill_times(t, "vert\n", fits(t, SHORT_VERT));
        add(t, "numverts %u\n}\n", fits(t, SHORT_VERT));
    }
}

static void huge_mesh_counts(text *t)
{
    static const char *const count[] = {"2147483647", "-1", "2147483648", "1000000000",
                                        "-2147483648"};
    add(t, "MD5Version 10\ncommandline \"\"\nnumJoints 2147483647\nnumMeshes 2147483647\n");
    one_joint(t);
    for (int i = 0; left(t) > 150; i++) {
        add(t, "mesh {\nnumverts %s\nvert 0(0 0)0 2147483647\nnumtris %s\ntri 0 0 0 2147483647\n",
            count[i % 5], count[i / 5 % 5]);
        add(t, "numweights %s\nweight 2147483647 0 1(0 0 0)\n}\n", count[i / 25 % 5]);
    }
}

/* The shortest records there are, each in its place. */
static void shortest_verts(text *t)
{
    mesh_header(t, 1, 1);
    one_joint(t);
    unsigned n = fits(t, 24);
    add(t, "mesh{shader\"\"numverts %u\n", n);
    for (unsigned i = 0; i < n; i++)
        add(t, "vert %u(0 0)0 1 ", i);
    add(t, "numtris 0 numweights 1 weight 0 0 1(0 0 0)}");
}

static void shortest_tris_and_weights(text *t)
{
    mesh_header(t, 1, 1);
    one_joint(t);
    unsigned n = (unsigned)(left(t) / 2 / 19);
    add(t, "mesh{shader\"\"numverts 1\nvert 0(0 0)0 %u numtris %u\n", n, n);
    for (unsigned i = 0; i < n; i++)
        add(t, "tri %u 0 0 0 ", i);
    add(t, "numweights %u\n", n);
    for (unsigned i = 0; i < n; i++)
        add(t, "weight %u 0 0(0 0 0)", i);
    add(t, "}");
}

/* Record numbers that are not their places, which takes a table to judge. */
static void numbers_backwards(text *t)
{
    mesh_header(t, 1, fits(t, 100));
    one_joint(t);
    while (left(t) > 200) {
        unsigned n = fits(t, 40);
        add(t, "mesh {\nshader \"\"\nnumverts %u\n", fits(t, SHORT_VERT));
        for (unsigned i = n; i-- > 0;)
            add(t, "vert %u ( 0 0 ) 0 %u\n", i, n);
        add(t, "numtris 0\nnumweights %u\nweight 1 0 1 ( 0 0 0 )\n}\n", fits(t, SHORT_WEIGHT));
    }
}

/* Every vertex uses every weight. */
static void shared_weights(text *t)
{
    mesh_header(t, 1, 1);
    one_joint(t);
    unsigned n = (unsigned)(left(t) / 60);
    add(t, "mesh {\nshader \"\"\nnumverts %u\n", n);
    for (unsigned i = 0; i < n; i++)
        add(t, "vert %u ( 0 0 ) 0 %u\n", i, n);
    add(t, "numtris 0\nnumweights %u\n", n);
    for (unsigned i = 0; i < n; i++)
        add(t, "weight %u 0 0.125 ( 0 0 0 )\n", i);
    add(t, "}\n");
}

static void repeated_mesh_blocks(text *t)
{
    mesh_header(t, fits(t, 30), fits(t, 40));
    while (left(t) > 80) {
        add(t, "numJoints %u\n", fits(t, SHORT_JOINT));
        add(t, "numMeshes %u\njoints{}", fits(t, SHORT_MESH));
        add(t, "mesh{numverts %u\n", fits(t, SHORT_VERT));
        add(t, "numverts %u\n}\n", fits(t, SHORT_VERT));
    }
}

/* The joints at the end, when all else is there and keeps what it took. */
static void joints_last(text *t)
{
    unsigned n = fits(t, SHORT_JOINT), meshes = fits(t, SHORT_MESH), tris = fits(t, 14);
    mesh_header(t, n > 0 ? n : 1, meshes);
    add(t, "mesh{numverts 0 numtris %u\n", tris);
    fill_times(t, "tri 0 0 0 0\n", tris);
    add(t, "numweights 0}joints{\"\"0(0 0 0)(0 0 0)}");
}

/* ---- Animations made to reserve -------------------------------------------------------------- */

static void bare_frames(text *t)
{
    unsigned n = fits(t, 34);
    anim_header(t, n, 1, 0);
    add(t, "hierarchy{\"\"-1 0 0}bounds{");
    fill_times(t, "(0 0 0)(0 0 0)", n);
    add(t, "}baseframe{(0 0 0)(0 0 0)}");
    for (unsigned i = 0; i < n; i++)
        add(t, "frame %u{}", i);
}

static void shortest_anim_joints(text *t)
{
    unsigned n = fits(t, 23) > 10 ? fits(t, 23) : 1;
    anim_header(t, 1, n, 0);
    add(t, "hierarchy{\"\"-1 0 0");
    fill_times(t, "\"\"0 0 0", n - 1);
    add(t, "}bounds{(0 0 0)(1 1 1)}baseframe{");
    fill_times(t, "(0 0 0)(0 0 0)", n);
    add(t, "}frame 0{}\n");
}

/* Frames reserve by what is left, so they come first; then the lists, in text as short as it
 * gets. */
static void frames_first(text *t)
{
    unsigned n = fits(t, 23), joints = fits(t, 21);
    anim_header(t, n, joints, 7);
    add(t, "frame 0{}\nbounds{\n");
    fill_times(t, "a\n", n);
    add(t, "}\nhierarchy{\n");
    fill_times(t, "a\n", joints);
    add(t, "}\nbaseframe{\n");
    fill_times(t, "a\n", joints);
    add(t, "}\n");
    fill(t, "\n", 1);
}

static void frames_first_readable(text *t)
{
    unsigned n = fits(t, 23), joints = fits(t, 21);
    anim_header(t, n, joints, 7);
    add(t, "frame 0{}bounds{");
    fill_times(t, "(0 0 0)(0 0 0)", n);
    add(t, "}hierarchy{");
    fill_times(t, "\"\"0 0 0", joints);
    add(t, "}baseframe{}");
    fill(t, "\n", 1);
}

static void lists_last(text *t)
{
    unsigned n = fits(t, 22), joints = fits(t, 21);
    anim_header(t, n, joints, 0);
    fill_times(t, "frame 0{}\n", fits(t, 11));
    add(t, "baseframe{(0 0 0)(0 0 0)}bounds{(0 0 0)(0 0 0)}hierarchy{\"\"0 0 0}");
}

static void huge_anim_counts(text *t)
{
    add(t, "MD5Version 10\ncommandline \"\"\nnumFrames 2147483647\nnumJoints 2147483647\n"
        "frameRate 2147483647\nnumAnimatedComponents 2147483647\n");
    while (left(t) > 100)
        add(t, "hierarchy{\"a\" 2147483647 63 2147483647}bounds{}baseframe{}"
            "frame 2147483647{0 1}\n");
}

/* Without numJoints, nothing bounds the components of a frame. */
static void huge_components(text *t)
{
    anim_header(t, fits(t, 40), 0, INT32_MAX);
    add(t, "hierarchy{}bounds{}baseframe{}frame 0{");
    fill(t, "0 ", 1);
    add(t, "}\n");
}

/* As many values as there can be, two bytes each. */
static void wide_frames(text *t)
{
    unsigned joints = (unsigned)(left(t) / 60);
    anim_header(t, 2, joints, 6 * joints);
    add(t, "hierarchy{");
    for (unsigned i = 0; i < joints; i++)
        add(t, "\"\"%d 63 %u", (int)i - 1, 6 * i);
    add(t, "}bounds{(0 0 0)(1 1 1)(0 0 0)(1 1 1)}baseframe{");
    fill_times(t, "(0 0 0)(0 0 0)", joints);
    add(t, "}frame 0{");
    fill_times(t, "0 0 0 0 0 0 ", joints);
    add(t, "}frame 1{");
    fill_times(t, "0 0 0 0 0 0 ", joints);
    add(t, "}");
}

static void many_frames(text *t)
{
    unsigned n = fits(t, 40);
    anim_header(t, n, 1, 6);
    add(t, "hierarchy{\"origin\"-1 63 0}bounds{");
    fill_times(t, "(0 0 0)(1 1 1)", n);
    add(t, "}baseframe{(0 0 0)(0 0 0)}");
    for (unsigned i = 0; i < n; i++)
        add(t, "frame %u{0 0 0 0 0 0}", i);
}

static void repeated_anim_blocks(text *t)
{
    anim_header(t, fits(t, 30), fits(t, 40), fits(t, 40));
    while (left(t) > 100) {
        add(t, "hierarchy{\na\n}bounds{\na\n}baseframe{\na\n}frame 0{0}\n");
        add(t, "numFrames %u\n", fits(t, 23));
    }
}

/* ---- Texts that are neither ------------------------------------------------------------------ */

static void braces(text *t) { mesh_header(t, 1, 1), fill(t, "{", 1); }
static void closed(text *t) { mesh_header(t, 1, 1), fill(t, "joints {\nmesh {\n", 1); }
static void quotes(text *t) { mesh_header(t, 1, 1), fill(t, "\"", 1); }
static void strings(text *t) { anim_header(t, 1, 1, 1), fill(t, "\"\n", 1); }
static void one_word(text *t) { mesh_header(t, 1, 1), fill(t, "a", 1); }
static void one_number(text *t) { add(t, "MD5Version 10\nnumJoints "), fill(t, "9", 1); }
static void zeros(text *t) { mesh_header(t, 1, 1), fill(t, "0 ", 1); }
static void comments(text *t) { mesh_header(t, 1, 1), fill(t, "/**/", 1); }
static void open_comments(text *t) { mesh_header(t, 1, 1), fill(t, "/*", 1); }
static void blanks(text *t) { fill(t, " \t\r\n", 1); }
static void long_comment(text *t) { fill(t, "/", 1); }
static void headers(text *t) { fill(t, "numJoints 1\nnumMeshes 1\nnumFrames 1\n", 1); }
static void minuses(text *t) { anim_header(t, 1, 1, 1), add(t, "frame 0 {"), fill(t, "- ", 1); }
static void letters(text *t) { mesh_header(t, 1, 1), fill(t, "a\nb\nvert\nmesh\n", 1); }

static void nuls(text *t)
{
    mesh_header(t, 1, 1);
    while (left(t) > 0)
        add_bytes(t, "", 1);
}

static void (*const shapes[])(text *t) = {
    empty_meshes, shortest_meshes, full_joints_then_meshes, nameless_joints, unreadable_joints,
    unreadable_verts, huge_mesh_counts, shortest_verts, shortest_tris_and_weights,
    numbers_backwards, shared_weights, repeated_mesh_blocks, joints_last, lists_last, bare_frames, shortest_anim_joints,
    frames_first, frames_first_readable, huge_anim_counts, huge_components, wide_frames,
    many_frames, repeated_anim_blocks, braces, closed, quotes, strings, one_word, one_number, zeros,
    comments, open_comments, blanks, long_comment, headers, minuses, letters, nuls,
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static text make(void (*shape)(text *t), size_t target)
{
    text t = empty_text(target);
    shape(&t);
    return t;
}

/* ---- Memory: never more than the formula ----------------------------------------------------- */

/* In an arena that is far too large, so that the peak tells what would have been wanted; then in
 * one of just the promised size, where nothing may be left out for want of memory. */
static void check_memory(const m5_format *format, const text *t, int shape)
{
    size_t parse = m5_parse_memory(t->size), lint = m5_lint_memory(t->size, 0);
    outcome wide = run(format, t->bytes, t->size, 65536 + 200 * t->size, NULL, NULL);
    const char *name = format->name;
    ck_assert_msg(wide.status != M5_NO_MEMORY, "shape %d, %zu bytes as %s: a parse wants over 200 "
                  "times the input", shape, t->size, name);
    ck_assert_msg(wide.parse_peak <= parse, "shape %d, %zu bytes as %s: parsing took %zu, %.2f "
                  "times the input", shape, t->size, name, wide.parse_peak,
                  (double)wide.parse_peak / (double)t->size);
    ck_assert_msg(wide.lint_peak <= lint, "shape %d, %zu bytes as %s: linting took %zu, %.2f "
                  "times the input", shape, t->size, name, wide.lint_peak,
                  (double)wide.lint_peak / (double)t->size);
    outcome tight = run(format, t->bytes, t->size, lint, NULL, NULL);
    ck_assert_msg(same_findings(&wide, &tight), "shape %d, %zu bytes as %s", shape, t->size, name);
}

START_TEST(memory_is_bounded)
{
    static const size_t sizes[] = {300000, 60000, 3000, 400, 150, 60, 1, 0};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        text t = make(shapes[_i], sizes[i]);
        check_memory(mesh_format(), &t, _i);
        check_memory(anim_format(), &t, _i);
        free(t.bytes);
    }
}
END_TEST

/* Well-formed text, however short its records, holds as many of them as it says. */
START_TEST(what_is_there_fits)
{
    static const struct {
        void (*shape)(text *t);
        const char *format;
    } whole[] = {{shortest_verts, "md5mesh"}, {shortest_tris_and_weights, "md5mesh"},
                 {bare_frames, "md5anim"}, {shortest_anim_joints, "md5anim"},
                 {wide_frames, "md5anim"}, {many_frames, "md5anim"}};
    char name[16];
    text t = make(whole[_i].shape, 20000);
    snprintf(name, sizeof name, "x.%s", whole[_i].format);
    linted *l = lint_bytes(name, t.bytes, t.size, NULL, false);
    ck_assert_msg(count_of(l, "md5-count-exceeds-file") == 0, "case %d: counts are refused", _i);
    char *found = describe(l, "", false);
    ck_assert_msg(l->status == M5_CLEAN, "case %d is flawed: %.300s", _i, found);
    free(found);
    free_linted(l);
    free(t.bytes);
}
END_TEST

/* Records at their shortest are 17 bytes for a joint, 15 for a vertex. */
START_TEST(shortest_records_fit)
{
    text t = empty_text(0);
    mesh_header(&t, 400, 1);
    add(&t, "joints{\"\"-1(0 0 0)(0 0 0)");
    fill_times(&t, "\"\"0(0 0 0)(0 0 0)", 399);
    add(&t, "}mesh{shader\"\"numverts 10 ");
    for (int i = 0; i < 10; i++)
        add(&t, "vert %d(0 0)0 1\n", i);
    add(&t, "numtris 0 numweights 1 weight 0 0 1(0 0 0)}");
    linted *l = lint_bytes("x.md5mesh", t.bytes, t.size, NULL, false);
    ck_assert_uint_eq(count_of(l, "md5-count-exceeds-file"), 0);
    ck_assert_int_eq(l->status, M5_CLEAN);
    free_linted(l);
    free(t.bytes);
}
END_TEST

/* ---- The last frame of a file is its end ----------------------------------------------------- */

static void one_frame_anim(text *t, const char *frame)
{
    anim_header(t, 1, 1, 0);
    add(t, "hierarchy {\n\"origin\" -1 0 0\n}\nbounds {\n( 0 0 0 ) ( 1 1 1 )\n}\n"
        "baseframe {\n( 0 0 0 ) ( 0 0 0 )\n}\n%s", frame);
}

START_TEST(a_static_pose_is_an_animation)
{
    static const char *const frames[] = {"frame 0{}", "frame 0 {\n}", "frame 0 {\n}\n",
                                         "frame 0 {\r\n}\r\n", "frame 0 {\n\n}\n\n"};
    text t = empty_text(0);
    one_frame_anim(&t, frames[_i]);
    linted *l = lint_bytes("x.md5anim", t.bytes, t.size, NULL, false);
    char *found = describe(l, "", false);
    ck_assert_msg(l->status == M5_CLEAN, "found %s", found);
    ck_assert_msg(l->file.model.md5anim->num_frames == 1, "clean without its frame");
    free(found);
    free_linted(l);
    free(t.bytes);
}
END_TEST

/* Counts so large that what they take in bytes is beyond 32 bits, and may come out as nothing. */
START_TEST(sums_do_not_wrap)
{
    for (unsigned components = INT32_MAX - 32; components <= INT32_MAX; components++) {
        text t = empty_text(0);
        add(&t, "MD5Version 10\nnumFrames %d\nnumAnimatedComponents %u\nframe 0{0 1}\n", _i + 1,
            components);
        outcome o = run(anim_format(), t.bytes, t.size, m5_lint_memory(t.size, 0), NULL, NULL);
        ck_assert_msg(o.status == M5_FLAWED, "%u components: status %d", components, (int)o.status);
        free(t.bytes);
    }
}
END_TEST

/* ---- Every limit in turn --------------------------------------------------------------------- */

static const char small_mesh[] =
    "MD5Version 10\ncommandline \"\"\n\nnumJoints 3\nnumMeshes 2\n\njoints {\n"
    "\t\"origin\"\t-1 ( 0 0 0 ) ( 0 0 0 )\n\t\"b\"\t2 ( 0 0 1 ) ( 0 0 0.5 )\n"
    "\t\"c\"\t1 ( 0 0 1 ) ( 0 0 0.5 )\n}\n\nmesh {\n\tshader \"a\"\n\tnumverts 3\n"
    "\tvert 0 ( 0 0 ) 0 1\n\tvert 2 ( 1 0 ) 1 1\n\tvert 1 ( 1 1 ) 1 9\n\n\tnumtris 1\n"
    "\ttri 0 0 1 2\n\n\tnumweights 2\n\tweight 0 0 0.5 ( 0 0 0 )\n\tweight 1 7 1 ( 0 0 0 )\n}\n\n"
    "mesh {\n\tshader \"b\"\n\tnumverts 1\n\tvert 0 ( 0 0 ) 0 40\n\n\tnumtris 5\n\n\tnumweights 1\n"
    "\tweight 0 0 0.5 ( 0 0 0 )\n}\n";
static const char small_anim[] =
    "MD5Version 10\ncommandline \"\"\n\nnumFrames 2\nnumJoints 2\nframeRate 24\n"
    "numAnimatedComponents 4\n\nhierarchy {\n\t\"origin\"\t-1 0 0\n\t\"b\"\t0 60 0\n}\n\nbounds {\n"
    "\t( 0 0 0 ) ( 1 1 1 )\n\t( 0 0 0 ) ( 1 1 1 )\n}\n\nbaseframe {\n\t( 0 0 0 ) ( 0 0 0 )\n"
    "\t( 0 0 2 ) ( 0 0 0.5 )\n}\n\nframe 0 {\n\t2 0 0 0.5\n}\n\nframe 0 {\n\t2.5 0 0.1\n}\n";
static const char broken_anim[] =
    "MD5Version 10\nnumFrames 9\nnumJoints 1\nframeRate 0\nnumAnimatedComponents 4\n"
    "hierarchy {\n\t\"origin\" -1 1 3\n\t\"b\" 0\n}\nframe 1 {\n1 2 3 4 }\nframe 0 { 2 }\n";

/* One parse and lint in `limit` bytes of which some are in use already. */
static m5_status in_limit(const m5_format *format, const char *bytes, size_t size, size_t limit,
                          bool collect)
{
    m5_lint_file f = {.source = {"input", (const uint8_t *)bytes, (uint32_t)size}};
    uint8_t *memory = malloc(limit);
    m5_collector collector;
    m5_arena_init(&f.arena, memory, limit);
    bool owned = m5_arena_take(&f.arena, 3, 8) != NULL;
    if (owned)
        memset(memory, 'x', 24);
    m5_collector_init(&collector, &f.arena, 0);
    f.report = (m5_report){.source = &f.source, .levels = all_on};
    if (collect)
        f.report.sink = (m5_sink){m5_collect, &collector};
    size_t used = f.arena.used;
    m5_status status = m5_parse(format, &f.report, &f.arena, &f.model);
    bool none = f.model.md5mesh == NULL && f.model.md5anim == NULL;
    ck_assert_msg((status == M5_NO_MEMORY) == none, "a model after running out of %zu", limit);
    ck_assert_msg(!none || f.arena.used == used, "%zu bytes: not released", limit);
    m5_lint_model(&f);
    ck_assert(f.arena.used + f.arena.kept <= f.arena.size && f.arena.peak <= limit);
    for (int i = 0; owned && i < 24; i++)
        ck_assert_int_eq(memory[i], 'x');
    m5_shown shown;
    m5_collector_pick(&collector, 3, &shown);
    ck_assert(shown.count <= 3 && shown.count <= collector.kept);
    free(memory);
    return status;
}

static void every_limit(const m5_format *format, const char *bytes, size_t size, bool collect)
{
    size_t limit = 0, last = 0;
    for (; limit < 40000; limit += 8) {
        if (in_limit(format, bytes, size, limit, collect) == M5_NO_MEMORY)
            last = limit;
        if (limit > last + 6000)
            break;
    }
    ck_assert_msg(collect || last < m5_parse_memory(size), "%zu bytes were too little", last);
}

START_TEST(every_limit_is_survived)
{
    static const struct {
        const char *bytes;
        size_t size;
        bool mesh;
    } small[] = {{small_mesh, sizeof small_mesh - 1, true},
                 {small_anim, sizeof small_anim - 1, false},
                 {broken_anim, sizeof broken_anim - 1, false}, {small_mesh, 100, true},
                 {small_anim, 150, false}, {small_anim, 0, false}};
    every_limit(small[_i].mesh ? mesh_format() : anim_format(), small[_i].bytes, small[_i].size,
                false);
    every_limit(small[_i].mesh ? mesh_format() : anim_format(), small[_i].bytes, small[_i].size,
                true);
}
END_TEST

/* ---- The corpus ------------------------------------------------------------------------------ */

enum { MAX_FILES = 4096 };
typedef struct corpus_file {
    const m5_format *format;
    char *name;
    uint8_t *bytes;
    size_t size;
    outcome expected;
} corpus_file;
static corpus_file files[MAX_FILES];
static int num_files;

static int gather(const char *path, const struct stat *status, int kind, struct FTW *at)
{
    (void)status, (void)at;
    const m5_format *format = m5_format_by_name(path);
    if (kind != FTW_F || format == NULL || format->parse == NULL || num_files == MAX_FILES)
        return 0;
    corpus_file *f = &files[num_files];
    f->format = format;
    f->bytes = read_file(path, &f->size);
    f->name = strdup(path);
    num_files += f->bytes != NULL;
    return f->bytes == NULL;
}

static outcome run_file(const corpus_file *f)
{
    harness_run taken;
    return run(f->format, f->bytes, f->size, m5_lint_memory(f->size, 0), harness_take, &taken);
}

START_TEST(clean_models_of_the_corpus_can_be_walked)
{
    int clean = 0;
    ck_assert_int_gt(num_files, 0);
    for (int i = 0; i < num_files; i++) {
        harness_try_all(files[i].format, files[i].bytes, files[i].size);
        clean += run_file(&files[i]).status == M5_CLEAN;
    }
    ck_assert_int_gt(clean, 0);
}
END_TEST

/* ---- Reentrancy ------------------------------------------------------------------------------ */

typedef struct nested {
    harness_run outer; /* first: the sink's `user` is both */
    outcome expected;
    unsigned long depth, disturbed;
} nested;

/* Lints another file of the other format while this one is being parsed. */
static void lint_within(void *user, const m5_diag *d)
{
    nested *n = user;
    harness_run inner;
    harness_take(&n->outer, d);
    outcome o = run(anim_format(), small_anim, sizeof small_anim - 1, 65536, harness_take, &inner);
    n->disturbed += !same_findings(&o, &n->expected);
    n->depth++;
}

START_TEST(a_lint_within_a_sink_disturbs_nothing)
{
    harness_run taken;
    nested n = {.depth = 0};
    n.expected = run(anim_format(), small_anim, sizeof small_anim - 1, 65536, harness_take, &taken);
    outcome alone = run(mesh_format(), small_mesh, sizeof small_mesh - 1, 65536, harness_take,
                        &taken);
    outcome with = run(mesh_format(), small_mesh, sizeof small_mesh - 1, 65536, lint_within,
                       &n.outer);
    ck_assert(same_findings(&alone, &with));
    ck_assert_uint_gt(n.depth, 3);
    ck_assert_uint_eq(n.disturbed, 0);
    ck_assert_uint_gt(n.expected.errors, 0);
}
END_TEST

enum { THREADS = 8 };

/* Each thread goes through the files from a place of its own; returns how many came out wrong. */
static void *lint_all(void *start)
{
    intptr_t wrong = 0;
    int rounds = num_files > 100 ? 4 : 400 / (num_files + 1) + 1;
    for (int i = 0; i < rounds * num_files; i++) {
        const corpus_file *f = &files[((intptr_t)start + i) % num_files];
        outcome o = run_file(f);
        wrong += !same_findings(&o, &f->expected);
    }
    return (void *)wrong;
}

START_TEST(threads_find_the_same)
{
    pthread_t threads[THREADS];
    void *wrong;
    for (int i = 0; i < num_files; i++)
        files[i].expected = run_file(&files[i]);
    for (intptr_t i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, lint_all,
                                        (void *)(i * num_files / THREADS)), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], &wrong);
        ck_assert_msg(wrong == NULL, "a thread found something else");
    }
}
END_TEST

/* ---- Generated texts, whole and spoilt ------------------------------------------------------- */

static uint64_t random_state;

static unsigned below(unsigned n)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (unsigned)((z ^ z >> 31) % n);
}

static void random_mesh_block(text *t, unsigned joints)
{
    unsigned verts = 1 + below(6), weights = verts + below(4), tris = below(6);
    add(t, "mesh {\n\tshader \"m%u\"\n\n\tnumverts %u\n", below(9), verts);
    for (unsigned i = 0; i < verts; i++)
        add(t, "\tvert %u ( 0.%u 0.5 ) %u %u\n", i, below(999), i, 1 + below(weights - i));
    add(t, "\n\tnumtris %u\n", tris);
    for (unsigned i = 0; i < tris; i++)
        add(t, "\ttri %u %u %u %u\n", i, below(verts), below(verts), below(verts));
    add(t, "\n\tnumweights %u\n", weights);
    for (unsigned i = 0; i < weights; i++)
        add(t, "\tweight %u %u 1 ( %u.%04u -%u 0.125 )\n", i, below(joints), below(99),
            below(9999), below(5));
    add(t, "}\n\n");
}

static void random_mesh(text *t)
{
    unsigned joints = 1 + below(4), meshes = 1 + below(3);
    mesh_header(t, joints, meshes);
    add(t, "\njoints {\n");
    for (unsigned i = 0; i < joints; i++)
        add(t, "\t\"j%u\"\t%d ( 0 %u 0.5 ) ( 0 -0.25 0 )\t// %u\n", i,
            i == 0 ? -1 : (int)below(i), below(9), i);
    add(t, "}\n\n");
    for (unsigned i = 0; i < meshes; i++)
        random_mesh_block(t, joints);
}

static void random_anim(text *t)
{
    static const unsigned flags[] = {0, 63, 7, 56}, width[] = {0, 6, 3, 3};
    unsigned joints = 1 + below(4), frames = 1 + below(4), kind[4], components = 0;
    for (unsigned i = 0; i < joints; i++)
        components += width[kind[i] = i == 0 ? 1 : below(4)];
    anim_header(t, frames, joints, components);
    add(t, "\nhierarchy {\n");
    for (unsigned i = 0, start = 0; i < joints; start += width[kind[i++]])
        add(t, "\t\"j%u\"\t%d %u %u\t//\n", i, i == 0 ? -1 : (int)below(i), flags[kind[i]],
            kind[i] != 0 ? start : 0);
    add(t, "}\n\nbounds {\n");
    for (unsigned i = 0; i < frames; i++)
        add(t, "\t( -%u -1 -1 ) ( 1 1 1.5 )\n", below(50));
    add(t, "}\n\nbaseframe {\n");
    for (unsigned i = 0; i < joints; i++)
        add(t, "\t( 0 %u 0 ) ( 0 0 0.5 )\n", below(9));
    for (unsigned i = 0; i < frames; i++) {
        add(t, "}\n\nframe %u {", i);
        for (unsigned k = 0; k < components; k++)
            add(t, "%s%s0.%u", k % 6 ? " " : "\n\t", below(3) ? "" : "-", below(5000));
        add(t, "\n");
    }
    add(t, "}\n");
}

START_TEST(generated_models_are_clean)
{
    random_state = 1000 + (uint64_t)_i;
    for (int i = 0; i < 200; i++) {
        bool mesh = i % 2 == 0;
        text t = make(mesh ? random_mesh : random_anim, 0);
        outcome o = run(mesh ? mesh_format() : anim_format(), t.bytes, t.size,
                        m5_lint_memory(t.size, 0), NULL, NULL);
        ck_assert_msg(o.status == M5_CLEAN, "not clean:\n%s", t.bytes);
        harness_try_all(mesh ? mesh_format() : anim_format(), (uint8_t *)t.bytes, t.size);
        free(t.bytes);
    }
}
END_TEST

/* Replaces a few tokens or bytes by what is not due there. */
static void spoil(text *t)
{
    static const char *const word[] = {
        "{", "}", "(", ")", "\"", "\"\"", "//", "/*", "*/", "\n", "\r", "\r\n", "\t", " ", "-",
        "+", "-1", "0", "1", "2147483647", "-2147483648", "4294967296", "1e39", "nan", "0x1",
        "0,5", "1.5", ".", "mesh", "joints", "frame", "frame 0 {", "vert", "tri", "weight",
        "numverts 9", "bounds {", "hierarchy {", "MD5Version 10", "numFrames", "numMeshes",
        "commandline", "shader", "63", "//\r", "" /* stands for a NUL */,
    };
    for (unsigned times = 1 + below(4); times > 0; times--) {
        const char *w = word[below(sizeof word / sizeof *word)];
        size_t n = *w == '\0' ? 1 : strlen(w), at = below((unsigned)t->size), cut = at;
        while (below(2) && cut < t->size && t->bytes[cut] > ' ')
            cut++;
        cut += below(8) == 0 ? below((unsigned)(t->size - cut) + 1) : 0;
        reserve(t, n);
        memmove(t->bytes + at + n, t->bytes + cut, t->size - cut);
        memcpy(t->bytes + at, w, n);
        t->size = t->size - (cut - at) + n;
    }
}

/* What is clean all the same may still be walked; fast and slow readers agree on all of it. */
START_TEST(spoilt_models_are_told_or_clean)
{
    random_state = 2000 + (uint64_t)_i;
    for (int i = 0; i < 1000; i++) {
        bool mesh = i % 2 == 0;
        text t = make(mesh ? random_mesh : random_anim, 0);
        spoil(&t);
        uint8_t *exact = malloc(t.size); /* so that sanitizers see a byte too far */
        memcpy(exact, t.bytes, t.size);
        { harness_run once = harness_once(mesh ? mesh_format() : anim_format(), exact, t.size, true, false); harness_compare(mesh ? mesh_format() : anim_format(), exact, t.size, true, &once); }
        free(exact);
        free(t.bytes);
    }
}
END_TEST

/* ---- Time: linear in the input --------------------------------------------------------------- */

static void crs(text *t) { fill(t, "\r", 1); }
static void comments_of_cr_lines(text *t) { fill(t, "//\r", 1); }
static void keywords(text *t) { mesh_header(t, 1, 1), one_joint(t), fill(t, "mesh\njoints\n", 1); }
static void open_strings(text *t) { mesh_header(t, 1, 1), fill(t, "\"a\" \"b\n", 1); }

static void long_gap(text *t, double part)
{
    add(t, " /*");
    fill(t, "x", part);
    add(t, "*/ ");
}

/* One weight with a long comment in it, which every vertex points to. */
static void commented_weight(text *t)
{
    mesh_header(t, 1, 1);
    one_joint(t);
    unsigned n = (unsigned)(left(t) / 2 / 23);
    add(t, "mesh {\nshader \"\"\nnumverts %u\n", n);
    for (unsigned i = 0; i < n; i++)
        add(t, "vert %u ( 0 0 ) 0 1\n", i);
    add(t, "numtris 0\nnumweights 1\nweight 0");
    long_gap(t, 1);
    add(t, "0 0.5 ( 0 0 0 )\n}\n");
}

static void commented_repeat(text *t)
{
    mesh_header(t, 1, 1);
    one_joint(t);
    unsigned n = (unsigned)(left(t) / 2 / 23);
    add(t, "mesh {\nshader \"\"\nnumverts %u\n", n);
    for (unsigned i = 0; i < n; i++)
        add(t, "vert %u ( 0 0 ) 0 2\n", i);
    add(t, "numtris 0\nnumweights 2\nweight 0 0 0.5 ( 0 0 0 )\nweight 1");
    long_gap(t, 1);
    add(t, "0 0.5 ( 0 0 0 )\n}\n");
}

static void commented_channel(text *t)
{
    unsigned n = (unsigned)(left(t) / 2 / 36);
    anim_header(t, 1, n, 1);
    add(t, "hierarchy {\n\"a\" -1 1");
    long_gap(t, 0.5);
    add(t, "0\n");
    fill_times(t, "\"b\" 0 1 0\n", n - 1);
    add(t, "}\nbounds {\n( 0 0 0 ) ( 1 1 1 )\n}\nbaseframe {\n");
    fill_times(t, "( 0 0 0 ) ( 0 0 0 )\n", n);
    add(t, "}\nframe 0 {\n0\n}\n");
}

static void same_numbers(text *t)
{
    mesh_header(t, 1, 1);
    one_joint(t);
    add(t, "mesh {\nshader \"\"\nnumverts %u\nvert", (unsigned)(left(t) / 2 / 20));
    long_gap(t, 0.5);
    add(t, "0 ( 0 0 ) 0 1\n");
    fill(t, "vert 0 ( 0 0 ) 0 1\n", 0.9);
}

static void chain_of_joints(text *t)
{
    unsigned n = fits(t, 40);
    mesh_header(t, n, 1);
    add(t, "joints {\n");
    for (unsigned i = 0; i < n; i++)
        add(t, "\"a\" %d ( 0 0 0 ) ( 0 0 0 )\n", i % 2 ? (int)i + 1 : (int)i - 1);
    add(t, "}\n");
}

/* What would be slow if anything looked twice at the same text. tests/linear counts the
 * instructions that they cost at two sizes. */
static const struct {
    void (*shape)(text *t);
    const char *name;
} hostile[] = {
    {crs, "crs"}, {comments_of_cr_lines, "comments_of_cr_lines"},
    {keywords, "keywords"}, {open_strings, "open_strings"},
    {quotes, "quotes"}, {one_word, "one_word"}, {one_number, "one_number"},
    {open_comments, "open_comments"}, {comments, "comments"},
    {minuses, "minuses"}, {braces, "braces"},
    {commented_weight, "commented_weight"},
    {commented_repeat, "commented_repeat"},
    {commented_channel, "commented_channel"},
    {same_numbers, "same_numbers"}, {chain_of_joints, "chain_of_joints"},
    {shared_weights, "shared_weights"},
    {strings, "strings"},
};
enum { HOSTILE = sizeof hostile / sizeof *hostile };


/* `test_library NAME SIZE` writes such a text; `test_library names` lists them. */
static int write_hostile(const char *name, const char *size)
{
    for (int i = 0; i < HOSTILE; i++) {
        if (strcmp(name, "names") == 0)
            puts(hostile[i].name);
        if (strcmp(name, hostile[i].name) != 0 || size == NULL)
            continue;
        text t = make(hostile[i].shape, strtoul(size, NULL, 10));
        fwrite(t.bytes, 1, t.size, stdout);
        free(t.bytes);
    }
    return 0;
}

static void add_tests(TCase *all)
{
    tcase_add_loop_test(all, memory_is_bounded, 0, SHAPES);
    tcase_add_loop_test(all, what_is_there_fits, 0, 6);
    tcase_add_test(all, shortest_records_fit);
    tcase_add_loop_test(all, a_static_pose_is_an_animation, 0, 5);
    tcase_add_loop_test(all, sums_do_not_wrap, 0, 3);
    tcase_add_loop_test(all, every_limit_is_survived, 0, 6);
    tcase_add_test(all, clean_models_of_the_corpus_can_be_walked);
    tcase_add_test(all, a_lint_within_a_sink_disturbs_nothing);
    tcase_add_test(all, threads_find_the_same);
    tcase_add_loop_test(all, generated_models_are_clean, 0, 3);
    tcase_add_loop_test(all, spoilt_models_are_told_or_clean, 0, 6);
}

static void free_corpus(void)
{
    for (int i = 0; i < num_files; i++) {
        free(files[i].name);
        free(files[i].bytes);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return write_hostile(argv[1], argv[2]);
    turn_all_on();
    if (nftw("corpus", gather, 16, FTW_PHYS) != 0)
        return 2;
    Suite *suite = suite_create("library");
    TCase *all = tcase_create("promises");
    tcase_set_timeout(all, 120);
    add_tests(all);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    free_corpus();
    return failed != 0;
}
