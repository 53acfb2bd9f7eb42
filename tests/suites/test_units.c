/* Tests small parts on their own: arena, diagnostics, formats, edit distance and the collector. */
#include "support.h"
#include "lint/core/nearest.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/core/text.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- Arena ----------------------------------------------------------------------------------- */

static _Alignas(16) uint8_t memory[1024];

#ifdef M5_WATCHED
#include <sanitizer/asan_interface.h>
START_TEST(unused_arena_memory_is_poisoned_for_sanitizers)
{
    m5_arena a;
    m5_arena_init(&a, memory, sizeof memory);
    uint8_t *full = m5_arena_take(&a, 2, 8);
    uint8_t *first = m5_arena_take(&a, 3, 1), *second = m5_arena_take(&a, 5, 4);
    uint8_t *kept = m5_arena_keep(&a, 5);
    ck_assert(!__asan_address_is_poisoned(full + 15));
    for (size_t i = 16; i < 16 + M5_ARENA_GAP; i++)
        ck_assert(__asan_address_is_poisoned(full + i));
    ck_assert(!__asan_address_is_poisoned(first + 2) && __asan_address_is_poisoned(first + 3));
    ck_assert(!__asan_address_is_poisoned(second + 19) && __asan_address_is_poisoned(second + 20));
    ck_assert(__asan_address_is_poisoned(kept - 1) && !__asan_address_is_poisoned(kept + 4));
    m5_arena_trim(&a, second, 4);
    ck_assert(!__asan_address_is_poisoned(second + 3) && __asan_address_is_poisoned(second + 4));
    m5_arena_release(&a, 0);
    ck_assert(__asan_address_is_poisoned(first) && !__asan_address_is_poisoned(kept));
    m5_arena_end(&a);
    ck_assert_ptr_null(__asan_region_is_poisoned(memory, sizeof memory));
}
END_TEST
#endif

START_TEST(arena_hands_out_aligned_blocks)
{
    m5_arena a;
    m5_arena_init(&a, memory, sizeof memory);
    uint8_t *first = m5_arena_take(&a, 3, 1), *second = m5_arena_take(&a, 5, 4);
    ck_assert_ptr_eq(first, memory);
    ck_assert_ptr_eq(second, memory + 8 + M5_ARENA_GAP);
    ck_assert_uint_eq(a.used, 32 + 2 * M5_ARENA_GAP);
    void *none = m5_arena_take(&a, 0, 16);
    ck_assert_ptr_nonnull(none);
    ck_assert_ptr_nonnull(m5_arena_take(&a, SIZE_MAX, 0));
    ck_assert_uint_eq(a.used, 32 + 2 * M5_ARENA_GAP);
    uint8_t *kept = m5_arena_keep(&a, 3), *kept2 = m5_arena_keep(&a, 9);
    ck_assert_ptr_eq(kept, memory + sizeof memory - 8);
    ck_assert_ptr_eq(kept2, kept - 16);
    ck_assert_uint_eq(a.kept, 24);
    ck_assert_uint_eq(a.peak, 56 + 2 * M5_ARENA_GAP);
}
END_TEST

START_TEST(arena_packs_two_blocks)
{
    m5_arena a;
    m5_arena_init(&a, memory, sizeof memory);
    uint8_t *first = m5_arena_take(&a, 10, 4), *second = m5_arena_take(&a, 10, 2);
    memcpy(second, "abcdef", 6);
    ck_assert_ptr_nonnull(m5_arena_take(&a, 1, 8));
    uint8_t *moved = m5_arena_pack(&a, first, 12, second, 6);
    ck_assert_ptr_eq(moved, first + 12 + M5_ARENA_GAP);
    ck_assert_mem_eq(moved, "abcdef", 6);
    ck_assert_ptr_eq(m5_arena_take(&a, 1, 1), memory + 24 + 2 * M5_ARENA_GAP);
#ifdef M5_WATCHED
    ck_assert(!__asan_address_is_poisoned(first + 11) && __asan_address_is_poisoned(first + 12));
    ck_assert(!__asan_address_is_poisoned(moved) && !__asan_address_is_poisoned(moved + 5));
    ck_assert(__asan_address_is_poisoned(moved + 6));
#endif
}
END_TEST

