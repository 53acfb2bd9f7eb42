/* Tests finding lines of a source, and writing numbers and messages as text. */
#include "support.h"
#include "parsers/core/emit.h"
#include "parsers/core/ends.h"
#include "parsers/core/number.h"
#include "parsers/core/text.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_state;

static uint64_t random64(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static unsigned below(size_t n)
{
    return (unsigned)(random64() % n);
}

/* A source with an exact copy of its bytes, so that a sanitizer reports a read past the end. */
static m5_source source_of(const char *text, size_t size)
{
    uint8_t *bytes = malloc(size + (size == 0));
    memcpy(bytes, text, size);
    return (m5_source){"text", bytes, (uint32_t)size};
}

static void free_source(m5_source *s)
{
    union {
        const uint8_t *in;
        void *out;
    } bytes = {.in = s->bytes};
    free(bytes.out);
}

/* ---- Source: lines --------------------------------------------------------------------------- */

static m5_place naive_place(const m5_source *s, uint32_t offset)
{
    m5_place p = {1, 1};
    for (uint32_t i = 0; i < offset && i < s->size; i++) {
        p.line += s->bytes[i] == '\n';
        p.column = s->bytes[i] == '\n' ? 1 : p.column + 1;
    }
    return p;
}

static void check_places(const m5_source *s)
{
    m5_lines lines = {.source = s};
    for (uint32_t k = 0; k <= s->size + 2; k++) {
        uint32_t offset = (k * 7919u) % (s->size + 3); /* in random order */
        m5_place p = m5_lines_find(&lines, offset), n = naive_place(s, offset);
        if (p.line != n.line || p.column != n.column)
            ck_abort_msg("size %u, offset %u: %u:%u, expected %u:%u", s->size, offset, p.line,
                         p.column, n.line, n.column);
    }
    uint32_t end = s->size;
    while (end > 0 && s->bytes[end - 1] <= ' ')
        end--;
    m5_span last = m5_source_end(s);
    ck_assert(last.offset == end && last.length == 0);
}

START_TEST(lines_and_columns_are_right)
{
    char text[700];
    random_state = 5;
    for (int i = 0; i < 600; i++) {
        size_t size = i < 200 ? (size_t)i : below(sizeof text);
        unsigned letters = 2 + below(6);
        for (size_t k = 0; k < size; k++)
            text[k] = "\nab\r \t"[below(letters)];
        m5_source s = source_of(text, size);
        check_places(&s);
        free_source(&s);
    }
}
END_TEST

/* Lines far apart, in a file large enough to have marks for them, which get `room` bytes. */
static void check_far_places(const m5_source *s, void *memory, size_t room)
{
    m5_arena arena;
    m5_arena_init(&arena, memory, room);
    m5_lines lines = {.source = s, .arena = &arena};
    for (uint32_t k = 0; k < 200; k++) {
        uint32_t offset = (k * 7919u * 7919u) % (s->size + 1);
        m5_place p = m5_lines_find(&lines, offset), n = naive_place(s, offset);
        ck_assert(p.line == n.line && p.column == n.column);
    }
    ck_assert((arena.used != 0) == (room >= 4096));
}

START_TEST(lines_far_apart_are_found)
{
    enum { SIZE = 70000 };
    static char text[SIZE];
    static double memory[1024];
    for (size_t k = 0; k < SIZE; k++)
        text[k] = below(12) == 0 ? '\n' : 'a';
    m5_source s = source_of(text, SIZE);
    check_far_places(&s, memory, sizeof memory);
    check_far_places(&s, memory, 64);
    free_source(&s);
}
END_TEST

START_TEST(last_offsets_are_found)
{
    m5_source s = source_of("a\nb", 3);
    m5_lines lines = {.source = &s};
    m5_place p = m5_lines_find(&lines, UINT32_MAX);
    ck_assert(p.line == 2 && p.column == 2);
    m5_source empty = {"", s.bytes, 0};
    m5_lines none = {.source = &empty};
    p = m5_lines_find(&none, 10);
    ck_assert(p.line == 1 && p.column == 1);
    m5_span end = m5_source_end(&empty);
    ck_assert(end.offset == 0 && end.length == 0);
    free_source(&s);
}
END_TEST

/* ---- Text ------------------------------------------------------------------------------------ */

static const char *as_text(char *out, size_t size, double value, int digits)
{
    m5_text t = {out, size, 0, false};
    m5_text_float(&t, value, digits);
    return out;
}

static const struct {
    double value;
    int digits;
    const char *text;
} shown[] = {
    {0, 6, "0"},
    {-0.0, 6, "0"},
    {1, 6, "1"},
    {-1, 6, "-1"},
    {0.93, 6, "0.93"},
    {0.5, 1, "0.5"},
    {1e-7, 6, "1e-07"},
    {123456, 6, "123456"},
    {1234567, 6, "1234570"},
    {0.00001, 6, "0.00001"},
    {0.000001, 6, "1e-06"},
    {9.9999999, 6, "10"},
    {0.99999999, 6, "1"},
    {1e9, 6, "1000000000"},
    {1e10, 6, "1e+10"},
    {1.5e10, 6, "1.5e+10"},
    {1e100, 6, "1e+100"},
    {-2.5e-10, 6, "-2.5e-10"},
    {0.1, 15, "0.1"},
    {100, 3, "100"},
    {1e22, 6, "1e+22"},
    {0.25, 6, "0.25"},
    {1.7976931348623157e308, 6, "1.79769e+308"},
    {5e-324, 1, "5e-324"},
    {INFINITY, 6, "inf"},
    {-INFINITY, 6, "-inf"},
    {12345.678, 3, "12300"},
    {0.0123456789, 9, "0.0123456789"},
    {65504, 9, "65504"},
    {1e-45, 6, "1e-45"},
    {999999.5, 6, "1000000"},
    {0.3, 7, "0.3"},
};

START_TEST(floats_are_shown_in_short_form)
{
    char text[64];
    ck_assert_str_eq(as_text(text, sizeof text, shown[_i].value, shown[_i].digits), shown[_i].text);
}
END_TEST

START_TEST(nine_digits_give_the_same_float)
{
    char text[64];
    random_state = 9;
    for (int i = 0; i < 300000; i++) {
        uint32_t bits = (uint32_t)random64();
        float f, back = 0;
        memcpy(&f, &bits, sizeof f);
        if (f - f != 0)
            continue;
        as_text(text, sizeof text, (double)f, 9);
        m5_read_float((const uint8_t *)text, strlen(text), &back);
        if (back != f)
            ck_abort_msg("%a is shown as %s, which is %a", (double)f, text, (double)back);
    }
}
END_TEST

/* Near enough to printf's: the same digits, except that the last may differ by one. */
START_TEST(floats_are_shown_as_by_printf)
{
    char text[64];
    random_state = 10;
    for (int i = 0; i < 100000; i++) {
        double d, back = 0, scale;
        uint64_t bits = random64();
        memcpy(&d, &bits, sizeof d);
        if (d - d != 0)
            continue;
        int digits = 1 + (int)below(17);
        as_text(text, sizeof text, d, digits);
        m5_read_double((const uint8_t *)text, strlen(text), &back);
        scale = digits < 16 ? pow(10, 1 - digits) * 0.500001 + 1e-14 : 1e-14;
        if (fabs(back - d) > fabs(d) * scale && fabs(d) > 1e-300 && fabs(d) < 1e308)
            ck_abort_msg("%.17g with %d digits is shown as %s", d, digits, text);
    }
}
END_TEST

START_TEST(ints_are_shown_in_full)
{
    static const int64_t value[] = {0, -1, 10, INT64_MAX, INT64_MIN};
    static const char *const expected[] = {"0", "-1", "10", "9223372036854775807",
                                           "-9223372036854775808"};
    for (int i = 0; i < 5; i++) {
        char text[32];
        m5_text t = {text, sizeof text, 0, false};
        m5_text_int(&t, value[i]);
        ck_assert_str_eq(text, expected[i]);
        ck_assert_uint_eq(t.length, strlen(text));
    }
}
END_TEST

/* Text is cut at every length, never overruns the buffer, and is always terminated. */
START_TEST(text_is_cut_and_never_overrun)
{
    for (size_t size = 1; size < 12; size++) {
        char text[16];
        memset(text, '#', sizeof text);
        m5_text t = {text, size, 0, false};
        m5_text_add(&t, "abc", 3);
        m5_text_int(&t, -42);
        m5_text_add(&t, "", 0);
        size_t n = size - 1 < 6 ? size - 1 : 6;
        ck_assert_int_eq(memcmp(text, "abc-42", n), 0);
        ck_assert(text[n] == '\0' && t.length == n && t.full == (n < 6));
        for (size_t i = size; i < sizeof text; i++)
            ck_assert_int_eq(text[i], '#');
    }
    m5_text none = {NULL, 0, 0, false};
    m5_text_add(&none, "abc", 3);
    ck_assert_uint_eq(none.length, 0);
}
END_TEST

static const char *formatted(char *out, size_t size, const char *format, ...) M5_PRINTF(3, 4);
static const char *formatted(char *out, size_t size, const char *format, ...)
{
    m5_text t = {out, size, 0, false};
    va_list args;
    va_start(args, format);
    m5_text_format(&t, format, args);
    va_end(args);
    return out;
}

START_TEST(messages_are_formatted)
{
    char out[256], name[100];
    memset(name, 'n', sizeof name);
    ck_assert_str_eq(formatted(out, sizeof out, "%x %s %d %u %llu %c %g %.3g %.9g %%", 0x1a2bu, "s",
                               -7, 8u, 18446744073709551615ull, 'c', 0.5, 1.0 / 3, 2.0),
                     "00001a2b s -7 8 18446744073709551615 c 0.5 0.333 2 %");
    ck_assert_str_eq(formatted(out, sizeof out, "'%.*s'", 3, "abcdef"), "'abc'");
    ck_assert_str_eq(formatted(out, sizeof out, "%.*s", 0, "abc"), "");
    formatted(out, sizeof out, "%.*s|", 61, name);
    ck_assert(strlen(out) == 64 && strcmp(out + 60, "...|") == 0);
    formatted(out, sizeof out, "%.*s|", 60, name);
    ck_assert(strlen(out) == 61 && out[60] == '|');
    ck_assert_str_eq(formatted(out, 5, "%s", "abcdefgh"), "abcd");
    ck_assert_str_eq(formatted(out, sizeof out, "%d %d", INT32_MIN, INT32_MAX),
                     "-2147483648 2147483647");
}
END_TEST

static const char *path_text(char *out, const char *model, const char *anim)
{
    m5_source in = {"a.def", (const uint8_t *)model, (uint32_t)strlen(model)};
    m5_source other = {"a.def", (const uint8_t *)anim, (uint32_t)strlen(anim)};
    m5_path path = m5_path_to((m5_path){0}, "model", 3, &in, (m5_name){0, in.size});
    path = m5_path_to(path, "anim", 7, &other, (m5_name){0, other.size});
    m5_path_text(&path, out, 200);
    return out;
}

START_TEST(names_of_a_path_are_shown_in_place_of_indices)
{
    char out[200], other[200];
    const char *of_40 = "0123456789012345678901234567890123456789";
    ck_assert_str_eq(path_text(out, "monster_Imp", "walk1"), "model[monster_Imp].anim[walk1]");
    ck_assert_str_eq(path_text(out, "", "a/b.c-d~_"), "model[3].anim[a/b.c-d~_]");
    ck_assert_str_eq(path_text(out, "", of_40),
                     "model[3].anim[0123456789012345678901234567890123456789]");
    path_text(out, "", "0123456789012345678901234567890123456789a");
    ck_assert_uint_eq(strlen(out), strlen("model[3].anim[]") + 40);
    ck_assert_mem_eq(out, "model[3].anim[0123456789012345678901234567890~", 46);
    path_text(other, "", "0123456789012345678901234567890123456789b");
    ck_assert_str_ne(out, other);
}
END_TEST

/* They are safe in a report, differ if the names do, and stay if they are shown again. */
START_TEST(odd_names_of_a_path_are_shown_with_a_hash)
{
    static const char *const odd[] = {"a b", "a]b", "a\"b", "a\nb",
                                      "a@b", "a`b", "a{b",  "\xc3\xa9"};
    char name[41], again[41], last[41] = "";
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        uint32_t length = m5_path_own(odd[i], (uint32_t)strlen(odd[i]), name);
        ck_assert_uint_eq(length, strlen(odd[i]) + 9);
        ck_assert_uint_eq(strspn(name, "ab_~0123456789cdef"), length);
        ck_assert_str_ne(name, last);
        ck_assert_uint_eq(m5_path_own(name, length, again), length);
        ck_assert_str_eq(again, name);
        memcpy(last, name, sizeof last);
    }
    char large[1100]; /* its end does not count */
    memset(large, 'a', sizeof large);
    m5_path_own(large, sizeof large, name);
    large[sizeof large - 1] = 'b';
    m5_path_own(large, sizeof large, again);
    ck_assert_str_eq(again, name);
    large[0] = 'b';
    m5_path_own(large, sizeof large, again);
    ck_assert_str_ne(again, name);
}
END_TEST

#define LENGTH(array) (int)(sizeof(array) / sizeof *(array))

int main(void)
{
    Suite *suite = suite_create("text");
    TCase *t = tcase_create("text");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, lines_and_columns_are_right);
    tcase_add_test(t, lines_far_apart_are_found);
    tcase_add_test(t, last_offsets_are_found);
    tcase_add_loop_test(t, floats_are_shown_in_short_form, 0, LENGTH(shown));
    tcase_add_test(t, nine_digits_give_the_same_float);
    tcase_add_test(t, floats_are_shown_as_by_printf);
    tcase_add_test(t, ints_are_shown_in_full);
    tcase_add_test(t, text_is_cut_and_never_overrun);
    tcase_add_test(t, messages_are_formatted);
    tcase_add_test(t, names_of_a_path_are_shown_in_place_of_indices);
    tcase_add_test(t, odd_names_of_a_path_are_shown_with_a_hash);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
