/* Tests that levels and limits only decide what is shown: whatever a user chooses for some rules,
 * the others find the same. Each case of the corpus is linted with levels that are drawn for all
 * rules at once, others for each SEED in the environment. */
#include "cases.h"
#include "fuzz/harness/other_levels.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static char *cases[MAX_CASES];
static uint64_t seed = 1;
static unsigned silent; /* findings */

/* What is chosen for each rule; OTHER_LEVELS: nothing. */
typedef struct choice {
    unsigned how[M5_RULES];
    bool no_notes;
    m5_levels levels[M5_RULES];
} choice;

static unsigned draw(uint64_t *state, unsigned below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33) % below;
}

/* Without limits, all that is chosen is what each finding is shown as. */
static choice draw_choice(uint64_t state, bool limits)
{
    choice c = {.no_notes = false};
    for (unsigned i = 0; i < M5_RULES; i++) {
        unsigned how = draw(&state, OTHER_LEVELS + 1);
        bool measures = how == OTHER_LOWER || how == OTHER_HIGHER;
        c.how[i] = measures && !limits ? OTHER_OFF : how;
        c.levels[i] = c.how[i] == OTHER_LEVELS ? all_rules()[i]
                                               : other_levels(m5_rule_at(i), c.how[i]);
    }
    return c;
}

/* Whether a rule is expected to find the same. */
static bool is_same(unsigned how)
{
    return how == OTHER_LEVELS || (how > OTHER_OFF && how < OTHER_LOWER);
}

/* Leaves out the findings of rules that are off or have other limits. With a lower limit, a comment
 * that names the rule may be of use. */
static void leave_out(linted *l, const choice *c)
{
    for (m5_finding *f = l->found.first; f != NULL; f = f->next)
        f->folded = !is_same(c->how[f->diag.rule->number]) ||
                    f->diag.rule->number == M5_RULE_ignore_unused ||
                    (c->no_notes && f->diag.severity == M5_NOTE);
}

/* Shows what was found with every rule on as chosen. */
static void show_as(linted *l, const choice *c)
{
    for (m5_finding *f = l->found.first; f != NULL; f = f->next)
        if (c->how[f->diag.rule->number] != OTHER_LEVELS)
            f->diag.severity = (m5_severity)c->how[f->diag.rule->number];
}

static void check_file(const char *path, linted *usual, linted *chosen, const choice *c)
{
    leave_out(usual, c);
    leave_out(chosen, c);
    show_as(usual, c);
    char *expected = describe(usual, "", true), *found = describe(chosen, "", true);
    bool same = strcmp(expected, found) == 0 && usual->file.status == chosen->file.status &&
                usual->file.report.flaws == chosen->file.report.flaws;
    if (!same)
        ck_abort_msg("%s\nexpected:\n%.1500sfound:\n%.1500s", path, expected, found);
    free(expected);
    free(found);
}

static void check_case(const char *path, const choice *c)
{
    text_file files[MAX_FILES];
    linted *usual[MAX_FILES], *chosen[MAX_FILES];
    size_t count = read_case(path, files);
    lint_files_at(files, count, &(m5_settings){.levels = all_rules()}, usual);
    lint_files_at(files, count, &(m5_settings){.levels = c->levels}, chosen);
    for (size_t i = 0; i < count; i++)
        check_file(files[i].name, usual[i], chosen[i], c);
    for (size_t i = 0; i < count; i++) {
        free_linted(usual[i]);
        free_linted(chosen[i]);
    }
    free_case(files, count);
}

START_TEST(levels_change_only_what_findings_are_shown_as)
{
    choice c = draw_choice(seed * MAX_CASES + (uint64_t)_i, false);
    check_case(cases[_i], &c);
}
END_TEST

START_TEST(limits_of_a_rule_change_nothing_about_others)
{
    choice c = draw_choice(seed * MAX_CASES + (uint64_t)_i, true);
    check_case(cases[_i], &c);
}
END_TEST

