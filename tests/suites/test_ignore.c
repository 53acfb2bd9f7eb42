/* Tests comments that suppress findings, as a program that uses the library sees them. */
#define _XOPEN_SOURCE 700

#include "support.h"
#include "lint/m5_file.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An md5camera whose field of view is refused; `end` is added to its line, `head` to that of the
 * frame rate. */
static char *camera(const char *head, const char *end)
{
    static const char form[] =
        "MD5Version 10\ncommandline \"\"\n\nnumFrames 1\nframeRate 24%s\n"
        "numCuts 0\n\ncuts {\n}\n\ncamera {\n\t( 0 0 0 ) ( 0 0 0 ) 1,5%s\n}\n";
    size_t size = sizeof form + strlen(head) + strlen(end);
    char *text = malloc(size);
    ck_assert_ptr_nonnull(text);
    snprintf(text, size, form, head, end);
    return text;
}

static linted *lint_camera(const char *head, const char *end)
{
    char *text = camera(head, end);
    linted *l = lint_string("x.md5camera", text);
    free(text);
    return l;
}

START_TEST(a_comment_hides_the_finding_but_not_the_flaw)
{
    linted *plain = lint_camera("", ""),
           *hidden = lint_camera("", " // md5lint: ignore md5-float-*");
    ck_assert_int_eq(plain->file.status, M5_FLAWED);
    ck_assert_uint_eq(plain->file.report.errors, 1);
    ck_assert_uint_eq(plain->file.suppressed, 0);
    ck_assert_ptr_null(plain->file.ignores);
    ck_assert_int_eq(hidden->file.status, M5_FLAWED);
    ck_assert_uint_eq(hidden->file.report.errors, 0);
    ck_assert_uint_eq(hidden->file.report.flaws, plain->file.report.flaws);
    ck_assert_uint_eq(hidden->file.suppressed, 1);
    ck_assert_uint_eq(hidden->found.kept, 0);
    free_linted(plain);
    free_linted(hidden);
}
END_TEST

START_TEST(a_file_in_one_call_heeds_comments)
{
    char *text = camera(" // md5lint: ignore-file md5-float-comma", "");
    m5_file *file = m5_file_from("x.md5camera", text, strlen(text));
    ck_assert(file != NULL && file->error == NULL && file->status == M5_FLAWED);
    ck_assert_uint_eq(file->num_findings, 0);
    m5_free(file);
    free(text);
}
END_TEST

/* Only a parse: its findings are all of them. */
START_TEST(a_parse_alone_does_not_heed_comments)
{
    char *text = camera("", " // md5lint: ignore *");
    size_t room = m5_parse_memory(strlen(text));
    void *memory = malloc(room);
    m5_source source = {"x.md5camera", (const uint8_t *)text, (uint32_t)strlen(text)};
    m5_report report = {.source = &source};
    m5_arena arena;
    m5_model model;
    m5_arena_init(&arena, memory, room);
    ck_assert_int_eq(m5_parse(m5_format_by_name("x.md5camera"), &report, &arena, &model),
                     M5_FLAWED);
    ck_assert_uint_eq(report.errors, 1);
    free(memory);
    free(text);
}
END_TEST

/* As many names as bytes allow, in as many comments. */
static char *many_names(void)
{
    enum { COMMENTS = 2000 };
    static const char comment[] = "\n// md5lint: ignore *,*,*,x,md5-*";
    char *text = malloc(COMMENTS * sizeof comment + 1), *p = text;
    ck_assert_ptr_nonnull(text);
    for (int i = 0; i < COMMENTS; i++, p += sizeof comment - 1)
        memcpy(p, comment, sizeof comment);
    return text;
}

START_TEST(many_comments_stay_within_the_memory)
{
    char *head = many_names(), *text = camera(head, "");
    size_t size = strlen(text), room = m5_lint_memory(size, 0);
    void *memory = malloc(room);
    m5_lint_file file;
    m5_lint_input in = {.source = {"x.md5camera", (const uint8_t *)text, (uint32_t)size},
                        .memory = memory,
                        .size = room};
    ck_assert_int_eq(m5_lint_bytes(&file, &in), M5_FLAWED);
    ck_assert_ptr_nonnull(file.ignores);
    free(memory);
    free(text);
    free(head);
}
END_TEST

START_TEST(every_memory_limit_is_survived)
{
    char *text = camera(" // md5lint: ignore-file md5camera-*, cross-*",
                        " // md5lint: ignore md5-*");
    size_t size = strlen(text);
    bool done = false;
    for (size_t room = 0; room < 40000; room += room < 8000 ? 16 : 4000) {
        void *memory = malloc(room);
        m5_lint_file file;
        m5_lint_input in = {.source = {"x.md5camera", (const uint8_t *)text, (uint32_t)size},
                            .memory = memory,
                            .size = room};
        m5_status status = m5_lint_bytes(&file, &in);
        ck_assert(status == M5_FLAWED || (status == M5_NO_MEMORY && !done));
        done = status == M5_FLAWED;
        if (done)
            ck_assert(file.suppressed == 1 && file.report.errors == 0);
        free(memory);
    }
    ck_assert(done);
    free(text);
}
END_TEST

/* A comment is found wherever its file ends. */
START_TEST(a_comment_may_be_cut_anywhere)
{
    char *text = camera("", " // md5lint: ignore md5-float-comma, md5-version -- x");
    size_t size = strlen(text);
    for (size_t n = 0; n <= size; n++)
        free_linted(lint_bytes("x.md5camera", text, n, NULL, false));
    for (size_t n = 0; n <= size; n++)
        free_linted(lint_bytes("x.def", text + n, size - n, NULL, false));
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ignore");
    TCase *all = tcase_create("comments");
    tcase_set_timeout(all, 60);
    tcase_add_test(all, a_comment_hides_the_finding_but_not_the_flaw);
    tcase_add_test(all, a_file_in_one_call_heeds_comments);
    tcase_add_test(all, a_parse_alone_does_not_heed_comments);
    tcase_add_test(all, many_comments_stay_within_the_memory);
    tcase_add_test(all, every_memory_limit_is_survived);
    tcase_add_test(all, a_comment_may_be_cut_anywhere);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
