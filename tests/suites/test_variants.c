/* Tests that variants of the corpus report what they did when it was recorded. Each file of a case,
 * if it has at most 16,000 bytes, is changed three times in each of many ways, the third time in
 * two places, and linted with all rules on. For each folder of the corpus,
 * tests/suites/variants.txt has the number of cases and a sum: of the findings in the variants, the
 * fixes, what engines make of them, and the reports in all formats.
 *
 * A sum does not say what is right. It shows that a change of the sources changes the result, and
 * where: `build/test_variants FOLDER` prints all that is summed up for a folder, to be compared
 * with the same of the commit before. `RECORD=1 build/test_variants` writes the file again. With
 * DRAWN=3 in the environment only a third of the folders is tried, others for each SEED. */
#define _XOPEN_SOURCE 700

#include "cases.h"
#include "vary.h"
#include "fuzz/harness/all_rules.h"
#include "lint/report/fingerprint.h"
#include "lint/report/fold.h"
#include "lint/report/formats/reporters.h"
#include "lint/targets/targets.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 16000, MOST_FOLDERS = 1024, FIX_ROOM = 1 << 24 };
enum { DRAWS = 3 }; /* of each kind of change */
static const char recorded[] = "tests/suites/variants.txt";

static char *cases[MAX_CASES];
static int num_cases, begins[MOST_FOLDERS + 1], num_folders;
static int share = 1, turn; /* of so many folders one is tried, from this one on */
static bool shows;

/* ---- What is found --------------------------------------------------------------------------- */

static uint64_t hash_of(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
    return hash;
}

static void add_text(uint64_t *sum, const char *text)
{
    *sum = hash_of(*sum, text, strlen(text) + 1);
    if (shows)
        fputs(text, stdout);
}

static void add_fix(uint64_t *sum, const char *what, const m5_fix *fix)
{
    char line[80];
    snprintf(line, sizeof line, "  %s: %s\n", what, fix->safe ? "safe" : "unsafe");
    add_text(sum, line);
    for (uint32_t i = 0; i < fix->count; i++) {
        const m5_edit *e = &fix->edits[i];
        snprintf(line, sizeof line, "    %u+%u=", e->at.offset, e->at.length);
        add_text(sum, line);
        *sum = hash_of(*sum, e->text, e->length);
        if (shows)
            printf("%.*s\n", (int)e->length, e->text);
    }
}

static void add_fixes(uint64_t *sum, linted *l, linted *const *all, size_t count)
{
    static void *memory;
    m5_arena arena;
    if (memory == NULL && (memory = malloc(FIX_ROOM)) == NULL)
        abort();
    m5_arena_init(&arena, memory, FIX_ROOM);
    const m5_lint_file *meshes[MAX_FILES];
    m5_fix_input in = fix_input_of(l, all, count, meshes), marks = in;
    marks.probe = true;
    for (const m5_finding *f = l->found.first; f != NULL; f = f->next) {
        const m5_fix *fix = f->folded ? NULL : m5_fix_find(&in, &f->diag, &arena);
        const m5_fix *mark = f->folded ? NULL : m5_fix_find(&marks, &f->diag, &arena);
        if (fix != NULL)
            add_fix(sum, "fix", fix);
        if (mark != NULL)
            add_fix(sum, "mark", mark);
    }
    m5_arena_end(&arena);
}

static void add_targets(uint64_t *sum, const linted *l)
{
    char line[200];
    const m5_targets_state *state = l->file.targets;
    for (int i = 0; state != NULL && i < M5_TARGETS; i++) {
        const m5_decision *d = &state->decisions[i];
        snprintf(line, sizeof line, "  %s %s at %u: %s %llu, %u unknown\n", m5_targets[i].name,
                 m5_outcome_name(d->outcome), d->offset, d->rule != NULL ? d->rule->id : "",
                 (unsigned long long)d->measured, d->unknown);
        add_text(sum, line);
    }
}

/* Without the version of md5lint. */
static void add_shown(uint64_t *sum, char *text)
{
    for (char *at; (at = strstr(text, M5_VERSION)) != NULL; text = at + strlen(M5_VERSION)) {
        *at = '\0';
        add_text(sum, text);
    }
    add_text(sum, text);
}

