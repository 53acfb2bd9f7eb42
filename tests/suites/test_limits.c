/* Tests the promises of m5.h for md5camera, MD4 and the ill* formats: every way of running out of
 * memory, a parse inside a sink, and that damaged files are reported, or are clean and can be read
 * without checks. */
#include "support.h"
#include "fuzz/harness/harness.h"
#include "parsers/core/allocate.h"
#include "tests/assemble/assemble.h"

#include <check.h>
#include <pthread.h>
#include <string.h>

/* ---- Files ---------------------------------------------------------------------------------- */

typedef struct file {
    const char *name;
    const m5_format *format;
    uint8_t *bytes;
    size_t size;
} file;

/* Healthy models with something unusual, and flawed models, chosen so that the parser checks texts
 * line by line. */
static const char *const names[] = {
    "md5camera/whole/whole.two-shots.md5camera",
    "md5camera/whole/whole.comments.md5camera",
    "md4/whole/whole.box.md4",
    "md4/whole/whole.two-surfaces.md4",
    "md4/whole/whole.smallest.md4",
    "md4/whole/whole.eight-weights.md4",
    "illmesh/whole/whole.all-flags.illmesh",
    "illmesh/whole/whole.blend-data-texcoords.illmesh",
    "illmesh/whole/whole.one-line.illmesh",
    "illmesh/whole/whole.vertex-a-line.illmesh",
    "illskel/whole/whole.pennant.illskel",
    "illskel/whole/whole.children-before-parents.illskel",
    "illskel/whole/whole.names-on-one-line.illskel",
    "illanim/whole/whole.flutter.illanim",
    "illanim/whole/whole.key-a-line.illanim",
    "illanim/whole/whole.one-bone-one-frame.illanim",
    "pack/whole/whole.stored.pk4",
    "pack/whole/whole.two.pak",
};
enum { WHOLE = sizeof names / sizeof *names, ARCHIVES = 2, MODELS = WHOLE - ARCHIVES };
static file whole[WHOLE];

static void load(file *f, const char *name)
{
    char path[160], error[ASSEMBLE_ERROR];
    f->name = name;
    f->format = m5_format_by_name(name);
    snprintf(path, sizeof path, "corpus/%s%s", name, f->format->text ? "" : ".source");
    f->bytes = f->format->text ? read_file(path, &f->size) : assemble_file(path, &f->size, error);
    if (f->bytes == NULL) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(2);
    }
}

static file copy_of(const file *f)
{
    file copy = *f;
    copy.bytes = malloc(f->size + 64);
    memcpy(copy.bytes, f->bytes, f->size);
    return copy;
}

static uint64_t random_state;

static unsigned below(size_t n)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (unsigned)((z ^ z >> 31) % n);
}

/* ---- Spoilt --------------------------------------------------------------------------------- */

/* Replaces a word or a space by something that is not expected there. */
static void spoil_text(file *f)
{
    static const char *const word[] = {
        "0",  "1",    "-1",  "2",        "4294967295", "4294967296", "1e39", "nan",
        "x",  "1.5",  "1-2", "0x1",      "1,5",        "//",         "#",    "/*",
        "\n", "\r\n", " ",   "\t",       "\n\n",       "1 2",        "1\n2", "a b",
        "-",  ".",    "",    "ILLMESH0", "1000000",    "true",       "+1",   "01",
        "" /* means a NUL */};
    size_t choice = below(sizeof word / sizeof *word), at = below(f->size), cut = at;
    const char *w = word[choice];
    size_t n = choice + 1 == sizeof word / sizeof *word ? 1 : strlen(w);
    while (at > 0 && f->bytes[at - 1] > ' ' && below(4))
        at--;
    while (cut < f->size && f->bytes[cut] > ' ' && below(8))
        cut++;
    while (below(8) == 0 && cut < f->size) /* sometimes the rest of the line, too */
        while (cut < f->size && f->bytes[cut++] != '\n')
            continue;
    if (n > cut - at + 64)
        return;
    f->bytes = realloc(f->bytes, f->size + n + 64);
    memmove(f->bytes + at + n, f->bytes + cut, f->size - cut);
    memcpy(f->bytes + at, w, n);
    f->size = f->size - (cut - at) + n;
}

