/* Tests the crossover that fuzzers call, with pairs of the corpus' whole models and many seeds. The
 * result fits, is the same for the same seed, and is not one of the two inputs. Many results are
 * clean models, which is the purpose. */
#define _XOPEN_SOURCE 700

#include "support.h"
#include "fuzz/mutate/mutate.h"

#include <check.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

/* Replaces libFuzzer's own mutation, which the mutators call. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
    (void)data, (void)max_size;
    return size;
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t room, unsigned int seed);

/* The functions that AFL++ calls. */
void *afl_custom_init(void *afl, unsigned int seed);
void afl_custom_deinit(void *data);
size_t afl_custom_fuzz(void *data, uint8_t *buffer, size_t size, uint8_t **out, uint8_t *add,
                       size_t add_size, size_t max_size);

typedef struct input {
    uint8_t *bytes; /* exact, so that a sanitizer reports a read past the end */
    size_t size;
} input;

enum { MOST_INPUTS = 512, SEEDS = 20, ROOM = 1 << 15 };

typedef struct inputs {
    input list[MOST_INPUTS];
    size_t count;
} inputs;

static void *copy_of(const void *bytes, size_t size)
{
    void *copy = malloc(size + (size == 0));
    ck_assert_ptr_nonnull(copy);
    return memcpy(copy, bytes, size);
}

static inputs read_inputs(const char *pattern)
{
    inputs in = {.count = 0};
    glob_t found;
    ck_assert_int_eq(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc && in.count < MOST_INPUTS; i++) {
        if (m5_format_by_name(found.gl_pathv[i]) == NULL)
            continue; /* an expectation, or a folder */
        input *one = &in.list[in.count++];
        void *bytes = read_file(found.gl_pathv[i], &one->size);
        one->bytes = copy_of(bytes, one->size);
        free(bytes);
    }
    globfree(&found);
    return in;
}

static void free_inputs(inputs *in)
{
    for (size_t i = 0; i < in->count; i++)
        free(in->list[i].bytes);
}

/* Returns the result, to be freed. Bytes after the room must not change. */
static input cross(const input *a, const input *b, size_t room, unsigned seed)
{
    enum { FENCE = 64, MARK = 0xaa };
    uint8_t *out = malloc(room + FENCE);
    ck_assert_ptr_nonnull(out);
    memset(out, MARK, room + FENCE);
    size_t size = mutate_cross(a->bytes, a->size, b->bytes, b->size, out, room, seed);
    ck_assert_uint_le(size, room);
    for (size_t i = 0; i < FENCE; i++)
        ck_assert_uint_eq(out[room + i], MARK);
    return (input){out, size};
}

static bool same(const input *a, const input *b)
{
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

static bool is_clean(const input *in)
{
    m5_source source = {"crossed", in->bytes, (uint32_t)in->size};
    m5_model model;
    return mutate_parse(&source, mutate_arena(), &model);
}

static bool holds(const input *in, const uint8_t *word, size_t length)
{
    for (size_t i = 0; i + length <= in->size; i++)
        if (memcmp(in->bytes + i, word, length) == 0)
            return true;
    return false;
}

/* Names and keywords come from one input or the other; numbers may be printed differently. */
static void check_words(const input *a, const input *b, const input *crossed)
{
    const uint8_t *s = crossed->bytes;
    for (size_t i = 0, end; i < crossed->size; i = end + 1) {
        for (end = i; end < crossed->size && s[end] > ' ';)
            end++;
        bool number = memchr("+-.0123456789", s[i], 13) != NULL;
        ck_assert(number || holds(a, s + i, end - i) || holds(b, s + i, end - i));
    }
}

typedef struct tally {
    unsigned tried, crossed, clean;
} tally;

static void try_pair(const input *a, const input *b, tally *t)
{
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        input once = cross(a, b, ROOM, seed), again = cross(a, b, ROOM, seed);
        ck_assert(same(&once, &again));
        ck_assert(once.size == 0 || (!same(&once, a) && !same(&once, b)));
        if (memcmp(a->bytes, "IDP4", 4) != 0)
            check_words(a, b, &once);
        t->tried++;
        t->crossed += once.size != 0;
        t->clean += once.size != 0 && is_clean(&once);
        free(once.bytes);
        free(again.bytes);
    }
}

