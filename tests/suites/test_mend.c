/* Tests for making fixes in memory, with linters that are never satisfied. */
#include "support.h"
#include "lint/app/jobs/mend.h"
#include "lint/fix/numbers.h"

#include <check.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "\xef\xbb\xbfMD5Version 10\ncommandline \"\"\nnumJoints 2\nnumMeshes 0\n"
                           "joints {\n\t\"origin\"\t-1 ( 0 0 0 ) ( 0 0 0 )\n}\n";

typedef struct trial {
    linted *l;
    int lints, fails_from;
    bool improves; /* all findings are gone at the first attempt */
    m5_collector none;
} trial;

static m5_linted lint(void *user, m5_bytes bytes)
{
    trial *t = user;
    (void)bytes;
    t->lints++;
    bool failed = t->fails_from != 0 && t->lints >= t->fails_from;
    return (m5_linted){&t->l->file, t->improves ? &t->none : &t->l->found, failed};
}

static m5_fix_input input(void *user, m5_arena *arena)
{
    trial *t = user;
    (void)arena;
    return (m5_fix_input){.file = &t->l->file};
}

static m5_mend begin(trial *t)
{
    t->l = lint_string("imp.md5mesh", text);
    return (m5_mend){.lint = lint,
                     .input = input,
                     .user = t,
                     .now = {&t->l->file, &t->l->found, false},
                     .bytes = {.bytes = t->l->file.source.bytes, .size = t->l->file.source.size}};
}

START_TEST(what_does_not_improve_a_file_is_not_made)
{
    trial t = {0};
    m5_mend m = begin(&t);
    bool any = false;
    ck_assert(m5_mend_has_fixes(&m, &any) && any);
    ck_assert_int_eq(m5_mend_all(&m), M5_MEND_DONE);
    ck_assert_ptr_eq(m.bytes.bytes, t.l->file.source.bytes);
    ck_assert_uint_eq(m.fixed, 0);
    ck_assert_uint_eq(m.num_not_made, 2);
    ck_assert_str_eq(m.not_made->id, "md5-utf8-bom");
    ck_assert_uint_eq(m.not_made_at, 0);
    ck_assert_int_eq(t.lints, 6); /* both, each, and back every time */
    free_linted(t.l);
}
END_TEST

START_TEST(what_cannot_be_linted_is_taken_back)
{
    trial t = {.fails_from = 1};
    m5_mend m = begin(&t);
    ck_assert_int_eq(m5_mend_all(&m), M5_MEND_NO_MEMORY);
    ck_assert_ptr_eq(m.bytes.bytes, t.l->file.source.bytes);
    ck_assert_uint_eq(m.fixed, 0);
    free_linted(t.l);
}
END_TEST

START_TEST(what_improves_a_file_stays)
{
    static const char begins[] = "MD5Version 10\ncommandline \"\"\nnumJoints 1\n";
    trial t = {.improves = true};
    m5_mend m = begin(&t);
    ck_assert_int_eq(m5_mend_all(&m), M5_MEND_DONE);
    ck_assert_uint_eq(m.fixed, 2);
    ck_assert_uint_eq(m.num_not_made, 0);
    ck_assert_uint_eq(m.bytes.size, sizeof text - 1 - 3);
    ck_assert_int_eq(memcmp(m.bytes.bytes, begins, sizeof begins - 1), 0);
    m5_bytes_free(&m.bytes);
    free_linted(t.l);
}
END_TEST

