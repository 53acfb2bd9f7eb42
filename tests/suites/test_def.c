/* Tests declarations through the public interface: tokens, values, and too little memory. */
#include "support.h"
#include "fuzz/harness/harness.h"
#include "lint/def/link.h"
#include "parsers/def/def_lex.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

enum { LENGTH_OF_TOKENS = 400 };

/* The tokens of a text: each with a letter for its kind, and ! for a flaw. */
static const char *tokens_of(const char *text)
{
    static char out[LENGTH_OF_TOKENS];
    static const char kinds[] = "ewnsl,";
    m5_source s = {"text", (const uint8_t *)text, (uint32_t)strlen(text)};
    size_t length = 0;
    m5_def_token t = m5_def_scan(&s, 0);
    for (; t.kind != M5_DEF_END; t = m5_def_scan(&s, m5_def_end(t)))
        length += (size_t)snprintf(out + length, sizeof out - length, "%s%c%s[%.*s]",
                                   length != 0 ? " " : "", kinds[t.kind],
                                   t.flaw != M5_DEF_FINE ? "!" : "", (int)t.text.length,
                                   text + t.text.offset);
    snprintf(out + length, sizeof out - length, "%s", t.flaw != M5_DEF_FINE ? " !" : "");
    return out;
}

static const struct {
    const char *text, *tokens;
} spellings_of_tokens[] = {
    {"", ""},
    {"a b_1 _c", "w[a] w[b_1] w[_c]"},
    {"models/md5\\a.b:c /x ./y \\z .w", "w[models/md5\\a.b:c] w[/x] w[./y] w[\\z] w[.w]"},
    {"a//b", "w[a//b]"},
    {"a // b\nc //", "w[a] w[c]"},
    {"a /*/ b /* c */d/", "w[a] w[b] w[d/]"},
    {"a /* b", "w[a] !"},
    {"a /", "w[a] w[/]"},
    {"/ *", "w[/] ,[*]"},
    {"a-b 3d", "w[a] ,[-] w[b] n[3] w[d]"},
    {"0x1Fg 0X0 010 .5 5. 1.2.3", "n[0x1F] w[g] n[0X0] n[010] n[.5] n[5.] n[1.2.3]"},
    {"0x1a 0x0 0xAf@", "n[0x1a] n[0x0] n[0xAf] ,![@]"},
    {"1e5 1e-5 1e+5 1e 2.5e3f 1.f 5f", "n[1e5] n[1e-5] n[1e+5] n[1e] n[2.5e3f] n[1.f] n[5] w[f]"},
    {"5u 5ul 5lul 1.5u", "n[5u] n[5ul] n[5lu] w[l] n[1.5] w[u]"},
    {"\"a b\" 'c \"d' \"\"", "s[a b] l[c \"d] s[]"},
    {"\"a\" \\ \"b\"", "s[a\" \\ \"b]"},
    {"\"a\" \\\n\"b\" /* c */ \\ \"d\" 'e' \\ 'f'",
     "s[a\" \\\n\"b\" /* c */ \\ \"d] l[e] w[\\] l[f]"},
    {"\"a\" \\x", "s[a] w[\\x]"},
    {"\"a\nb\"", "s![a] w[b] s![]"},
    {"\"a\r\nb", "s![a] w[b]"},
    {"'\r\r\n", "l![]"},
    {"{}(),-*->=>>=$#", ",[{] ,[}] ,[(] ,[)] ,[,] ,[-] ,[*] ,[->] ,[=] ,[>>=] ,[$] ,[#]"},
    {"\xc3\xa9 a\xc3\xa9 b`", "w[a] w[b] ,![`]"},
};

START_TEST(tokens_are_those_of_doom_3)
{
    ck_assert_str_eq(tokens_of(spellings_of_tokens[_i].text), spellings_of_tokens[_i].tokens);
}
END_TEST