static const char *const families[] = {
    "corpus/md5mesh/whole/whole.*.md5mesh",     "corpus/md5anim/whole/whole.*.md5anim",
    "corpus/md5camera/whole/whole.*.md5camera", "corpus/md4/whole/whole.*.md4",
    "corpus/illmesh/whole/whole.*.illmesh",     "corpus/illskel/whole/whole.*.illskel",
    "corpus/illanim/whole/whole.*.illanim"};

/* All pairs of neighbouring models, and of models some distance apart. */
static void each_pair(const inputs *in, tally *t)
{
    for (size_t i = 0; i < in->count; i++)
        for (size_t apart = 1; apart < 4; apart++)
            try_pair(&in->list[i], &in->list[(i + apart) % in->count], t);
}

START_TEST(crossed_models_are_new_and_often_clean)
{
    inputs in = read_inputs(families[_i]);
    tally t = {0, 0, 0};
    ck_assert_uint_gt(in.count, 2);
    each_pair(&in, &t);
    ck_assert_uint_gt(t.crossed, t.tried * 3 / 4);
    ck_assert_uint_gt(t.clean, t.crossed * 2 / 5);
    free_inputs(&in);
}
END_TEST

/* Includes inputs that are not models, that have different formats, and that do not fit. */
START_TEST(crossed_inputs_never_overrun_the_room)
{
    inputs in = read_inputs("corpus/*/crash/*");
    unsigned crossed = 0;
    ck_assert_uint_gt(in.count, 200);
    for (unsigned seed = 0; seed < 5000; seed++) {
        mutate_chance c = {seed};
        input a = in.list[mutate_below(&c, (uint32_t)in.count)];
        input b = in.list[mutate_below(&c, (uint32_t)in.count)];
        a.size = mutate_below(&c, (uint32_t)a.size + 1);
        a.bytes = copy_of(a.bytes, a.size);
        input result = cross(&a, &b, mutate_below(&c, 2 * (uint32_t)a.size + 1), seed);
        crossed += result.size != 0;
        free(a.bytes);
        free(result.bytes);
    }
    ck_assert_uint_gt(crossed, 1000);
    free_inputs(&in);
}
END_TEST

/* Whether crossing the two texts line by line gives this text for any seed. */
static bool can_become(const char *a, const char *b, const char *wanted)
{
    m5_source first = {"a", (const uint8_t *)a, (uint32_t)strlen(a)};
    m5_source second = {"b", (const uint8_t *)b, (uint32_t)strlen(b)};
    for (unsigned seed = 0; seed < 1000; seed++) {
        uint8_t out[256];
        mutate_chance c = {seed};
        size_t size = mutate_cross_lines(&c, &first, &second, out, sizeof out);
        if (size == strlen(wanted) && memcmp(out, wanted, size) == 0)
            return true;
    }
    return false;
}

START_TEST(lines_replace_lines_of_the_same_kind)
{
    const char *a = "top 1\nvert 1\nvert 2\n1 2 3\n", *b = "4 5 6\nvert 7\nvert 8\n9\n";
    ck_assert(can_become(a, b, "top 1\nvert 1\nvert 2\n4 5 6\n"));
    ck_assert(can_become(a, b, "top 1\nvert 7\nvert 8\n1 2 3\n"));
    ck_assert(can_become(a, b, "top 1\nvert 1\nvert 7\nvert 8\nvert 2\n1 2 3\n"));
    ck_assert(!can_become(a, b, "top 1\n4 5 6\nvert 2\n1 2 3\n"));
    ck_assert(!can_become(a, b, "top 1\nvert 1\nvert 2\nvert 7\n"));
}
END_TEST

