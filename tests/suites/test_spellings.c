/* Tests models in which all numbers are written differently, or frames are laid out differently:
 * the fast readers leave these to the plain ones, or read the same, anywhere in a file. */
#include "support.h"
#include "fuzz/harness/equal_models.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

enum { PADDING = 200 }; /* after the text, as the fast readers do not read near the end of a file */

static const char *const files[] = {
    "md5/whole/whole.box.md5mesh",
    "md5/whole/whole.box.md5anim",
    "md5anim/whole/whole.walker.md5anim",
    "md5camera/whole/whole.two-shots.md5camera",
    "illmesh/whole/whole.all-flags.illmesh",
    "illanim/whole/whole.bones-at-rest.illanim",
    "illskel/whole/whole.blank-lines.illskel",
};

/* Numbers, each of which is read by a different part of the readers. */
static const char *const numbers[] = {
    "0",
    "7",
    "-0",
    "12",
    "0.5",
    "-0.5",
    "5.",
    ".5",
    "00.5",
    "12.5",
    "-123.25",
    "1234.5",
    "1234567.5",
    "12345678.5",
    "0.123456",
    "0.1234567",
    "0.12345678",
    "0.123456789",
    "0.1234567891",
    "0.12345678912",
    "0.123456789123456",
    "0.1234567891234567",
    "0.12345678912345678901",
    "1234567.12345678",
    "1234567.123456789",
    "1234567.1234567891",
    "123.12345678912",
    "123.123456789123456",
    "1e5",
    "1e-5",
    "0.25e-5",
    "-0.25e-05",
    "1.5e-12",
    "1.5e-22",
    "1.5e-23",
    "1.123456789e-15",
    "12345678.5e-2",
    "1.e-5",
    "1e-",
    "1e-123",
    "1.5e-05x",
    "0.5x",
    "0.5,5",
    "0x10",
    "1234567.123456789e-05",
    "0.12345678912345678901e-5",
    "123.12345678912e-5",
    "900719.92547409931",
};

/* Layouts of the first line of a frame. */
static const char *const frames[] = {
    "frame 1 {",
    "frame 1\t{",
    "frame 1  {",
    "frame 1 {\t",
    "frame 1 {\r",
    "frame 1\n{",
    "frame 01 {",
    "frame 1{",
    "frame  1 {",
    "frame 2 {",
    "frame 1 {\n\t\t\t\t\t",
    "frame 1 {\n\n\n",
    "frame 1 {//",
    "frame 1 { 1",
    "frame 1 {\n//\n",
    "frame 1 } {",
    "\rframe 1 {",
    "frame 1 x {",
};

typedef struct text {
    char bytes[1 << 16];
    size_t size;
} text;

static void add(text *t, const char *bytes, size_t count)
{
    ck_assert_uint_lt(t->size + count, sizeof t->bytes);
    memcpy(t->bytes + t->size, bytes, count);
    t->size += count;
}

/* The file with each `from`, or each number with a point if `from` is NULL, replaced by `to` and
 * `then` in turn. */
static void rewrite(const char *file, const char *from, const char *to, const char *then, text *out)
{
    const char *turn[] = {to, then};
    unsigned times = 0;
    char path[256];
    size_t size, length;
    snprintf(path, sizeof path, "corpus/%s", file);
    char *bytes = read_file(path, &size);
    out->size = 0;
    for (size_t i = 0; i < size; i += length) {
        length = strspn(bytes + i, "-.0123456789");
        bool number = from == NULL && length != 0 && memchr(bytes + i, '.', length) != NULL;
        length = number ? length : 1;
        if (from != NULL && size - i >= strlen(from) &&
            memcmp(bytes + i, from, strlen(from)) == 0) {
            length = strlen(from);
            number = true;
        }
        if (number)
            add(out, turn[times % 2], strlen(turn[times % 2]));
        else
            add(out, bytes + i, length);
        times += number;
    }
    for (int i = 0; i < PADDING; i++)
        add(out, "\n", 1);
    free(bytes);
}

static void check_same(const char *file, const text *t, const char *what)
{
    linted *fast = lint_bytes(file, t->bytes, t->size, NULL, false);
    linted *plain = lint_bytes(file, t->bytes, t->size, NULL, true);
    char *a = describe(fast, "", true), *b = describe(plain, "", true);
    ck_assert_msg(strcmp(a, b) == 0, "%s, %s: the fast readers\n%sthe plain ones\n%s", file, what,
                  a, b);
    if (fast->file.report.flaws == 0)
        ck_assert_msg(equal_models(&fast->file.model, &plain->file.model), "%s, %s", file, what);
    free(a);
    free(b);
    free_linted(fast);
    free_linted(plain);
}

START_TEST(numbers_in_any_spelling_give_the_same_model)
{
    static text t;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        rewrite(files[i], NULL, numbers[_i], numbers[_i], &t);
        check_same(files[i], &t, numbers[_i]);
        rewrite(files[i], NULL, "0.12345678912", numbers[_i], &t);
        check_same(files[i], &t, numbers[_i]);
    }
}
END_TEST

START_TEST(frames_in_any_layout_give_the_same_model)
{
    static text t;
    rewrite("md5/whole/whole.box.md5anim", "frame 1 {", frames[_i], frames[_i], &t);
    check_same("md5/whole/whole.box.md5anim", &t, frames[_i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("spellings");
    TCase *t = tcase_create("spellings");
    tcase_add_loop_test(t, numbers_in_any_spelling_give_the_same_model, 0,
                        sizeof numbers / sizeof *numbers);
    tcase_add_loop_test(t, frames_in_any_layout_give_the_same_model, 0,
                        sizeof frames / sizeof *frames);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