/* What is shown of all files, in one of the formats. */
static void add_report(uint64_t *sum, const m5_reporter *reporter, linted **all, size_t count)
{
    static text_buffer text;
    m5_writer out = {append_text, &text};
    m5_look look = {.width = 80, .show_pairs = true, .table = true};
    uint32_t targets = m5_settings_of(&all[0]->file.report)->targets;
    m5_totals totals = {.files = count, .outcomes.chosen = targets};
    void *report = reporter->begin(&out, &look);
    for (size_t i = 0; i < count; i++) {
        linted *l = all[i];
        m5_result r = {.path = l->file.source.name, .format = l->input.format, .file = &l->file};
        m5_collector_pick(&l->found, 0, &r.shown);
        m5_totals_add(&totals, &r);
        m5_outcomes_add(&totals.outcomes, &r);
        reporter->file(report, &r);
    }
    m5_outcomes_finish(&totals.outcomes);
    if (!reporter->end(report, &totals))
        abort();
    if (text.size != 0)
        add_shown(sum, text.bytes);
    text.size = 0;
}

static unsigned count_formats(void)
{
    unsigned count = 0;
    while (m5_reporter_at(count) != NULL)
        count++;
    return count;
}

/* Folds as the program does: meshes and skeletons are before other files. */
static void *fold(linted **all, size_t count)
{
    m5_fold_file files[MAX_FILES];
    size_t n = 0;
    for (int animations = 0; animations < 2; animations++)
        for (size_t i = 0; i < count; i++) {
            const m5_model *m = &all[i]->file.model;
            if ((m->md5mesh == NULL && m->illskel == NULL) == animations)
                files[n++] = (m5_fold_file){&all[i]->file, &all[i]->found};
        }
    return m5_fold(files, n);
}

/* Lints the files of a case, one of which was changed. The number says in which format they are
 * shown, whether engines are asked, and whether what is found in many files is folded. */
static void add_variant(uint64_t *sum, const text_file *files, size_t count, unsigned number)
{
    unsigned formats = count_formats();
    linted *all[MAX_FILES];
    uint32_t targets = number % 2 == 0 ? 0 : (1u << M5_TARGETS) - 1;
    m5_settings settings = {.levels = all_rules(), .targets = targets};
    lint_files_at(files, count, &settings, all);
    for (size_t i = 0; i < count; i++) {
        char *text = describe(all[i], "", true);
        add_text(sum, text);
        free(text);
        add_fixes(sum, all[i], all, count);
        add_targets(sum, all[i]);
    }
    void *folded = number < formats ? NULL : fold(all, count);
    add_report(sum, m5_reporter_at(number % formats), all, count);
    free(folded);
    for (size_t i = 0; i < count; i++)
        free_linted(all[i]);
}

static bool is_text(const text_file *file)
{
    return m5_format_by_name(file->name)->text;
}

static unsigned kinds_of(const text_file *file)
{
    return is_text(file) ? TEXT_KINDS : BINARY_KINDS;
}

/* Changes a file in a way of this kind; in the last of its draws in another way as well. Returns
 * the size; 0 if it has no place for such a change. */
static size_t vary(const text_file *file, unsigned kind, unsigned drawn, char *out)
{
    static char once[MOST_BYTES + VARY_ROOM];
    uint64_t seed = hash_of(M5_HASH_NONE, file->name, strlen(file->name)) + drawn;
    unsigned kinds = kinds_of(file), other = (kind + kinds / 2) % kinds;
    bool last = drawn + 1 == DRAWS;
    size_t (*change)(const char *, size_t, unsigned, uint64_t,
                     char *) = is_text(file) ? vary_text : vary_binary;
    size_t size = change(file->bytes, file->size, kind, seed, last ? once : out);
    return last && size != 0 ? change(once, size, other, seed, out) : size;
}

/* Changes a file of a case in each way, and lints it with the others. */
static void add_file(uint64_t *sum, text_file *files, size_t count, size_t which)
{
    static char changed[MOST_BYTES + 2 * VARY_ROOM];
    text_file own = files[which];
    if (own.size > MOST_BYTES)
        return;
    for (unsigned i = 0; i < DRAWS * kinds_of(&own); i++) {
        unsigned kind = i / DRAWS, drawn = i % DRAWS;
        size_t size = vary(&own, kind, drawn, changed);
        files[which] = (text_file){own.name, changed, size};
        if (size == 0)
            continue;
        if (shows)
            printf("%s, variant %u\n", own.name, i);
        add_variant(sum, files, count, kind + drawn);
    }
    files[which] = own;
}