/* Changes the number in a field, or the length of the file. */
static void spoil_binary(file *f)
{
    static const uint32_t value[] = {0,          1,          2,          3,          4,
                                     8,          9,          33,         100,        180,
                                     0xffffffff, 0xfffffffe, 0x7fffffff, 0x80000000, 0x7fc00000,
                                     0x7f800000, 0x3f800000, 0x40000000, 0x15555556, 0x3dcccccd};
    static const uint32_t header[] = {0x48, 0x4c, 0x50, 0x54, 0x58, 0x5c, 0x60};
    uint32_t now, at = below(f->size / 4) * 4;
    if (below(3) == 0)
        at = header[below(7)];
    if (below(10) == 0)
        at += below(4);
    if (below(20) == 0 || at + 4 > f->size) {
        f->size = below(f->size + 1);
        return;
    }
    memcpy(&now, f->bytes + at, 4);
    uint32_t to = below(2) ? value[below(sizeof value / sizeof *value)] : now + below(9) * 4 - 16;
    memcpy(f->bytes + at, &to, 4);
}

static file spoilt(const file *f)
{
    file bad = copy_of(f);
    for (unsigned times = 1 + below(3); times > 0 && bad.size > 8; times--)
        (bad.format->text ? spoil_text : spoil_binary)(&bad);
    bad.bytes = realloc(bad.bytes, bad.size + (bad.size == 0)); /* exact, for sanitizers */
    return bad;
}

/* The assertions of the harness: memory within the bound, no place outside the file, flawed or
 * readable without checks, the same findings with fast and plain readers. */
START_TEST(damaged_models_are_reported_or_clean)
{
    random_state = 3000 + (uint64_t)_i;
    for (int i = 0; i < 700; i++) { /* the archives come last */
        file bad = spoilt(&whole[_i < 2 * MODELS ? _i % MODELS : MODELS + _i % ARCHIVES]);
        harness_try_all(bad.format, bad.bytes, bad.size, HARNESS_LINT);
        free(bad.bytes);
    }
}
END_TEST

START_TEST(whole_models_are_clean)
{
    harness_try_all(whole[_i].format, whole[_i].bytes, whole[_i].size, HARNESS_LINT);
    linted *l = lint_bytes(whole[_i].name, whole[_i].bytes, whole[_i].size, NULL, false);
    ck_assert_int_eq(l->file.status, M5_CLEAN);
    free_linted(l);
}
END_TEST

/* A file that is parsed as any other format is reported, and does no other harm. */
START_TEST(files_of_other_formats_are_refused)
{
    for (unsigned i = 0; m5_format_at(i) != NULL; i++) {
        const m5_format *other = m5_format_at(i);
        if (other == whole[_i].format)
            continue;
        char name[16];
        bool pack = m5_format_bit(other) == M5_IN_PACK; /* the only name that is no extension */
        snprintf(name, sizeof name, "x.%s", pack ? "pk4" : other->name);
        harness_try_all(other, whole[_i].bytes, whole[_i].size, HARNESS_LINT);
        linted *l = lint_bytes(name, whole[_i].bytes, whole[_i].size, NULL, false);
        ck_assert_msg(l->file.status == M5_FLAWED, "%s is a clean %s", whole[_i].name, other->name);
        free_linted(l);
    }
}
END_TEST

/* ---- Every limit in turn -------------------------------------------------------------------- */

typedef struct outcome {
    m5_status status;
    uint64_t errors, warnings, notes, digest;
} outcome;

static bool same(const outcome *a, const outcome *b)
{
    return a->status == b->status && a->errors == b->errors && a->warnings == b->warnings &&
           a->notes == b->notes && a->digest == b->digest;
}

