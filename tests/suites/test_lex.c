/* Tests the lexer of the MD5 formats on its own: tokens, peeking, and its fast and slow readers. */
#include "support.h"
#include "parsers/core/emit.h"
#include "parsers/md5/lex.h"

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

/* ---- Lexer: tokens --------------------------------------------------------------------------- */

/* The ids of the rules that were reported, in order. */
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

/* Describes each token: a letter for its kind, the text in brackets if it is a word or a string,
 * and a bar before the first token of a line. */
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
    m5_lex_finish(&lx, true);
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
    {"1\r2", "|w<1>w<2>$", " md5-line-ending-cr@1"},
    {"1 \r -2\r3", "|w<1>w<-2>w<3>$", " md5-line-ending-cr@2"},
    {"1\r2\ra", "|w<1>w<2>|w<a>$", " md5-line-ending-cr@1 md5-line-ending-cr@3"},
    {"a\r1\r2", "|w<a>|w<1>|w<2>$", " md5-line-ending-cr@1"},
    {"1\r ", "|w<1>|$", " md5-line-ending-cr@1"},
    {"\r1", "|w<1>$", " md5-line-ending-cr@0"},
    {"a\n \r1", "|w<a>|w<1>$", " md5-line-ending-cr@3"},
    {"(\r1\r)", "|(w<1>)$", " md5-line-ending-cr@1"},
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
    {"\v\f\x01 a", "|w<a>$", " md5-control-blank@0"},
    {"}{)(", "|][)($", ""},
    {"<<<<<<< a\nb", "|$", " md5-merge-conflict@0"},
    {"a\n=======\nb", "|w<a>|$", " md5-merge-conflict@2"},
    {"a\n|||||||\r\nb", "|w<a>|$", " md5-merge-conflict@2"},
    {"a\n=======", "|w<a>|w<=======>$", ""},
    {"a\n ======= ", "|w<a>|w<=======>$", ""},
    {"a\n======== ", "|w<a>|w<========>$", ""},
    {"a\n<<<<<<> ", "|w<a>|w<<<<<<<>>$", ""},
    {"aaaaaaa ", "|w<aaaaaaa>$", ""},
};

START_TEST(text_is_split_into_tokens)
{
    char tokens[1024];
    said s = {.count = 0};
    describe_tokens(lexed[_i].text, strlen(lexed[_i].text), tokens, &s);
    ck_assert_str_eq(tokens, lexed[_i].tokens);
    ck_assert_str_eq(s.ids, lexed[_i].said);
}
END_TEST

/* Any two rules are both reported for a line, unless the first is an error; each once. That the
 * first is off changes nothing about the second. */
START_TEST(each_rule_is_reported_once_per_line)
{
    m5_levels levels[M5_PARSER_RULES];
    m5_source source = source_of("one line", 8);
    for (unsigned i = 0; i < M5_PARSER_RULES; i++) {
        const m5_rule *other = &m5_parser_rules[i], *rule = &m5_parser_rules[_i];
        bool wants[2] = {m5_judge(&rule->levels, 0) != M5_SILENT,
                         m5_judge(&other->levels, 0) != M5_SILENT};
        bool hides = m5_judge(&rule->levels, 0) == M5_ERROR || rule == other;
        for (unsigned k = 0; k < M5_PARSER_RULES; k++)
            levels[k] = m5_parser_rules[k].levels;
        for (int off = 0; off < 2; off++) {
            said s = {.count = 0};
            m5_lex lx;
            levels[_i] = off ? (m5_levels)M5_IS_OFF : levels[_i];
            m5_settings settings = {.levels = levels};
            m5_report report = {.source = &source, .sink = {take_id, &s}, .settings = &settings};
            m5_lex_init(&lx, &report, false);
            m5_lex_say(&lx, rule, (m5_span){0, 3}, "first");
            m5_lex_say(&lx, other, (m5_span){4, 4}, "second");
            unsigned expected = wants[0] && !off;
            expected += wants[1] && !hides;
            ck_assert_msg(s.count == expected, "%s, %s, %d: %s", rule->id, other->id, off, s.ids);
        }
    }
    free_source(&source);
}
END_TEST