START_TEST(a_nul_byte_ends_the_text)
{
    static const char *const cut[] = {"a\0b", "a /*\0*/ b", "a //\0\nb", "a \"\0\" b"};
    static const uint32_t sizes[] = {3, 9, 7, 7};
    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
        m5_source s = {"text", (const uint8_t *)cut[i], sizes[i]};
        m5_def_token t = m5_def_scan(&s, 1);
        ck_assert_int_eq(t.kind, M5_DEF_END);
        ck_assert_int_eq(t.flaw, M5_DEF_NUL);
        ck_assert_int_eq(cut[i][t.span.offset], 0);
    }
}
END_TEST

static const struct {
    const char *text;
    bool whole;
    int32_t value;
} numbers[] = {
    {"0", true, 0},
    {"7", true, 7},
    {"12ul", true, 12},
    {"3l", true, 3},
    {"1e+5", false, 0},
    {"0x1F", true, 31},
    {"010", true, 8},
    {"2147483648", true, INT32_MAX},
    {"99999999999999999999999", true, INT32_MAX},
    {"08", false, 0},
    {"1.5", false, 0},
    {"1e5", false, 0},
};

START_TEST(integers_have_the_bases_of_c)
{
    m5_source s = {"text", (const uint8_t *)numbers[_i].text, (uint32_t)strlen(numbers[_i].text)};
    int32_t value = -1;
    ck_assert_int_eq(m5_def_int(&s, (m5_span){0, s.size}, &value), numbers[_i].whole);
    ck_assert_int_eq(value, numbers[_i].whole ? numbers[_i].value : -1);
}
END_TEST

static const struct {
    const char *text, *word;
    bool misspelt;
} spellings[] = {
    {"anim", "anim", false},
    {"Anim", "anim", true},
    {"anmi", "anim", true},
    {"ani", "anim", true},
    {"aniim", "anim", true},
    {"amin", "anim", false},
    {"anin", "anim", true},
    {"mina", "anim", false},
    {"animals", "anim", false},
    {"an", "anim", false},
    {"fy", "fx", false},
    {"FX", "fx", true},
    {"sound2", "sound", false},
    {"sound_body4", "sound_body3", false},
    {"Entitydfe", "entityDef", true},
    {"abcd", "anim", false},
    {"nmai", "anim", false},
    {"naim", "anim", true},
    {"nxim", "anim", false},
    {"naxx", "anim", false},
    {"sund1", "sound", false},
};

START_TEST(words_are_misspelt_by_one_letter)
{
    const char *text = spellings[_i].text;
    m5_source s = {"text", (const uint8_t *)text, (uint32_t)strlen(text)};
    ck_assert_msg(m5_def_is_misspelt(&s, (m5_span){0, s.size}, spellings[_i].word) ==
                      spellings[_i].misspelt,
                  "%s for %s", text, spellings[_i].word);
}
END_TEST

START_TEST(extensions_are_of_the_file)
{
    static const char *const paths[][2] = {{"a/b.md5mesh", ".md5mesh"},
                                           {"a.b/c", ""},
                                           {"a.b\\c", ""},
                                           {"", ""},
                                           {"a.b.c", ".c"},
                                           {"abc", ""}};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        m5_source s = {"text", (const uint8_t *)paths[i][0], (uint32_t)strlen(paths[i][0])};
        m5_span extension = m5_def_extension(&s, (m5_span){0, s.size});
        ck_assert(m5_def_is(&s, extension, paths[i][1]));
    }
}
END_TEST

/* ---- The model ---------------------------------------------------------------------------------
 */

static const char monster[] =
    "model imp {\n"
    "  mesh a.md5mesh\n"
    "  offset ( 1 -2.5 .5f )\n"
    "  channel torso ( *waist -*hips - tail \"*arm\" )\n"
    "  anim idle b.md5anim, c.md5anim { anim_turn frame 3 sound x y\n }\n"
    "  anim walk d.md5anim\n"
    "}\n"
    "entityDef imp { \"inherit\" \"base\" \"health\" 5 \"ik_foot1\" 'toe' "
    "\"Model\" -1.5 \"ik_foot1x\" a \"anim2\" b }\n"
    "imp2 { }\n";

