/* Tests how findings are picked, folded and counted in a table, with findings made by hand: files
 * that have just these are hard to write. */
#include "lint/report/fold.h"
#include "lint/report/table.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* A file whose only content are findings. */
typedef struct made {
    m5_lint_file file;
    m5_collector found;
    m5_arena arena;
    uint8_t *memory;
} made;

enum { MEMORY = 1 << 16 };

static void begin(made *m, const char *name)
{
    memset(m, 0, sizeof *m);
    m->memory = malloc(MEMORY);
    ck_assert_ptr_nonnull(m->memory);
    m5_arena_init(&m->arena, m->memory, MEMORY);
    m5_collector_init(&m->found, &m->arena, 0);
    m->file.source.name = name;
}

static void find(made *m, const m5_rule *rule, m5_severity severity, uint32_t offset)
{
    m5_collect(
        &m->found,
        &(m5_diag){
            .rule = rule, .severity = severity, .at = {offset, 1}, .message = "found", .fix = ""});
}

START_TEST(findings_at_one_place_are_shown_by_severity)
{
    static const m5_severity made_in[] = {M5_NOTE, M5_ERROR, M5_WARNING, M5_ERROR};
    static const m5_severity shown_in[] = {M5_ERROR, M5_ERROR, M5_WARNING, M5_NOTE};
    made m;
    m5_shown shown;
    begin(&m, "a");
    for (unsigned i = 0; i < 4; i++)
        find(&m, m5_rule_at(i), made_in[i], 7);
    m5_collector_pick(&m.found, 0, &shown);
    ck_assert_uint_eq(shown.count, 4);
    for (unsigned i = 0; i < 4; i++)
        ck_assert_int_eq(shown.list[i]->diag.severity, shown_in[i]);
    ck_assert_uint_eq(shown.list[0]->diag.rule->number, 1); /* else in the order they were made */
    free(m.memory);
}
END_TEST

static bool hide_all(void *hider, const m5_diag *diag, bool silent)
{
    (void)hider;
    (void)diag;
    (void)silent;
    return true;
}

START_TEST(old_findings_that_are_not_kept_are_counted)
{
    enum { MORE = 3, ROOM = 32 << 20 };
    made m;
    m5_shown shown;
    begin(&m, "a");
    m.memory = realloc(m.memory, ROOM);
    ck_assert_ptr_nonnull(m.memory);
    m5_arena_init(&m.arena, m.memory, ROOM);
    m.found.hides = hide_all;
    m.found.keep_old = true;
    m.found.least = M5_WARNING;
    for (uint32_t i = 0; i < M5_OLD_MOST + MORE; i++)
        find(&m, m5_rule_at(0), M5_WARNING, i);
    find(&m, m5_rule_at(0), M5_NOTE, 0);
    ck_assert(m5_collector_pick(&m.found, 0, &shown));
    ck_assert_uint_eq(shown.num_old, M5_OLD_MOST);
    ck_assert_uint_eq(shown.old_left_out, MORE);
    free(m.memory);
}
END_TEST

/* ---- Folding --------------------------------------------------------------------------------- */

/* A finding of an animation, whose related place is in the mesh. */
static void differ(made *anim, const made *mesh, uint32_t related)
{
    m5_diag d = {.rule = M5_LINT_ROW(cross_joint_name),
                 .severity = M5_ERROR,
                 .message = "another name",
                 .fix = "",
                 .num_related = 1,
                 .related = {{&mesh->file.source, {related, 1}, "the mesh's joint"}}};
    m5_collect(&anim->found, &d);
}

enum { FILES = 3 }; /* a mesh and two animations */

static void *fold(made files[FILES])
{
    m5_fold_file list[FILES];
    for (int i = 0; i < FILES; i++)
        list[i] = (m5_fold_file){&files[i].file, &files[i].found};
    void *also = m5_fold(list, FILES);
    ck_assert_ptr_nonnull(also);
    return also;
}

static void begin_files(made files[FILES])
{
    static const m5_md5mesh mesh;
    static const char *const names[] = {"a.md5mesh", "b.md5anim", "c.md5anim"};
    for (int i = 0; i < FILES; i++) {
        begin(&files[i], names[i]);
        files[i].file.base = i != 0 ? &files[0].file : NULL;
    }
    files[0].file.model.md5mesh = (m5_md5mesh *)&mesh;
}

static void end_files(made files[FILES], void *also)
{
    free(also);
    for (int i = 0; i < FILES; i++)
        free(files[i].memory);
}

START_TEST(findings_with_other_related_places_are_not_folded)
{
    made files[FILES];
    begin_files(files);
    differ(&files[1], &files[0], 10);
    differ(&files[2], &files[0], 20);
    differ(&files[2], &files[0], 10);
    void *also = fold(files);
    ck_assert(!files[1].found.first->folded);
    ck_assert(!files[2].found.first->folded);
    ck_assert(files[2].found.last->folded);
    ck_assert_uint_eq(files[1].found.first->num_also, 1);
    ck_assert_str_eq(files[1].found.first->also[0], "c.md5anim");
    ck_assert_uint_eq(files[2].found.folded[M5_ERROR], 1);
    end_files(files, also);
}
END_TEST

START_TEST(a_file_that_has_a_finding_twice_keeps_one)
{
    made files[FILES];
    begin_files(files);
    differ(&files[1], &files[0], 10);
    differ(&files[2], &files[0], 10);
    differ(&files[2], &files[0], 10);
    void *also = fold(files);
    ck_assert(files[2].found.first->folded);
    ck_assert(!files[2].found.last->folded);
    ck_assert_uint_eq(files[1].found.first->num_also, 1);
    end_files(files, also);
}
END_TEST

/* ---- The table ------------------------------------------------------------------------------- */

static void append(void *user, const void *bytes, size_t count)
{
    strncat(user, bytes, count);
}

START_TEST(the_table_has_errors_first_and_then_what_is_frequent)
{
    char text[4096] = "";
    m5_writer out = {append, text};
    m5_table *table = calloc(1, sizeof *table);
    made m;
    m5_shown shown;
    ck_assert_ptr_nonnull(table);
    begin(&m, "a");
    for (uint32_t i = 0; i <= M5_TABLE_FROM; i++)
        find(&m, m5_rule_at(i % 4), i % 4 == 3 ? M5_ERROR : M5_WARNING, i);
    find(&m, m5_rule_at(1), M5_WARNING, 99);
    find(&m, m5_rule_at(1), M5_WARNING, 99);
    m5_collector_pick(&m.found, 0, &shown);
    m5_table_add(table, &shown);
    m5_table_put(table, &out, 0);
    const char *place[4];
    for (unsigned i = 0; i < 4; i++) {
        place[i] = strstr(text, m5_rule_at(i)->id);
        ck_assert_msg(place[i] != NULL, "%s", text);
    }
    ck_assert_msg(place[3] < place[1] && place[1] < place[0] && place[0] < place[2], "%s", text);
    free(table);
    free(m.memory);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("collect");
    TCase *all = tcase_create("all");
    tcase_add_test(all, findings_at_one_place_are_shown_by_severity);
    tcase_add_test(all, old_findings_that_are_not_kept_are_counted);
    tcase_add_test(all, findings_with_other_related_places_are_not_folded);
    tcase_add_test(all, a_file_that_has_a_finding_twice_keeps_one);
    tcase_add_test(all, the_table_has_errors_first_and_then_what_is_frequent);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
