/* The small parts by themselves: lexer, arena, lines, text, diagnostics, formats, edit distance
 * and the collector. */
#include "../lint/nearest.h"
#include "support.h"

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

/* A source over a copy of just its bytes, so that sanitizers see one byte too far. */
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

/* ---- Lexer: tokens --------------------------------------------------------------------------- */

/* What was reported, as ids in a row. */
typedef struct said {
    char ids[4096];
    unsigned count;
} said;

static void take_id(void *user, const m5_diag *d)
{
    said *s = user;
    size_t n = strlen(s->ids);
    snprintf(s->ids + n, sizeof s->ids - n, " %s@%u", d->rule->id, d->at.offset);
    s->count++;
}

/* Each token as a letter for its kind, its text in brackets if it is a word or a string, and a
 * bar in front of what begins a line. */
static void describe_tokens(const char *text, size_t size, char *out, said *s)
{
    static const char kind[] = "$ws()[]"; /* in the order of m5_token_kind */
    m5_source source = source_of(text, size);
    m5_report report = {.source = &source, .sink = {take_id, s}};
    m5_lex lx;
    m5_lex_init(&lx, &report, true);
    m5_token t;
    do {
        t = m5_lex_next(&lx);
        ck_assert_uint_le((uint64_t)t.span.offset + t.span.length, size);
        if (t.new_line)
            *out++ = '|';
        if (t.kind == M5_TOKEN_WORD || t.kind == M5_TOKEN_STRING)
            out += sprintf(out, "%c<%.*s>", kind[t.kind], (int)t.span.length,
                           (const char *)source.bytes + t.span.offset);
        else
            *out++ = kind[t.kind];
    } while (t.kind != M5_TOKEN_END);
    *out = '\0';
    free_source(&source);
}

static const struct {
    const char *text, *tokens, *said;
} lexed[] = {
    {"", "|$", ""},
    {" \t\n ", "|$", ""},
    {"a", "|w<a>$", ""},
    {"a b", "|w<a>w<b>$", ""},
    {"a\nb\n", "|w<a>|w<b>|$", ""},
    {"a\r\nb\r\n", "|w<a>|w<b>|$", ""},
    {"a\rb", "|w<a>|w<b>$", " md5-line-ending-cr@1"},
    {"a\rb\rc\r", "|w<a>|w<b>|w<c>$", " md5-line-ending-cr@1"},
    {"a\r\r\nb", "|w<a>|w<b>$", ""},
    {"(1 2)", "|(w<1>w<2>)$", ""},
    {"vert(0", "|w<vert>(w<0>$", ""},
    {"a{b}c", "|w<a>[w<b>]w<c>$", ""},
    {"a\"b\"c", "|w<a>s<\"b\">w<c>$", ""},
    {"\"a b\"", "|s<\"a b\">$", ""},
    {"\"\"", "|s<\"\">$", ""},
    {"\"\"\"\"", "|s<\"\">s<\"\">$", ""},
    {"\"a // b\"", "|s<\"a // b\">$", ""},
    {"\"a /* b\"", "|s<\"a /* b\">$", ""},
    {"\"a{(\"", "|s<\"a{(\">$", ""},
    {"\"open", "|s<\"open>$", ""},
    {"\"", "|s<\">$", ""},
    {"\"open\nb", "|s<\"open>|w<b>$", ""},
    {"\"open\r\nb", "|s<\"open>|w<b>$", ""},
    {"\"two\nlines\" b", "|s<\"two\nlines\">w<b>$", ""},
    {"\"open\n\"b\" c", "|s<\"open>|s<\"b\">w<c>$", ""},
    {"\"a\n\"b\" \"c", "|s<\"a>|s<\"b\">s<\"c>$", ""},
    {"\"a\nb\" \"c\" d", "|s<\"a\nb\">s<\"c\">w<d>$", ""},
    {"\"\n\"", "|s<\">|s<\">$", ""},
    {"a // b\nc", "|w<a>|w<c>$", ""},
    {"a// b", "|w<a>$", ""},
    {"//", "|$", ""},
    {"a / b", "|w<a>w</>w<b>$", ""},
    {"a/b", "|w<a/b>$", ""},
    {"a/", "|w<a/>$", ""},
    {"a /* b */ c", "|w<a>w<c>$", " md5-comment-block@2"},
    {"a/**/b", "|w<a>w<b>$", " md5-comment-block@1"},
    {"a /*\n*/ b", "|w<a>|w<b>$", " md5-comment-block@2"},
    {"a /*/ b", "|w<a>$", " md5-comment-unterminated@2"},
    {"a /* b", "|w<a>$", " md5-comment-unterminated@2"},
    {"/*", "|$", " md5-comment-unterminated@0"},
    {"/* // */ a", "|w<a>$", " md5-comment-block@0"},
    {"// /*\na", "|w<a>$", ""},
    {"// a\rb", "|w<b>$", " md5-line-ending-cr@4"},
    {"*/", "|w<*/>$", ""},
    {"// mesh {\na", "|w<a>$", " md5-comment-keyword@0"},
    {"\xc3\xa9 \xff", "|w<\xc3\xa9>w<\xff>$", ""},
    {"\v\f\x01 a", "|w<a>$", ""},
    {"}{)(", "|][)($", ""},
};