static bool name_is(const m5_def *d, m5_name name, const char *text)
{
    return m5_def_is(d->source, name, text);
}

static void check_joint(const m5_def *d, uint32_t i, const char *name, bool removes, bool children)
{
    m5_def_joint joint = m5_def_joint_at(d, i);
    ck_assert(name_is(d, joint.name, name));
    ck_assert_int_eq(joint.removes, removes);
    ck_assert_int_eq(joint.children, children);
}

START_TEST(models_have_their_values)
{
    linted *l = lint_string("a.def", monster);
    const m5_def *d = l->file.model.def;
    ck_assert_int_eq(l->file.status, M5_CLEAN);
    ck_assert_uint_eq(d->num_models, 1);
    ck_assert(name_is(d, d->models[0].name, "imp"));
    ck_assert_int_eq(monster[d->models[0].end], '}');
    ck_assert(d->num_lines == 1 && d->lines[0].kind == M5_DEF_MESH);
    ck_assert(d->offsets[0].value[0] == 1 && d->offsets[0].value[1] == -2.5F &&
              d->offsets[0].value[2] == .5F);
    ck_assert_uint_eq(d->channels[0].num_joints, 4);
    check_joint(d, 0, "waist", false, true);
    check_joint(d, 1, "hips", true, true);
    check_joint(d, 2, "tail", true, false);
    check_joint(d, 3, "arm", false, true);
    ck_assert(d->anims[0].num_files == 2 && d->anims[1].num_files == 1);
    ck_assert(name_is(d, d->files[d->anims[1].first_file], "d.md5anim"));
    ck_assert_str_eq(m5_def_flag_name(3), "anim_turn");
    ck_assert_uint_eq(d->anims[0].flags, M5_DEF_ANIM_TURN);
    ck_assert(d->num_commands == 1 && d->commands[0].frame == 3);
    ck_assert(name_is(d, d->commands[0].name, "sound"));
    ck_assert(name_is(d, d->commands[0].arguments, "x y"));
    free_linted(l);
}
END_TEST

START_TEST(files_of_other_programs_have_no_declarations)
{
    static const struct {
        const char *text;
        uint32_t models;
    } files[] = {
        {"model imp { mesh a.md5mesh }\n", 1},
        {"model imp { mesh a.md5mesh }\nEXPORTS\n", 0},
        {"model imp { mesh a.md5mesh } EXPORTS\n", 1},
        {"model \"a.md3\" { scale 1 }\n", 0},
        {"model a.md2 { scale 1 }\n", 0},
        {"skin a { model a.md3\nmodel a.md3\na.md3 }\nmodel imp { mesh a.md5mesh }\n", 1},
        {"skin a\nsound { }\n", 0},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        linted *l = lint_string("a.def", files[i].text);
        ck_assert_msg(l->file.model.def->num_models == files[i].models, "%s", files[i].text);
        free_linted(l);
    }
}
END_TEST

START_TEST(entities_have_the_keys_that_name_something)
{
    static const struct {
        m5_def_key_kind kind;
        const char *key, *value;
    } keys[] = {{M5_DEF_KEY_INHERIT, "inherit", "base"},
                {M5_DEF_KEY_JOINT, "ik_foot1", "toe"},
                {M5_DEF_KEY_MODEL, "Model", "-1.5"},
                {M5_DEF_KEY_ANIM, "anim2", "b"}};
    linted *l = lint_string("a.def", monster);
    const m5_def *d = l->file.model.def;
    ck_assert_uint_eq(d->num_entities, 2);
    ck_assert_uint_eq(d->num_keys, sizeof keys / sizeof *keys);
    ck_assert_uint_eq(d->entities[1].first_key, d->num_keys);
    for (uint32_t i = 0; i < d->num_keys; i++) {
        ck_assert_int_eq(d->keys[i].kind, keys[i].kind);
        ck_assert(name_is(d, d->keys[i].key, keys[i].key));
        ck_assert(name_is(d, d->keys[i].value, keys[i].value));
    }
    free_linted(l);
}
END_TEST

