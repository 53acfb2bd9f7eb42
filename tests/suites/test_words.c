/* Tests the words of ill* files against C++'s >> operator: the table has the output of libstdc++
 * 12, in the C locale. */
#include "support.h"
#include "parsers/ill/ill.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- A text and its words ------------------------------------------------------------------- */

typedef struct said {
    unsigned count;
    const m5_rule *rule; /* of the last finding */
    m5_span at;
} said;

static void take(void *user, const m5_diag *d)
{
    said *s = user;
    s->count++;
    s->rule = d->rule;
    s->at = d->at;
}

typedef struct reader {
    m5_source source;
    m5_report report;
    m5_words words;
    said said;
    uint8_t *bytes;
} reader;

/* Words in an exact copy of these bytes, so that a sanitizer reports a read past the end. */
static void open_bytes(reader *r, const void *bytes, size_t size, bool fast)
{
    *r = (reader){.bytes = malloc(size)};
    if (size != 0)
        memcpy(r->bytes, bytes, size);
    r->source = (m5_source){"text", r->bytes, (uint32_t)size};
    r->report = (m5_report){.source = &r->source, .sink = {take, &r->said}};
    m5_words_init(&r->words, &r->report, fast);
}

static void open_text(reader *r, const char *text, bool fast)
{
    open_bytes(r, text, strlen(text), fast);
}

/* ---- What >> reads -------------------------------------------------------------------------- */

#define NO INT64_MIN /* >> fails, or does not read the whole word */

