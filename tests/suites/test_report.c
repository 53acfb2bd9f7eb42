/* Tests the reporters with any bytes: jansson can read the JSON, and the text is safe for a
 * terminal. */
#include "support.h"
#include "lint/report/formats/reporters.h"

#include <check.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

typedef struct buffer {
    char *bytes;
    size_t count;
} buffer;

static void append(void *user, const void *bytes, size_t count)
{
    buffer *b = user;
    b->bytes = realloc(b->bytes, b->count + count + 1);
    memcpy(b->bytes + b->count, bytes, count);
    b->count += count;
    b->bytes[b->count] = '\0';
}

/* A whole report on one file, with at most `max` findings. */
static buffer report(const m5_reporter *reporter, const char *path, const void *bytes, size_t size,
                     uint32_t max)
{
    buffer b = {calloc(1, 1), 0};
    m5_writer out = {append, &b};
    m5_look look = {.width = 80};
    linted *l = lint_bytes("x.md5mesh", bytes, size, NULL, false);
    l->file.source.name = path;
    m5_result r = {.path = path, .format = m5_format_by_name("x.md5mesh"), .file = &l->file};
    m5_collector_pick(&l->found, max, &r.shown);
    m5_totals totals = {.files = 1, .errors = l->file.report.errors};
    void *shown = reporter->begin(&out, &look);
    reporter->file(shown, &r);
    reporter->end(shown, &totals);
    free_linted(l);
    return b;
}

static const char flawed[] = "MD5Version 10\ncommandline \"\"\nnumJoints 1\nnumMeshes 1\njoints {\n"
                             "\"a\" 7 ( 0 0 0 ) ( 0 0 0 )\n}\nmesh {\n\tshader \"x\"\n"
                             "\tnumverts 1\n\tvert 0 ( 0 0 ) 0 1\n\tnumtris 1\n\ttri 0 0 0 9\n"
                             "\tnumweights 1\n\tweight 0 0 0.5 ( 0 0 0 )\n}\n";

static json_t *parse(const buffer *b)
{
    json_error_t error;
    json_t *json = json_loadb(b->bytes, b->count, 0, &error);
    ck_assert_msg(json != NULL, "line %d column %d: %s\n%s", error.line, error.column, error.text,
                  b->bytes);
    return json;
}

START_TEST(json_has_the_documented_members)
{
    buffer b = report(&m5_report_json, "a.md5mesh", flawed, sizeof flawed - 1, 2);
    json_t *root = parse(&b), *file, *found;
    ck_assert_int_eq(json_integer_value(json_object_get(root, "schema")), 1);
    file = json_array_get(json_object_get(root, "files"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(file, "path")), "a.md5mesh");
    ck_assert_str_eq(json_string_value(json_object_get(file, "format")), "md5mesh");
    ck_assert_int_eq(json_integer_value(json_object_get(file, "errors")), 3);
    ck_assert_uint_eq(json_array_size(json_object_get(file, "diagnostics")), 2);
    found = json_array_get(json_object_get(file, "diagnostics"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(found, "rule")),
                     "md5mesh-joint-parent-range");
    ck_assert_str_eq(json_string_value(json_object_get(found, "severity")), "error");
    ck_assert_str_eq(json_string_value(json_object_get(found, "path")), "joint[0]");
    ck_assert_int_eq(json_integer_value(json_object_get(found, "line")), 6);
    ck_assert_int_eq(json_integer_value(json_object_get(found, "column")), 5);
    ck_assert_int_eq(json_integer_value(json_object_get(found, "length")), 1);
    ck_assert_ptr_null(json_object_get(found, "related"));
    ck_assert_uint_gt(json_object_size(json_object_get(file, "more")), 0);
    json_decref(root);
    free(b.bytes);
}
END_TEST

START_TEST(json_is_valid_for_any_bytes)
{
    char bytes[sizeof flawed], path[4] = "a?b";
    for (int byte = 1; byte < 256; byte++) {
        memcpy(bytes, flawed, sizeof flawed);
        strchr(bytes, 'a')[0] = (char)byte; /* in a keyword */
        strstr(bytes, "\"a\"")[1] = (char)byte;
        path[1] = (char)byte;
        buffer b = report(&m5_report_json, path, bytes, sizeof bytes - 1, 0);
        json_t *root = parse(&b);
        const char *shown = json_string_value(
            json_object_get(json_array_get(json_object_get(root, "files"), 0), "path"));
        ck_assert_msg(byte >= 0x80 ? strcmp(shown, "a\xef\xbf\xbd"
                                                   "b") == 0
                                   : strcmp(shown, path) == 0,
                      "byte %d became %s", byte, shown);
        json_decref(root);
        free(b.bytes);
    }
}
END_TEST

/* Columns of SARIF are UTF-16 units: two for the letter of four bytes before the place. */
START_TEST(sarif_columns_are_utf16)
{
    char bytes[sizeof flawed + 3];
    char *name = strstr(strcpy(bytes, flawed), "a\" 7");
    memmove(name + 4, name + 1, strlen(name + 1) + 1);
    memcpy(name, "\xf0\x9f\x98\x80", 4);
    buffer b = report(&m5_report_sarif, "x.md5mesh", bytes, sizeof bytes - 1, 0);
    ck_assert_ptr_nonnull(strstr(b.bytes, "\"region\":{\"startLine\":6,\"startColumn\":6,"
                                          "\"endLine\":6,\"endColumn\":7}"));
    json_decref(parse(&b));
    free(b.bytes);
}
END_TEST