START_TEST(tokens_are_told_apart)
{
    char tokens[1024];
    said s = {.count = 0};
    describe_tokens(lexed[_i].text, strlen(lexed[_i].text), tokens, &s);
    ck_assert_str_eq(tokens, lexed[_i].tokens);
    ck_assert_str_eq(s.ids, lexed[_i].said);
}
END_TEST

/* As most loaders have it; and the file is cut there if more than blanks follows. */
START_TEST(nul_ends_the_file)
{
    char tokens[256];
    said s = {.count = 0};
    describe_tokens("a\0b\0\0 \0c\0", 10, tokens, &s);
    ck_assert_str_eq(tokens, "|w<a>$");
    ck_assert_str_eq(s.ids, " md5-embedded-nul@1");
    s = (said){.count = 0};
    describe_tokens("a // \0\nb", 8, tokens, &s);
    ck_assert_str_eq(s.ids, " md5-embedded-nul@5");
}
END_TEST

/* The end is there again and again, and where the file ends. */
START_TEST(the_end_stays)
{
    m5_source source = source_of("a \n", 3);
    m5_report report = {.source = &source};
    m5_lex lx;
    m5_lex_init(&lx, &report, true);
    m5_lex_next(&lx);
    for (int i = 0; i < 3; i++) {
        m5_token t = m5_lex_next(&lx);
        ck_assert_int_eq(t.kind, M5_TOKEN_END);
        ck_assert_uint_eq(t.span.offset, 3);
        ck_assert_uint_eq(t.span.length, 0);
    }
    free_source(&source);
}
END_TEST

START_TEST(nth_token_behind_an_offset)
{
    static const char text[] = "x vert 0 ( 0.5 // c\n -1 ) 2 3\n\"n\" end";
    m5_source source = source_of(text, sizeof text - 1);
    static const char *const words[] = {"vert", "0", "(", "0.5", "-1", ")", "2", "3",
                                        "\"n\"", "end"};
    for (uint32_t i = 0; i < 10; i++) {
        m5_span s = m5_lex_nth(&source, 2, i);
        ck_assert_uint_eq(s.length, strlen(words[i]));
        ck_assert_int_eq(memcmp(source.bytes + s.offset, words[i], s.length), 0);
    }
    m5_span end = m5_lex_nth(&source, 2, 10), far = m5_lex_nth(&source, source.size, 5);
    ck_assert(end.offset == source.size && end.length == 0);
    ck_assert(far.offset == source.size && far.length == 0);
    free_source(&source);
}
END_TEST

/* ---- Lexer: peeking -------------------------------------------------------------------------- */

static void count_comment(void *user, m5_span at)
{
    (void)at;
    ++*(unsigned *)user;
}

START_TEST(peeking_changes_nothing)
{
    static const char text[] = "a /* x */ b // y\n\r c";
    m5_source source = source_of(text, sizeof text - 1);
    said s = {.count = 0};
    unsigned comments = 0;
    m5_report report = {.source = &source, .sink = {take_id, &s}};
    m5_lex lx;
    m5_lex_init(&lx, &report, true);
    lx.comment = count_comment;
    lx.comment_user = &comments;
    m5_token a = m5_lex_peek(&lx), again = m5_lex_peek(&lx);
    ck_assert(a.span.offset == again.span.offset && a.kind == again.kind &&
              a.new_line == again.new_line);
    m5_lex before = lx;
    for (unsigned n = 1; n < 5; n++) {
        m5_token t = m5_lex_peek_behind(&lx, a, n);
        ck_assert_uint_eq(t.span.offset, n == 1 ? 10 : n == 2 ? 19 : 20);
        ck_assert_int_eq(t.kind, n < 3 ? M5_TOKEN_WORD : M5_TOKEN_END);
    }
    ck_assert(before.p == lx.p && before.gap == lx.gap && before.last == lx.last &&
              before.said_cr == lx.said_cr && before.ended == lx.ended && before.said == lx.said);
    ck_assert_msg(s.count == 0, "told:%s", s.ids);
    ck_assert_msg(comments == 0, "the comment was handed out by m5_lex_peek_behind");
    m5_lex_take(&lx, a);
    ck_assert_uint_eq(m5_lex_next(&lx).span.offset, 10);
    ck_assert_uint_eq(m5_lex_next(&lx).span.offset, 19);
    ck_assert_uint_eq(comments, 2);
    ck_assert_str_eq(s.ids, " md5-comment-block@2 md5-line-ending-cr@17");
    free_source(&source);
}
END_TEST