/* A word, and how >> reads it: as the bits of a float, an unsigned int, an int, a bool. */
static const struct {
    const char *word;
    int64_t bits, natural, integer, flag;
} stream[] = {
    /* clang-format off */
    {"0", 0x00000000, 0, 0, 0}, {"-0", 0x80000000, 0, 0, 0}, {"+0", 0x00000000, 0, 0, 0}, {"1", 0x3f800000, 1, 1, 1},
    {"-1", 0xbf800000, 4294967295, -1, NO}, {"+1", 0x3f800000, 1, 1, 1}, {"00", 0x00000000, 0, 0, 0},
    {"01", 0x3f800000, 1, 1, 1}, {"+01", 0x3f800000, 1, 1, 1}, {"-01", 0xbf800000, 4294967295, -1, NO},
    {"000000000000000000000000000000000000000000000000001", 0x3f800000, 1, 1, 1}, {"2", 0x40000000, 2, 2, NO},
    {"10", 0x41200000, 10, 10, NO}, {"010", 0x41200000, 10, 10, NO}, {"0010", 0x41200000, 10, 10, NO},
    {"+010", 0x41200000, 10, 10, NO}, {"-010", 0xc1200000, 4294967286, -10, NO}, {"007", 0x40e00000, 7, 7, NO},
    {"128", 0x43000000, 128, 128, NO}, {"16777216", 0x4b800000, 16777216, 16777216, NO},
    {"16777217", 0x4b800000, 16777217, 16777217, NO}, {"16777218", 0x4b800001, 16777218, 16777218, NO},
    {"16777219", 0x4b800002, 16777219, 16777219, NO}, {"33554433", 0x4c000000, 33554433, 33554433, NO},
    {"999999999", 0x4e6e6b28, 999999999, 999999999, NO}, {"1000000000", 0x4e6e6b28, 1000000000, 1000000000, NO},
    {"9999999999", 0x501502f9, NO, NO, NO}, {"2147483647", 0x4f000000, 2147483647, 2147483647, NO},
    {"2147483648", 0x4f000000, 2147483648, NO, NO}, {"2147483649", 0x4f000000, 2147483649, NO, NO},
    {"-2147483647", 0xcf000000, 2147483649, -2147483647, NO},
    {"-2147483648", 0xcf000000, 2147483648, -2147483648, NO}, {"-2147483649", 0xcf000000, 2147483647, NO, NO},
    {"4294967294", 0x4f800000, 4294967294, NO, NO}, {"4294967295", 0x4f800000, 4294967295, NO, NO},
    {"4294967296", 0x4f800000, NO, NO, NO}, {"4294967297", 0x4f800000, NO, NO, NO},
    {"-4294967295", 0xcf800000, 1, NO, NO}, {"-4294967296", 0xcf800000, NO, NO, NO},
    {"9223372036854775807", 0x5f000000, NO, NO, NO}, {"9223372036854775808", 0x5f000000, NO, NO, NO},
    {"18446744073709551615", 0x5f800000, NO, NO, NO}, {"18446744073709551616", 0x5f800000, NO, NO, NO},
    {"-18446744073709551615", 0xdf800000, NO, NO, NO}, {"-18446744073709551616", 0xdf800000, NO, NO, NO},
    {"99999999999999999999999999", 0x6aa56fa6, NO, NO, NO}, {"-99999999999999999999999999", 0xeaa56fa6, NO, NO, NO},
    {"+4294967295", 0x4f800000, 4294967295, NO, NO}, {"+4294967296", 0x4f800000, NO, NO, NO},
    {"+2147483647", 0x4f000000, 2147483647, 2147483647, NO}, {"+2147483648", 0x4f000000, 2147483648, NO, NO},
    {"0.5", 0x3f000000, NO, NO, NO}, {"-0.5", 0xbf000000, NO, NO, NO}, {"+0.5", 0x3f000000, NO, NO, NO},
    {".5", 0x3f000000, NO, NO, NO}, {"-.5", 0xbf000000, NO, NO, NO}, {"+.5", 0x3f000000, NO, NO, NO},
    {"5.", 0x40a00000, NO, NO, NO}, {"-5.", 0xc0a00000, NO, NO, NO}, {"+5.", 0x40a00000, NO, NO, NO},
    {".", NO, NO, NO, NO}, {"-.", NO, NO, NO, NO}, {"+.", NO, NO, NO, NO}, {"-", NO, NO, NO, NO},
    {"+", NO, NO, NO, NO}, {"--5", NO, NO, NO, NO}, {"++5", NO, NO, NO, NO}, {"+-5", NO, NO, NO, NO},
    {"-+5", NO, NO, NO, NO}, {"e5", NO, NO, NO, NO}, {"E5", NO, NO, NO, NO}, {".e5", NO, NO, NO, NO},
    {"-e5", NO, NO, NO, NO}, {"1e", NO, NO, NO, NO}, {"1E", NO, NO, NO, NO}, {"1e+", NO, NO, NO, NO},
    {"1e-", NO, NO, NO, NO}, {"1E+", NO, NO, NO, NO}, {"1.e", NO, NO, NO, NO}, {"1e5", 0x47c35000, NO, NO, NO},
    {"1E5", 0x47c35000, NO, NO, NO}, {"1e+5", 0x47c35000, NO, NO, NO}, {"1e-5", 0x3727c5ac, NO, NO, NO},
    {"1.e5", 0x47c35000, NO, NO, NO}, {".5e1", 0x40a00000, NO, NO, NO}, {"5.e1", 0x42480000, NO, NO, NO},
    {"1e05", 0x47c35000, NO, NO, NO}, {"1e005", 0x47c35000, NO, NO, NO},
    {"1e00000000000000000005", 0x47c35000, NO, NO, NO}, {"1e0", 0x3f800000, NO, NO, NO},
    {"0e5", 0x00000000, NO, NO, NO}, {"0e39", 0x00000000, NO, NO, NO}, {"0e400", 0x00000000, NO, NO, NO},
    {"0e-400", 0x00000000, NO, NO, NO}, {"0e99999999999999999999", 0x00000000, NO, NO, NO},
    {"-0e5", 0x80000000, NO, NO, NO}, {"1e38", 0x7e967699, NO, NO, NO}, {"1e39", NO, NO, NO, NO},
    {"-1e39", NO, NO, NO, NO}, {"0.1e39", 0x7e967699, NO, NO, NO}, {"0.01e40", 0x7e967699, NO, NO, NO},
    {"0.0000001e40", 0x76453719, NO, NO, NO}, {"10e37", 0x7e967699, NO, NO, NO}, {"10e38", NO, NO, NO, NO},
    {"100000000000000000000000000000000000000", 0x7e967699, NO, NO, NO},
    {"1000000000000000000000000000000000000000", NO, NO, NO, NO},
    {"0.00000000000000000000000000000000000000000000001e60", 0x551184e7, NO, NO, NO},
    {"1e-37", 0x02081cea, NO, NO, NO}, {"1e-38", 0x006ce3ee, NO, NO, NO}, {"1e-39", 0x000ae398, NO, NO, NO},
    {"1e-44", 0x00000007, NO, NO, NO}, {"1e-45", 0x00000001, NO, NO, NO}, {"1e-46", 0x00000000, NO, NO, NO},
    {"1e-50", 0x00000000, NO, NO, NO}, {"-1e-50", 0x80000000, NO, NO, NO}, {"1e-400", 0x00000000, NO, NO, NO},
    {"1e400", NO, NO, NO, NO}, {"-1e400", NO, NO, NO, NO}, {"1e99999999999999999999", NO, NO, NO, NO},
    {"1e-99999999999999999999", 0x00000000, NO, NO, NO}, {"3.4028234e38", 0x7f7fffff, NO, NO, NO},
    {"3.4028235e38", 0x7f7fffff, NO, NO, NO}, {"3.4028236e38", NO, NO, NO, NO},
    {"3.40282346638528859811704183484516925440e38", 0x7f7fffff, NO, NO, NO},
    {"3.40282356779733661637539395458142568448e38", NO, NO, NO, NO},
    {"3.402823669209384634633746074317682114560e38", NO, NO, NO, NO},
    {"340282346638528859811704183484516925440", 0x7f7fffff, NO, NO, NO},
    {"340282356779733661637539395458142568448", NO, NO, NO, NO},
    {"-340282356779733661637539395458142568448", NO, NO, NO, NO}, {"1.17549435e-38", 0x00800000, NO, NO, NO},
    {"1.1754942e-38", 0x007fffff, NO, NO, NO}, {"1.40129846e-45", 0x00000001, NO, NO, NO},
    {"2.1019477e-45", 0x00000002, NO, NO, NO}, {"0.1", 0x3dcccccd, NO, NO, NO}, {"0.2", 0x3e4ccccd, NO, NO, NO},
    {"0.3", 0x3e99999a, NO, NO, NO}, {"1.1", 0x3f8ccccd, NO, NO, NO}, {"3.14159265358979", 0x40490fdb, NO, NO, NO},
    {"3.14159274101257324218750000000000000001", 0x40490fdb, NO, NO, NO}, {"0.333333333", 0x3eaaaaab, NO, NO, NO},
    {"0.3333333333333333333333333333", 0x3eaaaaab, NO, NO, NO}, {"123456789", 0x4ceb79a3, 123456789, 123456789, NO},
    {"12345678.9", 0x4b3c614f, NO, NO, NO}, {"1234567890.123456789", 0x4e932c06, NO, NO, NO},
    {"0.12345678901234567890", 0x3dfcd6ea, NO, NO, NO}, {"123456789012345678901234567890", 0x6fc77488, NO, NO, NO},
    {"9007199254740993", 0x5a000000, NO, NO, NO}, {"0.000000000000000000000001", 0x179abe15, NO, NO, NO},
    {"1.00000005960464477539062", 0x3f800000, NO, NO, NO}, {"1.000000059604644775390625", 0x3f800000, NO, NO, NO},
    {"0x10", NO, NO, NO, NO}, {"0X10", NO, NO, NO, NO}, {"0x", NO, NO, NO, NO}, {"0x1p3", NO, NO, NO, NO},
    {"-0x1", NO, NO, NO, NO}, {"0b1", NO, NO, NO, NO}, {"1,5", NO, NO, NO, NO}, {"1,000", NO, NO, NO, NO},
    {",5", NO, NO, NO, NO}, {"5,", NO, NO, NO, NO}, {"1e5,", NO, NO, NO, NO}, {"1_000", NO, NO, NO, NO},
    {"1'000", NO, NO, NO, NO}, {"nan", NO, NO, NO, NO}, {"NaN", NO, NO, NO, NO}, {"NAN", NO, NO, NO, NO},
    {"-nan", NO, NO, NO, NO}, {"nan(0x1)", NO, NO, NO, NO}, {"inf", NO, NO, NO, NO}, {"-inf", NO, NO, NO, NO},
    {"+inf", NO, NO, NO, NO}, {"Inf", NO, NO, NO, NO}, {"INF", NO, NO, NO, NO}, {"infinity", NO, NO, NO, NO},
    {"1.#INF", NO, NO, NO, NO}, {"-1.#INF", NO, NO, NO, NO}, {"1.#IND", NO, NO, NO, NO}, {"1.#QNAN", NO, NO, NO, NO},
    {"1#INF", NO, NO, NO, NO}, {"1f", NO, NO, NO, NO}, {"1.0f", NO, NO, NO, NO}, {"1.F", NO, NO, NO, NO},
    {"1.5d", NO, NO, NO, NO}, {"1l", NO, NO, NO, NO}, {"1L", NO, NO, NO, NO}, {"1u", NO, NO, NO, NO},
    {"5%", NO, NO, NO, NO}, {"1.0-2.0", NO, NO, NO, NO}, {"1.2.3", NO, NO, NO, NO}, {"5-3", NO, NO, NO, NO},
    {"5+3", NO, NO, NO, NO}, {"1-", NO, NO, NO, NO}, {"1+", NO, NO, NO, NO}, {"1.5.", NO, NO, NO, NO},
    {"..5", NO, NO, NO, NO}, {"5..", NO, NO, NO, NO}, {"1.-", NO, NO, NO, NO}, {"1e5e5", NO, NO, NO, NO},
    {"1e5.5", NO, NO, NO, NO}, {"1e5-3", NO, NO, NO, NO}, {"1e5x", NO, NO, NO, NO}, {"1.5x7", NO, NO, NO, NO},
    {"1x", NO, NO, NO, NO}, {"x1", NO, NO, NO, NO}, {"abc", NO, NO, NO, NO}, {"true", NO, NO, NO, NO},
    {"false", NO, NO, NO, NO}, {"True", NO, NO, NO, NO}, {"t", NO, NO, NO, NO}, {"\"1\"", NO, NO, NO, NO},
    {"(1)", NO, NO, NO, NO}, {"1)", NO, NO, NO, NO}, {"[1]", NO, NO, NO, NO}, {"{1", NO, NO, NO, NO},
    {"1;", NO, NO, NO, NO}, {"1:", NO, NO, NO, NO}, {"1/2", NO, NO, NO, NO}, {"1//", NO, NO, NO, NO},
    {"1#", NO, NO, NO, NO}, {"$1", NO, NO, NO, NO}, {"~1", NO, NO, NO, NO}, {"1*", NO, NO, NO, NO},
    {"*", NO, NO, NO, NO}, {"3.0", 0x40400000, NO, NO, NO}, {"3.5", 0x40600000, NO, NO, NO},
    {"1.0", 0x3f800000, NO, NO, NO}, {"0.0", 0x00000000, NO, NO, NO}, {"1.", 0x3f800000, NO, NO, NO},
    {"0.", 0x00000000, NO, NO, NO}, {"-1.0", 0xbf800000, NO, NO, NO}, {"1e1", 0x41200000, NO, NO, NO},
    {"1e3", 0x447a0000, NO, NO, NO}, {"0e0", 0x00000000, NO, NO, NO}, {"1E0", 0x3f800000, NO, NO, NO},
    {"\302\262", NO, NO, NO, NO}, {"\357\274\221", NO, NO, NO, NO}, {"\303\251", NO, NO, NO, NO},
    /* clang-format on */
};
enum { WORDS = sizeof stream / sizeof *stream };

