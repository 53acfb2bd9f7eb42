/* Which files go together: by their order, names and folders, and then by what is in them. */
#include "support.h"
#include "lint/lint.h"

#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) ((int)(sizeof(array) / sizeof *(array)))

/* ---- Groups ---------------------------------------------------------------------------------- */

/* Files as on a command line; a bar stands where a group ends. */
static const char *const listings[] = {
    "a.md5mesh",
    "walk.md5anim run.md5anim",
    "a.md5mesh b.md5mesh walk.md5anim run.md5anim",
    "walk.md5anim a.md5mesh b.md5mesh",
    "a.md5mesh a.md5anim | b.md5mesh b.md5anim | c.md5mesh c.md5anim",
    "a.md5mesh walk.md5anim | b.md5mesh run.md5anim",
    "walk.md5anim a.md5mesh b.md5mesh run.md5anim | c.md5mesh",
    /* the shell puts these before their mesh */
    "a.md5anim a.md5mesh | b.md5anim b.md5mesh",
    "a-run.md5anim a.md5mesh | b-run.md5anim b.md5mesh b.md5anim",
    "a.md5mesh a-run.md5anim c.md5anim | b-run.md5anim b.md5mesh",
    "hero.md5mesh | hero2.md5anim hero2.md5mesh",
    /* ... and these behind other meshes */
    "m1.md5mesh m12.md5mesh m12_a.md5anim m13.md5mesh m13_a.md5anim m1_a.md5anim | m2.md5mesh",
    "m1.md5mesh m1.md5anim | m13.md5mesh m13_a.md5anim | m2.md5mesh m2_a.md5anim",
    "m1.md5mesh m1_a.md5anim | m1_b.md5mesh m1_b.md5anim | m1_b.md5mesh m1_b.md5anim",
    /* ... or of its folder */
    "a/m.md5mesh a/walk.md5anim | b/m.md5mesh b/walk.md5anim",
    "a/attack.md5anim a/m.md5mesh a/walk.md5anim | b/attack.md5anim b/m.md5mesh b/walk.md5anim",
    "a/m.md5mesh a/walk.md5anim | a/n.md5mesh a/run.md5anim | b/attack.md5anim b/m.md5mesh",
    "a/anims/run.md5anim a/m.md5mesh | b/anims/run.md5anim b/m.md5mesh",
    "x/a/m.md5mesh x/a/run.md5anim | x/b/anims/run.md5anim x/b/m.md5mesh",
    "m.md5mesh walk.md5anim | b/run.md5anim b/m.md5mesh",
    "meshes/m.md5mesh anims/walk.md5anim",
    /* ill* files and md5 files do not disturb each other */
    "a.illmesh a.illskel a.illanim | b.illmesh b.illskel",
    "a.illmesh a.md5mesh a.illskel a.md5anim",
    "a/m.illmesh a/m.illskel a/m.md5mesh | b/m.illmesh b/m.illskel b/m.md5mesh b/w.md5anim",
    "m.md4 a.md5mesh n.md4 a.md5anim | b.md5mesh o.md4 b.md5anim",
    "a.md5mesh readme.txt a.md5anim | b.md5mesh b.md5anim",
};

enum { MOST = 16 };

START_TEST(files_form_groups)
{
    char text[256];
    m5_lint_file named[MOST] = {0}, *files[MOST];
    size_t count = 0, bars[MOST] = {0}, ends = 0, end = 0;
    snprintf(text, sizeof text, "%s", listings[_i]);
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
        if (*word == '|') {
            bars[ends++] = count;
            continue;
        }
        named[count].source.name = word;
        named[count].model.format = m5_format_by_name(word);
        files[count] = &named[count];
        count++;
    }
    bars[ends++] = count;
    for (size_t i = 0; i < ends; i++) {
        end = m5_group_end(files, end, count);
        ck_assert_msg(end == bars[i], "%s: group %zu ends before file %zu, expected %zu",
                      listings[_i], i, end, bars[i]);
    }
}
END_TEST

/* ---- Pairs ----------------------------------------------------------------------------------- */

