/* Tests which files belong together, by names, folders and joints, whatever their order. */
#include "cases.h"
#include "lint/core/names.h"
#include "lint/cross/rig.h"
#include "lint/lint.h"

#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) ((int)(sizeof(array) / sizeof *(array)))

/* ---- What is read of a file ---------------------------------------------------------------- */

static char *cases[MAX_CASES];

static void check_rig(linted *l)
{
    m5_rig whole, read;
    m5_lint_input in = l->input;
    if (l->file.status != M5_CLEAN)
        return;
    m5_rig_of(&whole, &l->file.source, &l->file.model, &l->file.arena);
    in.size = m5_lint_memory(in.source.size, 0);
    in.memory = malloc(in.size);
    ck_assert(m5_rig_read(&read, &in));
    ck_assert(read.format == whole.format && read.known == whole.known);
    ck_assert_uint_eq(read.num_joints, whole.num_joints);
    ck_assert(read.names_hash == whole.names_hash && read.joints_hash == whole.joints_hash);
    ck_assert((read.names != NULL) == (whole.names != NULL));
    if (read.names != NULL)
        ck_assert_mem_eq(read.names, whole.names, read.num_joints * sizeof *read.names);
    free(in.memory);
}

START_TEST(a_rig_that_is_read_is_that_of_the_whole_model)
{
    text_file files[MAX_FILES];
    linted *l[MAX_FILES];
    size_t count = read_case(cases[_i], files);
    lint_files(files, count, NULL, false, l);
    for (size_t i = 0; i < count; i++) {
        check_rig(l[i]);
        free_linted(l[i]);
    }
    free_case(files, count);
}
END_TEST

/* ---- Decisions ------------------------------------------------------------------------------- */

/* Files with their joints, a letter each (`?`: not known), after @ the base that is declared (after
 * @@ if there are others), and after > the base that each belongs to, with the reason. Groups are
 * in the order in which they are shown. */
