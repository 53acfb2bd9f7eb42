/* Tests targets: outcomes of findings and limits, severities, and that levels do not change
 * outcomes. */
#include "support.h"
#include "lint/report/outcomes.h"
#include "lint/targets/targets.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file of the corpus, linted for all targets with the given levels; NULL: the rules' own. */
typedef struct asked {
    m5_lint_file file;
    m5_settings settings;
    void *bytes, *memory;
    uint64_t errors;
} asked;

static asked *ask(const char *path, const m5_levels *levels)
{
    size_t size = 0;
    asked *a = calloc(1, sizeof *a);
    ck_assert_ptr_nonnull(a);
    a->bytes = read_file(path, &size);
    ck_assert_ptr_nonnull(a->bytes);
    a->settings = (m5_settings){.levels = levels, .targets = (1u << M5_TARGETS) - 1};
    size_t memory = m5_lint_memory(size, 0);
    a->memory = malloc(memory);
    m5_lint_input in = {.source = {path, a->bytes, (uint32_t)size},
                        .settings = &a->settings,
                        .memory = a->memory,
                        .size = memory};
    ck_assert_int_ne(m5_lint_bytes(&a->file, &in), M5_NO_MEMORY);
    ck_assert_ptr_nonnull(a->file.targets);
    return a;
}

static void done(asked *a)
{
    m5_arena_end(&a->file.arena);
    free(a->memory);
    free(a->bytes);
    free(a);
}

static m5_outcome outcome(const asked *a, int target)
{
    return a->file.targets->decisions[target].outcome;
}

#define ROOTS "corpus/md5anim/md5anim-multiple-roots/md5anim-multiple-roots.bad.three.md5anim"

START_TEST(a_finding_decides)
{
    asked *a = ask(ROOTS, NULL);
    ck_assert_int_eq(outcome(a, M5_TARGET_dhewm3), M5_REFUSES);
    ck_assert_int_eq(outcome(a, M5_TARGET_rbdoom3bfg), M5_REFUSES); /* as dhewm3 */
    ck_assert_int_eq(outcome(a, M5_TARGET_redeclipse), M5_LOADS);
    const m5_decision *d = &a->file.targets->decisions[M5_TARGET_dhewm3];
    ck_assert_str_eq(d->rule->id, "md5anim-multiple-roots");
    ck_assert_uint_eq(a->file.report.errors, 1); /* a warning by its own level */
    done(a);
}
END_TEST

START_TEST(levels_do_not_change_outcomes)
{
    static const m5_levels off = M5_IS_OFF;
    m5_levels levels[M5_RULES];
    for (unsigned i = 0; i < M5_RULES; i++)
        levels[i] = off;
    asked *a = ask(ROOTS, levels), *b = ask(ROOTS, NULL);
    for (int i = 0; i < M5_TARGETS; i++)
        ck_assert_int_eq(outcome(a, i), outcome(b, i));
    ck_assert_uint_eq(a->file.report.errors, 0);
    done(a);
    done(b);
}
END_TEST

START_TEST(a_limit_decides)
{
    asked *a = ask("corpus/md5mesh/md5mesh-verts-limit/md5mesh-verts-limit.ok.md5mesh", NULL);
    const m5_decision *d = &a->file.targets->decisions[M5_TARGET_q2pro];
    ck_assert_int_eq(d->outcome, M5_REFUSES);
    ck_assert(d->rule == NULL && d->limit->measure == M5_MEASURE_verts && d->measured == 10000);
    ck_assert_int_eq(outcome(a, M5_TARGET_dhewm3), M5_LOADS);
    done(a);
}
END_TEST

/* A startIndex that no joint uses: silent, but refused by Doom 3, and by others if it is farther
 * out. */
START_TEST(an_index_is_on_the_edge_near_or_far)
{
#define STATIC "corpus/md5anim/md5anim-start-index-static/md5anim-start-index-static."
    asked *edge = ask(STATIC "ok.running-sum.md5anim", NULL),
          *far = ask(STATIC "bad.far.md5anim", NULL);
    ck_assert_int_eq(outcome(edge, M5_TARGET_dhewm3), M5_REFUSES);
    ck_assert_int_eq(outcome(edge, M5_TARGET_vkquake), M5_LOADS);
    ck_assert_int_eq(outcome(far, M5_TARGET_ironwail), M5_REFUSES);
    asked *none = ask("corpus/md5anim/md5anim-static/md5anim-static.bad.start-index.md5anim", NULL);
    ck_assert_int_eq(outcome(none, M5_TARGET_q2pro), M5_REFUSES);
    done(none);
    done(edge);
    done(far);
}
END_TEST