START_TEST(arena_returns_null_when_full)
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
    static const size_t huge[] = {SIZE_MAX,         SIZE_MAX / 2 + 1, SIZE_MAX / 8,
                                  SIZE_MAX / 8 + 1, (size_t)1 << 32,  SIZE_MAX - 7};
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
    ck_assert_uint_eq(a.used, 24 + 2 * M5_ARENA_GAP);
    ck_assert_uint_eq(a.peak, 408 + 2 * M5_ARENA_GAP);
    ck_assert_ptr_eq(m5_arena_take(&a, 1, 1), memory + 24 + 2 * M5_ARENA_GAP);
    m5_arena_keep(&a, 8);
    m5_arena_release(&a, mark);
    ck_assert(a.used == mark && a.kept == 8 && a.peak == 408 + 2 * M5_ARENA_GAP);
    m5_arena_trim(&a, m5_arena_take(&a, 4, 4), 0);
    ck_assert_uint_eq(a.used, mark);
    size_t used = a.used;
    m5_arena_trim(&a, NULL, 8); /* an allocation that did not fit */
    ck_assert_uint_eq(a.used, used);
}
END_TEST

/* For a file that is too large for any memory, the size does not overflow to a small number. */
START_TEST(parse_memory_does_not_overflow)
{
    const size_t most = (SIZE_MAX - 65536) / 4;
    ck_assert_uint_eq(m5_parse_memory(0), 65536);
    ck_assert_uint_eq(m5_parse_memory(1000), 65536 + 4000);
    ck_assert_uint_eq(m5_parse_memory(most - 1), 65536 + 4 * (most - 1));
    ck_assert_uint_eq(m5_parse_memory(most), SIZE_MAX);
    ck_assert_uint_eq(m5_parse_memory(SIZE_MAX), SIZE_MAX);
}
END_TEST

/* ---- Diagnostics ----------------------------------------------------------------------------- */