static const void *model_of(const m5_model *m)
{
    return m->md5camera != NULL ? (const void *)m->md5camera
           : m->md4 != NULL     ? (const void *)m->md4
           : m->illmesh != NULL ? (const void *)m->illmesh
           : m->illskel != NULL ? (const void *)m->illskel
           : m->illanim != NULL ? (const void *)m->illanim
                                : (const void *)m->pack;
}

/* A parse without lint, in `room` bytes, 24 of which are in use already. */
static outcome parse_in(const file *f, size_t room, void (*sink)(void *user, const m5_diag *d),
                        harness_run *user)
{
    m5_source source = {"input", f->bytes, (uint32_t)f->size};
    uint8_t *memory = malloc(room);
    m5_arena arena;
    m5_model model;
    m5_arena_init(&arena, memory, room);
    bool owned = m5_arena_take(&arena, 3, 8) != NULL;
    if (owned)
        memset(memory, 'x', 24);
    size_t used = arena.used;
    *user = (harness_run){.source = &source};
    m5_report report = {.source = &source, .sink = {sink, user}};
    outcome o = {.status = m5_parse(f->format, &report, &arena, &model)};
    o.errors = report.errors, o.warnings = report.warnings, o.notes = report.notes;
    o.digest = user->digest;
    ck_assert_msg((o.status == M5_NO_MEMORY) == (model_of(&model) == NULL), "%s in %zu bytes",
                  f->name, room);
    ck_assert_msg(o.status != M5_NO_MEMORY || arena.used == used, "%s: not released", f->name);
    ck_assert(arena.peak <= room && arena.used <= room);
    for (int i = 0; owned && i < 24; i++)
        ck_assert_int_eq(memory[i], 'x');
    if (o.status == M5_CLEAN)
        harness_check_clean(&model);
    free(memory);
    return o;
}

/* With too little memory the parse says so. From the size that is enough on, larger sizes are
 * enough, too, with the same findings. */
static void every_limit(const file *f)
{
    harness_run run;
    outcome all = parse_in(f, 65536 + 4 * f->size, harness_take, &run);
    bool enough = false;
    ck_assert(all.status != M5_NO_MEMORY);
    for (size_t room = 0, beyond = 0; beyond < 30; room += 8) {
        outcome o = parse_in(f, room, harness_take, &run);
        ck_assert_msg(!enough || o.status != M5_NO_MEMORY, "%s: less than %zu was enough", f->name,
                      room);
        ck_assert_msg(o.status == M5_NO_MEMORY || same(&o, &all), "%s in %zu bytes: other findings",
                      f->name, room);
        enough |= o.status != M5_NO_MEMORY;
        beyond += enough;
    }
}

START_TEST(every_memory_limit_is_survived)
{
    random_state = 4000 + (uint64_t)_i;
    every_limit(&whole[_i]);
    for (int i = 0; i < 6; i++) {
        file bad = spoilt(&whole[_i]);
        every_limit(&bad);
        free(bad.bytes);
    }
}
END_TEST

/* The linter skips checks that it has no memory for. */
START_TEST(lints_survive_every_memory_limit)
{
    random_state = 5000 + (uint64_t)_i;
    file bad = spoilt(&whole[_i]);
    for (size_t room = 0; room < 24 + 6 * bad.size; room += 24) {
        m5_lint_file f = {.source = {"input", bad.bytes, (uint32_t)bad.size}};
        void *memory = malloc(room);
        m5_collector found;
        m5_shown shown;
        m5_arena_init(&f.arena, memory, room);
        m5_collector_init(&found, &f.arena, 0);
        f.report = (m5_report){.source = &f.source, .sink = {m5_collect, &found}};
        m5_parse(bad.format, &f.report, &f.arena, &f.model);
        m5_lint_model(&f);
        ck_assert(f.arena.used + f.arena.kept <= room && f.arena.peak <= room);
        m5_collector_pick(&found, 3, &shown);
        ck_assert_uint_le(shown.count, 3);
        free(memory);
    }
    free(bad.bytes);
}
END_TEST