START_TEST(too_little_memory_leaves_no_model)
{
    for (size_t room = 0; room < 1200; room += 8) {
        m5_source source = {"a.def", (const uint8_t *)monster, sizeof monster - 1};
        m5_report report = {.source = &source};
        m5_arena arena;
        const m5_def *def;
        void *memory = malloc(room + 1);
        m5_arena_init(&arena, memory, room);
        m5_status status = m5_def_parse(&report, &arena, &def);
        ck_assert(status == M5_CLEAN || (status == M5_NO_MEMORY && def == NULL));
        ck_assert(status == M5_CLEAN || arena.used == 0);
        ck_assert(status == M5_NO_MEMORY || def->num_keys == 4);
        free(memory);
    }
}
END_TEST

/* ---- All files of a game -----------------------------------------------------------------------
 */

static const char mesh_text[] =
    "MD5Version 10\ncommandline \"\"\nnumJoints 2\nnumMeshes 0\njoints {\n"
    "\"origin\" -1 ( 0 0 0 ) ( 0 0 0 )\n\"mast\" 0 ( 0 0 1 ) ( 0 0 0 )\n}\n";

/* Assets of these paths, each with the joints of the mesh; animations have 10 frames. */
static void make_assets(m5_def_asset *assets, const char *const *paths, uint32_t count,
                        const linted *mesh)
{
    for (uint32_t i = 0; i < count; i++) {
        ck_assert(m5_def_asset_of(&assets[i], &mesh->file));
        assets[i].path = paths[i];
        assets[i].number = i;
        assets[i].num_frames = strstr(paths[i], "md5anim") != NULL ? 10 : 0;
        assets[i].frame_rate = 24;
    }
}

/* Links files of declarations as all of a game, and describes what is found in the first. */
static char *link_texts(const char *const *texts, uint32_t count, m5_def_asset *assets,
                        uint32_t num_assets, bool complete)
{
    enum { MOST = 4 };
    linted *l[MOST];
    m5_lint_file *files[MOST];
    static const char *const names[MOST] = {"base/def/a.def", "mod/def/b.def", "base/c.def",
                                            "d.def"};
    for (uint32_t i = 0; i < count; i++) {
        l[i] = lint_string(names[i], texts[i]);
        files[i] = &l[i]->file;
    }
    m5_def_game game = {.defs = files,
                        .num_defs = count,
                        .assets = assets,
                        .num_assets = num_assets,
                        .complete = complete};
    void *memory = malloc(m5_def_link_memory(&game));
    m5_def_link(&game, memory);
    char *text = describe(l[0], "", false);
    for (uint32_t i = 0; i < count; i++)
        free_linted(l[i]);
    free(memory);
    return text;
}

static const char game_text[] = "model crane {\n"
                                "mesh models/crane.md5mesh\n"
                                "anim lift models/lift.md5anim\n"
                                "anim lower models/lower.md5anim\n"
                                "}\n"
                                "model other {\n"
                                "inherit machine\n"
                                "}\n"
                                "model third {\n"
                                "inherit machine\n"
                                "mesh other/third.md5mesh\n"
                                "}\n"
                                "entityDef crane {\n"
                                "\"inherit\" \"device\"\n"
                                "\"model\" \"crane\" \"model_gib\" \"remains\"\n"
                                "\"model2\" \"other\" \"model3\" \"third\" }\n";