/* The program's defaults: rules that are off by default, and notes. */
START_TEST(what_is_hidden_by_default_changes_nothing_about_the_rest)
{
    choice c = {.no_notes = true};
    for (unsigned i = 0; i < M5_RULES; i++) {
        c.levels[i] = m5_rule_at(i)->levels;
        c.levels[i].note = M5_NEVER;
        c.how[i] = OTHER_LEVELS;
    }
    check_case(cases[_i], &c);
}
END_TEST

/* A lower limit alone makes a parser report something, but it searches for nothing else: two bones
 * have names that look like a mark of a merge conflict. */
START_TEST(a_lower_limit_reports_nothing_else)
{
    static const char text[] = "ILLSKEL0\n2\n1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n"
                               "1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n-1\n0\n<<<<<<< HEAD\n";
    text_file file = {"x.illskel", text, sizeof text - 1};
    m5_levels levels[M5_RULES];
    linted *l;
    memcpy(levels, all_rules(), sizeof levels);
    levels[M5_ROW(illskel_bone_count)->number] = (m5_levels){0, M5_NEVER, M5_NEVER};
    lint_files_at(&file, 1, &(m5_settings){.levels = levels}, &l);
    char *found = describe(l, "", false);
    ck_assert_str_eq(found, "2:1 note illskel-bone-count\n");
    ck_assert_uint_eq(l->file.report.found, 0);
    ck_assert_int_eq(l->file.status, M5_CLEAN);
    free(found);
    free_linted(l);
}
END_TEST

static void count_silent(void *user, const m5_diag *diag)
{
    (void)user;
    silent += diag->rule->number == M5_ROW(md5_control_blank)->number;
}

/* A note of a rule that is off goes to m5_settings.silent, where there is one, and counts nowhere.
 */
START_TEST(notes_that_are_not_reported_are_given_to_silent)
{
    static const char text[] =
        "MD5Version\f10\ncommandline \"\"\nnumJoints 1\nnumMeshes 0\njoints {\n"
        "\t\"a\" -1 ( 0 0 0 ) ( 0 0 0 )\n}\n";
    linted *l = lint_string("x.md5mesh", text);
    m5_settings settings = l->settings;
    m5_levels levels[M5_RULES];
    uint64_t notes[2];
    memcpy(levels, all_rules(), sizeof levels);
    settings.levels = levels;
    settings.silent = count_silent;
    l->input.settings = &settings;
    ck_assert_uint_eq(count_of(l, "md5-control-blank"), 1);
    for (unsigned off = 0; off < 2; off++) {
        silent = 0;
        if (off)
            levels[M5_ROW(md5_control_blank)->number] = (m5_levels)M5_IS_OFF;
        m5_collector_init(&l->found, &l->file.arena, 0); /* what it had is in the arena */
        m5_lint_bytes(&l->file, &l->input);
        ck_assert_uint_eq(silent, off);
        notes[off] = l->file.report.notes;
    }
    ck_assert_uint_eq(notes[1], notes[0] - 1);
    free_linted(l);
}
END_TEST

int main(void)
{
    int count = find_cases("corpus", cases);
    if (getenv("SEED") != NULL)
        seed = strtoull(getenv("SEED"), NULL, 10);
    Suite *suite = suite_create("levels");
    TCase *all = tcase_create("corpus");
    tcase_set_timeout(all, 60);
    tcase_add_loop_test(all, levels_change_only_what_findings_are_shown_as, 0, count);
    tcase_add_loop_test(all, limits_of_a_rule_change_nothing_about_others, 0, count);
    tcase_add_loop_test(all, what_is_hidden_by_default_changes_nothing_about_the_rest, 0, count);
    tcase_add_test(all, a_lower_limit_reports_nothing_else);
    tcase_add_test(all, notes_that_are_not_reported_are_given_to_silent);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    for (int i = 0; i < count; i++)
        free(cases[i]);
    return failed != 0;
}