/* Places for the word: alone, at the beginning or the end of a file, and far from the end, where
 * fast readers work. */
static const char *const before[] = {"", " ", "\n\t", "         \r\n"};
static const char *const behind[] = {
    "",
    "\n",
    " ",
    "\t",
    "\v",
    "\f",
    "\r\n",
    "                                                                                        ",
    "\n                                                                                  1 2 3"};
enum { BEFORE = sizeof before / sizeof *before, BEHIND = sizeof behind / sizeof *behind };

static void open_word(reader *r, int i, int around, bool fast)
{
    char text[512];
    snprintf(text, sizeof text, "%s%s%s", before[around % BEFORE], stream[i].word,
             behind[around / BEFORE % BEHIND]);
    open_text(r, text, fast);
}

/* The word is either read whole, without a finding, or has one finding. */
static void check_taken(const reader *r, int i, m5_word_status status)
{
    const char *word = stream[i].word;
    bool fine = status == M5_WORD_FINE;
    uint32_t from = (uint32_t)strspn((char *)r->bytes, " \t\r\n"), length = (uint32_t)strlen(word);
    ck_assert_msg(r->said.count == !fine, "%s: %u findings", word, r->said.count);
    ck_assert_msg(r->words.p == r->bytes + from + length, "%s: not taken whole", word);
    if (!fine)
        ck_assert_msg(r->said.at.offset == from && r->said.at.length == length, "%s: %s at %u+%u",
                      word, r->said.rule->id, r->said.at.offset, r->said.at.length);
}