START_TEST(what_a_complete_game_does_not_have_is_missing)
{
    static const char *const paths[] = {"base/models/crane.md5mesh", "base/models/lift.md5anim"};
    static const char *const files[] = {game_text};
    linted *mesh = lint_string("a.md5mesh", mesh_text);
    m5_def_asset assets[2];
    make_assets(assets, paths, 2, mesh);
    char *part = link_texts(files, 1, assets, 2, false),
         *all = link_texts(files, 1, assets, 2, true);
    ck_assert_str_eq(part, "4:12 note def-file-missing\n");
    ck_assert_str_eq(all, "4:12 error def-file-missing\n"
                          "7:9 error def-inherit-unknown\n"
                          "10:9 warning def-inherit-unknown\n"
                          "11:6 error def-file-missing\n"
                          "14:12 warning def-inherit-unknown\n"
                          "15:30 warning def-model-unknown\n");
    ck_assert(assets[0].used && assets[1].used);
    ck_assert(assets[0].declared.source == NULL && assets[1].declared.source != NULL);
    ck_assert(assets[1].declared.base == 0 && !assets[1].declared.shared);
    free(part), free(all);
    free_linted(mesh);
}
END_TEST

/* Which of the files of these paths a game uses, and what is found. */
static void expect_used(const char *const *paths, const bool *used, uint32_t count,
                        const char *found)
{
    enum { MOST = 8 };
    static const char *const files[] = {game_text};
    linted *mesh = lint_string("a.md5mesh", mesh_text);
    m5_def_asset assets[MOST];
    make_assets(assets, paths, count, mesh);
    char *text = link_texts(files, 1, assets, count, false);
    ck_assert_str_eq(text, found);
    for (uint32_t i = 0; i < count; i++)
        ck_assert_msg(assets[i].used == used[i], "%s", paths[i]);
    free(text);
    free_linted(mesh);
}

START_TEST(the_nearest_file_of_a_path_counts)
{
    static const char *const paths[] = {
        "mod/models/crane.md5mesh",   "base/models/crane.md5mesh",    "pak.pk4!models/lift.md5anim",
        "base\\models\\lift.md5anim", "base/oldmodels/lower.md5anim", "base/models/LOWER.md5anim"};
    static const bool used[] = {false, true, false, true, false, true};
    expect_used(paths, used, 6, "4:12 warning def-file-case\n");
}
END_TEST

/* Whatever the names of the folders are. */
START_TEST(a_copy_that_was_put_aside_does_not_count)
{
    static const char *const paths[] = {
        "pak.pk4!old/models/crane.md5mesh", "pak.pk4!models/crane.md5mesh",
        "bold/old/models/lift.md5anim",     "bold/models/lift.md5anim",
        "pak.pk4!models/lower.md5anim",     "z/old/models/lower.md5anim",
        "models.old/lower.md5anim"};
    static const bool used[] = {false, true, false, true, true, false, false};
    expect_used(paths, used, 7, "");
}
END_TEST

/* Nothing is read before the first byte of a path. */
START_TEST(files_without_a_folder_may_be_similar)
{
    static const char *const paths[] = {"crane.md5mesh", "m/crane.md5mesh"};
    static const char *const files[] = {"model a { mesh /crnae.md5mesh }\n"};
    linted *mesh = lint_string("a.md5mesh", mesh_text);
    m5_def_asset assets[2];
    make_assets(assets, paths, 2, mesh);
    char *text = link_texts(files, 1, assets, 2, false);
    ck_assert_str_eq(text, "1:16 warning def-file-missing\n");
    free(text);
    free_linted(mesh);
}
END_TEST