#define MESH(root, x)                                                                              \
    "MD5Version 10\ncommandline \"\"\nnumJoints 2\nnumMeshes 0\njoints {\n\t\"" root               \
    "\" -1 ( 0 0 0 ) ( 0 0 0 )\n\t\"tip\" 0 ( " x " 0 0 ) ( 0 0 0 )\n}\n"
#define ANIM(root, x)                                                                              \
    "MD5Version 10\ncommandline \"\"\nnumFrames 1\nnumJoints 2\nframeRate 24\n"                    \
    "numAnimatedComponents 0\nhierarchy {\n\t\"" root "\" -1 0 0\n\t\"tip\" 0 0 0\n}\n"            \
    "bounds {\n\t( -9 -9 -9 ) ( 9 9 9 )\n}\nbaseframe {\n\t( 0 0 0 ) ( 0 0 0 )\n\t( " x            \
    " 0 0 ) ( 0 0 0 )\n}\nframe 0 {\n}\n"

enum { MESHES = 3 };

/* Three meshes and an animation, with the joints' names and the length of their bone; and the mesh
 * that it goes with. */
static const struct {
    const char *own;
    size_t place; /* of the animation among the meshes */
    struct {
        const char *name, *text;
    } file[MESHES + 1];
} pairs[] = {
    /* the one that fits */
    {"b",
     MESHES,
     {{"a.md5mesh", MESH("hop", "4")},
      {"b.md5mesh", MESH("hip", "4")},
      {"c.md5mesh", MESH("hop", "4")},
      {"x.md5anim", ANIM("hip", "4")}}},
    /* ... and is as large */
    {"b",
     MESHES,
     {{"a.md5mesh", MESH("hip", "8")},
      {"b.md5mesh", MESH("hip", "4")},
      {"c.md5mesh", MESH("hip", "2")},
      {"x.md5anim", ANIM("hip", "4")}}},
    {"b",
     MESHES,
     {{"a.md5mesh", MESH("hip", "4")},
      {"b.md5mesh", MESH("hip", "2")},
      {"c.md5mesh", MESH("hop", "8")},
      {"x.md5anim", ANIM("hip", "8")}}},
    /* of equals the one of its name, or of its folder, or the last */
    {"a",
     MESHES,
     {{"a.md5mesh", MESH("hip", "4")},
      {"b.md5mesh", MESH("hip", "4")},
      {"c.md5mesh", MESH("hip", "4")},
      {"a_x.md5anim", ANIM("hop", "4")}}},
    {"b",
     MESHES,
     {{"a.md5mesh", MESH("hip", "4")},
      {"m/b.md5mesh", MESH("hip", "4")},
      {"n/c.md5mesh", MESH("hip", "4")},
      {"m/x.md5anim", ANIM("hip", "4")}}},
    {"b",
     MESHES,
     {{"l/a.md5mesh", MESH("hip", "4")},
      {"m/b.md5mesh", MESH("hip", "4")},
      {"n/c.md5mesh", MESH("hip", "4")},
      {"m/anims/x.md5anim", ANIM("hop", "4")}}},
    {"c",
     MESHES,
     {{"a.md5mesh", MESH("hip", "4")},
      {"b.md5mesh", MESH("hip", "4")},
      {"c.md5mesh", MESH("hip", "4")},
      {"x.md5anim", ANIM("hop", "4")}}},
    {"c",
     2,
     {{"a.md5mesh", MESH("hip", "4")},
      {"b.md5mesh", MESH("hip", "4")},
      {"c.md5mesh", MESH("hip", "4")},
      {"x.md5anim", ANIM("hop", "4")}}},
    {"c",
     1,
     {{"a.md5mesh", MESH("hip", "4")},
      {"b.md5mesh", MESH("hip", "4")},
      {"c.md5mesh", MESH("hip", "4")},
      {"x.md5anim", ANIM("hop", "4")}}},
    {"c",
     0,
     {{"a.md5mesh", MESH("hip", "4")},
      {"b.md5mesh", MESH("hip", "4")},
      {"c.md5mesh", MESH("hip", "4")},
      {"x.md5anim", ANIM("hop", "4")}}},
};