/* What a watcher is shown, and whether it is reported. */
static m5_severity take_watched(void *user, const m5_diag *d)
{
    said *s = user;
    size_t n = strlen(s->ids);
    snprintf(s->ids + n, sizeof s->ids - n, " %s%s %s", d->unsaid ? "hidden " : "",
             m5_severity_name(d->own), d->rule->id);
    return d->severity;
}

START_TEST(a_watcher_sees_what_an_error_of_the_line_hides)
{
    static const uint8_t minds[M5_PARSER_RULES] = {0};
    m5_source source = source_of("one line", 8);
    said shown = {.count = 0}, watched = {.count = 0};
    m5_report report = {
        .source = &source, .sink = {take_id, &shown}, .watch = {take_watched, &watched, minds}};
    m5_lex lx;
    m5_lex_init(&lx, &report, false);
    m5_lex_say(&lx, M5_ROW(md5_float_comma), (m5_span){0, 3}, "first");
    m5_lex_say(&lx, M5_ROW(md5_key_unknown), (m5_span){4, 4}, "second");
    ck_assert_str_eq(shown.ids, " md5-float-comma@0");
    ck_assert_str_eq(watched.ids, " error md5-float-comma hidden error md5-key-unknown");
    ck_assert_uint_eq(report.errors, 1);
    ck_assert_uint_eq(report.flaws, 1);
    free_source(&source);
}
END_TEST

static m5_severity take_silently(void *user, const m5_diag *d)
{
    (void)user;
    return d->rule == M5_ROW(md5_float_comma) ? M5_SILENT : d->severity;
}

/* Here the line has two errors, of which the targets mind the second. */
START_TEST(an_error_that_no_target_minds_hides_nothing)
{
    static const uint8_t minds[M5_PARSER_RULES] = {0};
    m5_source source = source_of("one line", 8);
    for (unsigned targets = 0; targets < 2; targets++) {
        said s = {.count = 0};
        m5_settings settings = {.targets = targets};
        m5_report report = {.source = &source,
                            .sink = {take_id, &s},
                            .settings = &settings,
                            .watch = {take_silently, NULL, minds}};
        m5_lex lx;
        m5_lex_init(&lx, &report, false);
        m5_lex_say(&lx, M5_ROW(md5_float_comma), (m5_span){0, 3}, "first");
        m5_lex_say(&lx, M5_ROW(md5_key_unknown), (m5_span){4, 4}, "second");
        ck_assert_str_eq(s.ids, targets ? " md5-key-unknown@4" : "");
    }
    free_source(&source);
}
END_TEST

/* Most loaders stop at a NUL. It is reported if more than white space follows. */
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
    s = (said){.count = 0};
    describe_tokens("a\0 \n", 4, tokens, &s);
    ck_assert_str_eq(s.ids, " md5-embedded-nul@1");
}
END_TEST

/* After the last token, the end is returned again and again, with the place where the file ends. */
START_TEST(the_end_is_returned_again_and_again)
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

START_TEST(nth_token_after_an_offset)
{
    static const char text[] = "x vert 0 ( 0.5 // c\n -1 ) 2 3\n\"n\" end";
    m5_source source = source_of(text, sizeof text - 1);
    static const char *const words[] = {"vert", "0", "(", "0.5",   "-1",
                                        ")",    "2", "3", "\"n\"", "end"};
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

START_TEST(nth_token_has_a_lone_sign_and_its_number)
{
    static const char text[] = "( - 4 -\n5 - x - .5 ) -";
    m5_source source = source_of(text, sizeof text - 1);
    static const char *const words[] = {"(", "- 4", "-", "5", "-", "x", "- .5", ")", "-"};
    for (uint32_t i = 0; i < 9; i++) {
        m5_span s = m5_lex_nth(&source, 0, i);
        ck_assert_uint_eq(s.length, strlen(words[i]));
        ck_assert_int_eq(memcmp(source.bytes + s.offset, words[i], s.length), 0);
    }
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
              before.said_cr.said == lx.said_cr.said && before.ended == lx.ended &&
              !memcmp(before.said, lx.said, sizeof lx.said));
    ck_assert_msg(s.count == 0, "reported:%s", s.ids);
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

/* A sequence of readers on a text, and all their results. */
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
    case 0:
        fine = m5_lex_int(lx, &i);
        note(o, "int", fine, i);
        break;
    case 1:
        fine = m5_lex_float(lx, &f);
        note(o, "float", fine, (double)f);
        break;
    case 2:
        fine = m5_lex_value(lx, &f);
        note(o, "value", fine, f != f ? -99.5 : (double)f);
        break;
    case 3:
        fine = m5_lex_paren(lx, '(');
        note(o, "(", fine, 0);
        break;
    case 4:
        fine = m5_lex_paren(lx, ')');
        note(o, ")", fine, 0);
        break;
    case 5:
        fine = m5_lex_record(lx, "tri", 3, &offset);
        note(o, "tri", fine, offset);
        break;
    default:
        fine = true;
        m5_lex_skip_line(lx);
        note(o, "skip", fine, 0);
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
    m5_lex_next(&lx); /* in a file, something is always read before the first of these readers */
    random_state = seed;
    for (int n = 0; n < 12; n++)
        read_one(&lx, below(7), o);
    o->offset = m5_lex_peek(&lx).span.offset;
}

