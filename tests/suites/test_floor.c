/* Tests that the floor, the benchmark's fastest reader, reads what md5lint reads: numbers in any
 * notation, and the numbers of every whole text in the corpus. */
#include "support.h"
#include "parsers/core/number.h"
#include "tests/bench/floor.h"
#include "tests/bench/numbers.h"
#include "tests/bench/tokens.h"

#include <check.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A copy followed by the NULs that the floor needs. To be freed. */
static uint8_t *padded(const void *text, size_t size)
{
    uint8_t *copy = calloc(1, size + TOKENS_PADDING);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, text, size);
    return copy;
}

static float *room_for(size_t bytes)
{
    float *numbers = malloc((bytes / 2 + 1) * sizeof *numbers);
    ck_assert_ptr_nonnull(numbers);
    return numbers;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static void check_number(const char *number)
{
    char text[200];
    int length = snprintf(text, sizeof text, " %s\n", number);
    uint8_t *bytes = padded(text, (size_t)length);
    float *read = room_for((size_t)length), right;
    m5_number_flaw flaw = m5_read_float((const uint8_t *)number, strlen(number), &right);
    ck_assert_msg(flaw <= M5_NUMBER_EXPONENT_HUGE, "%s", number);
    for (int md5 = 0; md5 < 2; md5++) {
        size_t count = floor_read(bytes, (size_t)length, md5 == 1, read);
        ck_assert_msg(count == 1 && memcmp(read, &right, sizeof right) == 0,
                      "%s: %zu numbers, %.9g, expected %.9g", number, count, (double)read[0],
                      (double)right);
    }
    free(read);
    free(bytes);
}

static const char *const odd[] = {"0",
                                  "-0",
                                  "-0.0",
                                  "7",
                                  "-7",
                                  "10",
                                  "999",
                                  "1000",
                                  "99999",
                                  "1234567",
                                  "12345678",
                                  "123456789",
                                  "9007199254740993",
                                  "12345678901234567890123",
                                  "0.5",
                                  "5.",
                                  ".5",
                                  "-.5",
                                  "+.5",
                                  "+5",
                                  "0.1234567",
                                  "0.12345678",
                                  "0.123456789",
                                  "0.1234567891",
                                  "0.12345678912",
                                  "0.1234567890123456789012",
                                  "1234567.1234567",
                                  "12345678.12345678",
                                  "12345678.123456",
                                  "9007199.2547409930",
                                  "1e5",
                                  "1E5",
                                  "-1e-5",
                                  "1.5e+05",
                                  "1e22",
                                  "1e-22",
                                  "1e23",
                                  "1e-38",
                                  "1e-045",
                                  "16777217",
                                  "16777219",
                                  "0.3000000119",
                                  "33554435.0000000001",
                                  "1e-46"};

START_TEST(numbers_in_odd_notations)
{
    check_number(odd[_i]);
}
END_TEST

/* Random digits that are the same in every run. */
static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005 + 1442695040888963407;
    return *state >> 11;
}

static const char *const notations[] = {"%.6f", "%.10f", "%.*f", "%.17g", "%.9g", "%.*e", "%.0f"};

START_TEST(many_random_numbers)
{
    uint64_t state = (uint64_t)_i;
    for (int i = 0; i < 20000; i++) {
        double reach = (double)(next_random(&state) % 5 == 0 ? 1000000 : 2);
        double value = ((double)next_random(&state) / 0x1p52 - 1) * reach;
        int decimals = (int)(next_random(&state) % 13);
        bool chosen = strchr(notations[_i], '*') != NULL;
        char number[100];
        if (chosen)
            snprintf(number, sizeof number, notations[_i], decimals, value);
        else
            snprintf(number, sizeof number, notations[_i], value);
        check_number(number);
    }
}
END_TEST

/* ---- Files ----------------------------------------------------------------------------------- */

static void compare_numbers(const char *path, const void *bytes, size_t size, const m5_model *model)
{
    bool md5 = model->md5mesh != NULL || model->md5anim != NULL;
    uint8_t *text = padded(bytes, size);
    float *read = room_for(size), *right = room_for(size);
    size_t count = floor_read(text, size, md5, read), expected = model_numbers(model, right);
    ck_assert_msg(count == expected, "%s: %zu numbers, expected %zu", path, count, expected);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(read[i] == right[i] || isnan(right[i]),
                      "%s: number %zu is %.9g, expected %.9g", path, i, (double)read[i],
                      (double)right[i]);
    free(right);
    free(read);
    free(text);
}

static void compare_file(const char *path)
{
    size_t size;
    void *bytes = read_file(path, &size);
    ck_assert_ptr_nonnull(bytes);
    linted *l = lint_bytes(path, bytes, size, NULL, false);
    ck_assert_msg(l->file.status == M5_CLEAN, "%s", path);
    compare_numbers(path, bytes, size, &l->file.model);
    free_linted(l);
    free(bytes);
}

/* Whether the floor can read a file. whole.names.illanim has names that look like numbers, which
 * only a parser can tell apart. */
static bool is_for_floor(const char *path, const char *name)
{
    return strncmp(name, "whole.", 6) == 0 && m5_format_by_name(path) != NULL &&
           strcmp(name, "whole.names.illanim") != 0;
}

static const char *const families[] = {"md5", "md5mesh", "md5anim", "illmesh", "illanim"};

START_TEST(whole_files_have_the_same_numbers)
{
    char folder[100], path[400];
    int compared = 0;
    snprintf(folder, sizeof folder, "corpus/%s/whole", families[_i]);
    DIR *dir = opendir(folder);
    ck_assert_ptr_nonnull(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (is_for_floor(path, entry->d_name)) {
            compare_file(path);
            compared++;
        }
    }
    closedir(dir);
    ck_assert_int_gt(compared, 10);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("floor");
    TCase *numbers = tcase_create("numbers"), *files = tcase_create("files");
    tcase_add_loop_test(numbers, numbers_in_odd_notations, 0, sizeof odd / sizeof *odd);
    tcase_add_loop_test(numbers, many_random_numbers, 0, sizeof notations / sizeof *notations);
    tcase_add_loop_test(files, whole_files_have_the_same_numbers, 0,
                        sizeof families / sizeof *families);
    tcase_set_timeout(numbers, 60);
    suite_add_tcase(suite, numbers);
    suite_add_tcase(suite, files);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
