/* Tests that every case of the corpus reports exactly what its .expect file lists. The folder is
 * the index: all cases in it are run, and a file that belongs to no case fails. */
#define _XOPEN_SOURCE 700

#include "cases.h"
#include "support.h"
#include "lint/fix/fix.h"
#include "tests/assemble/assemble.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_FAMILIES = 64 };

static char *cases[MAX_CASES];
static int num_cases;

/* ---- One case -------------------------------------------------------------------------------- */

/* The rule that a case is named for; false for whole and crash cases. */
static bool rule_of(const char *path, char *id, size_t size)
{
    const char *name = strrchr(path, '/') + 1;
    size_t n = strcspn(name, ".");
    snprintf(id, size, "%.*s", (int)n, name);
    return strcmp(id, "whole") != 0 && strcmp(id, "crash") != 0;
}

/* `bad`, `ok` ...: the word after the first dot. */
static bool is_kind(const char *path, const char *kind)
{
    const char *dot = strchr(strrchr(path, '/'), '.');
    size_t n = strlen(kind);
    return dot != NULL && strncmp(dot + 1, kind, n) == 0 &&
           (dot[n + 1] == '.' || dot[n + 1] == '\0');
}

/* Lints all files of a case as on one command line and describes the findings in full. */
static char *run_case(const char *path, bool plain)
{
    char id[128], prefix[MAX_PATH] = "";
    linted *all[MAX_FILES];
    text_file files[MAX_FILES];
    size_t n = read_case(path, files);
    lint_files(files, n, rule_of(path, id, sizeof id) ? id : NULL, plain, all);
    char *result = calloc(1, 1);
    for (size_t i = 0; i < n; i++) {
        if (is_folder(path))
            snprintf(prefix, sizeof prefix, "%s ", strrchr(files[i].name, '/') + 1);
        char *text = describe(all[i], prefix, true);
        result = realloc(result, strlen(result) + strlen(text) + 1);
        strcat(result, text);
        free(text);
    }
    for (size_t i = 0; i < n; i++)
        free_linted(all[i]);
    free_case(files, n);
    return result;
}

/* `x.md5mesh.expect` beside a file, `expect` in a folder; nothing is expected without it. */
static void name_expectation(const char *path, char name[MAX_PATH])
{
    snprintf(name, MAX_PATH, is_folder(path) ? "%s/expect" : "%s.expect", path);
}

static char *read_expectation(const char *path)
{
    char name[MAX_PATH];
    size_t size;
    name_expectation(path, name);
    char *text = read_file(name, &size);
    return text != NULL ? text : calloc(1, 1);
}

START_TEST(case_reports_the_expected_findings)
{
    const char *path = cases[_i];
    char *expected = read_expectation(path), *found = run_case(path, false);
    if (strcmp(found, expected) != 0)
        ck_abort_msg("%s\nexpected:\n%.1500sfound:\n%.1500s", path, expected,
                     found); /* Check takes 4 KiB */
    free(expected);
    free(found);
}
END_TEST

/* Writes the findings into the .expect file. */
static void bless(const char *path)
{
    char name[MAX_PATH], *expected = read_expectation(path), *found = run_case(path, false);
    name_expectation(path, name);
    if (*found == '\0') {
        remove(name);
    } else if (strcmp(found, expected) != 0) {
        FILE *out = fopen(name, "w");
        if (out == NULL || fputs(found, out) < 0 || fclose(out) != 0) {
            fprintf(stderr, "%s cannot be written\n", name);
            exit(2);
        }
    }
    free(expected);
    free(found);
}

/* A file that is in no group is judged like one in a group of its own; but which models of a .def
 * are used is only known of a group. */
START_TEST(alone_the_same_is_found)
{
    const char *path = cases[_i];
    char id[128];
    text_file files[MAX_FILES];
    size_t n = read_case(path, files);
    if (n == 1 && !is_folder(path) && strcmp(strrchr(path, '.'), ".def") != 0) {
        linted *l = lint_bytes(files[0].name, files[0].bytes, files[0].size,
                               rule_of(path, id, sizeof id) ? id : NULL, false);
        char *alone = describe(l, "", true), *grouped = run_case(path, false);
        ck_assert_str_eq(alone, grouped);
        free(alone);
        free(grouped);
        free_linted(l);
    }
    free_case(files, n);
}
END_TEST