/* ---- Lexer: the readers ---------------------------------------------------------------------- */

/* A script of readers on a text, and everything that came of it. */
typedef struct outcome {
    said said;
    char values[2048];
    uint32_t offset;
} outcome;

static void note(outcome *o, const char *what, bool fine, double value)
{
    size_t n = strlen(o->values);
    snprintf(o->values + n, sizeof o->values - n, "%s:%d:%a ", what, fine, fine ? value : 0);
}

static void read_one(m5_lex *lx, unsigned reader, outcome *o)
{
    int32_t i = 0;
    float f = 0;
    uint32_t offset = 0;
    bool fine;
    switch (reader) {
    case 0: fine = m5_lex_int(lx, &i); note(o, "int", fine, i); break;
    case 1: fine = m5_lex_float(lx, &f); note(o, "float", fine, (double)f); break;
    case 2: fine = m5_lex_value(lx, &f); note(o, "value", fine, f != f ? -99.5 : (double)f); break;
    case 3: fine = m5_lex_paren(lx, '('); note(o, "(", fine, 0); break;
    case 4: fine = m5_lex_paren(lx, ')'); note(o, ")", fine, 0); break;
    case 5: fine = m5_lex_record(lx, "tri", 3, &offset); note(o, "tri", fine, offset); break;
    default: fine = true; m5_lex_skip_line(lx); note(o, "skip", fine, 0);
    }
    if (!fine && below(2))
        m5_lex_skip_line(lx);
}

static void read_all(const m5_source *source, bool fast, uint64_t seed, outcome *o)
{
    m5_report report = {.source = source, .sink = {take_id, &o->said}};
    m5_lex lx;
    memset(o, 0, sizeof *o);
    m5_lex_init(&lx, &report, fast);
    m5_lex_next(&lx); /* no reader is the first in a file */
    random_state = seed;
    for (int n = 0; n < 12; n++)
        read_one(&lx, below(7), o);
    o->offset = m5_lex_peek(&lx).span.offset;
}

/* Text that is mostly what exporters write, so that the fast readers get to see it. */
static size_t random_text(char *out)
{
    static const char *const piece[] = {
        " 1", " 0", " -1", " 2.5", " -0.25", " ( ", " )", "\n\ttri 0", "\ntri 1", " 1e5", " 007",
        "\r\n\ttri", " 12345678901", " 0.12345678", "\t3", "\n", "\n\t1 2 3", " // c\n", "\r", " (",
        ")", " +1", " 1.", " .5", " - 1", "  4", " x", " \"s\"", " 1)", " 0x1", "{", "}", " 3.0 ",
        "\n0.5", " \n \t 7", " 123456789", " 1234567890", " 2147483648", " 1,5", " nan", "\0 1",
    };
    size_t n = 1;
    *out = 'a';
    for (unsigned pieces = 1 + below(14); pieces > 0; pieces--) {
        unsigned i = below(below(2) ? 16 : sizeof piece / sizeof *piece);
        size_t length = *piece[i] == '\0' ? 3 : strlen(piece[i]);
        memcpy(out + n, piece[i], length);
        n += length;
    }
    for (unsigned pad = below(4) ? M5_FAST_BYTES + 8 : below(M5_FAST_BYTES); pad > 0; pad--)
        out[n++] = "\n \t1"[below(4)];
    return n;
}

START_TEST(fast_and_slow_readers_agree)
{
    char text[512];
    static outcome fast, slow;
    for (uint64_t seed = (uint64_t)_i * 1000000; seed < (uint64_t)_i * 1000000 + 20000; seed++) {
        random_state = seed;
        m5_source source = source_of(text, random_text(text));
        read_all(&source, true, seed + 7, &fast);
        read_all(&source, false, seed + 7, &slow);
        if (strcmp(fast.values, slow.values) != 0 || strcmp(fast.said.ids, slow.said.ids) != 0 ||
            fast.offset != slow.offset)
            ck_abort_msg("seed %llu\n%.*s\nfast: %s,%s\nslow: %s,%s", (unsigned long long)seed,
                         (int)source.size, (const char *)source.bytes, fast.values, fast.said.ids,
                         slow.values, slow.said.ids);
        free_source(&source);
    }
}
END_TEST

/* ---- Arena ----------------------------------------------------------------------------------- */

static _Alignas(16) uint8_t memory[1024];

