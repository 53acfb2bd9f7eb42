/* Tests the links to the pages of rules, as they are in a build with RULE_URL. */
#define M5_RULE_URL "https://example.org/rules/"
#include "lint/report/rule_url.c"

#include "support.h"
#include "lint/report/formats/reporters.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

typedef struct buffer {
    char bytes[20000];
    size_t count;
} buffer;

static void append(void *user, const void *bytes, size_t count)
{
    buffer *b = user;
    ck_assert_uint_lt(b->count + count, sizeof b->bytes);
    memcpy(b->bytes + b->count, bytes, count);
    b->count += count;
}

/* A report on a file with one finding. */
static const char *report(const m5_reporter *reporter, bool links)
{
    static buffer b;
    b = (buffer){.count = 0};
    m5_writer out = {append, &b};
    m5_look look = {.width = 80, .links = links};
    linted *l = lint_string("x.md5mesh", "MD5Version 11\n");
    m5_result r = {.path = "x.md5mesh", .format = l->file.model.format, .file = &l->file};
    m5_totals totals = {.files = 1};
    m5_collector_pick(&l->found, 1, &r.shown);
    ck_assert_str_eq(r.shown.list[0]->diag.rule->id, "md5-version");
    void *shown = reporter->begin(&out, &look);
    reporter->file(shown, &r);
    reporter->end(shown, &totals);
    free_linted(l);
    return b.bytes;
}

START_TEST(text_links_to_rules)
{
    const char *text = report(&m5_report_text, true);
    ck_assert_ptr_nonnull(strstr(
        text,
        " [\033]8;;https://example.org/rules/md5-version.html\033\\md5-version\033]8;;\033\\]\n"));
}
END_TEST

START_TEST(text_has_no_links_where_there_are_none)
{
    const char *text = report(&m5_report_text, false);
    ck_assert_ptr_nonnull(strstr(text, " [md5-version]\n"));
    ck_assert_ptr_null(strchr(text, '\033'));
}
END_TEST

START_TEST(sarif_has_the_address)
{
    const char *text = report(&m5_report_sarif, false);
    ck_assert_ptr_nonnull(
        strstr(text, ",\"helpUri\":\"https://example.org/rules/md5-version.html\""));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("links to rules");
    TCase *tests = tcase_create("links");
    tcase_add_test(tests, text_links_to_rules);
    tcase_add_test(tests, text_has_no_links_where_there_are_none);
    tcase_add_test(tests, sarif_has_the_address);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