/* All places of a finding are shown, in their order, also those in other files. */
START_TEST(several_related_places_are_shown)
{
    linted *l = lint_string("x.md5mesh", flawed);
    m5_source other = {"other.md5mesh", (const uint8_t *)"one\ntwo\n", 8};
    m5_result r = {.path = "x.md5mesh", .format = l->file.model.format, .file = &l->file};
    m5_collector_pick(&l->found, 1, &r.shown);
    m5_finding f = *r.shown.list[0];
    const m5_finding *list[] = {&f};
    r.shown.list = list;
    f.diag.num_related = 3;
    f.diag.related[0] = (m5_related){&l->file.source, {0, 10}, "the version"};
    f.diag.related[1] = (m5_related){&other, {4, 3}, "the second line"};
    f.diag.related[2] = (m5_related){&l->file.source, {14, 11}, "the command line"};
    static const char *const places[] = {"x.md5mesh:1:1: the version",
                                         "other.md5mesh:2:1: the second",
                                         "x.md5mesh:2:1: the command line"};
    buffer b = {calloc(1, 1), 0};
    m5_look look = {.width = 80};
    m5_writer out = {append, &b};
    m5_totals totals = {.files = 1};
    void *shown = m5_report_text.begin(&out, &look);
    m5_report_text.file(shown, &r);
    const char *at = b.bytes;
    for (int i = 0; i < 3; i++)
        ck_assert_ptr_nonnull(at = strstr(at, places[i]));
    m5_report_text.end(shown, &totals);
    b.count = 0;
    shown = m5_report_json.begin(&out, &look);
    m5_report_json.file(shown, &r);
    m5_report_json.end(shown, &totals);
    json_t *root = parse(&b), *file = json_array_get(json_object_get(root, "files"), 0);
    json_t *found = json_array_get(json_object_get(file, "diagnostics"), 0);
    json_t *related = json_object_get(found, "related");
    ck_assert_uint_eq(json_array_size(related), 3);
    json_t *second = json_array_get(related, 1);
    ck_assert_str_eq(json_string_value(json_object_get(second, "file")), "other.md5mesh");
    ck_assert_int_eq(json_integer_value(json_object_get(second, "line")), 2);
    json_decref(root);
    free(b.bytes);
    free_linted(l);
}
END_TEST

/* No control characters except line endings, and only UTF-8. */
static void check_safe(const buffer *b)
{
    const uint8_t *p = (const uint8_t *)b->bytes, *end = p + b->count;
    while (p < end) {
        uint32_t code;
        size_t length = m5_utf8_letter(p, (size_t)(end - p), &code);
        ck_assert_uint_ne(length, 0);
        ck_assert_msg(code == '\n' || (code >= 0x20 && !(code >= 0x7f && code < 0xa0)),
                      "code %x in\n%s", code, b->bytes);
        p += length;
    }
}

START_TEST(text_is_safe_for_any_bytes)
{
    static const m5_reporter *const reporters[] = {&m5_report_text, &m5_report_gcc};
    char bytes[sizeof flawed], path[] = "a?\xc2\x85\xe2\x80\xae"
                                        "b";
    for (int byte = 0; byte < 256; byte++) {
        memcpy(bytes, flawed, sizeof flawed);
        char *name = strstr(bytes, "\"a\"");
        name[1] = (char)byte;
        path[1] = (char)(byte == 0 ? 1 : byte);
        buffer b = report(reporters[_i], path, bytes, sizeof bytes - 1, 0);
        check_safe(&b);
        ck_assert_ptr_nonnull(strstr(b.bytes, "\\u{0085}\\u{202e}"));
        free(b.bytes);
    }
}
END_TEST

START_TEST(long_lines_are_cut_around_the_place)
{
    size_t lead = (size_t)_i;
    char *text = malloc(lead + sizeof flawed);
    memset(text, ' ', lead);
    char *at = strstr(flawed, "\"a\"");
    size_t before = (size_t)(at - flawed);
    memcpy(text, flawed, before);
    memset(text + before, ' ', lead);
    memcpy(text + before + lead, at, sizeof flawed - before);
    buffer b = report(&m5_report_text, "x", text, lead + sizeof flawed - 1, 1);
    char *line = strstr(b.bytes, " | "), *marks = strstr(line + 3, " | ");
    ck_assert_ptr_nonnull(marks);
    char *caret = strchr(marks, '^'), *parent = strchr(line, '7');
    ck_assert_ptr_nonnull(caret);
    ck_assert_ptr_nonnull(parent);
    ck_assert_int_eq((int)(parent - line), (int)(caret - marks));
    ck_assert_uint_lt(strcspn(line, "\n"), 82);
    free(b.bytes);
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("report");
    TCase *tests = tcase_create("reporters");
    tcase_add_test(tests, json_has_the_documented_members);
    tcase_add_test(tests, json_is_valid_for_any_bytes);
    tcase_add_test(tests, sarif_columns_are_utf16);
    tcase_add_test(tests, several_related_places_are_shown);
    tcase_add_loop_test(tests, text_is_safe_for_any_bytes, 0, 2);
    tcase_add_loop_test(tests, long_lines_are_cut_around_the_place, 0, 400);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
