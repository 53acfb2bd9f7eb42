/* Tests that each part of the work on a file, whose time --time reports, has the rules that it says
 * it speaks for. */
#define _XOPEN_SOURCE 700

#include "support.h"
#include "fuzz/harness/all_rules.h"
#include "lint/core/parts.h"
#include "lint/settings/choice.h"

#include <check.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 16, MOST_PATH = 512 };

/* Where the work is, and what was found there. */
static unsigned now;
static bool found[M5_PARTS][M5_RULES];

static void enter(void *user, unsigned part)
{
    (void)user;
    now = part;
}

static void take(void *user, const m5_diag *d)
{
    (void)user;
    found[now][d->rule->number] = true;
}

/* Calls `visit` for each id or pattern of a part until it returns true. */
static bool any_name(m5_part part, bool (*visit)(const char *name, const m5_rule *rule),
                     const m5_rule *rule)
{
    char rules[512], *rest = rules;
    snprintf(rules, sizeof rules, "%s", m5_part_rules(part));
    for (char *name; (name = strtok_r(rest, ",", &rest)) != NULL;)
        if (visit(name, rule))
            return true;
    return false;
}

static bool names(const char *name, const m5_rule *rule)
{
    return m5_choice_names(name, rule);
}

static bool names_nothing(const char *name, const m5_rule *rule)
{
    (void)rule;
    for (unsigned i = 0; i < M5_RULES; i++)
        if (m5_choice_names(name, m5_rule_at(i)))
            return false;
    return true;
}

START_TEST(rules_of_parts_exist)
{
    ck_assert_msg(!any_name((m5_part)_i, names_nothing, NULL), "%s", m5_part_rules((m5_part)_i));
}
END_TEST

static void lint_group(char paths[][MOST_PATH], size_t count)
{
    static m5_lint_file files[MOST_FILES];
    m5_settings settings = {.levels = all_rules(), .enter = enter};
    m5_lint_file *list[MOST_FILES];
    m5_lint_input in[MOST_FILES];
    for (size_t i = 0; i < count; i++) {
        size_t size, room;
        void *bytes = read_file(paths[i], &size);
        room = m5_lint_memory(size, 0);
        in[i] = (m5_lint_input){.source = {paths[i], bytes, (uint32_t)size},
                                .settings = &settings,
                                .sink = {take, NULL},
                                .memory = malloc(room),
                                .size = room};
        ck_assert(bytes != NULL && in[i].memory != NULL);
        list[i] = &files[i];
    }
    void *memory = malloc(m5_together_memory(count));
    ck_assert_ptr_nonnull(memory);
    m5_lint_group(list, in, count, memory);
    ck_assert_uint_eq(now, M5_PART_none);
    free(memory);
    for (size_t i = 0; i < count; i++) {
        free((void *)in[i].source.bytes);
        free(in[i].memory);
    }
}

/* Files of a case's folder come one after another. */
static char group[MOST_FILES][MOST_PATH];
static size_t in_group;

static void end_group(void)
{
    if (in_group != 0)
        lint_group(group, in_group);
    in_group = 0;
}

static bool same_folder(const char *a, const char *b)
{
    size_t n = (size_t)(strrchr(a, '/') - a);
    return n == (size_t)(strrchr(b, '/') - b) && strncmp(a, b, n) == 0;
}

static int visit(const char *path, const struct stat *status, int type, struct FTW *at)
{
    (void)status;
    if (type != FTW_F || m5_format_by_name(path) == NULL)
        return 0;
    bool together = in_group != 0 && in_group < MOST_FILES && at->level > 3 &&
                    same_folder(path, group[in_group - 1]);
    if (!together)
        end_group();
    snprintf(group[in_group++], MOST_PATH, "%s", path);
    return 0;
}

/* A rule of the linter is reported by the part that speaks for it, each in some case; what links
 * declarations is no part of a file's work. */
START_TEST(each_part_speaks_for_its_rules)
{
    ck_assert_int_eq(nftw("corpus", visit, 16, FTW_PHYS), 0);
    end_group();
    for (unsigned part = 0; part < M5_PARTS; part++) {
        bool any = *m5_part_rules((m5_part)part) == '\0' || part == M5_PART_def_link;
        for (unsigned i = M5_PARSER_RULES; i < M5_RULES; i++) {
            const m5_rule *rule = m5_rule_at(i);
            bool apart = part == M5_PART_none && (strncmp(rule->id, "def-", 4) == 0 ||
                                                  strncmp(rule->id, "ignore-", 7) == 0);
            any |= found[part][i];
            ck_assert_msg(!found[part][i] || apart || any_name((m5_part)part, names, rule),
                          "%s is found in another part: %s", rule->id,
                          m5_part_rules((m5_part)part));
        }
        ck_assert_msg(any, "nothing is found by %s", m5_part_rules((m5_part)part));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("parts");
    TCase *all = tcase_create("rules");
    tcase_set_timeout(all, 300);
    tcase_add_loop_test(all, rules_of_parts_exist, 0, M5_PARTS);
    tcase_add_test(all, each_part_speaks_for_its_rules);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