/* A long chain of models, and one that is a circle. */
START_TEST(inheritance_may_be_deep)
{
    enum { MODELS = 5000, ROOM = 100 * MODELS };
    linted *mesh = lint_string("a.md5mesh", mesh_text);
    for (int circle = 0; circle < 2; circle++) {
        char *text = malloc(ROOM);
        int length = snprintf(text, ROOM, "model m0 { %s }\nentityDef m0 { %s }\n",
                              circle ? "inherit m4999" : "mesh models/a.md5mesh",
                              circle ? "\"inherit\" \"m4999\"" : "\"model\" \"m4999\"");
        for (int i = 1; i < MODELS; i++)
            length += snprintf(text + length, ROOM - (size_t)length,
                               "model m%d { inherit m%d }\nentityDef m%d { \"inherit\" \"m%d\" }\n",
                               i, i - 1, i, i - 1);
        m5_def_asset assets[1];
        static const char *const paths[] = {"base/models/a.md5mesh"};
        make_assets(assets, paths, 1, mesh);
        const char *files[] = {text};
        char *found = link_texts(files, 1, assets, 1, true);
        ck_assert_msg((strstr(found, "def-inherit-cycle") != NULL) == (circle != 0), "%s", found);
        ck_assert(circle || strcmp(found, "") == 0);
        free(found), free(text);
    }
    free_linted(mesh);
}
END_TEST

START_TEST(declarations_of_several_files_are_one_game)
{
    static const char *const files[] = {
        "entityDef crane { \"inherit\" \"device\" \"anim\" \"lower\"\n\"ik_foot1\" \"mst\" }\n",
        "model crane { inherit machine\nanim lift lift.md5anim }\n",
        "entityDef device { \"model\" \"crane\" \"ik_numLegs\" \"1\" }\n",
        "model machine { mesh crane.md5mesh }\nmodel crane { }\n"};
    static const char *const paths[] = {"crane.md5mesh", "lift.md5anim"};
    linted *mesh = lint_string("a.md5mesh", mesh_text);
    m5_def_asset assets[2];
    make_assets(assets, paths, 2, mesh);
    char *text = link_texts(files, 4, assets, 2, true);
    ck_assert_str_eq(text, "1:46 warning def-entity-anim\n2:13 error def-entity-joint\n");
    free(text);
    free_linted(mesh);
}
END_TEST

/* Each of two mods declares a model of the same name; the nearest one counts. */
START_TEST(the_nearest_declaration_of_a_name_counts)
{
    static const char *const files[] = {
        "entityDef a { \"model\" \"crane\" \"anim\" \"lower\"\n\"anim2\" \"lift\" }\n",
        "model crane { mesh crane.md5mesh\nanim lift lift.md5anim }\n",
        "model crane { mesh crane.md5mesh\nanim lower lift.md5anim }\n"};
    char *text = link_texts(files, 3, NULL, 0, false);
    ck_assert_str_eq(text, "2:10 warning def-entity-anim\n");
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("def");
    TCase *t = tcase_create("def");
    tcase_add_loop_test(t, tokens_are_those_of_doom_3, 0,
                        sizeof spellings_of_tokens / sizeof *spellings_of_tokens);
    tcase_add_test(t, a_nul_byte_ends_the_text);
    tcase_add_loop_test(t, integers_have_the_bases_of_c, 0, sizeof numbers / sizeof *numbers);
    tcase_add_loop_test(t, words_are_misspelt_by_one_letter, 0,
                        sizeof spellings / sizeof *spellings);
    tcase_add_test(t, extensions_are_of_the_file);
    tcase_add_test(t, models_have_their_values);
    tcase_add_test(t, files_of_other_programs_have_no_declarations);
    tcase_add_test(t, entities_have_the_keys_that_name_something);
    tcase_add_test(t, too_little_memory_leaves_no_model);
    tcase_add_test(t, what_a_complete_game_does_not_have_is_missing);
    tcase_add_test(t, the_nearest_file_of_a_path_counts);
    tcase_add_test(t, a_copy_that_was_put_aside_does_not_count);
    tcase_add_test(t, files_without_a_folder_may_be_similar);
    tcase_add_test(t, inheritance_may_be_deep);
    tcase_add_test(t, declarations_of_several_files_are_one_game);
    tcase_add_test(t, the_nearest_declaration_of_a_name_counts);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