static const char *const decisions[] = {
    "walk.md5anim:abc",
    "a.md5mesh:abc",
    /* the base that is declared, even if another one fits, or has the same name */
    "a.md5mesh:abc b.md5mesh:abd walk.md5anim:abd@a.md5mesh>a.md5mesh=declared",
    "a.md5mesh:abc a.md5anim:abc@b.md5mesh>b.md5mesh=declared b.md5mesh:xyz",
    "a.md5mesh:? walk.md5anim:abc@a.md5mesh>a.md5mesh=declared b.md5mesh:abc",
    "a.md5mesh:abc walk.md5anim:?@a.md5mesh>a.md5mesh=declared",
    /* ... together with those of the same joints around it, if one of these is declared, too */
    "x/a.md5mesh:abc x/b.md5mesh:abc y/c.md5mesh:abc z/walk.md5anim:abc@@x/b.md5mesh>x/b.md5mesh=declared",
    /* ... but not what is no base, or of another family */
    "a.md5anim:abc>b.md5mesh=joints b.md5mesh:abc walk.md5anim:abc@a.md5anim>b.md5mesh=joints",
    "a.illskel:abc b.md5mesh:abc walk.md5anim:abc@a.illskel>b.md5mesh=joints",
    "a.md5mesh:abc b.md5mesh:abd@a.md5mesh",
    /* the base of the file's name in its folder, even if its joints differ */
    "a.md5mesh:abc a.md5anim:xyz>a.md5mesh=name",
    "a/m.md5mesh:abc b/m.md5mesh:xyz b/m.md5anim:abc>b/m.md5mesh=name",
    "a.md5mesh:? a.md5anim:abc>a.md5mesh=name",
    /* the base that has the file's joints, wherever it is */
    "a.md5mesh:abc b.md5mesh:abd walk.md5anim:abd>b.md5mesh=joints",
    "b.md5mesh:abd run.md5anim:abd>b.md5mesh=joints x/a.md5mesh:abc x/run.md5anim:abc>x/a.md5mesh=joints",
    "a/hero.md5mesh:abc a/run.md5anim:xyz>z/far.md5mesh=joints z/far.md5mesh:xyz",
    "a.md5mesh:abc a-walk.md5anim:xyz>b.md5mesh=joints b.md5mesh:xyz",
    /* ... and is spelled in the same way, if there is one */
    "a.md5mesh:abc b.md5mesh:aBc walk.md5anim:aBc>b.md5mesh=joints",
    "a.md5mesh:abc walk.md5anim:aBc>a.md5mesh=joints",
    /* ... that the file is named after, the longest name of several */
    "m1.md5mesh:abc m1-a.md5anim:abc>m1.md5mesh=joints m12.md5mesh:abc m12-a.md5anim:abc>m12.md5mesh=joints",
    "m1.md5mesh:abc m1-b.md5mesh:abc m1-b-c.md5anim:abc>m1-b.md5mesh=joints",
    "anims/hero-run.md5anim:abc>models/hero.md5mesh=joints models/hero.md5mesh:abc models/imp.md5mesh:abc",
    "models/hero.md5mesh:abc models/hero/walk.md5anim:abc>models/hero.md5mesh=joints models/imp.md5mesh:abc",
    "a/hero.md5mesh:abc b/hero.md5mesh:abc b/x/hero-run.md5anim:abc>b/hero.md5mesh=joints",
    /* ... or of the nearest folder, and then the first */
    "a/m.md5mesh:abc a/walk.md5anim:abc>a/m.md5mesh=joints b/n.md5mesh:abc b/run.md5anim:abc>b/n.md5mesh=joints",
    "x/a/m.md5mesh:abc x/a/anims/run.md5anim:abc>x/a/m.md5mesh=joints x/b/m.md5mesh:abc",
    "a/x/run.md5anim:abc>a/y/m.md5mesh=joints a/y/m.md5mesh:abc b/m.md5mesh:abc",
    "b/m.md5mesh:abc b/n.md5mesh:abc run.md5anim:abc>b/m.md5mesh=joints",
    /* none has the joints: the one that the file is named after */
    "a.md5mesh:abc b.md5mesh:xyz a-walk.md5anim:pqr>a.md5mesh=stem",
    "a.md5mesh:abc b.md5mesh:xyz anims/a-walk.md5anim:pqr>a.md5mesh=stem",
    "a.md5mesh:abc b.md5mesh:xyz x/anims/a-walk.md5anim:pqr=missing",
    /* ... that shares all names but one, or 95% */
    "a.md5mesh:abcd b.md5mesh:wxyz walk.md5anim:abcz>a.md5mesh=alike",
    "a.md5mesh:abcd b.md5mesh:wxyz walk.md5anim:abc>a.md5mesh=alike",
    "a.md5mesh:abcde b.md5mesh:wxyz walk.md5anim:abc=missing",
    "a.md5mesh:abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN b.md5mesh:wxyz "
    "walk.md5anim:abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL01>a.md5mesh=alike",
    "a.md5mesh:abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN b.md5mesh:wxyz "
    "walk.md5anim:abcdefghijklmnopqrstuvwxyzABCDEFGHIJK012=missing",
    "a.md5mesh:abc a-walk.md5anim:wxyQ>b.md5mesh=alike b.md5mesh:wxyz",
    /* ... the only one in the folder, or of all */
    "a/m.md5mesh:abc a/walk.md5anim:xyz>a/m.md5mesh=folder b/n.md5mesh:def",
    "a/m.md5mesh:abc a/n.md5mesh:def a/walk.md5anim:xyz=missing",
    "a/m.md5mesh:abc b/walk.md5anim:xyz>a/m.md5mesh=only",
    "a/m.md5mesh:abc b/n.md5mesh:abc c/walk.md5anim:xyz=missing",
    /* a base that could not be read may be the right one; a file that could not is left alone */
    "a.md5mesh:? a-walk.md5anim:abc>a.md5mesh=stem b.md5mesh:xyz",
    "a.md5mesh:abc b.md5mesh:xyz walk.md5anim:?",
    /* ill*: bones are found by name, so that their order does not matter, and some are enough */
    "a.illskel:abc walk.illanim:cab>a.illskel=joints b.illskel:xyz",
    "a.illskel:abcdef walk.illanim:bd>a.illskel=joints b.illskel:xyz",
    "a.illskel:abcdef b.illskel:uvwxyz walk.illanim:xd=missing",
    /* ... an illmesh has a number of bones only */
    "a.illskel:abc a.illmesh:3>a.illskel=stem b.illskel:abc b.illmesh:5>b.illskel=stem",
    "a.illskel:abc b.illskel:abcd x.illmesh:4>b.illskel=folder",
    "a.illskel:abc b.illskel:abc x.illmesh:3",
    "a/a.illskel:abc b/a.illmesh:9>a/a.illskel=stem c/b.illskel:abc",
    "s/a.illskel:abc m/x.illmesh:9>s/a.illskel=folder",
    /* formats do not disturb each other */
    "a.md5mesh:abc a.illskel:abc a.illanim:abc>a.illskel=name walk.md5anim:abc>a.md5mesh=joints",
    "a.md4 a.md5anim:abc readme.txt",
};