static void check_float(int i, int around, bool fast)
{
    reader r;
    float value = 0;
    uint32_t bits;
    open_word(&r, i, around, fast);
    m5_word_status status = m5_words_float(&r.words, &value);
    memcpy(&bits, &value, sizeof bits);
    ck_assert_msg((status == M5_WORD_FINE) == (stream[i].bits != NO), "%s as a float: status %d",
                  stream[i].word, (int)status);
    if (status == M5_WORD_FINE)
        ck_assert_msg(bits == stream[i].bits, "%s is read as 0x%08x", stream[i].word, bits);
    check_taken(&r, i, status);
    free(r.bytes);
}

/* >> also accepts negative numbers, and converts them to huge ones. */
static void check_unsigned(int i, int around, bool fast)
{
    reader r;
    uint32_t value = 0;
    int64_t expected = stream[i].natural;
    if (stream[i].word[0] == '-' && expected != 0)
        expected = NO;
    open_word(&r, i, around, fast);
    m5_word_status status = m5_words_unsigned(&r.words, &value);
    ck_assert_msg((status == M5_WORD_FINE) == (expected != NO), "%s as an unsigned: status %d",
                  stream[i].word, (int)status);
    if (status == M5_WORD_FINE)
        ck_assert_msg(value == expected, "%s is read as %u", stream[i].word, value);
    check_taken(&r, i, status);
    free(r.bytes);
}