/* Text that is mostly as exporters write it, so that the fast readers are used. */
static size_t random_text(char *out)
{
    static const char *const piece[] = {
        " 1",         " 0",          " -1",          " 2.5",        " -0.25",
        " ( ",        " )",          "\n\ttri 0",    "\ntri 1",     " 1e5",
        " 007",       "\r\n\ttri",   " 12345678901", " 0.12345678", "\t3",
        "\n",         "\n\t1 2 3",   " // c\n",      "\r",          " (",
        ")",          " +1",         " 1.",          " .5",         " - 1",
        "  4",        " x",          " \"s\"",       " 1)",         " 0x1",
        "{",          "}",           " 3.0 ",        "\n0.5",       " \n \t 7",
        " 123456789", " 1234567890", " 2147483648",  " 1,5",        " nan",
        "\0 1",
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

/* A finding is as long as the text that it is about, and so is its related place. */
static const struct {
    const char *name, *text, *rule;
    uint32_t length, related;
} places[] = {
    {"a.md5mesh", "MD5Version 10\0", "md5-embedded-nul", 1, 0},
    {"a.md5mesh", "MD5Version 10\rcommandline", "md5-line-ending-cr", 1, 0},
    {"a.md5anim",
     "MD5Version 10\nnumFrames 3\nnumJoints 1\nnumAnimatedComponents 0\n"
     "frame 0 {\n}\nframe 1 {\n}\nframe 0 {\n}\n",
     "md5anim-frame-duplicate", 1, 5},
};

START_TEST(findings_are_as_long_as_their_places)
{
    const char *text = places[_i].text;
    linted *l = lint_bytes(places[_i].name, text, strlen(text) + (_i == 0), NULL, false);
    const m5_finding *f = l->found.first;
    while (f != NULL && strcmp(f->diag.rule->id, places[_i].rule) != 0)
        f = f->next;
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(f->diag.at.length, places[_i].length);
    ck_assert_uint_eq(f->diag.related[0].at.length, places[_i].related);
    free_linted(l);
}
END_TEST

#define LENGTH(array) (int)(sizeof(array) / sizeof *(array))

int main(void)
{
    Suite *suite = suite_create("lexer");
    TCase *t = tcase_create("lexer");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, text_is_split_into_tokens, 0, LENGTH(lexed));
    tcase_add_test(t, nul_ends_the_file);
    tcase_add_loop_test(t, each_rule_is_reported_once_per_line, 0, M5_PARSER_RULES);
    tcase_add_test(t, a_watcher_sees_what_an_error_of_the_line_hides);
    tcase_add_test(t, an_error_that_no_target_minds_hides_nothing);
    tcase_add_test(t, the_end_is_returned_again_and_again);
    tcase_add_test(t, nth_token_after_an_offset);
    tcase_add_test(t, nth_token_has_a_lone_sign_and_its_number);
    tcase_add_test(t, peeking_changes_nothing);
    tcase_add_loop_test(t, fast_and_slow_readers_agree, 0, 4);
    tcase_add_loop_test(t, findings_are_as_long_as_their_places, 0, LENGTH(places));
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