static void add_case(uint64_t *sum, const char *path)
{
    text_file files[MAX_FILES];
    size_t count = read_case(path, files);
    for (size_t i = 0; i < count; i++)
        add_file(sum, files, count, i);
    free_case(files, count);
}

/* ---- Folders --------------------------------------------------------------------------------- */

static size_t folder_length(const char *path)
{
    return (size_t)(strrchr(path, '/') - path);
}

static void find_folders(void)
{
    num_cases = find_cases("corpus", cases);
    for (int i = 0; i < num_cases; i++) {
        size_t n = folder_length(cases[i]);
        if (i != 0 && n == folder_length(cases[i - 1]) && strncmp(cases[i], cases[i - 1], n) == 0)
            continue;
        if (num_folders == MOST_FOLDERS)
            exit(2);
        begins[num_folders++] = i;
    }
    begins[num_folders] = num_cases;
}

/* A line of the file that is recorded. */
static void sum_folder(int folder, char *line, size_t size)
{
    uint64_t sum = M5_HASH_NONE;
    int begin = begins[folder], end = begins[folder + 1];
    for (int i = begin; i < end; i++)
        add_case(&sum, cases[i]);
    snprintf(line, size, "%.*s %d %016llx\n", (int)folder_length(cases[begin]), cases[begin],
             end - begin, (unsigned long long)sum);
}

START_TEST(variants_report_what_is_recorded)
{
    char line[MAX_PATH + 64];
    size_t size;
    char *all = read_file(recorded, &size);
    sum_folder(turn + _i * share, line, sizeof line);
    ck_assert_msg(all != NULL && strstr(all, line) != NULL, "not in %s: %s", recorded, line);
    free(all);
}
END_TEST

START_TEST(nothing_else_is_recorded)
{
    size_t size;
    int lines = 0;
    char *all = read_file(recorded, &size);
    for (const char *p = all; p != NULL && (p = strchr(p, '\n')) != NULL; p++)
        lines++;
    ck_assert_int_eq(lines, num_folders);
    free(all);
}
END_TEST

static int record(void)
{
    static char all[MOST_FOLDERS * 128];
    size_t used = 0;
    for (int i = 0; i < num_folders; i++, used += strlen(all + used))
        sum_folder(i, all + used, sizeof all - used);
    FILE *out = fopen(recorded, "w");
    return out == NULL || fputs(all, out) < 0 || fclose(out) != 0;
}

static int show(const char *folder)
{
    char line[MAX_PATH + 64];
    size_t length = strlen(folder);
    length -= length != 0 && folder[length - 1] == '/';
    for (int i = 0; i < num_folders; i++) {
        const char *path = cases[begins[i]];
        if (length != folder_length(path) || strncmp(path, folder, length) != 0)
            continue;
        shows = true;
        sum_folder(i, line, sizeof line);
        return 0;
    }
    fprintf(stderr, "test_variants: no folder of cases: '%s'\n", folder);
    return 2;
}

static int number_in(const char *name, int otherwise)
{
    const char *number = getenv(name);
    return number != NULL && atoi(number) > 0 ? atoi(number) : otherwise;
}

int main(int argc, char **argv)
{
    find_folders();
    share = number_in("DRAWN", 1);
    turn = number_in("SEED", 0) % share;
    if (argc == 2)
        return show(argv[1]);
    const char *records = getenv("RECORD");
    if (records != NULL && strcmp(records, "1") == 0)
        return record();
    Suite *suite = suite_create("variants");
    TCase *all = tcase_create("variants");
    tcase_set_timeout(all, 120);
    tcase_add_loop_test(all, variants_report_what_is_recorded, 0,
                        (num_folders - turn + share - 1) / share);
    tcase_add_test(all, nothing_else_is_recorded);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    for (int i = 0; i < num_cases; i++)
        free(cases[i]);
    return failed != 0;
}