START_TEST(rows_decide_severities)
{
    static const m5_levels graded = M5_GRADED(1, 2, 3), error = M5_IS_ERROR,
                           warning = M5_IS_WARNING, note = M5_IS_NOTE, off = M5_IS_OFF;
    ck_assert_int_eq(m5_judge(&graded, 1), M5_SILENT); /* 1 is the limit, not above it */
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

/* The levels in force decide what is reported; the rows alone decide what makes a model flawed. */
START_TEST(levels_override_rows)
{
    m5_levels levels[M5_RULES];
    m5_severity got = M5_SILENT;
    m5_source source = {"x", NULL, 0};
    const m5_rule *rule = M5_ROW(md5_version);
    for (unsigned i = 0; i < M5_RULES; i++)
        levels[i] = m5_rule_at(i)->levels;
    m5_settings settings = {.levels = levels};
    m5_report r = {.source = &source, .sink = {keep_severity, &got}, .settings = &settings};
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
    ck_assert_int_eq(m5_would_say(&r, rule, 0), M5_ERROR); /* the row decides, but for notes */
    d.rule = M5_ROW(md5_record_multiline);
    levels[d.rule->number] = (m5_levels)M5_IS_ERROR;
    m5_emit(&r, &d, 0, "x");
    ck_assert(got == M5_ERROR && r.errors == 2 && r.flaws == 3);
}
END_TEST

START_TEST(findings_without_a_sink_are_counted)
{
    m5_source source = {"x", NULL, 0};
    m5_report r = {.source = &source};
    m5_diag d = m5_found(M5_ROW(md5_record_multiline), (m5_span){0, 0});
    m5_emit(&r, &d, 0, "%s", "x");
    m5_emit(&r, &d, 0, "%s", "x");
    ck_assert(r.warnings == 2 && r.errors == 0 && r.flaws == 0);
}
END_TEST

START_TEST(rows_have_all_columns)
{
    const m5_rule *r = m5_rule_at((unsigned)_i);
    ck_assert_uint_eq(r->number, (unsigned)_i);
    ck_assert_ptr_eq(m5_rule_by_id(r->id), r);
    ck_assert_uint_eq(strspn(r->id, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(r->id));
    const char *prose[] = {r->summary, r->why, r->fix, r->example, r->origin};
    for (int i = 0; i < 5; i++)
        ck_assert_msg(prose[i] != NULL && *prose[i] != '\0', "%s: prose %d is missing", r->id, i);
    ck_assert(r->formats != 0 && strchr(r->summary, '\n') == NULL);
    ck_assert_msg(strlen(r->why) <= 1000, "%s: more than GitHub shows of a rule's description",
                  r->id);
}
END_TEST

/* ---- Formats --------------------------------------------------------------------------------- */

static const struct {
    const char *file, *format;
} named[] = {
    {"a.md5mesh", "md5mesh"},
    {"a.MD5Anim", "md5anim"},
    {".md5mesh", "md5mesh"},
    {"dir.x/a.b.md5mesh", "md5mesh"},
    {"a.md5camera", "md5camera"},
    {"a.md4", "md4"},
    {"a", NULL},
    {"", NULL},
    {"md5mesh", NULL},
    {"a.", NULL},
    {"a.md5mes", NULL},
    {"a.md5meshx", NULL},
    {"dir.md5mesh/file", NULL},
    {"a.md5mesh.bak", NULL},
    {"a.md5mesh ", NULL},
    {"a.md\x14", NULL}, /* not a 4 in capitals */
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
    {"MD5Version 10\nnumFrames 1\n", "md5anim"},
    {"// numMeshes\nhierarchy {", "md5anim"},
    {"commandline \"numMeshes\"\nframeRate 24", "md5anim"},
    {"MD5Version 10\nnumCuts 3", "md5camera"},
    {"MD5Version 10\nnumFrames 3\nframeRate 24\nnumCuts 0", "md5camera"},
    {"numFrames 3\ncuts {", "md5camera"},
    {"numFrames 3\nhierarchy {", "md5anim"},
    {"numFrames 3\nmesh {\ncamera {", "md5mesh"},
    {"IDP4....", "md4"},
    {"ILLMESH >>", "illmesh"},
    {"ILLSKEL", "illskel"},
    {"ILLANIM", "illanim"},
    {"IDP", NULL},
    {"", NULL},
    {"hello", NULL},
    {"where the mesh {\nand all joints are", NULL},
    {"\"numMeshes\"", NULL},
    {"ILLMES", NULL},
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

START_TEST(format_detection_reads_64_kib_at_most)
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
    } x[] = {{"", "", 0},
             {"a", "", 1},
             {"abc", "abc", 0},
             {"abc", "abd", 1},
             {"kitten", "sitting", 3},
             {"ab", "ba", 2},
             {"flaw", "lawn", 2},
             {"abc", "xyz", 3},
             {"abcdef", "bcdefg", 2}};
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
    ck_assert_uint_eq(distance("", longest), M5_NEAREST_MAX); /* the longest word allowed */
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
    ck_assert_ptr_null(m5_nearest("of", word_at)); /* a third of 2 letters is less than 1 */
    ck_assert_ptr_null(m5_nearest("something-else", word_at));
    ck_assert_ptr_null(m5_nearest("x", word_at));
}
END_TEST

/* ---- Collector ------------------------------------------------------------------------------- */

static void find(m5_collector *c, const m5_rule *rule, m5_severity severity, uint32_t offset)
{
    char message[] = "message", related[] = "related";
    m5_diag d = {.rule = rule, .severity = severity, .at = {offset, 1}, .message = message};
    d.related[0].message = d.related[1].message = related;
    d.num_related = 2;
    m5_collect(c, &d);
    memset(message, '#', sizeof message - 1); /* the strings are not valid after the sink returns */
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
    m5_arena_release(&arena, 0); /* memory that was kept stays */
    m5_collector_pick(&c, 0, &s);
    ck_assert(s.count == 6 && all_hidden(&s) == 0);
    for (uint32_t i = 1; i < 6; i++)
        ck_assert_uint_ge(s.list[i]->diag.at.offset, s.list[i - 1]->diag.at.offset);
    ck_assert_int_eq(s.list[1]->diag.severity, M5_WARNING); /* at one place, severest first */
    ck_assert_int_eq(s.list[2]->diag.severity, M5_NOTE);
    ck_assert_str_eq(s.list[0]->diag.message, "message");
    ck_assert_str_eq(s.list[0]->diag.related[0].message, "related");
    ck_assert_str_eq(s.list[0]->diag.related[1].message, "related");
}
END_TEST

/* The first four places stay; a fifth is left out. */
START_TEST(related_places_are_kept_in_order)
{
    m5_source source = source_of("0123456789", 10);
    m5_diag d = m5_found(m5_rule_at(0), (m5_span){0, 1});
    for (uint32_t i = 0; i < M5_MOST_RELATED + 1; i++)
        m5_relate(&d, &source, (m5_span){i, 1}, "there");
    ck_assert_uint_eq(d.num_related, M5_MOST_RELATED);
    for (uint32_t i = 0; i < M5_MOST_RELATED; i++)
        ck_assert_uint_eq(d.related[i].at.offset, i);
    free_source(&source);
}
END_TEST

START_TEST(headers_and_library_have_the_same_version)
{
    ck_assert_str_eq(m5_version(), M5_VERSION);
}
END_TEST

START_TEST(collector_limits_each_rule)
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
    ck_assert(m5_collector_made(&c, 4) == 7 && m5_collector_made(&c, 5) == 3);
}
END_TEST

