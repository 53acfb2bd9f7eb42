/* Tests m5_file.h: a model and its findings in one call, and the errors for files that are not
 * models. */
#include "support.h"
#include "lint/m5_file.h"

#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(a_flawed_file_has_findings)
{
    m5_file *f = m5_file_read("corpus/md5mesh/md5mesh-bias-sum/md5mesh-bias-sum.bad.error.md5mesh");
    ck_assert_ptr_nonnull(f);
    ck_assert_ptr_null(f->error);
    ck_assert_ptr_nonnull(f->model.md5mesh);
    ck_assert_uint_ge(f->num_findings, 1);
    const m5_file_finding *found = &f->findings[0];
    ck_assert_str_eq(found->rule, "md5mesh-bias-sum");
    ck_assert_int_eq(found->severity, M5_ERROR);
    ck_assert(found->line > 1 && found->column >= 1 && found->length >= 1);
    ck_assert_str_eq(found->path, "mesh[0].vert[2]");
    ck_assert(strstr(found->message, "expected 1") != NULL && found->fix[0] != '\0');
    m5_free(f);
}
END_TEST

START_TEST(findings_in_a_binary_have_offsets)
{
    m5_file *f = m5_file_read("corpus/md4/md4-ofs-end/md4-ofs-end.bad.md4");
    ck_assert(f != NULL && f->error == NULL && f->num_findings >= 1);
    ck_assert(f->findings[0].line == 0 && f->findings[0].column == 0);
    ck_assert_uint_eq(f->findings[0].offset, 0x60);
    ck_assert_str_eq(f->findings[0].path, "ofsEnd");
    m5_free(f);
}
END_TEST

/* Two joints of one name: the finding is at the second, and points back to the first. */
START_TEST(related_places_have_lines)
{
    static const char text[] =
        "MD5Version 10\ncommandline \"\"\nnumJoints 2\nnumMeshes 0\n\njoints {\n"
        "\"a\" -1 ( 0 0 0 ) ( 0 0 0 )\n\"a\" 0 ( 0 0 1 ) ( 0 0 0 )\n}\n";
    m5_file *f = m5_file_from("x.md5mesh", text, sizeof text - 1);
    ck_assert(f != NULL && f->error == NULL && f->num_findings == 2);
    const m5_file_finding *found = &f->findings[1];
    ck_assert_uint_eq(found->line, 8);
    ck_assert_uint_eq(found->num_related, 1);
    const m5_file_place *first = &found->related[0];
    ck_assert(first->line == 7 && first->column == 2 && first->length == 1);
    ck_assert_uint_eq(first->offset, (size_t)(strstr(text, "a\" -1") - text));
    ck_assert(first->message[0] != '\0' && found->message[0] != '\0');
    ck_assert_str_eq(found->path, "joint[1]");
    m5_free(f);
}
END_TEST

START_TEST(a_clean_file_has_a_model_and_no_findings)
{
    m5_file *f = m5_file_read("corpus/md5/whole/whole.box.md5mesh");
    ck_assert(f != NULL && f->error == NULL && f->status == M5_CLEAN && f->num_findings == 0);
    ck_assert_uint_eq(f->model.md5mesh->num_joints, 2);
    m5_free(f);
}
END_TEST

/* The format is found from the content if the name has no known extension. The caller's bytes may
 * be freed at once. */
START_TEST(bytes_are_copied)
{
    char bytes[] = "MD5Version 10\ncommandline \"\"\nnumMeshes 1\n";
    m5_file *f = m5_file_from("some bytes", bytes, strlen(bytes));
    memset(bytes, 'x', sizeof bytes);
    ck_assert(f != NULL && f->num_findings != 0);
    ck_assert_ptr_null(f->error);
    ck_assert_int_eq(memcmp(f->model.md5mesh->source->bytes, "MD5Version", 10), 0);
    m5_free(f);
}
END_TEST

/* A file that is larger than one step of reading. */
START_TEST(large_files_are_read_to_the_end)
{
    enum { SIZE = 300000 };
    const char *path = "build/test_file.md5mesh";
    FILE *out = fopen(path, "wb");
    ck_assert_ptr_nonnull(out);
    fputs("MD5Version 10", out);
    for (int i = 0; i < SIZE; i++)
        fputc(' ', out);
    fputs("\nX", out);
    fclose(out);
    m5_file *f = m5_file_read(path);
    ck_assert(f != NULL && f->error == NULL);
    ck_assert_uint_eq(f->model.md5mesh->source->size, 13 + SIZE + 2);
    m5_free(f);
    remove(path);
}
END_TEST