/* The first copy of a file that is there twice: whole, without a line's end, or cut. */
START_TEST(a_copy_is_whole_or_cut)
{
#define REPEATED "corpus/md5/md5-file-repeated/md5-file-repeated.bad."
    asked *whole = ask(REPEATED "md5anim", NULL), *cut = ask(REPEATED "first-cut.md5anim", NULL);
    asked *glued = ask(REPEATED "no-line-end.md5anim", NULL);
    ck_assert_int_eq(outcome(whole, M5_TARGET_q2pro), M5_LOADS);
    ck_assert_int_eq(outcome(glued, M5_TARGET_q2pro), M5_REFUSES);
    ck_assert_int_eq(outcome(cut, M5_TARGET_dhewm3), M5_REFUSES);
    done(whole);
    done(cut);
    done(glued);
}
END_TEST

START_TEST(targets_have_names)
{
    ck_assert_uint_eq(m5_targets_by_name("cube2", 5), 1u << M5_TARGET_redeclipse);
    ck_assert_uint_eq(m5_targets_by_name("fte,", 3), 1u << M5_TARGET_fte);
    ck_assert_uint_eq(m5_targets_by_name("all", 3), (1u << M5_TARGETS) - 1);
    ck_assert_uint_eq(m5_targets_by_name("quake", 5), 0);
    ck_assert_uint_eq(m5_targets_by_name("", 0), 0);
    ck_assert_str_eq(m5_outcome_name(M5_CRASHES), "crashes");
    ck_assert_str_eq(m5_tag_name(M5_TAG_at_end), "at-end");
}
END_TEST

/* Each row has its evidence; each target a name, a date and what it needs. */
START_TEST(rows_are_whole)
{
    for (size_t i = 0; i < M5_VERDICTS; i++)
        ck_assert(m5_verdicts[i].evidence[0] != '\0' && m5_verdicts[i].rule < M5_RULES);
    for (size_t i = 0; i < m5_num_limits; i++)
        ck_assert(m5_limits[i].evidence[0] != '\0' &&
                  m5_measure_name(m5_limits[i].measure)[0] != '\0');
    for (int i = 0; i < M5_TARGETS; i++)
        ck_assert(strlen(m5_targets[i].date) == 10 && m5_targets[i].needs[0] != '\0' &&
                  m5_targets[i].what[0] != '\0');
}
END_TEST

enum { TEXT = 1 << 16 }; /* room for the text on all targets */

static void put(void *user, const void *bytes, size_t count)
{
    char *all = user;
    ck_assert_uint_lt(strlen(all) + count, TEXT);
    strncat(all, bytes, count);
}

static bool is_marked(const char *today)
{
    static char all[TEXT];
    char reading[64];
    all[0] = '\0';
    m5_list_targets(&(m5_writer){put, all}, today);
    snprintf(reading, sizeof reading, " of %s, over a year old", m5_targets[0].date);
    return strstr(all, reading) != NULL;
}

/* A reading is marked from a year after its day on. */
START_TEST(old_readings_are_marked)
{
    char day[32];
    snprintf(day, sizeof day, "%04d%s", atoi(m5_targets[0].date) + 1, m5_targets[0].date + 4);
    ck_assert(is_marked(day));
    day[9]++; /* or a character after 9, which comes later, too */
    ck_assert(is_marked(day));
    day[9] -= 2;
    ck_assert(!is_marked(day));
    snprintf(day, sizeof day, "%04d-01-01", atoi(m5_targets[0].date) + 2);
    ck_assert(is_marked(day));
    ck_assert(!is_marked(m5_targets[0].date));
}
END_TEST

static int count_rows(const m5_rule *rule, int target)
{
    int count = 0;
    for (size_t i = 0; i < M5_VERDICTS; i++)
        count += m5_verdicts[i].rule == rule->number && m5_verdicts[i].target == target;
    return count;
}

/* --explain has a line for each row of a target, or of the one that it is like. */
START_TEST(all_that_is_known_of_a_rule_is_explained)
{
    static char all[TEXT];
    const m5_rule *rule = m5_rule_at((unsigned)_i);
    all[0] = '\0';
    m5_explain_targets(&(m5_writer){put, all}, rule, false);
    for (int i = 0; i < M5_TARGETS && strstr(all, "\n  all load") == NULL && *all != '\0'; i++) {
        char begin[64];
        int own = count_rows(rule, i), lines = 0;
        snprintf(begin, sizeof begin, "\n  %s ", m5_targets[i].name);
        for (const char *p = all; (p = strstr(p, begin)) != NULL; p++)
            lines++;
        ck_assert_msg(lines == (own != 0 ? own : count_rows(rule, m5_targets[i].like)),
                      "%s: %d lines of %s", rule->id, lines, m5_targets[i].name);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("targets");
    TCase *all = tcase_create("targets");
    tcase_add_test(all, a_finding_decides);
    tcase_add_test(all, levels_do_not_change_outcomes);
    tcase_add_test(all, a_limit_decides);
    tcase_add_test(all, an_index_is_on_the_edge_near_or_far);
    tcase_add_test(all, a_copy_is_whole_or_cut);
    tcase_add_test(all, targets_have_names);
    tcase_add_test(all, old_readings_are_marked);
    tcase_add_test(all, rows_are_whole);
    tcase_add_loop_test(all, all_that_is_known_of_a_rule_is_explained, 0, M5_RULES);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