START_TEST(arena_hands_out_aligned_blocks)
{
    m5_arena a;
    m5_arena_init(&a, memory, sizeof memory);
    uint8_t *first = m5_arena_take(&a, 3, 1), *second = m5_arena_take(&a, 5, 4);
    ck_assert_ptr_eq(first, memory);
    ck_assert_ptr_eq(second, memory + 8);
    ck_assert_uint_eq(a.used, 32);
    void *none = m5_arena_take(&a, 0, 16);
    ck_assert_ptr_nonnull(none);
    ck_assert_uint_eq(a.used, 32);
    uint8_t *kept = m5_arena_keep(&a, 3), *kept2 = m5_arena_keep(&a, 9);
    ck_assert_ptr_eq(kept, memory + sizeof memory - 8);
    ck_assert_ptr_eq(kept2, kept - 16);
    ck_assert_uint_eq(a.kept, 24);
    ck_assert_uint_eq(a.peak, 56);
}
END_TEST

START_TEST(arena_ends)
{
    for (size_t size = 0; size < 64; size++) {
        m5_arena a;
        m5_arena_init(&a, memory, size);
        size_t whole = size / 8 * 8;
        ck_assert_ptr_null(m5_arena_take(&a, whole + 1, 1));
        ck_assert_ptr_null(m5_arena_keep(&a, whole + 1));
        ck_assert(a.used == 0 && a.kept == 0 && a.peak == 0);
        ck_assert_ptr_nonnull(m5_arena_take(&a, whole, 1));
        ck_assert_ptr_null(m5_arena_take(&a, 1, 1));
        ck_assert_ptr_null(m5_arena_keep(&a, 1));
        ck_assert_uint_eq(a.peak, whole);
        m5_arena_release(&a, 0);
        ck_assert_ptr_nonnull(m5_arena_keep(&a, whole));
        ck_assert_ptr_null(m5_arena_take(&a, 1, 1));
        ck_assert_ptr_nonnull(m5_arena_take(&a, 0, 8));
    }
}
END_TEST

START_TEST(arena_counts_do_not_overflow)
{
    static const size_t huge[] = {SIZE_MAX, SIZE_MAX / 2 + 1, SIZE_MAX / 8, SIZE_MAX / 8 + 1,
                                  (size_t)1 << 32, SIZE_MAX - 7};
    m5_arena a;
    m5_arena_init(&a, memory, sizeof memory);
    for (size_t i = 0; i < sizeof huge / sizeof *huge; i++) {
        for (size_t size = 1; size < 64; size++)
            ck_assert_ptr_null(m5_arena_take(&a, huge[i], size));
        ck_assert_ptr_null(m5_arena_take(&a, 2, huge[i]));
        ck_assert_ptr_null(m5_arena_take(&a, huge[i], huge[i]));
        ck_assert_ptr_null(m5_arena_keep(&a, huge[i]));
    }
    ck_assert(a.used == 0 && a.kept == 0 && a.peak == 0);
}
END_TEST

START_TEST(arena_trims_and_releases)
{
    m5_arena a;
    m5_arena_init(&a, memory, sizeof memory);
    m5_arena_take(&a, 1, 8);
    size_t mark = a.used;
    void *block = m5_arena_take(&a, 100, 4);
    m5_arena_trim(&a, block, 13);
    ck_assert_uint_eq(a.used, 24);
    ck_assert_uint_eq(a.peak, 408);
    ck_assert_ptr_eq(m5_arena_take(&a, 1, 1), memory + 24);
    m5_arena_keep(&a, 8);
    m5_arena_release(&a, mark);
    ck_assert(a.used == 8 && a.kept == 8 && a.peak == 408);
    m5_arena_trim(&a, m5_arena_take(&a, 4, 4), 0);
    ck_assert_uint_eq(a.used, 8);
}
END_TEST

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

static m5_span naive_line(const m5_source *s, uint32_t offset)
{
    uint32_t start = offset < s->size ? offset : s->size, end = start;
    while (start > 0 && s->bytes[start - 1] != '\n')
        start--;
    while (end < s->size && s->bytes[end] != '\n')
        end++;
    end -= end > start && s->bytes[end - 1] == '\r';
    return (m5_span){start, end - start};
}

static void check_places(const m5_source *s)
{
    m5_lines lines = {.source = s};
    for (uint32_t k = 0; k <= s->size + 2; k++) {
        uint32_t offset = (k * 7919u) % (s->size + 3); /* in no order */
        m5_place p = m5_lines_find(&lines, offset), n = naive_place(s, offset);
        m5_span l = m5_line_span(s, offset), m = naive_line(s, offset);
        if (p.line != n.line || p.column != n.column)
            ck_abort_msg("size %u, offset %u: %u:%u, expected %u:%u", s->size, offset, p.line,
                         p.column, n.line, n.column);
        if (l.offset != m.offset || l.length != m.length)
            ck_abort_msg("size %u, offset %u: line %u+%u, expected %u+%u", s->size, offset,
                         l.offset, l.length, m.offset, m.length);
    }
    uint32_t end = s->size;
    while (end > 0 && s->bytes[end - 1] <= ' ')
        end--;
    m5_span last = m5_source_end(s);
    ck_assert(last.offset == end && last.length == 0);
}