enum { MOST = 16, SHUFFLES = 20, JOINTS_MAX = 64 };

static const char *const reasons[] = {"",       "=declared", "=name", "=joints", "=stem",
                                      "=alike", "=folder",   "=only", "=missing"};

/* What is expected of a file. */
typedef struct expected {
    char word[160]; /* its own memory, as the rig's name is in it */
    char base[64], reason[16], declared[64];
    bool shared;
    uint32_t names[JOINTS_MAX];
} expected;

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void add_joint(m5_rig *rig, uint32_t *names, char c)
{
    bool ordered = strstr(rig->name, ".md5") != NULL;
    uint64_t folded = (uint64_t)(c | 0x20) * 2654435761, exact = (uint64_t)c * 2654435761;
    rig->names_hash = ordered ? rig->names_hash * 31 + folded : rig->names_hash + folded;
    rig->joints_hash = ordered ? rig->joints_hash * 31 + exact : rig->joints_hash + exact;
    names[rig->num_joints++] = (uint32_t)c;
}

/* name:joints@declared>base=reason, of which all but the name may be missing. */
static void read_listed(const char *word, expected *e, m5_rig *rig)
{
    snprintf(e->word, sizeof e->word, "%s", word);
    char *reason = strchr(e->word, '='), *base = strchr(e->word, '>'),
         *joints = strchr(e->word, ':');
    snprintf(e->reason, sizeof e->reason, "%s", reason != NULL ? reason : "");
    e->word[strcspn(e->word, "=")] = '\0';
    snprintf(e->base, sizeof e->base, "%s", base != NULL ? base + 1 : "");
    e->word[strcspn(e->word, ">")] = '\0';
    const char *declared = strchr(e->word, '@');
    e->shared = declared != NULL && declared[1] == '@';
    snprintf(e->declared, sizeof e->declared, "%s",
             declared != NULL ? declared + 1 + e->shared : "");
    e->word[strcspn(e->word, "@")] = '\0';
    e->word[strcspn(e->word, ":")] = '\0';
    *rig = (m5_rig){.name = e->word, .format = m5_format_by_name(e->word), .names = e->names};
    if (joints == NULL || *++joints == '?')
        return;
    rig->known = true;
    if (strstr(e->word, "illmesh") != NULL) {
        rig->num_joints = (uint32_t)atoi(joints);
        return;
    }
    for (; *joints != '\0'; joints++)
        add_joint(rig, e->names, *joints);
    qsort(e->names, rig->num_joints, sizeof *e->names, by_number);
}

static unsigned next_random(unsigned *seed)
{
    *seed = *seed * 1103515245 + 12345;
    return *seed >> 16;
}

/* What is declared, with the numbers that the files have now. */
static void find_declared(m5_declared *out, const expected *const *files, const m5_rig *rigs,
                          uint32_t count)
{
    static const m5_source somewhere = {"a.def", NULL, 0};
    for (uint32_t i = 0; i < count; i++) {
        out[i] = (m5_declared){.shared = files[i]->shared};
        for (uint32_t k = 0; k < count; k++) {
            if (strcmp(files[i]->declared, rigs[k].name) != 0)
                continue;
            out[i].source = &somewhere;
            out[i].base = k;
        }
    }
}

/* `shown`: the files in the order in which they are shown, with a bar behind each group. */
static void check_decisions(const char *listing, const expected *const *files, const m5_rig *rigs,
                            uint32_t count, char shown[1024])
{
    void *memory = malloc(m5_pairs_memory(count));
    m5_pairs pairs;
    m5_declared declared[MOST];
    *shown = '\0';
    find_declared(declared, files, rigs, count);
    m5_pairs_find(&pairs, rigs, declared, count, true, memory);
    for (uint32_t i = 0; i < count; i++) {
        const m5_pair *pair = &pairs.list[i];
        bool paired = pair->base != M5_NO_INDEX && pair->reason != M5_PAIR_MISSING;
        const char *base = paired ? rigs[pair->base].name : "";
        ck_assert_msg(strcmp(base, files[i]->base) == 0 &&
                          strcmp(reasons[pair->reason], files[i]->reason) == 0,
                      "%s: %s belongs to '%s'%s, expected '%s'%s", listing, rigs[i].name, base,
                      reasons[pair->reason], files[i]->base, files[i]->reason);
    }
    for (uint32_t at = 0, end; at < count; at = end) {
        end = m5_pairs_end(&pairs, at);
        for (uint32_t i = at; i < end; i++) {
            uint32_t base = pairs.list[pairs.order[i]].base;
            strcat(strcat(shown, rigs[pairs.order[i]].name), i + 1 < end ? " " : " | ");
            ck_assert(end - at > 1 || base == M5_NO_INDEX ||
                      pairs.list[pairs.order[i]].reason == M5_PAIR_MISSING);
        }
    }
    free(memory);
}