START_TEST(slow_readers_report_the_same_findings)
{
    char *fast = run_case(cases[_i], false), *slow = run_case(cases[_i], true);
    ck_assert_str_eq(fast, slow);
    free(fast);
    free(slow);
}
END_TEST

START_TEST(bad_case_reports_its_rule_and_ok_case_does_not)
{
    const char *path = cases[_i];
    char id[128], *found = run_case(path, false);
    if (rule_of(path, id, sizeof id)) {
        ck_assert_msg(m5_rule_by_id(id) != NULL, "%s: unknown rule", path);
        char word[140];
        snprintf(word, sizeof word, " %s: ", id);
        ck_assert_msg(is_kind(path, "bad") || is_kind(path, "ok"), "%s: neither bad nor ok", path);
        ck_assert_msg(is_kind(path, "bad") == (strstr(found, word) != NULL), "%s: found\n%s", path,
                      found);
    } else if (is_kind(path, "ok") || strncmp(strrchr(path, '/') + 1, "whole", 5) == 0) {
        ck_assert_msg(*found == '\0', "%s: found\n%s", path, found);
    }
    free(found);
}
END_TEST

/* A binary has its source beside it, and is what the source assembles to. */
START_TEST(binary_matches_its_source)
{
    const char *path = cases[_i];
    const m5_format *format = m5_format_by_name(path);
    if (is_folder(path) || format->text)
        return;
    char source[MAX_PATH + 8], error[ASSEMBLE_ERROR];
    size_t size, wanted_size;
    snprintf(source, sizeof source, "%s.source", path);
    uint8_t *wanted = assemble_file(source, &wanted_size, error);
    ck_assert_msg(wanted != NULL, "%s:%s", source, error);
    void *bytes = read_file(path, &size);
    ck_assert_msg(bytes != NULL && size == wanted_size && memcmp(bytes, wanted, size) == 0,
                  "%s differs from what its source assembles to", path);
    free(wanted);
    free(bytes);
}
END_TEST

/* ---- The folder as a whole ------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static bool family_fits(const char *folder, const char *id)
{
    size_t n = strlen(folder);
    return strncmp(folder, id, n) == 0 && id[n] == '-';
}

static const char *last_of(const char *path)
{
    return strrchr(path, '/') + 1;
}

static void check_belongs(const char *path)
{
    char owner[MAX_PATH];
    struct stat status;
    snprintf(owner, sizeof owner, "%s", path);
    if (is_case(path))
        return;
    ck_assert_msg(ends_with(path, ".expect") || ends_with(path, ".source") ||
                      ends_with(path, ".fixed"),
                  "%s belongs to nothing", path);
    *strrchr(owner, '.') = '\0';
    ck_assert_msg(stat(owner, &status) == 0, "%s belongs to nothing", path);
}

/* Whether a folder is corpus/<family>/<rule>, where the family is the first word of the rule id; or
 * whole, or crash. */
static void check_rule_folder(const char *family, const char *folder)
{
    char *entries[MAX_ENTRIES];
    const char *name = last_of(folder);
    bool rule = strcmp(name, "whole") != 0 && strcmp(name, "crash") != 0;
    int n = list_folder(folder, entries, MAX_ENTRIES);
    ck_assert_msg(n > 0, "%s is empty", folder);
    ck_assert_msg(!rule || family_fits(last_of(family), name), "%s is in the wrong family", folder);
    for (int i = 0; i < n; i++) {
        const char *entry = last_of(entries[i]);
        check_belongs(entries[i]);
        ck_assert_msg(strcspn(entry, ".") == strlen(name) &&
                          strncmp(entry, name, strlen(name)) == 0,
                      "%s is in the wrong folder", entries[i]);
        free(entries[i]);
    }
}

START_TEST(every_file_belongs_to_a_case)
{
    char *families[MAX_FAMILIES];
    int n = list_folder("corpus", families, MAX_FAMILIES);
    for (int i = 0; i < n; i++) {
        char *folders[MAX_ENTRIES];
        int m = 0;
        if (is_folder(families[i]))
            m = list_folder(families[i], folders, MAX_ENTRIES);
        else
            ck_assert_msg(ends_with(families[i], "README.md"), "%s belongs to no case",
                          families[i]);
        for (int k = 0; k < m; k++) {
            ck_assert_msg(is_folder(folders[k]), "%s belongs to no case", folders[k]);
            check_rule_folder(families[i], folders[k]);
            free(folders[k]);
        }
        free(families[i]);
    }
}
END_TEST