START_TEST(lines_are_counted_right)
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
    m5_span line = m5_line_span(&empty, 10), end = m5_source_end(&empty);
    ck_assert(line.offset == 0 && line.length == 0 && end.offset == 0 && end.length == 0);
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
    {0, 6, "0"}, {-0.0, 6, "0"}, {1, 6, "1"}, {-1, 6, "-1"}, {0.93, 6, "0.93"}, {0.5, 1, "0.5"},
    {1e-7, 6, "1e-07"}, {123456, 6, "123456"}, {1234567, 6, "1234570"}, {0.00001, 6, "0.00001"},
    {0.000001, 6, "1e-06"}, {9.9999999, 6, "10"}, {0.99999999, 6, "1"}, {1e9, 6, "1000000000"},
    {1e10, 6, "1e+10"}, {1.5e10, 6, "1.5e+10"}, {1e100, 6, "1e+100"}, {-2.5e-10, 6, "-2.5e-10"},
    {0.1, 15, "0.1"}, {100, 3, "100"}, {1e22, 6, "1e+22"}, {0.25, 6, "0.25"},
    {1.7976931348623157e308, 6, "1.79769e+308"}, {5e-324, 1, "5e-324"}, {INFINITY, 6, "inf"},
    {-INFINITY, 6, "-inf"}, {12345.678, 3, "12300"}, {0.0123456789, 9, "0.0123456789"},
    {65504, 9, "65504"}, {1e-45, 6, "1e-45"}, {999999.5, 6, "1000000"}, {0.3, 7, "0.3"},
};

START_TEST(floats_are_shown_as_people_write_them)
{
    char text[64];
    ck_assert_str_eq(as_text(text, sizeof text, shown[_i].value, shown[_i].digits), shown[_i].text);
}
END_TEST

START_TEST(nine_digits_read_back)
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

/* Near enough to printf's: the same digits but for a last one off by one. */
START_TEST(floats_are_near_printfs)
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

/* Cut at every length, never a byte beyond it, and always terminated. */
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
    ck_assert_str_eq(formatted(out, sizeof out, "%s %d %u %llu %c %g %.3g %.9g %%", "s", -7, 8u,
                               18446744073709551615ull, 'c', 0.5, 1.0 / 3, 2.0),
                     "s -7 8 18446744073709551615 c 0.5 0.333 2 %");
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

/* ---- Diagnostics ----------------------------------------------------------------------------- */

START_TEST(rows_judge)
{
    static const m5_levels graded = M5_GRADED(1, 2, 3), error = M5_IS_ERROR,
                           warning = M5_IS_WARNING, note = M5_IS_NOTE, off = M5_IS_OFF;
    ck_assert_int_eq(m5_judge(&graded, 1), M5_SILENT); /* a level is exceeded, not met */
    ck_assert_int_eq(m5_judge(&graded, 1.5), M5_NOTE);
    ck_assert_int_eq(m5_judge(&graded, 2), M5_NOTE);
    ck_assert_int_eq(m5_judge(&graded, 2.5), M5_WARNING);
    ck_assert_int_eq(m5_judge(&graded, 3.5), M5_ERROR);
    ck_assert_int_eq(m5_judge(&graded, (double)INFINITY), M5_ERROR);
    ck_assert_int_eq(m5_judge(&graded, (double)NAN), M5_SILENT);
    ck_assert_int_eq(m5_judge(&error, 0), M5_ERROR);
    ck_assert_int_eq(m5_judge(&warning, 0), M5_WARNING);
    ck_assert_int_eq(m5_judge(&note, 0), M5_NOTE);
    ck_assert_int_eq(m5_judge(&off, 0), M5_SILENT);
    ck_assert_int_eq(m5_judge(&off, DBL_MAX), M5_SILENT);
}
END_TEST

static void keep_severity(void *user, const m5_diag *d)
{
    *(m5_severity *)user = d->severity;
}

/* The levels in force decide what is told; what spoils a model is up to the rows alone. */
START_TEST(levels_override_rows)
{
    m5_levels levels[M5_RULES];
    m5_severity got = M5_SILENT;
    m5_source source = {"x", NULL, 0};
    const m5_rule *rule = M5_ROW(md5_version);
    for (unsigned i = 0; i < M5_RULES; i++)
        levels[i] = m5_rule_at(i)->levels;
    m5_report r = {.source = &source, .sink = {keep_severity, &got}, .levels = levels};
    m5_diag d = m5_found(rule, (m5_span){0, 0});
    m5_emit(&r, &d, 0, "x");
    ck_assert(got == M5_ERROR && r.errors == 1 && r.flaws == 1);
    levels[rule->number] = (m5_levels)M5_IS_NOTE;
    m5_emit(&r, &d, 0, "x");
    ck_assert(got == M5_NOTE && r.notes == 1 && r.errors == 1 && r.flaws == 2);
    levels[rule->number] = (m5_levels)M5_IS_OFF;
    got = M5_SILENT;
    m5_emit(&r, &d, 0, "x");
    ck_assert(got == M5_SILENT && r.flaws == 3 && r.errors + r.warnings + r.notes == 2);
    ck_assert_int_eq(m5_would_say(&r, rule, 0), M5_SILENT);
    d.rule = M5_ROW(md5_record_multiline);
    levels[d.rule->number] = (m5_levels)M5_IS_ERROR;
    m5_emit(&r, &d, 0, "x");
    ck_assert(got == M5_ERROR && r.errors == 2 && r.flaws == 3);
}
END_TEST

