/* Tests what reports are made of: escapes, fingerprints, and parts that are kept until the end. */
#include "support.h"
#include "lint/report/buffer.h"
#include "lint/report/escape.h"
#include "lint/report/fingerprint.h"
#include "lint/report/in_repo.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is in a buffer, which is no more than a few words. */
static const char *text_of(m5_buffer *buffer)
{
    m5_writer out = m5_buffer_writer(buffer);
    m5_output_bytes(&out, "", 1);
    ck_assert_ptr_null(buffer->first->next);
    return buffer->first->bytes;
}

/* What is written of a text; valid until the next call. */
static const char *written(m5_put_text *put, const char *text)
{
    static m5_buffer buffer;
    m5_writer out = m5_buffer_writer(&buffer);
    m5_buffer_free(&buffer);
    put(&out, text);
    return text_of(&buffer);
}

static const struct {
    m5_put_text *put;
    const char *text, *want;
} escapes[] = {
    {m5_put_xml, "a<b>&\"c\"'", "a&lt;b&gt;&amp;&quot;c&quot;'"},
    {m5_put_xml, "\t\n\r", "&#9;&#10;&#13;"},
    {m5_put_xml, "\x01\x1f\x7f\xc2\x85", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
    {m5_put_xml, "\xef\xbf\xbe\xef\xbf\xbf", "\xef\xbf\xbd\xef\xbf\xbd"},
    {m5_put_xml, "\xc3\xa9\xff\xf0\x9f\x98\x80\xc3",
     "\xc3\xa9\xef\xbf\xbd\xf0\x9f\x98\x80\xef\xbf\xbd"},
    {m5_put_json_text, "{\n \"a\\n\x7e\x7f\": \"\xc2\x80\xc2\x9f\xc2\xa0\"}",
     "{\n \"a\\n\x7e\\u007F\": \"\\u0080\\u009F\xc2\xa0\"}"},
    {m5_put_json, "a\"\\\b\t\n\f\r\x01\x1f/\x7f\xc2\x85\xc3\xa9\xff",
     "a\\\"\\\\\\b\\t\\n\\f\\r\\u0001\\u001F/\\u007F\\u0085\xc3\xa9\xef\xbf\xbd"},
    {m5_put_command, "100%: a,b\r\n\t\x1b", "100%25: a,b%0D%0A\t\xef\xbf\xbd"},
    {m5_put_command, "%0A", "%250A"},
    {m5_put_property, "100%: a,b\r\n", "100%25%3A a%2Cb%0D%0A"},
    {m5_put_markdown, "a|b<c>&@d#e:\n", "a&#124;b&lt;c&gt;&amp;&#64;d&#35;e&#58;\xef\xbf\xbd"},
    {m5_put_markdown, "*_`[x](y)\\~$!.", "\\*\\_\\`\\[x\\](y)\\\\\\~\\$\\!\\."},
    {m5_put_uri, "a/b-._~Z9", "a/b-._~Z9"},
    {m5_put_uri, "a b%:?#\xc3\xa9\xff\x01", "a%20b%25%3A%3F%23%C3%A9%FF%01"},
};

START_TEST(text_is_escaped)
{
    ck_assert_str_eq(written(escapes[_i].put, escapes[_i].text), escapes[_i].want);
}
END_TEST

/* ---- Fingerprints ---------------------------------------------------------------------------- */

static const char flawed[] =
    "MD5Version 10\ncommandline \"\"\nnumJoints 1\nnumMeshes 1\njoints {\n"
    "\"a\" -1 ( 0 0 0 ) ( 0 0 0 )\n}\nmesh {\n\tshader \"x\"\n"
    "\tnumverts 3\n\tvert 0 ( 0 0 ) 0 1\n\tvert 1 ( 0 0 ) 0 1\n\tvert 2 ( 0 0 ) 0 1\n"
    "\tnumtris 2\n\ttri 0 7 1 9\n\ttri 1 0 1 8\n"
    "\tnumweights 1\n\tweight 0 0 1 ( 0 0 0 )\n}\n";

/* The fingerprints of this text with `more` after its first line. */
static m5_fingerprint *fingerprints_of(const char *more, const char *path, uint32_t *count)
{
    char text[sizeof flawed + 200];
    const char *rest = strchr(flawed, '\n') + 1;
    sprintf(text, "%.*s%s%s", (int)(rest - flawed), flawed, more, rest);
    linted *l = lint_string("x.md5mesh", text);
    m5_shown shown;
    m5_collector_pick(&l->found, 0, &shown);
    m5_fingerprint *list = m5_fingerprints(&shown, m5_hash_add(M5_HASH_NONE, path));
    *count = shown.count;
    free_linted(l);
    return list;
}

START_TEST(lines_do_not_change_fingerprints)
{
    uint32_t count, moved_count;
    m5_fingerprint *list = fingerprints_of("", "a", &count);
    m5_fingerprint *moved = fingerprints_of("\n\n// moved\n", "a", &moved_count);
    ck_assert_uint_ge(count, 3);
    ck_assert_uint_eq(count, moved_count);
    for (uint32_t i = 0; i < count; i++) {
        ck_assert_uint_eq(list[i].hash, moved[i].hash);
        ck_assert_uint_eq(list[i].number, moved[i].number);
    }
    free(list);
    free(moved);
}
END_TEST

START_TEST(fingerprints_are_unique)
{
    uint32_t count, repeated = 0;
    m5_fingerprint *list = fingerprints_of("", "a", &count);
    for (uint32_t i = 0; i < count; i++) {
        repeated += list[i].number == 2;
        for (uint32_t k = 0; k < i; k++)
            ck_assert(list[i].hash != list[k].hash || list[i].number != list[k].number);
    }
    ck_assert_uint_eq(repeated, 1); /* triangle 0 has two wrong indices */
    free(list);
}
END_TEST

START_TEST(fingerprints_differ_between_files)
{
    uint32_t count;
    m5_fingerprint *a = fingerprints_of("", "a", &count), *b = fingerprints_of("", "b", &count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count; k++)
            ck_assert_uint_ne(a[i].hash, b[k].hash);
    ck_assert_uint_ne(m5_hash_add(m5_hash_add(M5_HASH_NONE, "ab"), "c"),
                      m5_hash_add(m5_hash_add(M5_HASH_NONE, "a"), "bc"));
    free(a);
    free(b);
}
END_TEST

START_TEST(fingerprints_are_written_with_all_digits)
{
    m5_buffer buffer = {0};
    m5_writer out = m5_buffer_writer(&buffer);
    m5_put_fingerprint(&out, (m5_fingerprint){UINT64_C(0x0123456789abcdef), 12});
    ck_assert_str_eq(text_of(&buffer), "0123456789abcdef:12");
    m5_buffer_free(&buffer);
}
END_TEST

/* ---- What is kept until the end -------------------------------------------------------------- */

static void add(m5_ranked *ranked, m5_severity severity, const char *line)
{
    m5_buffer *buffer = m5_ranked_add(ranked, severity);
    if (buffer == NULL)
        return;
    m5_writer out = m5_buffer_writer(buffer);
    m5_output_string(&out, line);
    m5_output_string(&out, "\n");
}

START_TEST(the_worst_come_first)
{
    m5_ranked ranked = {.most = 2};
    m5_buffer buffer = {0};
    m5_writer out = m5_buffer_writer(&buffer);
    add(&ranked, M5_NOTE, "note");
    add(&ranked, M5_WARNING, "first");
    add(&ranked, M5_WARNING, "second");
    add(&ranked, M5_WARNING, "third");
    add(&ranked, M5_ERROR, "error");
    ck_assert_uint_eq(m5_ranked_put(&ranked, &out, 9, ", "), 4);
    m5_output_string(&out, "; ");
    ck_assert_uint_eq(m5_ranked_put(&ranked, &out, 2, ", "), 2);
    ck_assert_str_eq(text_of(&buffer), "error, first, second, note; error, first");
    ck_assert_uint_eq(ranked.all[M5_WARNING - 1], 3);
    m5_buffer_free(&buffer);
    ck_assert(m5_ranked_free(&ranked));
}
END_TEST

/* Counts the lines of numbers in ascending order. */
static void check_line(void *user, const void *bytes, size_t count)
{
    char line[16];
    int *next = user;
    snprintf(line, sizeof line, "%08d", *next);
    ck_assert(count <= sizeof line);
    static char whole[16];
    static size_t length;
    memcpy(whole + length, bytes, count); /* a line may come in two pieces */
    length += count;
    if (length < strlen(line))
        return;
    ck_assert_mem_eq(whole, line, strlen(line));
    length = 0;
    ++*next;
}

START_TEST(what_is_kept_may_be_long)
{
    enum { LINES = 100000 };
    m5_ranked ranked = {.most = LINES};
    int next = 0;
    char line[16];
    for (int i = 0; i < LINES; i++) {
        snprintf(line, sizeof line, "%08d", i);
        add(&ranked, M5_NOTE, line);
    }
    ck_assert_uint_eq(m5_ranked_put(&ranked, &(m5_writer){check_line, &next}, LINES, ""), LINES);
    ck_assert_int_eq(next, LINES);
    ck_assert(m5_ranked_free(&ranked));
}
END_TEST

/* ---- Paths ----------------------------------------------------------------------------------- */

static const struct {
    const char *folder, *path, *want;
} paths[] = {
    {"/q/r/", "a/b", "a/b"},
    {"/q/r/", "./-a", "-a"},
    {"/q/r/", "/q/r/a", "a"},
    {"/q/r/", "/q/rr/a", "/q/rr/a"},
    {"/q/r/", "../a", "../a"},
    {"/q/r/", "/link/r/a", "a"},
    {"/q/r/", "/link/rr/a", "/link/rr/a"},
    {"/q/r/", "/q/r/x/../a", "a"},
    {"/q/r/", "/q/z/../r/.//a", "a"},
    {"/q/r/", "/../q/r/a", "a"},
    {"/q/r/", "x/../a", "a"},
    {"/q/r/", "x/./y//..a", "x/y/..a"},
    {"/q/r/", "x/y/../../../a", "../a"},
    {"/q/r/", "../x/../../a", "../../a"},
    {"/q/r/", "../../../../a", "../../a"},
    {"/q/r/", "../rr/a", "../rr/a"},
    {"/q/r/x/yy/", "z/../../a", "x/a"},
    {"/q/r/x/yy/", "z..a/../b..", "x/yy/b.."},
    {"/q/r/x/yy/", "a", "x/yy/a"},
    {"/q/r/x/yy/", "../a", "x/a"},
    {"/q/r/x/yy/", "../../a", "a"},
    {"/q/r/x/yy/", "../../../a", "../a"},
    {"/q/r/x/yy/", "..a", "x/yy/..a"},
    {"/q/", "y/../r/a", "a"},
    {"/q/", "r/a", "a"},
    {"/q/", "rr/a", "../rr/a"},
    {"/q/s/t/", "a", "../s/t/a"},
    {"/", "q/r/a", "a"},
    {"/", "a", "../../a"},
    {"/link/", "r/a", "a"},
};

START_TEST(paths_are_from_the_root)
{
    m5_root root = {.path = "/q/r/", .given = "/link/r/", .folder = paths[_i].folder},
            none = {.path = NULL};
    m5_repo_file file = {paths[_i].path, strlen(paths[_i].path), NULL};
    char *path = m5_repo_path(&root, file);
    ck_assert_str_eq(path, paths[_i].want);
    free(path);
    path = m5_repo_path(&none, file);
    ck_assert_str_eq(path, strncmp(file.path, "./", 2) == 0 ? file.path + 2 : file.path);
    free(path);
}
END_TEST

START_TEST(a_member_is_at_its_archive)
{
    m5_root none = {.path = NULL};
    m5_result r = {.path = "a!b.pk4!models/c", .archive = "a!b.pk4"};
    m5_repo_file file = m5_repo_file_of(&r);
    char *path = m5_repo_path(&none, file);
    ck_assert_str_eq(path, "a!b.pk4");
    ck_assert_str_eq(file.member, "models/c");
    free(path);
    r.archive = NULL;
    ck_assert_ptr_null(m5_repo_file_of(&r).member);
}
END_TEST

#define COUNT(list) (int)(sizeof(list) / sizeof *(list))

int main(void)
{
    Suite *suite = suite_create("parts of reports");
    TCase *tests = tcase_create("parts");
    tcase_add_loop_test(tests, text_is_escaped, 0, COUNT(escapes));
    tcase_add_test(tests, lines_do_not_change_fingerprints);
    tcase_add_test(tests, fingerprints_are_unique);
    tcase_add_test(tests, fingerprints_differ_between_files);
    tcase_add_test(tests, fingerprints_are_written_with_all_digits);
    tcase_add_test(tests, the_worst_come_first);
    tcase_add_test(tests, what_is_kept_may_be_long);
    tcase_add_loop_test(tests, paths_are_from_the_root, 0, COUNT(paths));
    tcase_add_test(tests, a_member_is_at_its_archive);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