START_TEST(pairs_do_not_depend_on_the_order)
{
    char text[1024], first[1024], shown[1024];
    expected all[MOST] = {0}, *files[MOST];
    m5_rig rigs[MOST];
    uint32_t count = 0;
    unsigned seed = 1;
    snprintf(text, sizeof text, "%s", decisions[_i]);
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
        read_listed(word, &all[count], &rigs[count]);
        files[count] = &all[count];
        count++;
    }
    for (int round = 0; round < SHUFFLES; round++) {
        check_decisions(decisions[_i], (const expected *const *)files, rigs, count,
                        round == 0 ? first : shown);
        ck_assert_str_eq(round == 0 ? first : shown, first);
        for (uint32_t i = count; i > 1; i--) {
            uint32_t k = next_random(&seed) % i;
            expected *e = files[i - 1];
            m5_rig rig = rigs[i - 1];
            files[i - 1] = files[k];
            files[k] = e;
            rigs[i - 1] = rigs[k];
            rigs[k] = rig;
        }
    }
}
END_TEST

/* ---- What others of a group are compared with ------------------------------------------------ */

enum { CROWD = 100 };

/* How many files are needed of some bases and meshes, in their order, with many others. */
static uint32_t needed_of(const char *const bases[], int num_bases, const char *others)
{
    m5_rig rigs[CROWD + 8];
    m5_pairs pairs;
    expected all[CROWD + 8] = {0};
    char word[40];
    uint32_t count = 0;
    for (int i = 0; i < CROWD; i++, count++) {
        snprintf(word, sizeof word, "a%02d.%s", i, others);
        read_listed(word, &all[count], &rigs[count]);
    }
    for (int i = 0; i < num_bases; i++, count++)
        read_listed(bases[i], &all[count], &rigs[count]);
    void *memory = malloc(m5_pairs_memory(count));
    m5_pairs_find(&pairs, rigs, NULL, count, true, memory);
    ck_assert_uint_eq(m5_pairs_end(&pairs, 0), count);
    uint32_t needed = m5_pairs_needed(&pairs, 0, count);
    for (int i = 0; i < num_bases; i++) /* bases, then meshes, then others */
        ck_assert_str_eq(rigs[pairs.order[i]].name, all[CROWD + i].word);
    free(memory);
    return needed;
}