static void check_int(int i, int around)
{
    reader r;
    int64_t value = 0;
    open_word(&r, i, around, true);
    m5_word_status status = m5_words_int_slow(&r.words, INT32_MIN, INT32_MAX, &value);
    ck_assert_msg((status == M5_WORD_FINE) == (stream[i].integer != NO), "%s as an int: status %d",
                  stream[i].word, (int)status);
    if (status == M5_WORD_FINE)
        ck_assert_msg(value == stream[i].integer, "%s is read as %lld", stream[i].word,
                      (long long)value);
    check_taken(&r, i, status);
    free(r.bytes);
}

START_TEST(words_are_read_as_by_cpp_streams)
{
    for (int around = 0; around < BEFORE * BEHIND; around++) {
        check_float(_i, around, true);
        check_float(_i, around, false);
        check_unsigned(_i, around, true);
        check_unsigned(_i, around, false);
        check_int(_i, around);
    }
}
END_TEST

/* A flag is tested in a mesh: if it is true, a vertex has texture coordinates. */
START_TEST(flags_are_read_as_by_cpp_streams)
{
    char text[512];
    int64_t flag = stream[_i].flag;
    snprintf(text, sizeof text, "ILLMESH0\n1 0 0\n%s\n0 0\n1\n0\n0 0 0\n%s", stream[_i].word,
             flag == 1 ? "0 0\n" : "");
    linted *l = lint_string("x.illmesh", text);
    const m5_illmesh *m = l->file.model.illmesh;
    ck_assert_msg((l->file.status == M5_CLEAN) == (flag != NO), "%s as a flag: status %d",
                  stream[_i].word, (int)l->file.status);
    if (flag != NO) {
        ck_assert_int_eq(m->at[M5_ILL_TEXCOORD] >= 0, flag);
        ck_assert_uint_eq(count_of(l, "illmesh-flag-value"), strlen(stream[_i].word) > 1);
    }
    free_linted(l);
}
END_TEST

/* ---- Which rule ----------------------------------------------------------------------------- */

static const struct {
    const char *word, *as_float, *as_int; /* NULL: fine */
} judged[] = {
    {"1.0-2.0", "ill-number-glued", "ill-number-glued"},
    {"1.2.3", "ill-number-glued", "ill-number-glued"},
    {"5-3", "ill-number-glued", "ill-number-glued"},
    {"5+3", "ill-number-glued", "ill-number-glued"},
    {"1e5-3", "ill-number-glued", "ill-number-glued"},
    {"1.5x7", "ill-number-grammar", "ill-number-grammar"},
    {"--5", "ill-number-grammar", "ill-number-grammar"},
    {"abc", "ill-number-grammar", "ill-number-grammar"},
    {"-", "ill-number-grammar", "ill-number-grammar"},
    {"1e39", "ill-float-range", "ill-int-range"},
    {"nan", "ill-float-range", "ill-int-range"},
    {"1.#INF", "ill-float-range", "ill-int-range"},
    {"0x10", "ill-float-range", "ill-int-range"},
    {"1,5", "ill-float-range", "ill-int-range"},
    {"1f", "ill-float-range", "ill-int-range"},
    {"1e", "ill-float-range", "ill-int-range"},
    {"1e+", "ill-float-range", "ill-int-range"},
    {"3.0", NULL, "ill-int-range"},
    {"1e3", NULL, "ill-int-range"},
    {"-1", NULL, "ill-int-range"},
    {"4294967296", NULL, "ill-int-range"},
    {"1e-50", NULL, "ill-int-range"},
    {"//", "ill-comment", "ill-comment"},
    {"/*1", "ill-comment", "ill-comment"},
    {"#1", "ill-comment", "ill-comment"},
    {"010", NULL, NULL},
    {"+5", NULL, NULL},
};