/* Said by a rule that names both. */
START_TEST(an_animation_finds_its_mesh)
{
    size_t place = pairs[_i].place;
    linted *all[MESHES + 1];
    m5_lint_file *files[MESHES + 1];
    for (size_t i = 0; i <= MESHES; i++) {
        size_t from = i == place ? MESHES : i - (i > place);
        all[i] = lint_bytes(pairs[_i].file[from].name, pairs[_i].file[from].text,
                            strlen(pairs[_i].file[from].text), "cross-file-name", false);
        files[i] = &all[i]->file;
    }
    m5_lint_together(files, MESHES + 1);
    char *said = describe(all[place], "", true), wanted[64];
    snprintf(wanted, sizeof wanted, "expected '%s' like its mesh", pairs[_i].own);
    ck_assert_msg(strstr(said, wanted) != NULL, "pair %d: %s", _i, said);
    free(said);
    for (size_t i = 0; i <= MESHES; i++)
        free_linted(all[i]);
}
END_TEST

/* ---- One call -------------------------------------------------------------------------------- */

enum { TOGETHER = 4, THREADS = 8, ROUNDS = 50 };

/* A mesh, its animation, one of another skeleton, and what is no model. */
static const struct {
    const char *name, *text;
} together[TOGETHER] = {
    {"a.md5mesh", MESH("hip", "4")},
    {"a.md5anim", ANIM("hip", "4")},
    {"other.md5anim", ANIM("hop", "4")},
    {"notes.txt", "nothing of ours"},
};

/* What one file's sink was given. */
typedef struct given {
    unsigned findings, errors;
    const m5_rule *last;
} given;

static void count_finding(void *user, const m5_diag *d)
{
    given *g = user;
    g->findings++;
    g->errors += d->severity == M5_ERROR;
    g->last = d->rule;
}

static m5_status lint_all_together(given out[TOGETHER])
{
    m5_lint_input in[TOGETHER];
    m5_lint_file files[TOGETHER], *list[TOGETHER];
    memset(out, 0, TOGETHER * sizeof *out);
    for (size_t i = 0; i < TOGETHER; i++) {
        size_t size = strlen(together[i].text), room = m5_lint_memory(size, 0);
        list[i] = &files[i];
        in[i] = (m5_lint_input){
            .source = {together[i].name, (const uint8_t *)together[i].text, (uint32_t)size},
            .sink = {count_finding, &out[i]},
            .memory = malloc(room),
            .size = room};
    }
    m5_status status = m5_lint_group(list, in, TOGETHER);
    for (size_t i = 0; i < TOGETHER; i++)
        free(in[i].memory);
    return files[0].model.md5mesh != NULL && files[3].model.format == NULL ? status : M5_CLEAN;
}

START_TEST(a_group_is_one_call)
{
    given out[TOGETHER];
    ck_assert_int_eq(lint_all_together(out), M5_NO_FORMAT);
    ck_assert_uint_eq(out[1].errors + out[3].findings, 0);
    ck_assert_uint_eq(out[2].errors, 1);
    ck_assert_str_eq(out[2].last->id, "cross-joint-name");
}
END_TEST

static void *lint_again(void *wrong)
{
    for (int i = 0; i < ROUNDS; i++) {
        given out[TOGETHER];
        bool same = lint_all_together(out) == M5_NO_FORMAT && out[2].errors == 1;
        *(unsigned *)wrong += !same;
    }
    return NULL;
}

START_TEST(threads_lint_groups)
{
    pthread_t threads[THREADS];
    unsigned wrong[THREADS] = {0};
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, lint_again, &wrong[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        ck_assert_uint_eq(wrong[i], 0);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("pair");
    TCase *c = tcase_create("pair");
    tcase_add_loop_test(c, files_form_groups, 0, LENGTH(listings));
    tcase_add_loop_test(c, an_animation_finds_its_mesh, 0, LENGTH(pairs));
    tcase_add_test(c, a_group_is_one_call);
    tcase_add_test(c, threads_lint_groups);
    suite_add_tcase(s, c);
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