START_TEST(the_files_that_others_are_compared_with_come_first)
{
    static const char *const skel[] = {"z.illskel:abc", "z.illmesh:3"};
    static const char *const two[] = {"y.illskel:abc", "z.illskel:abc", "y.illmesh:3"};
    static const char *const mesh[] = {"y.md5mesh:abc", "z.md5mesh:abc"};
    ck_assert_uint_eq(needed_of(skel, 1, "illanim:abc"), 1);
    ck_assert_uint_eq(needed_of(skel, 2, "illanim:abc"), 2 + M5_PAIR_SEEN);
    ck_assert_uint_eq(needed_of(two, 3, "illanim:abc"), 3 + M5_PAIR_SEEN);
    ck_assert_uint_eq(needed_of(mesh, 2, "md5anim:abc"), 2);
    ck_assert_uint_eq(needed_of(skel, 1, "illmesh:3"), 1 + M5_PAIR_SEEN);
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

/* Three meshes and an animation, with the names of their joints and the length of their bone; and
 * the mesh that the animation belongs to. */
static const struct {
    const char *own;
    size_t place; /* of the animation among the meshes */
    struct {
        const char *name, *text;
    } file[MESHES + 1];
} pairs[] = {
    /* the mesh that fits */
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
    /* ... or the first, if none is */
    {"a",
     MESHES,
     {{"a.md5mesh", MESH("hip", "4")},
      {"b.md5mesh", MESH("hip", "2")},
      {"c.md5mesh", MESH("hop", "8")},
      {"x.md5anim", ANIM("hip", "8")}}},
    /* among equal meshes, the one with its name, or in its folder, or the first */
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
    {"a",
     MESHES,
     {{"a.md5mesh", MESH("hip", "4")},
      {"b.md5mesh", MESH("hip", "4")},
      {"c.md5mesh", MESH("hip", "4")},
      {"x.md5anim", ANIM("hop", "4")}}},
    {"a",
     2,
     {{"a.md5mesh", MESH("hip", "4")},
      {"b.md5mesh", MESH("hip", "4")},
      {"c.md5mesh", MESH("hip", "4")},
      {"x.md5anim", ANIM("hop", "4")}}},
    {"a",
     1,
     {{"a.md5mesh", MESH("hip", "4")},
      {"b.md5mesh", MESH("hip", "4")},
      {"c.md5mesh", MESH("hip", "4")},
      {"x.md5anim", ANIM("hop", "4")}}},
    {"a",
     0,
     {{"a.md5mesh", MESH("hip", "4")},
      {"b.md5mesh", MESH("hip", "4")},
      {"c.md5mesh", MESH("hip", "4")},
      {"x.md5anim", ANIM("hop", "4")}}},
};

/* Found from the message of a rule that names both files. */
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
    void *memory = malloc(m5_together_memory(MESHES + 1));
    m5_lint_together(files, MESHES + 1, memory);
    free(memory);
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

/* A mesh, its animation, an animation of another skeleton, and a file that is not a model. */
static const struct {
    const char *name, *text;
} together[TOGETHER] = {
    {"a.md5mesh", MESH("hip", "4")},
    {"a.md5anim", ANIM("hip", "4")},
    {"other.md5anim", ANIM("hop", "4")},
    {"notes.txt", "nothing of ours"},
};

/* The findings that one file's sink received. */
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
    void *memory = malloc(m5_together_memory(TOGETHER));
    m5_status status = m5_lint_group(list, in, TOGETHER, memory);
    free(memory);
    for (size_t i = 0; i < TOGETHER; i++)
        free(in[i].memory);
    return files[0].model.md5mesh != NULL && files[3].model.format == NULL ? status : M5_CLEAN;
}

START_TEST(m5_lint_group_lints_several_files)
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

START_TEST(threads_report_the_same_for_groups)
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

/* ---- Names that are nearly the same ---------------------------------------------------------- */

static const struct {
    const char *one, *other;
    bool similar, misspelt;
} names[] = {
    {"spine", "spien", true, true},   {"spine", "spin", true, false},
    {"spine", "spne", true, true},    {"spine", "spinne", true, true},
    {"spine", "spike", true, false},  {"spine", "spiin", false, false},
    {"talk", "walk", true, false},    {"larm", "aarm", true, false},
    {"xala", "alxa", false, false},   {"head", "heads", true, false},
    {"lhead", "head", true, false},   {"arm_ik", "arm_ki", false, false},
    {"arm1", "arm2", false, false},   {"upperarm2", "uperarm2", true, true},
    {"spine", "spine", false, false},
};

static void compare_names(const char *a, const char *b, bool similar, bool misspelt)
{
    m5_source one = {"one", (const uint8_t *)a, (uint32_t)strlen(a)};
    m5_source other = {"other", (const uint8_t *)b, (uint32_t)strlen(b)};
    m5_name n = {0, one.size}, m = {0, other.size};
    ck_assert_msg(m5_check_are_similar(&one, n, &other, m) == similar, "%s, %s: similar", a, b);
    ck_assert_msg(m5_check_is_misspelt(&one, n, &other, m) == misspelt, "%s, %s: misspelt", a, b);
}

START_TEST(names_are_misspelt_by_one_letter)
{
    compare_names(names[_i].one, names[_i].other, names[_i].similar, names[_i].misspelt);
    compare_names(names[_i].other, names[_i].one, names[_i].similar, names[_i].misspelt);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("pair");
    TCase *c = tcase_create("pair");
    int count = find_cases("corpus", cases);
    tcase_add_loop_test(c, a_rig_that_is_read_is_that_of_the_whole_model, 0, count);
    tcase_add_loop_test(c, pairs_do_not_depend_on_the_order, 0, LENGTH(decisions));
    tcase_add_test(c, the_files_that_others_are_compared_with_come_first);
    tcase_add_loop_test(c, an_animation_finds_its_mesh, 0, LENGTH(pairs));
    tcase_add_test(c, m5_lint_group_lints_several_files);
    tcase_add_loop_test(c, names_are_misspelt_by_one_letter, 0, LENGTH(names));
    suite_add_tcase(s, c);
    add_threads_test(s, threads_report_the_same_for_groups);
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    for (int i = 0; i < count; i++)
        free(cases[i]);
    return failed != 0;
}
