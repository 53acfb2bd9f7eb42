/* What the suites of hostile files share: making files of a given size, and checking the memory
 * that they need. Each suite is a program and gets its own copy. */
#ifndef M5_HOSTILE_FILES_H
#define M5_HOSTILE_FILES_H

#include "files.h"
#include "support.h"
#include "fuzz/harness/harness.h"
#include "parsers/core/emit.h"

#include <check.h>
#include <string.h>

/* A kind of hostile file. */
typedef struct shape {
    void (*make)(file *f);
    const char *name, *format;
} shape;
#define SHAPE(name, format)                                                                        \
    {                                                                                              \
        name, #name, format                                                                        \
    }

static const m5_format *format_named(const char *extension)
{
    char name[16];
    snprintf(name, sizeof name, "x.%s", extension);
    return m5_format_by_name(name);
}

/* ---- Memory: never more than the formulas --------------------------------------------------- */

static m5_levels all_on[M5_RULES];

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
    uint64_t errors, warnings, notes;
    size_t parse_peak, lint_peak;
} outcome;

static const uint8_t none; /* the bytes of an empty file */

static outcome run(const m5_format *format, const uint8_t *bytes, size_t size, size_t room)
{
    m5_lint_file f = {.source = {"input", size != 0 ? bytes : &none, (uint32_t)size}};
    void *memory = malloc(room);
    HARNESS_ASSERT(memory != NULL);
    m5_arena_init(&f.arena, memory, room);
    m5_settings settings = {.levels = all_on};
    f.report = (m5_report){.source = &f.source, .settings = &settings};
    outcome o = {.status = m5_parse(format, &f.report, &f.arena, &f.model)};
    o.parse_peak = f.arena.peak;
    if (o.status == M5_CLEAN)
        harness_check_clean(&f.model);
    m5_lint_model(&f);
    o.lint_peak = f.arena.peak;
    o.errors = f.report.errors;
    o.warnings = f.report.warnings;
    o.notes = f.report.notes;
    free(memory);
    return o;
}

/* Lints in an arena that is far too large, so that the peak shows how much is needed; then in one
 * of exactly the promised size, in which no check may be skipped because of memory. */
static void check_memory(const m5_format *format, const file *f, const char *name)
{
    size_t parse = m5_parse_memory(f->size), lint = m5_lint_memory(f->size, 0);
    outcome wide = run(format, f->bytes, f->size, 65536 + 200 * f->size);
    double n = f->size != 0 ? (double)f->size : 1;
    ck_assert_msg(wide.status != M5_NO_MEMORY && wide.parse_peak <= parse,
                  "%s, %zu bytes as %s: parsing took %zu, %.2f times the input", name, f->size,
                  format->name, wide.parse_peak, (double)wide.parse_peak / n);
    ck_assert_msg(wide.lint_peak <= lint,
                  "%s, %zu bytes as %s: linting took %zu, %.2f times the input", name, f->size,
                  format->name, wide.lint_peak, (double)wide.lint_peak / n);
    outcome tight = run(format, f->bytes, f->size, lint);
    ck_assert_msg(wide.status == tight.status && wide.errors == tight.errors &&
                      wide.warnings == tight.warnings && wide.notes == tight.notes,
                  "%s, %zu bytes: less was found in less memory", name, f->size);
}

static const size_t sizes[] = {300000, 60000, 3000, 400, 150, 60, 1, 0};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* `SUITE NAME SIZE` writes a file; `SUITE names` lists the names, each with its format as an
 * extension. */
static int write_shape(const shape *shapes, int count, const char *name, const char *size)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(name, "names") == 0)
            printf("%s.%s\n", shapes[i].name, shapes[i].format);
        if (strcmp(name, shapes[i].name) != 0 || size == NULL)
            continue;
        file f = {.target = strtoul(size, NULL, 10)};
        shapes[i].make(&f);
        fwrite(f.bytes, 1, f.size, stdout);
        free(f.bytes);
    }
    return 0;
}

/* ---- The suite ------------------------------------------------------------------------------- */

static const shape *suite_shapes;

START_TEST(memory_is_bounded)
{
    const shape *s = &suite_shapes[_i];
    for (size_t i = 0; i < SIZES; i++) {
        file f = {.target = sizes[i]};
        s->make(&f);
        check_memory(format_named(s->format), &f, s->name);
        free(f.bytes);
    }
}
END_TEST

/* The main function of a suite; `more` adds its own tests, and may be NULL. */
static int run_shapes(const char *name, const shape *shapes, int count, void (*more)(TCase *t),
                      int argc, char **argv)
{
    if (argc > 1)
        return write_shape(shapes, count, argv[1], argc > 2 ? argv[2] : NULL);
    turn_all_on();
    suite_shapes = shapes;
    Suite *suite = suite_create(name);
    TCase *t = tcase_create("memory");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, memory_is_bounded, 0, count);
    if (more != NULL)
        more(t);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

#endif