START_TEST(each_flaw_has_its_own_rule)
{
    for (int as_int = 0; as_int < 2; as_int++) {
        reader r;
        float f;
        uint32_t u;
        const char *expected = as_int ? judged[_i].as_int : judged[_i].as_float;
        open_text(&r, judged[_i].word, true);
        if (as_int)
            m5_words_unsigned(&r.words, &u);
        else
            m5_words_float(&r.words, &f);
        ck_assert_str_eq(r.said.count != 0 ? r.said.rule->id : "none",
                         expected != NULL ? expected : "none");
        free(r.bytes);
    }
}
END_TEST

/* ---- Words ---------------------------------------------------------------------------------- */

START_TEST(white_space_is_as_by_isspace)
{
    for (unsigned c = 1; c < 256; c++) {
        char text[3] = {'a', (char)c, 'b'};
        bool blank = c == ' ' || (c >= 9 && c <= 13);
        reader r;
        open_bytes(&r, text, 3, true);
        m5_span word = m5_words_next(&r.words);
        ck_assert_msg(word.offset == 0 && word.length == (blank ? 1 : 3), "byte %u", c);
        ck_assert(m5_words_blank((uint8_t)c) == blank);
        ck_assert_uint_eq(m5_words_next(&r.words).length, blank);
        free(r.bytes);
    }
}
END_TEST

START_TEST(the_end_is_returned_again_and_again)
{
    static const char *const texts[] = {"", " ", "a", "a ", "\n\na\r\n \t\v\f"};
    for (int i = 0; i < 5; i++) {
        reader r;
        float f;
        uint32_t u;
        open_text(&r, texts[i], true);
        if (strchr(texts[i], 'a') != NULL)
            ck_assert_uint_eq(m5_words_next(&r.words).length, 1);
        for (int k = 0; k < 3; k++) {
            m5_span end = m5_words_peek(&r.words);
            ck_assert(end.offset == r.source.size && end.length == 0);
            ck_assert_uint_eq(m5_words_next(&r.words).length, 0);
            ck_assert_int_eq(m5_words_float(&r.words, &f), M5_WORD_END);
            ck_assert_int_eq(m5_words_unsigned(&r.words, &u), M5_WORD_END);
        }
        ck_assert_uint_eq(r.said.count, 0);
        free(r.bytes);
    }
}
END_TEST

START_TEST(peeking_changes_nothing)
{
    reader r;
    open_text(&r, " ab\tc", true);
    for (int i = 0; i < 3; i++) {
        m5_span word = m5_words_peek(&r.words);
        ck_assert(word.offset == 1 && word.length == 2);
    }
    ck_assert_uint_eq(m5_words_next(&r.words).offset, 1);
    ck_assert_uint_eq(m5_words_peek(&r.words).offset, 4);
    free(r.bytes);
}
END_TEST

START_TEST(nth_word_after_an_offset)
{
    static const char text[] = "x  1 22\n333\v4444\f5 // 7 \r\n8";
    static const char *const words[] = {"1", "22", "333", "4444", "5", "//", "7", "8"};
    reader r;
    open_text(&r, text, true);
    for (uint32_t i = 0; i < 8; i++) {
        m5_span word = m5_words_nth(&r.source, 1, i);
        ck_assert_uint_eq(word.length, strlen(words[i]));
        ck_assert_int_eq(memcmp(r.bytes + word.offset, words[i], word.length), 0);
    }
    for (uint32_t n = 8; n != 0; n = n == 8 ? 1000 : n == 1000 ? UINT32_MAX : 0) {
        m5_span end = m5_words_nth(&r.source, 1, n);
        ck_assert(end.offset == r.source.size && end.length == 0);
    }
    m5_span far = m5_words_nth(&r.source, r.source.size, 0);
    ck_assert(far.offset == r.source.size && far.length == 0);
    free(r.bytes);
}
END_TEST

