/* Tests the promises of m5.h: every way of running out of memory, reentrancy, and that a clean
 * model can be read without checks. The suites of hostile files test the limits of memory and time.
 */
#define _XOPEN_SOURCE 700

#include "files.h"
#include "support.h"
#include "fuzz/harness/harness.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"

#include <check.h>
#include <ftw.h>
#include <pthread.h>
#include <string.h>

/* ---- One run --------------------------------------------------------------------------------- */

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
    if (user != NULL)
        *user = (harness_run){.source = &f.source};
    m5_settings settings = {.levels = all_rules()};
    f.report = (m5_report){.source = &f.source, .sink = {take, user}, .settings = &settings};
    outcome o = {.status = m5_parse(format, &f.report, &f.arena, &f.model)};
    o.parse_peak = f.arena.peak;
    if (o.status == M5_CLEAN)
        harness_check_clean(&f.model);
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

/* ---- The last frame of a file is its end ----------------------------------------------------- */

static void one_frame_anim(file *f, const char *frame)
{
    md5anim_header(f, 1, 1, 0);
    add(f,
        "hierarchy {\n\"origin\" -1 0 0\n}\nbounds {\n( 0 0 0 ) ( 1 1 1 )\n}\n"
        "baseframe {\n( 0 0 0 ) ( 0 0 0 )\n}\n%s",
        frame);
}

START_TEST(an_animation_without_components_is_clean)
{
    static const char *const frames[] = {"frame 0{}", "frame 0 {\n}", "frame 0 {\n}\n",
                                         "frame 0 {\r\n}\r\n", "frame 0 {\n\n}\n\n"};
    file f = {.target = 0};
    one_frame_anim(&f, frames[_i]);
    linted *l = lint_bytes("x.md5anim", f.bytes, f.size, NULL, false);
    char *found = describe(l, "", false);
    ck_assert_msg(l->file.status == M5_CLEAN, "found %s", found);
    ck_assert_msg(l->file.model.md5anim->num_frames == 1, "clean without its frame");
    free(found);
    free_linted(l);
    free(f.bytes);
}
END_TEST

/* Counts so large that their size in bytes overflows 32 bits and may become small. */
START_TEST(sizes_do_not_overflow)
{
    for (unsigned components = INT32_MAX - 32; components <= INT32_MAX; components++) {
        file f = {.target = 0};
        add(&f, "MD5Version 10\nnumFrames %d\nnumAnimatedComponents %u\nframe 0{0 1}\n", _i + 1,
            components);
        outcome o = run(anim_format(), f.bytes, f.size, m5_lint_memory(f.size, 0), NULL, NULL);
        ck_assert_msg(o.status == M5_FLAWED, "%u components: status %d", components, (int)o.status);
        free(f.bytes);
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

/* One parse and lint in `limit` bytes, some of which are in use already. */
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
    m5_settings settings = {.levels = all_rules()};
    f.report = (m5_report){.source = &f.source, .settings = &settings};
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

START_TEST(every_memory_limit_is_survived)
{
    static const struct {
        const char *bytes;
        size_t size;
        bool mesh;
    } small[] = {{small_mesh, sizeof small_mesh - 1, true},
                 {small_anim, sizeof small_anim - 1, false},
                 {broken_anim, sizeof broken_anim - 1, false},
                 {small_mesh, 100, true},
                 {small_anim, 150, false},
                 {small_anim, 0, false}};
    every_limit(small[_i].mesh ? mesh_format() : anim_format(), small[_i].bytes, small[_i].size,
                false);
    every_limit(small[_i].mesh ? mesh_format() : anim_format(), small[_i].bytes, small[_i].size,
                true);
}
END_TEST

/* ---- The corpus ------------------------------------------------------------------------------ */

enum { MAX_FILES = 16384 };
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
    if (kind != FTW_F || format == NULL)
        return 0;
    if (num_files == MAX_FILES)
        return 1;
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
        harness_try_all(files[i].format, files[i].bytes, files[i].size, HARNESS_LINT);
        clean += run_file(&files[i]).status == M5_CLEAN;
    }
    ck_assert_int_gt(clean, 0);
}
END_TEST