/* If not all findings are shown, errors are preferred, then warnings; the order is by offset. */
START_TEST(collector_prefers_errors_when_limited)
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

START_TEST(collector_without_memory_counts_findings)
{
    for (size_t size = 0; size < 9000; size += 40) {
        uint8_t *room = malloc(size);
        m5_arena arena;
        m5_collector c;
        m5_shown s;
        m5_arena_init(&arena, room, size);
        m5_collector_init(&c, &arena, 0);
        for (uint32_t i = 0; i < 6; i++)
            find(&c, m5_rule_at(3), M5_ERROR, i);
        uint64_t made = m5_collector_made(&c, 3); /* all or none */
        ck_assert(made == (c.counts != NULL ? 6 : 0) && c.lost == (c.kept < 6));
        bool picked = m5_collector_pick(&c, 0, &s);
        ck_assert(s.count == (picked ? c.kept : 0) && s.count + s.hidden[3] == made);
        for (uint32_t i = 0; i < s.count; i++)
            ck_assert_str_eq(s.list[i]->diag.message, "message");
        free(room);
    }
}
END_TEST

#define LENGTH(array) (int)(sizeof(array) / sizeof *(array))

int main(void)
{
    Suite *suite = suite_create("units");
    TCase *t = tcase_create("units");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, arena_hands_out_aligned_blocks);
    tcase_add_test(t, arena_packs_two_blocks);
    tcase_add_test(t, arena_returns_null_when_full);
    tcase_add_test(t, parse_memory_does_not_overflow);
    tcase_add_test(t, arena_counts_do_not_overflow);
    tcase_add_test(t, arena_trims_and_releases);
#ifdef M5_WATCHED
    tcase_add_test(t, unused_arena_memory_is_poisoned_for_sanitizers);
#endif
    tcase_add_test(t, rows_decide_severities);
    tcase_add_test(t, levels_override_rows);
    tcase_add_test(t, findings_without_a_sink_are_counted);
    tcase_add_loop_test(t, rows_have_all_columns, 0, M5_RULES);
    tcase_add_loop_test(t, formats_by_name, 0, LENGTH(named));
    tcase_add_loop_test(t, formats_by_content, 0, LENGTH(sniffed));
    tcase_add_test(t, format_detection_reads_64_kib_at_most);
    tcase_add_test(t, edit_distances);
    tcase_add_test(t, nearest_words);
    tcase_add_test(t, collector_sorts_and_keeps);
    tcase_add_test(t, headers_and_library_have_the_same_version);
    tcase_add_test(t, related_places_are_kept_in_order);
    tcase_add_test(t, collector_limits_each_rule);
    tcase_add_test(t, collector_prefers_errors_when_limited);
    tcase_add_test(t, collector_without_memory_counts_findings);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