/* The nearest float, from below, from above; values that are floats stay. */
START_TEST(floats_are_on_the_wanted_side)
{
    static const double tiny = 1e-60;
    ck_assert_float_eq(m5_fix_float(tiny, M5_ROUND_NEAREST), 0);
    ck_assert_float_eq(m5_fix_float(tiny, M5_ROUND_UP), FLT_MIN);
    ck_assert_float_eq(m5_fix_float(-tiny, M5_ROUND_DOWN), -FLT_MIN);
    ck_assert_float_eq(m5_fix_float(tiny, M5_ROUND_DOWN), 0);
    for (int sign = -1; sign <= 1; sign += 2) {
        double value = sign * 0.1, exact = sign * 0.5;
        float below = m5_fix_float(value, M5_ROUND_DOWN), above = m5_fix_float(value, M5_ROUND_UP);
        ck_assert((double)below < value && value < (double)above);
        ck_assert((double)above - (double)below < 1e-8);
        ck_assert((double)m5_fix_float(exact, M5_ROUND_DOWN) == exact);
        ck_assert((double)m5_fix_float(exact, M5_ROUND_UP) == exact);
    }
}
END_TEST

/* What a number is replaced by: NULL if there is no fix, "" if it stays. */
START_TEST(numbers_are_written_in_decimals)
{
    static const struct {
        const char *old;
        double value;
        unsigned decimals;
        m5_fix_rounding rounding;
        const char *wanted;
    } rows[] = {
        {"1.5", 1.5, 3, M5_ROUND_NEAREST, ""},
        {"3", 2.25, 6, M5_ROUND_NEAREST, "2.25"},
        {"2.5000", 3, 6, M5_ROUND_NEAREST, "3.0000"},
        {"2.5000", 3, 2, M5_ROUND_NEAREST, "3.00"},
        {"1e2", 3, 2, M5_ROUND_NEAREST, "3.00"},
        {"-2.50", -2, 2, M5_ROUND_NEAREST, "-2.00"},
        {"1.00", -0.004, 2, M5_ROUND_NEAREST, "0.00"},
        {"1.00", -0.005, 2, M5_ROUND_DOWN, "-0.01"},
        {"1.00", 0.001, 2, M5_ROUND_UP, "0.01"},
        {"1.00", 1.999, 2, M5_ROUND_TO_ZERO, "1.99"},
        {"1.00", -1.999, 2, M5_ROUND_TO_ZERO, "-1.99"},
        {"1", 0.123456789123, 12, M5_ROUND_NEAREST, "0.123456789"},
        {"1.000000000", 1e6, 9, M5_ROUND_NEAREST, "1000000.00000000"},
        {"1.000000000", 999999, 9, M5_ROUND_NEAREST, "999999.000000000"},
        {"1", 999999999999999, 9, M5_ROUND_NEAREST, "999999999999999"},
        {"1", -999999999999999, 9, M5_ROUND_NEAREST, "-999999999999999"},
        {"1", 1e15, 0, M5_ROUND_NEAREST, NULL},
        {"1", -1e15, 0, M5_ROUND_NEAREST, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        m5_lint_file f = {
            .source = {"number", (const uint8_t *)rows[i].old, (uint32_t)strlen(rows[i].old)}};
        _Alignas(16) uint8_t memory[1024];
        m5_arena arena;
        m5_arena_init(&arena, memory, sizeof memory);
        m5_fixing x = {.f = &f, .arena = &arena};
        m5_span all = {0, f.source.size};
        m5_fix_number(&x, all, rows[i].value, rows[i].decimals, rows[i].rounding);
        ck_assert_msg(x.failed == (rows[i].wanted == NULL), "row %zu failed", i);
        const char *wanted = rows[i].wanted == NULL ? "" : rows[i].wanted;
        ck_assert_msg(x.count == (*wanted != '\0'), "row %zu has %u edits", i, x.count);
        if (x.count == 0)
            continue;
        ck_assert_msg(x.edits->length == strlen(wanted) &&
                          memcmp(x.edits->text, wanted, x.edits->length) == 0,
                      "row %zu: %.*s, wanted %s", i, (int)x.edits->length, x.edits->text, wanted);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mend");
    TCase *t = tcase_create("mend");
    tcase_add_test(t, floats_are_on_the_wanted_side);
    tcase_add_test(t, numbers_are_written_in_decimals);
    tcase_add_test(t, what_does_not_improve_a_file_is_not_made);
    tcase_add_test(t, what_cannot_be_linted_is_taken_back);
    tcase_add_test(t, what_improves_a_file_stays);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
