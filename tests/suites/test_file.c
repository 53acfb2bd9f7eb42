/* m5_file.h: a model and its findings in one call, and what is said of files that are none. */
#include "lint/m5_file.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(a_flawed_file_has_findings)
{
    m5_file *f = m5_file_read("corpus/md5mesh/md5mesh-bias-sum/md5mesh-bias-sum.bad.error.md5mesh");
    ck_assert_ptr_nonnull(f);
    ck_assert_ptr_null(f->error);
    ck_assert_ptr_nonnull(f->model.md5mesh);
    ck_assert_uint_ge(f->num_findings, 1);
    const m5_file_finding *found = &f->findings[0];
    ck_assert_str_eq(found->rule, "md5mesh-bias-sum");
    ck_assert_int_eq(found->severity, M5_ERROR);
    ck_assert(found->line > 1 && found->column >= 1 && found->length >= 1);
    ck_assert_str_eq(found->path, "mesh[0].vert[2]");
    ck_assert(strstr(found->message, "expected 1") != NULL && found->fix[0] != '\0');
    m5_free(f);
}
END_TEST

START_TEST(a_binary_has_offsets)
{
    m5_file *f = m5_file_read("corpus/md4/md4-ofs-end/md4-ofs-end.bad.md4");
    ck_assert(f != NULL && f->error == NULL && f->num_findings >= 1);
    ck_assert(f->findings[0].line == 0 && f->findings[0].column == 0);
    ck_assert_uint_eq(f->findings[0].offset, 0x60);
    ck_assert_str_eq(f->findings[0].path, "ofsEnd");
    m5_free(f);
}
END_TEST

START_TEST(a_clean_file_is_clean)
{
    m5_file *f = m5_file_read("corpus/md5/whole/whole.box.md5mesh");
    ck_assert(f != NULL && f->error == NULL && f->status == M5_CLEAN && f->num_findings == 0);
    ck_assert_uint_eq(f->model.md5mesh->num_joints, 2);
    m5_free(f);
}
END_TEST

/* By content, where the name does not tell; the caller's bytes may go at once. */
START_TEST(bytes_are_copied)
{
    char bytes[] = "MD5Version 10\ncommandline \"\"\nnumMeshes 1\n";
    m5_file *f = m5_file_from("some bytes", bytes, strlen(bytes));
    memset(bytes, 'x', sizeof bytes);
    ck_assert(f != NULL && f->num_findings != 0);
    ck_assert_ptr_null(f->error);
    ck_assert_int_eq(memcmp(f->model.md5mesh->source->bytes, "MD5Version", 10), 0);
    m5_free(f);
}
END_TEST

/* Larger than one step of reading. */
START_TEST(large_files_are_read_to_the_end)
{
    enum { SIZE = 300000 };
    const char *path = "build/test_file.md5mesh";
    FILE *out = fopen(path, "wb");
    ck_assert_ptr_nonnull(out);
    fputs("MD5Version 10", out);
    for (int i = 0; i < SIZE; i++)
        fputc(' ', out);
    fputs("\nX", out);
    fclose(out);
    m5_file *f = m5_file_read(path);
    ck_assert(f != NULL && f->error == NULL);
    ck_assert_uint_eq(f->model.md5mesh->source->size, 13 + SIZE + 2);
    m5_free(f);
    remove(path);
}
END_TEST

static const struct {
    const char *path, *error;
} refused[] = {
    {"corpus/nowhere.md5mesh", "it cannot be opened"},
    {"corpus", "it cannot be read"},
    {"Makefile", "unknown format: neither the extension nor the content is recognised"},
    {"corpus/nowhere.md5camera", "it cannot be opened"},
};

START_TEST(what_is_no_model_has_an_error)
{
    m5_file *f = m5_file_read(refused[_i].path);
    ck_assert_ptr_nonnull(f);
    ck_assert_str_eq(f->error, refused[_i].error);
    ck_assert(f->num_findings == 0 && f->findings == NULL && f->model.format == NULL);
    m5_free(f);
}
END_TEST

START_TEST(formats_to_come_are_named)
{
    m5_file *f = m5_file_from("intro.md5camera", "MD5Version 10", 13);
    ck_assert(f != NULL && f->error != NULL);
    ck_assert_str_eq(f->error, "this format is not supported yet");
    m5_free(f);
    m5_free(NULL);
}
END_TEST

START_TEST(no_bytes_are_a_file_too)
{
    m5_file *f = m5_file_from("empty.md5mesh", NULL, 0);
    ck_assert(f != NULL && f->error == NULL && f->num_findings == 1);
    m5_free(f);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("file");
    TCase *t = tcase_create("file");
    tcase_add_test(t, a_flawed_file_has_findings);
    tcase_add_test(t, a_binary_has_offsets);
    tcase_add_test(t, a_clean_file_is_clean);
    tcase_add_test(t, bytes_are_copied);
    tcase_add_test(t, large_files_are_read_to_the_end);
    tcase_add_loop_test(t, what_is_no_model_has_an_error, 0, sizeof refused / sizeof *refused);
    tcase_add_test(t, formats_to_come_are_named);
    tcase_add_test(t, no_bytes_are_a_file_too);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