/* A NUL ends the words anywhere; it is reported once, at its place. */
START_TEST(a_nul_is_the_end)
{
    char text[160];
    memset(text, ' ', sizeof text);
    for (uint32_t at = 0; at < sizeof text; at++) {
        reader r;
        uint32_t u = 7, words = 0;
        for (uint32_t i = 0; i < sizeof text; i++)
            text[i] = i % 3 == 2 ? ' ' : '1';
        text[at] = '\0';
        open_bytes(&r, text, sizeof text, true);
        while (m5_words_unsigned(&r.words, &u) == M5_WORD_FINE)
            words++;
        ck_assert_uint_eq(words, at / 3); /* a word that it cuts is not read */
        ck_assert(r.words.cut && r.words.p == r.words.end && r.words.end == r.bytes + at);
        ck_assert(r.said.count == 1 && r.said.at.offset == at && r.said.at.length == 1);
        ck_assert_str_eq(r.said.rule->id, "ill-embedded-nul");
        free(r.bytes);
    }
}
END_TEST

/* ---- Fast and slow -------------------------------------------------------------------------- */

static uint64_t random_state;

static unsigned below(size_t n)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (unsigned)((z ^ z >> 31) % n);
}

/* Reads one word with one of the readers. */
static m5_word_status read_one(reader *r, unsigned kind, uint32_t *bits)
{
    float f = 0;
    *bits = 0;
    if (kind == 0)
        return m5_words_unsigned(&r->words, bits);
    m5_word_status status = m5_words_float(&r->words, &f);
    memcpy(bits, &f, sizeof *bits);
    return status;
}

static void compare_readers(const char *text, size_t size, uint64_t seed)
{
    reader fast, slow;
    m5_word_status a, b;
    uint32_t x, y;
    open_bytes(&fast, text, size, true);
    open_bytes(&slow, text, size, false);
    do {
        unsigned kind = below(2);
        a = read_one(&fast, kind, &x);
        b = read_one(&slow, kind, &y);
        bool same = a == b && fast.words.p - fast.bytes == slow.words.p - slow.bytes &&
                    (a != M5_WORD_FINE || x == y) && fast.said.count == slow.said.count &&
                    fast.words.glued == slow.words.glued;
        if (!same)
            ck_abort_msg("seed %llu: %.*s", (unsigned long long)seed, (int)size, text);
    } while (a != M5_WORD_END);
    free(fast.bytes);
    free(slow.bytes);
}

/* The words of the table and others are read at every distance from the end of the file. */
START_TEST(fast_and_slow_readers_agree)
{
    static const char *const blank[] = {" ", "\n", "\r\n", "\t", "  ", "\v", "\f", "          "};
    char text[700];
    for (uint64_t seed = (uint64_t)_i * 100000; seed < (uint64_t)_i * 100000 + 6000; seed++) {
        random_state = seed;
        size_t n = 0;
        for (unsigned words = 1 + below(8); words > 0; words--) {
            const char *word = stream[below(4) ? below(60) : below(WORDS)].word;
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", word, blank[below(8)]);
            if (n > 400)
                break;
        }
        if (below(2))
            n -= text[n - 1] <= ' ';
        for (unsigned pad = below(M5_FAST_BYTES + 16); pad > 0; pad--)
            text[n++] = "\n 1"[below(3)];
        if (below(16) == 0)
            text[below(n)] = '\0';
        compare_readers(text, n, seed);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("words");
    TCase *t = tcase_create("words");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, words_are_read_as_by_cpp_streams, 0, WORDS);
    tcase_add_loop_test(t, flags_are_read_as_by_cpp_streams, 0, WORDS);
    tcase_add_loop_test(t, each_flaw_has_its_own_rule, 0, sizeof judged / sizeof *judged);
    tcase_add_test(t, white_space_is_as_by_isspace);
    tcase_add_test(t, the_end_is_returned_again_and_again);
    tcase_add_test(t, peeking_changes_nothing);
    tcase_add_test(t, nth_word_after_an_offset);
    tcase_add_test(t, a_nul_is_the_end);
    tcase_add_loop_test(t, fast_and_slow_readers_agree, 0, 4);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