static bool has_case(const char *id, const char *kind)
{
    char other[128];
    for (int i = 0; i < num_cases; i++)
        if (rule_of(cases[i], other, sizeof other) && strcmp(other, id) == 0 &&
            is_kind(cases[i], kind))
            return true;
    return false;
}

START_TEST(every_rule_has_a_bad_and_an_ok_case)
{
    const char *id = m5_rule_at((unsigned)_i)->id;
    ck_assert_msg(has_case(id, "bad"), "%s has no bad case", id);
    ck_assert_msg(has_case(id, "ok"), "%s has no ok case", id);
}
END_TEST

/* Whether a case has its fixed file beside it, or in it. */
static bool is_fixed(const char *path)
{
    char name[MAX_PATH + 8], *entries[MAX_FILES];
    struct stat status;
    snprintf(name, sizeof name, "%s.fixed", path);
    bool fixed = stat(name, &status) == 0;
    int n = is_folder(path) ? list_folder(path, entries, MAX_FILES) : 0;
    for (int i = 0; i < n; i++) {
        fixed |= ends_with(entries[i], ".fixed");
        free(entries[i]);
    }
    return fixed;
}

START_TEST(every_fix_has_a_case)
{
    const m5_rule *rule = m5_rule_at((unsigned)_i);
    char id[128];
    bool any = false;
    for (int i = 0; i < num_cases && !any; i++)
        any = rule_of(cases[i], id, sizeof id) && strcmp(id, rule->id) == 0 && is_fixed(cases[i]);
    ck_assert_msg(any == (m5_fix_kind_of(rule) != M5_FIX_NONE), "%s: a fix, or no .fixed case",
                  rule->id);
}
END_TEST

/* The first case after this one in another folder of the corpus; copies that folder's name. */
static int family_end(int begin, char *name, size_t size)
{
    const char *family = cases[begin] + strlen("corpus/");
    int end = begin, n = (int)strcspn(family, "/");
    snprintf(name, size, "%.*s", n, family);
    while (end < num_cases && strncmp(cases[end] + strlen("corpus/"), family, (size_t)n + 1) == 0)
        end++;
    return end;
}

/* Each family can be run alone: CK_RUN_CASE=md4 build/test_corpus */
static void add_families(Suite *suite)
{
    static char names[MAX_FAMILIES][32];
    int begin = 0;
    for (int i = 0, end; i < MAX_FAMILIES && begin < num_cases; i++, begin = end) {
        end = family_end(begin, names[i], sizeof names[i]);
        TCase *family = tcase_create(names[i]);
        tcase_set_timeout(family, 60);
        tcase_add_loop_test(family, case_reports_the_expected_findings, begin, end);
        tcase_add_loop_test(family, alone_the_same_is_found, begin, end);
        tcase_add_loop_test(family, slow_readers_report_the_same_findings, begin, end);
        tcase_add_loop_test(family, bad_case_reports_its_rule_and_ok_case_does_not, begin, end);
        tcase_add_loop_test(family, binary_matches_its_source, begin, end);
        suite_add_tcase(suite, family);
    }
    if (begin != num_cases)
        exit(2);
}

/* With --bless (make bless), expectations are written instead of compared. */
int main(int argc, char **argv)
{
    num_cases = find_cases("corpus", cases);
    if (argc == 2 && strcmp(argv[1], "--bless") == 0) {
        for (int i = 0; i < num_cases; i++)
            bless(cases[i]);
        return 0;
    }
    Suite *suite = suite_create("corpus");
    TCase *folder = tcase_create("folder");
    tcase_set_timeout(folder, 60);
    tcase_add_loop_test(folder, every_rule_has_a_bad_and_an_ok_case, 0, M5_RULES);
    tcase_add_loop_test(folder, every_fix_has_a_case, 0, M5_RULES);
    tcase_add_test(folder, every_file_belongs_to_a_case);
    suite_add_tcase(suite, folder);
    add_families(suite);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    for (int i = 0; i < num_cases; i++)
        free(cases[i]);
    return failed != 0;
}