START_TEST(a_null_sink_counts)
{
    m5_source source = {"x", NULL, 0};
    m5_report r = {.source = &source};
    m5_diag d = m5_found(M5_ROW(md5_record_multiline), (m5_span){0, 0});
    m5_emit(&r, &d, 0, "%s", "x");
    m5_emit(&r, &d, 0, "%s", "x");
    ck_assert(r.warnings == 2 && r.errors == 0 && r.flaws == 0);
}
END_TEST

START_TEST(rows_are_whole)
{
    const m5_rule *r = m5_rule_at((unsigned)_i);
    ck_assert_uint_eq(r->number, (unsigned)_i);
    ck_assert_ptr_eq(m5_rule_by_id(r->id), r);
    ck_assert_uint_eq(strspn(r->id, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(r->id));
    const char *prose[] = {r->summary, r->why, r->fix, r->example, r->origin};
    for (int i = 0; i < 5; i++)
        ck_assert_msg(prose[i] != NULL && *prose[i] != '\0', "%s: prose %d is missing", r->id, i);
    ck_assert(r->formats != 0 && strchr(r->summary, '\n') == NULL);
}
END_TEST

/* ---- Formats --------------------------------------------------------------------------------- */

static const struct {
    const char *file, *format;
} named[] = {
    {"a.md5mesh", "md5mesh"}, {"a.MD5Anim", "md5anim"}, {".md5mesh", "md5mesh"},
    {"dir.x/a.b.md5mesh", "md5mesh"}, {"a.md5camera", "md5camera"}, {"a.md4", "md4"},
    {"a", NULL}, {"", NULL}, {"md5mesh", NULL}, {"a.", NULL}, {"a.md5mes", NULL},
    {"a.md5meshx", NULL}, {"dir.md5mesh/file", NULL}, {"a.md5mesh.bak", NULL}, {"a.md5mesh ", NULL},
};

START_TEST(formats_by_name)
{
    const m5_format *f = m5_format_by_name(named[_i].file);
    ck_assert_str_eq(f != NULL ? f->name : "none", named[_i].format ? named[_i].format : "none");
}
END_TEST

static const struct {
    const char *bytes, *format;
} sniffed[] = {
    {"MD5Version 10\nnumJoints 1\nnumMeshes 1\n", "md5mesh"},
    {"MD5Version 10\njoints {", "md5mesh"},
    {"MD5Version 10\nnumFrames 1\n", "md5anim"}, {"// numMeshes\nhierarchy {", "md5anim"},
    {"commandline \"numMeshes\"\nframeRate 24", "md5anim"},
    {"MD5Version 10\nnumCuts 3", "md5camera"},
    {"IDP4....", "md4"}, {"ILLMESH >>", "illmesh"}, {"ILLSKEL", "illskel"}, {"ILLANIM", "illanim"},
    {"IDP", NULL}, {"", NULL}, {"hello", NULL}, {"\"numMeshes\"", NULL}, {"ILLMES", NULL},
};

START_TEST(formats_by_content)
{
    const char *bytes = sniffed[_i].bytes;
    m5_source s = source_of(bytes, strlen(bytes));
    const m5_format *f = m5_format_by_content(s.bytes, s.size);
    const char *expected = sniffed[_i].format;
    ck_assert_str_eq(f != NULL ? f->name : "none", expected != NULL ? expected : "none");
    free_source(&s);
}
END_TEST

START_TEST(sniffing_ends)
{
    enum { FAR = 65536 };
    char *bytes = malloc(FAR + 20);
    memset(bytes, ' ', FAR + 20);
    memcpy(bytes + FAR, "numMeshes", 9);
    ck_assert_ptr_null(m5_format_by_content((uint8_t *)bytes, FAR + 20));
    memcpy(bytes + FAR - 10, "numFrames", 9);
    ck_assert_ptr_nonnull(m5_format_by_content((uint8_t *)bytes, FAR + 20));
    free(bytes);
    unsigned n = 0;
    for (; m5_format_at(n) != NULL; n++)
        ck_assert_ptr_nonnull(m5_format_at(n)->name);
    ck_assert_uint_gt(n, 1);
    ck_assert_ptr_null(m5_format_at(UINT32_MAX));
}
END_TEST

/* ---- Nearest words --------------------------------------------------------------------------- */

static uint32_t distance(const char *a, const char *b)
{
    return m5_edit_distance(a, (uint32_t)strlen(a), b, (uint32_t)strlen(b));
}

START_TEST(edit_distances)
{
    static const struct {
        const char *a, *b;
        uint32_t distance;
    } x[] = {{"", "", 0}, {"a", "", 1}, {"abc", "abc", 0}, {"abc", "abd", 1},
             {"kitten", "sitting", 3},
             {"ab", "ba", 2}, {"flaw", "lawn", 2}, {"abc", "xyz", 3}, {"abcdef", "bcdefg", 2}};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
        ck_assert_uint_eq(distance(x[i].a, x[i].b), x[i].distance);
        ck_assert_uint_eq(distance(x[i].b, x[i].a), x[i].distance);
    }
    char longest[M5_NEAREST_MAX + 2];
    memset(longest, 'a', sizeof longest);
    longest[M5_NEAREST_MAX + 1] = '\0';
    ck_assert_uint_eq(distance(longest, "a"), UINT32_MAX);
    ck_assert_uint_eq(distance("a", longest), UINT32_MAX);
    longest[M5_NEAREST_MAX] = '\0';
    ck_assert_uint_eq(distance(longest, longest), 0);
    ck_assert_uint_eq(distance(longest, ""), M5_NEAREST_MAX);
}
END_TEST

