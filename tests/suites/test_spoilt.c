/* Tests random MD5 texts: undamaged ones are clean, and all readers report the same for damaged
 * ones. */
#include "files.h"
#include "fuzz/harness/harness.h"

#include <check.h>

/* ---- Whole ----------------------------------------------------------------------------------- */

static uint64_t random_state;

static unsigned below(unsigned n)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (unsigned)((z ^ z >> 31) % n);
}

static void random_mesh_block(file *f, unsigned joints)
{
    unsigned verts = 1 + below(6), weights = verts + below(4), tris = below(6);
    add(f, "mesh {\n\tshader \"m%u\"\n\n\tnumverts %u\n", below(9), verts);
    for (unsigned i = 0; i < verts; i++)
        add(f, "\tvert %u ( 0.%u 0.5 ) %u %u\n", i, below(999), i, 1 + below(weights - i));
    add(f, "\n\tnumtris %u\n", tris);
    for (unsigned i = 0; i < tris; i++)
        add(f, "\ttri %u %u %u %u\n", i, below(verts), below(verts), below(verts));
    add(f, "\n\tnumweights %u\n", weights);
    for (unsigned i = 0; i < weights; i++)
        add(f, "\tweight %u %u 1 ( %u.%04u -%u 0.125 )\n", i, below(joints), below(99), below(9999),
            below(5));
    add(f, "}\n\n");
}

static void random_mesh(file *f)
{
    unsigned joints = 1 + below(4), meshes = 1 + below(3);
    md5mesh_header(f, joints, meshes);
    add(f, "\njoints {\n");
    for (unsigned i = 0; i < joints; i++)
        add(f, "\t\"j%u\"\t%d ( 0 %u 0.5 ) ( 0 -0.25 0 )\t// %u\n", i, i == 0 ? -1 : (int)below(i),
            below(9), i);
    add(f, "}\n\n");
    for (unsigned i = 0; i < meshes; i++)
        random_mesh_block(f, joints);
}

static void random_anim(file *f)
{
    static const unsigned flags[] = {0, 63, 7, 56}, width[] = {0, 6, 3, 3};
    unsigned joints = 1 + below(4), frames = 1 + below(4), kind[4], components = 0;
    for (unsigned i = 0; i < joints; i++)
        components += width[kind[i] = i == 0 ? 1 : below(4)];
    md5anim_header(f, frames, joints, components);
    add(f, "\nhierarchy {\n");
    for (unsigned i = 0, start = 0; i < joints; start += width[kind[i++]])
        add(f, "\t\"j%u\"\t%d %u %u\t//\n", i, i == 0 ? -1 : (int)below(i), flags[kind[i]],
            kind[i] != 0 ? start : 0);
    add(f, "}\n\nbounds {\n");
    for (unsigned i = 0; i < frames; i++)
        add(f, "\t( -%u -1 -1 ) ( 1 1 1.5 )\n", below(50));
    add(f, "}\n\nbaseframe {\n");
    for (unsigned i = 0; i < joints; i++)
        add(f, "\t( 0 %u 0 ) ( 0 0 0.5 )\n", below(9));
    for (unsigned i = 0; i < frames; i++) {
        add(f, "}\n\nframe %u {", i);
        for (unsigned k = 0; k < components; k++)
            add(f, "%s%s0.%u", k % 6 ? " " : "\n\t", below(3) ? "" : "-", below(5000));
        add(f, "\n");
    }
    add(f, "}\n");
}

static file random_model(bool mesh)
{
    file f = {.target = 0};
    (mesh ? random_mesh : random_anim)(&f);
    return f;
}

START_TEST(generated_models_are_clean)
{
    random_state = 1000 + (uint64_t)_i;
    for (int i = 0; i < 200; i++) {
        bool mesh = i % 2 == 0;
        const m5_format *format = m5_format_by_name(mesh ? "x.md5mesh" : "x.md5anim");
        file f = random_model(mesh);
        harness_run run = harness_try_all(format, f.bytes, f.size, HARNESS_LINT);
        ck_assert_msg(run.status == M5_CLEAN, "not clean:\n%.*s", (int)f.size, (char *)f.bytes);
        free(f.bytes);
    }
}
END_TEST

/* ---- ... and spoilt -------------------------------------------------------------------------- */

static void splice(file *f, size_t at, size_t cut, const char *word, size_t n)
{
    size_t rest = f->size - cut;
    add_bytes(f, word, n); /* makes room */
    memmove(f->bytes + at + n, f->bytes + cut, rest);
    memcpy(f->bytes + at, word, n);
    f->size = at + n + rest;
}

/* Replaces a few tokens or bytes by something that is not expected there. */
static void spoil(file *f)
{
    static const char *const word[] = {
        "{",
        "}",
        "(",
        ")",
        "\"",
        "\"\"",
        "//",
        "/*",
        "*/",
        "\n",
        "\r",
        "\r\n",
        "\t",
        " ",
        "-",
        "+",
        "-1",
        "0",
        "1",
        "2147483647",
        "-2147483648",
        "4294967296",
        "1e39",
        "nan",
        "0x1",
        "0,5",
        "1.5",
        ".",
        "mesh",
        "joints",
        "frame",
        "frame 0 {",
        "vert",
        "tri",
        "weight",
        "numverts 9",
        "bounds {",
        "hierarchy {",
        "MD5Version 10",
        "numFrames",
        "numMeshes",
        "commandline",
        "shader",
        "63",
        "//\r",
        "" /* means a NUL */,
    };
    for (unsigned times = 1 + below(4); times > 0; times--) {
        const char *w = word[below(sizeof word / sizeof *word)];
        size_t n = *w == '\0' ? 1 : strlen(w), at = below((unsigned)f->size), cut = at;
        while (below(2) && cut < f->size && f->bytes[cut] > ' ')
            cut++;
        cut += below(8) == 0 ? below((unsigned)(f->size - cut) + 1) : 0;
        splice(f, at, cut, w, n);
    }
}

/* Models that are still clean can be read without checks; fast and slow readers report the same. */
START_TEST(damaged_models_are_reported_or_clean)
{
    random_state = 2000 + (uint64_t)_i;
    for (int i = 0; i < 1000; i++) {
        bool mesh = i % 2 == 0;
        const m5_format *format = m5_format_by_name(mesh ? "x.md5mesh" : "x.md5anim");
        file f = random_model(mesh);
        spoil(&f);
        uint8_t *exact = malloc(f.size); /* so that a sanitizer reports a read past the end */
        memcpy(exact, f.bytes, f.size);
        harness_try_all(format, exact, f.size, HARNESS_LINT);
        free(exact);
        free(f.bytes);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("spoilt");
    TCase *t = tcase_create("spoilt");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, generated_models_are_clean, 0, 3);
    tcase_add_loop_test(t, damaged_models_are_reported_or_clean, 0, 6);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