/* ---- Reentrancy ----------------------------------------------------------------------------- */

typedef struct nested {
    harness_run outer; /* must be first, as the sink's `user` points to both */
    const file *inner;
    outcome expected;
    unsigned depth, disturbed;
} nested;

/* Parses another file, of another format, while this one is being parsed. */
static void parse_within(void *user, const m5_diag *d)
{
    nested *n = user;
    harness_run run;
    harness_take(&n->outer, d);
    outcome o = parse_in(n->inner, 65536 + 4 * n->inner->size, harness_take, &run);
    n->disturbed += !same(&o, &n->expected);
    n->depth++;
}

START_TEST(a_parse_inside_a_sink_changes_nothing)
{
    unsigned depth = 0;
    random_state = 6000 + (uint64_t)_i;
    for (int i = 0; i < 30; i++) {
        harness_run run;
        file outer = spoilt(&whole[_i]), inner = spoilt(&whole[below(WHOLE)]);
        nested n = {.inner = &inner};
        n.expected = parse_in(&inner, 65536 + 4 * inner.size, harness_take, &run);
        outcome alone = parse_in(&outer, 65536 + 4 * outer.size, harness_take, &run);
        outcome with = parse_in(&outer, 65536 + 4 * outer.size, parse_within, &n.outer);
        ck_assert(same(&alone, &with) && n.disturbed == 0);
        depth += n.depth;
        free(outer.bytes);
        free(inner.bytes);
    }
    ck_assert_uint_gt(depth, 10);
}
END_TEST

enum { THREADS = 6, SPOILT = 60 };
static file shared[SPOILT];
static outcome known[SPOILT];

static void *parse_all(void *start)
{
    intptr_t wrong = 0;
    for (int i = 0; i < 10 * SPOILT; i++) {
        harness_run run;
        int k = (int)((intptr_t)start + i) % SPOILT;
        outcome o = parse_in(&shared[k], 65536 + 4 * shared[k].size, harness_take, &run);
        wrong += !same(&o, &known[k]);
    }
    return (void *)wrong;
}

START_TEST(threads_report_the_same)
{
    pthread_t threads[THREADS];
    harness_run run;
    void *wrong;
    random_state = 7000;
    for (int i = 0; i < SPOILT; i++) {
        shared[i] = i % 3 == 0 ? copy_of(&whole[i % WHOLE]) : spoilt(&whole[i % WHOLE]);
        known[i] = parse_in(&shared[i], 65536 + 4 * shared[i].size, harness_take, &run);
    }
    for (intptr_t i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, parse_all, (void *)(i * 10)), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], &wrong);
        ck_assert_msg(wrong == NULL, "a thread found something else");
    }
    for (int i = 0; i < SPOILT; i++)
        free(shared[i].bytes);
}
END_TEST

int main(void)
{
    for (int i = 0; i < WHOLE; i++)
        load(&whole[i], names[i]);
    Suite *suite = suite_create("limits");
    TCase *t = tcase_create("limits");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, whole_models_are_clean, 0, WHOLE);
    tcase_add_loop_test(t, files_of_other_formats_are_refused, 0, WHOLE);
    tcase_add_loop_test(t, damaged_models_are_reported_or_clean, 0, 2 * WHOLE);
    tcase_add_loop_test(t, every_memory_limit_is_survived, 0, WHOLE);
    tcase_add_loop_test(t, lints_survive_every_memory_limit, 0, WHOLE);
    tcase_add_loop_test(t, a_parse_inside_a_sink_changes_nothing, 0, WHOLE);
    suite_add_tcase(suite, t);
    add_threads_test(suite, threads_report_the_same);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    for (int i = 0; i < WHOLE; i++)
        free(whole[i].bytes);
    return failed != 0;
}