static const struct {
    const char *path, *error;
    m5_status status;
} refused[] = {
    {"corpus/nowhere.md5mesh", "it cannot be opened", M5_NO_FILE},
    {"corpus", "it cannot be read", M5_NO_FILE},
    {"Makefile", "unknown format: neither the extension nor the content is recognised",
     M5_NO_FORMAT},
    {"corpus/nowhere.md5camera", "it cannot be opened", M5_NO_FILE},
};

START_TEST(a_file_that_is_not_a_model_has_an_error)
{
    m5_file *f = m5_file_read(refused[_i].path);
    ck_assert_ptr_nonnull(f);
    ck_assert_str_eq(f->error, refused[_i].error);
    ck_assert(f->num_findings == 0 && f->findings == NULL && f->model.format == NULL);
    ck_assert_int_eq(f->status, refused[_i].status);
    m5_free(f);
}
END_TEST

START_TEST(unknown_formats_have_an_error)
{
    m5_file *f = m5_file_from("intro.md5scene", "Scene 10", 8);
    ck_assert(f != NULL && f->error != NULL);
    ck_assert_str_eq(f->error,
                     "unknown format: neither the extension nor the content is recognised");
    m5_free(f);
    m5_free(NULL);
}
END_TEST

START_TEST(an_empty_file_is_accepted)
{
    ck_assert_ptr_null(m5_format_by_content(NULL, 0));
    ck_assert_ptr_null(m5_rule_at(M5_RULES));
    m5_file *f = m5_file_from("empty.md5mesh", NULL, 0);
    ck_assert(f != NULL && f->error == NULL && f->num_findings == 1);
    m5_free(f);
}
END_TEST

/* ---- Threads --------------------------------------------------------------------------------- */

enum { THREADS = 8, ROUNDS = 20, JOINTS = 2 };

/* Reads a pair, checks both together, and plays all frames of the model that all threads share. */
typedef struct player {
    pthread_t thread;
    const m5_file *mesh, *anim;
    double sum;
} player;

static void *play(void *user)
{
    player *p = user;
    p->sum = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        m5_file *own = m5_file_read("corpus/md5/whole/whole.box.md5anim");
        const m5_md5anim *anim = p->anim->model.md5anim;
        m5_transform pose[JOINTS];
        m5_matrix bones[JOINTS];
        double room[512];
        m5_arena arena;
        m5_skin skin;
        m5_arena_init(&arena, room, sizeof room);
        m5_md5anim_pose(anim, round % anim->num_frames, pose);
        for (uint32_t i = 0; i < JOINTS; i++)
            bones[i] = m5_matrix_of(&pose[i]);
        bool made = m5_skin_md5mesh(&arena, p->mesh->model.md5mesh, 0, 1, &skin);
        for (uint32_t i = 0; made && i < skin.num_verts; i++)
            p->sum += m5_skin_position(&skin, i, bones).z;
        p->sum += own != NULL && own->status == M5_CLEAN ? 0 : 1e9;
        m5_free(own);
    }
    return NULL;
}

START_TEST(threads_can_share_a_model)
{
    m5_file *mesh = m5_file_read("corpus/md5/whole/whole.box.md5mesh");
    m5_file *anim = m5_file_read("corpus/md5/whole/whole.box.md5anim");
    player players[THREADS];
    for (int i = 0; i < THREADS; i++) {
        players[i].mesh = mesh;
        players[i].anim = anim;
        ck_assert_int_eq(pthread_create(&players[i].thread, NULL, play, &players[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_join(players[i].thread, NULL), 0);
    for (int i = 1; i < THREADS; i++)
        ck_assert(players[i].sum == players[0].sum && players[i].sum > 0 && players[i].sum < 1e9);
    m5_free(mesh);
    m5_free(anim);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("file");
    TCase *t = tcase_create("file");
    tcase_add_test(t, a_flawed_file_has_findings);
    tcase_add_test(t, findings_in_a_binary_have_offsets);
    tcase_add_test(t, related_places_have_lines);
    tcase_add_test(t, a_clean_file_has_a_model_and_no_findings);
    tcase_add_test(t, bytes_are_copied);
    tcase_add_test(t, large_files_are_read_to_the_end);
    tcase_add_loop_test(t, a_file_that_is_not_a_model_has_an_error, 0,
                        sizeof refused / sizeof *refused);
    tcase_add_test(t, unknown_formats_have_an_error);
    tcase_add_test(t, an_empty_file_is_accepted);
    suite_add_tcase(suite, t);
    add_threads_test(suite, threads_can_share_a_model);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