static uint64_t digest_of(const m5_diag *d)
{
    static const m5_source source = {"input", (const uint8_t *)"", 9};
    harness_run run = {.source = &source};
    harness_take(&run, d);
    return run.digest;
}

/* Or two runs that differ in it would pass for equal. */
START_TEST(the_harness_notices_a_change_of_each_part_of_a_finding)
{
    static const m5_source other = {"other", (const uint8_t *)"imp", 9};
    m5_diag d = {.rule = m5_rule_at(0),
                 .severity = M5_NOTE,
                 .at = {1, 2},
                 .path = m5_path2("mesh", 0, "tri", 7),
                 .message = "found",
                 .num_related = 1,
                 .related = {{&other, {3, 4}, "first"}}};
    m5_diag changed[14];
    for (int i = 0; i < 14; i++)
        changed[i] = d;
    changed[1].rule = m5_rule_at(1);
    changed[2].severity = M5_ERROR;
    changed[3].at.offset = 2;
    changed[4].at.length = 1;
    changed[5].path.step[0].name = "joint";
    changed[6].path.step[1].index = 8;
    changed[7].path.step[1].name = NULL;
    changed[8].message = "foun";
    changed[9].fix = "rename";
    changed[10].num_related = 0;
    changed[11].related[0].at.offset++;
    changed[12].related[0].at.length++;
    changed[13].path = m5_path_to((m5_path){0}, "mesh", 0, &other, (m5_name){0, 3});
    changed[13].path.step[1] = d.path.step[1];
    for (int i = 0; i < 14; i++)
        for (int k = 0; k < i; k++)
            ck_assert_msg(digest_of(&changed[i]) != digest_of(&changed[k]), "%d and %d", i, k);
    changed[0].related[0].message = "second";
    ck_assert(digest_of(&changed[0]) != digest_of(&d));
    changed[0] = d;
    changed[0].related[0].source = &(m5_source){"third", (const uint8_t *)"", 9};
    ck_assert(digest_of(&changed[0]) != digest_of(&d));
}
END_TEST

/* ---- Reentrancy ------------------------------------------------------------------------------ */

typedef struct nested {
    harness_run outer; /* must be first, as the sink's `user` points to both */
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

START_TEST(a_lint_inside_a_sink_changes_nothing)
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

/* Each thread lints all files, starting at a different one; returns how many results were wrong. */
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

START_TEST(threads_report_the_same)
{
    pthread_t threads[THREADS];
    void *wrong;
    for (int i = 0; i < num_files; i++)
        files[i].expected = run_file(&files[i]);
    for (intptr_t i = 0; i < THREADS; i++)
        ck_assert_int_eq(
            pthread_create(&threads[i], NULL, lint_all, (void *)(i * num_files / THREADS)), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], &wrong);
        ck_assert_msg(wrong == NULL, "a thread found something else");
    }
}
END_TEST

static void add_tests(TCase *all)
{
    tcase_add_loop_test(all, an_animation_without_components_is_clean, 0, 5);
    tcase_add_loop_test(all, sizes_do_not_overflow, 0, 3);
    tcase_add_loop_test(all, every_memory_limit_is_survived, 0, 6);
    tcase_add_test(all, clean_models_of_the_corpus_can_be_walked);
    tcase_add_test(all, the_harness_notices_a_change_of_each_part_of_a_finding);
    tcase_add_test(all, a_lint_inside_a_sink_changes_nothing);
}

static void free_corpus(void)
{
    for (int i = 0; i < num_files; i++) {
        free(files[i].name);
        free(files[i].bytes);
    }
}

int main(void)
{
    all_rules(); /* must be called before threads are started */
    if (nftw("corpus", gather, 16, FTW_PHYS) != 0)
        return 2;
    Suite *suite = suite_create("library");
    TCase *all = tcase_create("promises");
    tcase_set_timeout(all, 120);
    add_tests(all);
    suite_add_tcase(suite, all);
    add_threads_test(suite, threads_report_the_same);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    free_corpus();
    return failed != 0;
}
