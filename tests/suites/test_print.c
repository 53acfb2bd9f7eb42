/* Tests canonical printing: every clean model of the corpus, printed and parsed again, is the same
 * model without new findings. Printed again, it gives the same bytes. */
#define _XOPEN_SOURCE 700

#include "support.h"
#include "fuzz/harness/roundtrip.h"
#include "parsers/core/write.h"

#include <check.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>

static unsigned tried, wrong;

static int try_file(const char *path, const struct stat *status, int kind, struct FTW *at)
{
    (void)status, (void)at;
    const m5_format *format = kind == FTW_F ? m5_format_by_name(path) : NULL;
    if (format == NULL)
        return 0;
    size_t size;
    void *bytes = read_file(path, &size);
    again_result r = again_print(format, bytes, size);
    if (r.what != NULL)
        printf("%s: %s%s%s\n", path, r.what, r.rule != NULL ? ": " : "",
               r.rule != NULL ? r.rule->id : "");
    wrong += r.what != NULL;
    tried += r.clean;
    free(bytes);
    return 0;
}

START_TEST(printed_models_parse_to_the_same_models)
{
    ck_assert_int_eq(nftw("corpus", try_file, 16, FTW_PHYS), 0);
    ck_assert_uint_eq(wrong, 0);
    ck_assert_uint_gt(tried, 500);
}
END_TEST

static char written[256];

static void write_to(void *user, const void *text, size_t length)
{
    (void)user;
    strncat(written, text, length);
}

/* At most nine digits, and no exponent that is too small for some readers. */
START_TEST(floats_are_written_plainly)
{
    static const float values[] = {0, -1.5F, 1e-38F, -1.17549435e-38F};
    m5_writer out = {write_to, NULL};
    written[0] = '\0';
    m5_write_floats(&out, values, 4);
    ck_assert_str_eq(written, "0 -1.5 0.00000000000000000000000000000000000000999999935 "
                              "-0.0000000000000000000000000000000000000117549435");
}
END_TEST

/* Values that belong to no joint are written six on a line. */
START_TEST(values_of_no_joint_are_written)
{
    float values[] = {1, 2, 3, 4, 5, 6, 7, 8};
    m5_md5anim_channel behind = {.flags = 7}; /* where the channels of more joints would be */
    m5_md5anim_bounds bounds = {.offset = 0};
    m5_source source = {.bytes = (const uint8_t *)"", .size = 0};
    m5_md5anim m = {.source = &source,
                    .num_frames = 1,
                    .num_components = 8,
                    .channels = &behind,
                    .bounds = &bounds,
                    .components = values};
    m5_writer out = {write_to, NULL};
    written[0] = '\0';
    m5_print(&(m5_model){.format = m5_format_by_name(".md5anim"), .md5anim = &m}, &out);
    ck_assert_ptr_nonnull(strstr(written, "frame 0 {\n\t1 2 3 4 5 6\n\t7 8\n}\n"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("print");
    TCase *t = tcase_create("print");
    tcase_set_timeout(t, 0);
    tcase_add_test(t, printed_models_parse_to_the_same_models);
    tcase_add_test(t, floats_are_written_plainly);
    tcase_add_test(t, values_of_no_joint_are_written);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
