/* Tests that too little memory is survived: each case of the corpus is linted again in less memory
 * than its checks use, and fixes are sought in less than they use. What cannot be checked then is
 * left out, and there is no fix. */
#include "cases.h"
#include "fuzz/harness/all_rules.h"

#include <check.h>
#include <stdlib.h>

enum { SIZES = 20 };

static char *cases[MAX_CASES];

static void count(void *user, const m5_diag *diag)
{
    *(size_t *)user += diag->rule != NULL;
}

/* Lints files in so many bytes each, and returns what each has used in `used` and `peak`. */
static void lint(const text_file *files, size_t num, const size_t *size, size_t *used, size_t *peak)
{
    m5_settings settings = {.levels = all_rules()};
    m5_lint_input in[MAX_FILES];
    m5_lint_file file[MAX_FILES], *out[MAX_FILES];
    size_t found[MAX_FILES] = {0};
    void *together = malloc(m5_together_memory(num));
    for (size_t i = 0; i < num; i++) {
        out[i] = &file[i];
        in[i] = (m5_lint_input){.source = {files[i].name, files[i].bytes, (uint32_t)files[i].size},
                                .format = m5_format_by_name(files[i].name),
                                .settings = &settings,
                                .sink = {count, &found[i]},
                                .memory = malloc(size[i]),
                                .size = size[i]};
    }
    m5_lint_group(out, in, num, together);
    for (size_t i = 0; i < num; i++) {
        m5_report *r = &file[i].report;
        used[i] = file[i].arena.used;
        peak[i] = file[i].arena.peak;
        ck_assert_uint_le(peak[i], size[i]);
        ck_assert_uint_eq(r->errors + r->warnings + r->notes, found[i]);
        m5_arena_end(&file[i].arena);
        free(in[i].memory);
    }
    free(together);
}

START_TEST(a_case_is_linted_in_less_memory)
{
    text_file files[MAX_FILES];
    size_t size[MAX_FILES], used[MAX_FILES], peak[MAX_FILES], now[MAX_FILES], most[MAX_FILES];
    size_t num = read_case(cases[_i], files);
    for (size_t i = 0; i < num; i++)
        size[i] = m5_lint_memory(files[i].size, 0);
    lint(files, num, size, used, peak);
    for (size_t k = 0; k < SIZES; k++) {
        for (size_t i = 0; i < num; i++)
            size[i] = used[i] + (peak[i] - used[i]) * k / SIZES;
        lint(files, num, size, now, most);
    }
    free_case(files, num);
}
END_TEST

/* Seeks the fix of a finding in so many bytes; returns how many were used. */
static size_t seek(const m5_fix_input *in, const m5_diag *diag, void *memory, size_t size)
{
    m5_fix_input own = *in; /* it keeps what findings share, which is in the arena */
    m5_arena arena;
    m5_arena_init(&arena, memory, size);
    const m5_fix *fix = m5_fix_find(&own, diag, &arena);
    for (uint32_t i = 0; fix != NULL && i < fix->count; i++)
        ck_assert_uint_le(fix->edits[i].at.length, in->file->source.size);
    ck_assert_uint_le(arena.peak, size);
    m5_arena_end(&arena);
    return arena.peak;
}

START_TEST(fixes_are_sought_in_less_memory)
{
    enum { ROOM = 1 << 22 };
    text_file files[MAX_FILES];
    linted *l[MAX_FILES];
    const m5_lint_file *meshes[MAX_FILES];
    size_t num = read_case(cases[_i], files);
    void *memory = malloc(ROOM);
    lint_files_at(files, num, &(m5_settings){.levels = all_rules()}, l);
    for (size_t i = 0; i < num; i++) {
        m5_fix_input in = fix_input_of(l[i], l, num, meshes);
        for (const m5_finding *f = l[i]->found.first; f != NULL; f = f->next) {
            size_t used = seek(&in, &f->diag, memory, ROOM);
            for (size_t k = 0; k < SIZES && used != 0; k++)
                seek(&in, &f->diag, memory, used * k / SIZES);
        }
    }
    for (size_t i = 0; i < num; i++)
        free_linted(l[i]);
    free(memory);
    free_case(files, num);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tight");
    TCase *all = tcase_create("tight");
    int num = find_cases("corpus", cases);
    tcase_set_timeout(all, 120);
    tcase_add_loop_test(all, a_case_is_linted_in_less_memory, 0, num);
    tcase_add_loop_test(all, fixes_are_sought_in_less_memory, 0, num);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    for (int i = 0; i < num; i++)
        free(cases[i]);
    return failed != 0;
}