static const char *word_at(unsigned i)
{
    static const char *const words[] = {"md5mesh-bias-sum", "md5mesh-bias-zero", "off", NULL};
    return words[i];
}

START_TEST(nearest_words)
{
    ck_assert_str_eq(m5_nearest("md5mesh-bias-sun", word_at), "md5mesh-bias-sum");
    ck_assert_str_eq(m5_nearest("md5mesh-bias-zro", word_at), "md5mesh-bias-zero");
    ck_assert_ptr_null(m5_nearest("of", word_at)); /* two letters leave no third to differ */
    ck_assert_ptr_null(m5_nearest("something-else", word_at));
    ck_assert_ptr_null(m5_nearest("x", word_at));
}
END_TEST

/* ---- Collector ------------------------------------------------------------------------------- */

static void find(m5_collector *c, const m5_rule *rule, m5_severity severity, uint32_t offset)
{
    char message[] = "message", related[] = "related";
    m5_diag d = {.rule = rule, .severity = severity, .at = {offset, 1}, .message = message};
    d.related.message = related;
    m5_collect(c, &d);
    memset(message, '#', sizeof message - 1); /* strings are gone when the sink returns */
    memset(related, '#', sizeof related - 1);
}

static uint64_t all_hidden(const m5_shown *s)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < M5_RULES; i++)
        n += s->hidden[i];
    return n;
}

START_TEST(collector_sorts_and_keeps)
{
    static uint8_t room[65536];
    m5_arena arena;
    m5_collector c;
    m5_shown s;
    m5_arena_init(&arena, room, sizeof room);
    m5_collector_init(&c, &arena, 0);
    static const uint32_t offsets[] = {9, 3, 7, 3, 1, 8};
    for (uint32_t i = 0; i < 6; i++)
        find(&c, m5_rule_at(i % 2), i == 1 ? M5_NOTE : M5_WARNING, offsets[i]);
    m5_arena_release(&arena, 0); /* what was kept stays */
    m5_collector_pick(&c, 0, &s);
    ck_assert(s.count == 6 && all_hidden(&s) == 0);
    for (uint32_t i = 1; i < 6; i++)
        ck_assert_uint_ge(s.list[i]->diag.at.offset, s.list[i - 1]->diag.at.offset);
    ck_assert_int_eq(s.list[1]->diag.severity, M5_WARNING); /* at one place, the worse first */
    ck_assert_int_eq(s.list[2]->diag.severity, M5_NOTE);
    ck_assert_str_eq(s.list[0]->diag.message, "message");
    ck_assert_str_eq(s.list[0]->diag.related.message, "related");
}
END_TEST

START_TEST(collector_caps_each_rule)
{
    static uint8_t room[65536];
    m5_arena arena;
    m5_collector c;
    m5_shown s;
    m5_arena_init(&arena, room, sizeof room);
    m5_collector_init(&c, &arena, 2);
    for (uint32_t i = 0; i < 10; i++)
        find(&c, m5_rule_at(i < 7 ? 4 : 5), M5_ERROR, 100 - i);
    m5_collector_pick(&c, 0, &s);
    ck_assert(s.count == 4 && c.kept == 4);
    ck_assert(s.hidden[4] == 5 && s.hidden[5] == 1 && all_hidden(&s) == 6);
    ck_assert(c.made[4] == 7 && c.made[5] == 3);
}
END_TEST