START_TEST(blocks_are_taken_whole)
{
    const char *a = "top\nmesh {\n\tvert 0\n}\n", *b = "mesh {\n\tvert 1\n\ttri 2\n}\nlast x\n";
    ck_assert(can_become(a, b, "top\nmesh {\n\tvert 1\n\ttri 2\n}\n"));
    ck_assert(can_become(a, b, "top\nmesh {\n\tvert 1\n\ttri 2\n}\nmesh {\n\tvert 0\n}\n"));
}
END_TEST

START_TEST(files_of_groups_are_taken_whole)
{
    ck_assert(can_become("one\n%%\ntwo\nthree\n%%\nfour\n", "five\n%%\nsix\nseven\neight\n",
                         "one\n%%\nsix\nseven\neight\n%%\nfour\n"));
}
END_TEST

START_TEST(a_last_line_gets_a_line_ending_if_more_follows)
{
    ck_assert(can_become("a 1\na 2", "a 3", "a 3\na 2"));
    ck_assert(can_become("a 1\na 2", "a 3", "a 1\na 3"));
    ck_assert(can_become("a 1\ra 2\r", "a 3", "a 3\na 2\r"));
}
END_TEST

START_TEST(libfuzzer_crosses_one_time_in_four)
{
    inputs in = read_inputs(families[0]);
    uint8_t out[ROOM];
    unsigned crossed = 0;
    for (unsigned seed = 0; seed < 1000; seed++)
        crossed += LLVMFuzzerCustomCrossOver(in.list[0].bytes, in.list[0].size, in.list[1].bytes,
                                             in.list[1].size, out, sizeof out, seed) != 0;
    ck_assert_uint_gt(crossed, 150);
    ck_assert_uint_lt(crossed, 350);
    free_inputs(&in);
}
END_TEST

/* Some results have a part of the second input; none has if there is no second input. */
static unsigned count_crossed_for_afl(bool other)
{
    char text[] = "red 1\nred 2\nred 3\n", add[] = "blue 1\nblue 2\n";
    void *afl = afl_custom_init(NULL, 1);
    unsigned crossed = 0;
    ck_assert_ptr_nonnull(afl);
    for (unsigned i = 0; i < 1000; i++) {
        uint8_t *bytes = NULL;
        size_t room = sizeof text - 1 + i % 20;
        size_t size = afl_custom_fuzz(afl, (uint8_t *)text, sizeof text - 1, &bytes,
                                      other ? (uint8_t *)add : NULL, other ? sizeof add - 1 : 0,
                                      room);
        ck_assert_uint_le(size, room);
        crossed += holds(&(input){bytes, size}, (const uint8_t *)"blue", 4);
    }
    afl_custom_deinit(afl);
    return crossed;
}

START_TEST(afl_crosses_one_in_four)
{
    ck_assert_uint_gt(count_crossed_for_afl(true), 150);
    ck_assert_uint_le(count_crossed_for_afl(true), 250);
    ck_assert_uint_eq(count_crossed_for_afl(false), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mutate");
    TCase *t = tcase_create("mutate");
    tcase_set_timeout(t, 0);
    tcase_add_loop_test(t, crossed_models_are_new_and_often_clean, 0,
                        (int)(sizeof families / sizeof *families));
    tcase_add_test(t, crossed_inputs_never_overrun_the_room);
    tcase_add_test(t, lines_replace_lines_of_the_same_kind);
    tcase_add_test(t, blocks_are_taken_whole);
    tcase_add_test(t, files_of_groups_are_taken_whole);
    tcase_add_test(t, a_last_line_gets_a_line_ending_if_more_follows);
    tcase_add_test(t, libfuzzer_crosses_one_time_in_four);
    tcase_add_test(t, afl_crosses_one_in_four);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