/* With less room than findings errors are shown, then warnings; still by offset. */
START_TEST(collector_shows_errors_first_when_capped)
{
    static uint8_t room[65536];
    m5_arena arena;
    m5_collector c;
    m5_arena_init(&arena, room, sizeof room);
    m5_collector_init(&c, &arena, 0);
    for (uint32_t i = 0; i < 12; i++)
        find(&c, m5_rule_at(i % 3), (m5_severity)(M5_NOTE + i % 3), i);
    for (uint32_t max = 1; max < 16; max++) {
        m5_shown s;
        uint32_t seen[4] = {0};
        m5_collector_pick(&c, max, &s);
        ck_assert_uint_eq(s.count, max < 12 ? max : 12);
        ck_assert_uint_eq(all_hidden(&s), 12 - s.count);
        for (uint32_t i = 0; i < s.count; i++) {
            seen[s.list[i]->diag.severity]++;
            ck_assert(i == 0 || s.list[i - 1]->diag.at.offset < s.list[i]->diag.at.offset);
        }
        ck_assert_uint_eq(seen[M5_ERROR], max < 4 ? max : 4);
        ck_assert_uint_eq(seen[M5_WARNING], max < 4 ? 0 : max < 8 ? max - 4 : 4);
    }
}
END_TEST

START_TEST(collector_without_memory_counts)
{
    for (size_t size = 0; size < 2000; size += 8) {
        uint8_t *room = malloc(size);
        m5_arena arena;
        m5_collector c;
        m5_shown s;
        m5_arena_init(&arena, room, size);
        m5_collector_init(&c, &arena, 0);
        for (uint32_t i = 0; i < 6; i++)
            find(&c, m5_rule_at(3), M5_ERROR, i);
        ck_assert(c.made[3] == 6 && c.kept <= 6);
        m5_collector_pick(&c, 0, &s);
        ck_assert(s.count <= c.kept && s.count + s.hidden[3] == 6);
        for (uint32_t i = 0; i < s.count; i++)
            ck_assert_str_eq(s.list[i]->diag.message, "message");
        free(room);
    }
}
END_TEST

/* ---- All of them ----------------------------------------------------------------------------- */

#define LENGTH(array) (int)(sizeof(array) / sizeof *(array))

static TCase *add_case(Suite *suite, const char *name)
{
    TCase *t = tcase_create(name);
    tcase_set_timeout(t, 120);
    suite_add_tcase(suite, t);
    return t;
}

static void add_lexer(Suite *suite)
{
    TCase *t = add_case(suite, "lexer");
    tcase_add_loop_test(t, tokens_are_told_apart, 0, LENGTH(lexed));
    tcase_add_test(t, nul_ends_the_file);
    tcase_add_test(t, the_end_stays);
    tcase_add_test(t, nth_token_behind_an_offset);
    tcase_add_test(t, peeking_changes_nothing);
    tcase_add_loop_test(t, fast_and_slow_readers_agree, 0, 4);
}

static void add_tools(Suite *suite)
{
    TCase *t = add_case(suite, "tools");
    tcase_add_test(t, arena_hands_out_aligned_blocks);
    tcase_add_test(t, arena_ends);
    tcase_add_test(t, arena_counts_do_not_overflow);
    tcase_add_test(t, arena_trims_and_releases);
    tcase_add_test(t, lines_are_counted_right);
    tcase_add_test(t, last_offsets_are_found);
    tcase_add_loop_test(t, floats_are_shown_as_people_write_them, 0, LENGTH(shown));
    tcase_add_test(t, nine_digits_read_back);
    tcase_add_test(t, floats_are_near_printfs);
    tcase_add_test(t, ints_are_shown_in_full);
    tcase_add_test(t, text_is_cut_and_never_overrun);
    tcase_add_test(t, messages_are_formatted);
}

static void add_findings(Suite *suite)
{
    TCase *t = add_case(suite, "findings");
    tcase_add_test(t, rows_judge);
    tcase_add_test(t, levels_override_rows);
    tcase_add_test(t, a_null_sink_counts);
    tcase_add_loop_test(t, rows_are_whole, 0, M5_RULES);
    tcase_add_loop_test(t, formats_by_name, 0, LENGTH(named));
    tcase_add_loop_test(t, formats_by_content, 0, LENGTH(sniffed));
    tcase_add_test(t, sniffing_ends);
    tcase_add_test(t, edit_distances);
    tcase_add_test(t, nearest_words);
    tcase_add_test(t, collector_sorts_and_keeps);
    tcase_add_test(t, collector_caps_each_rule);
    tcase_add_test(t, collector_shows_errors_first_when_capped);
    tcase_add_test(t, collector_without_memory_counts);
}

int main(void)
{
    Suite *suite = suite_create("units");
    add_lexer(suite);
    add_tools(suite);
    add_findings(suite);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
