/* Healthy files that are expensive for the geometric rules: linting must not need more memory than
 * lint.h promises. tests/gates/linear counts the steps. */
#include "hostile_files.h"

/* ---- Meshes ---------------------------------------------------------------------------------- */

/* A mesh of n vertices, each with its own weight, and n triangles; n is at least 3. */
static unsigned start_mesh(file *f)
{
    add(f, "MD5Version 10\ncommandline \"\"\nnumJoints 1\nnumMeshes 1\njoints {\n\"a\" -1 ( 0 0 0 "
           ") ( 0 0 0 )\n}\n"
           "mesh {\nshader \"s\"\n");
    unsigned n = fits(f, 75);
    return n < 3 ? 3 : n;
}

static void end_mesh(file *f, unsigned n, void (*tri)(unsigned i, unsigned n, unsigned out[3]),
                     bool apart)
{
    add(f, "numverts %u\n", n);
    for (unsigned i = 0; i < n; i++)
        add(f, "vert %u ( 0 0 ) %u 1\n", i, i);
    add(f, "numtris %u\n", n);
    for (unsigned i = 0; i < n; i++) {
        unsigned t[3];
        tri(i, n, t);
        add(f, "tri %u %u %u %u\n", i, t[0], t[1], t[2]);
    }
    add(f, "numweights %u\n", n);
    for (unsigned i = 0; i < n; i++)
        add(f, "weight %u 0 1 ( %u %u %u )\n", i, apart ? i : 0, apart ? i * i % 1009 : 0,
            apart ? i % 7 : 0);
    add(f, "}\n");
}

static void set(unsigned out[3], unsigned a, unsigned b, unsigned c)
{
    out[0] = a, out[1] = b, out[2] = c;
}

static void in_fan(unsigned i, unsigned n, unsigned out[3])
{
    set(out, 0, 1 + i % (n - 1), 1 + (i + 1) % (n - 1));
}
static void at_edge(unsigned i, unsigned n, unsigned out[3])
{
    set(out, 0, 1, 2 + i % (n - 2));
}
static void in_strip(unsigned i, unsigned n, unsigned out[3])
{
    set(out, i, (i + 1) % n, (i + 2) % n);
}
static void all_same(unsigned i, unsigned n, unsigned out[3])
{
    (void)i, (void)n, set(out, 0, 1, 2);
}

static void fan(file *f)
{
    end_mesh(f, start_mesh(f), in_fan, true);
}
static void one_edge(file *f)
{
    end_mesh(f, start_mesh(f), at_edge, true);
}
static void strip_flipped(file *f)
{
    end_mesh(f, start_mesh(f), in_strip, true);
} /* every other triangle */
static void one_triangle(file *f)
{
    end_mesh(f, start_mesh(f), all_same, true);
}
static void one_place(file *f)
{
    end_mesh(f, start_mesh(f), in_fan, false);
}

static void triangles_only(file *f)
{
    unsigned tris = fits(f, 6) + 1;
    add(f, "ILLMESH0\n1 0 0 0 0 0\n3\n%u\n0 0 0\n1 0 0\n2 0 0\n", 3 * tris);
    for (unsigned i = 0; i < tris; i++)
        add(f, i % 2 == 0 ? "0 1 2\n" : "2 1 0\n");
}

/* As many joints as meshes, each mesh of one triangle at its joints. */
static void meshes_and_joints(file *f)
{
    enum { VERTS = 4 };
    unsigned n = fits(f, 360) + VERTS;
    add(f, "MD5Version 10\ncommandline \"\"\nnumJoints %u\nnumMeshes %u\njoints {\n", n, n);
    for (unsigned i = 0; i < n; i++)
        add(f, "\"j%u\" %d ( %u %u %u ) ( 0 0 0 )\n", i, (int)i - 1, i, i * i % 1009, i % 7);
    add(f, "}\n");
    for (unsigned i = 0; i < n; i++) {
        add(f, "mesh {\nshader \"s\"\nnumverts %d\n", VERTS);
        for (unsigned k = 0; k < VERTS; k++)
            add(f, "vert %u ( 0 0 ) %u 1\n", k, k);
        add(f, "numtris 1\ntri 0 0 1 2\nnumweights %d\n", VERTS);
        for (unsigned k = 0; k < VERTS; k++)
            add(f, "weight %u %u 1 ( 0 0 0 )\n", k, (i + k) % n);
        add(f, "}\n");
    }
}

/* ---- Animations ------------------------------------------------------------------------------ */

/* `values` gives the rotation of each of `joints` in a frame. */
static void animation(file *f, unsigned joints, const char *const *values, unsigned period)
{
    unsigned frames = fits(f, joints * 40 + 40);
    frames = frames == 0 ? 1 : frames;
    add(f,
        "MD5Version 10\ncommandline \"\"\nnumFrames %u\nnumJoints %u\nframeRate "
        "24\nnumAnimatedComponents %u\n"
        "hierarchy {\n",
        frames, joints, 6 * joints);
    for (unsigned j = 0; j < joints; j++)
        add(f, "\"j%u\" %d 63 %u\n", j, (int)j - 1, 6 * j);
    add(f, "}\nbounds {\n");
    for (unsigned i = 0; i < frames; i++)
        add(f, "( -1 -1 -1 ) ( 1 1 1 )\n");
    add(f, "}\nbaseframe {\n");
    for (unsigned j = 0; j < joints; j++)
        add(f, "( 0 0 1 ) ( 0 0 0 )\n");
    add(f, "}\n");
    for (unsigned i = 0; i < frames; i++) {
        add(f, "frame %u {\n", i);
        for (unsigned j = 0; j < joints; j++)
            add(f, "%s\n", values[i % period]);
        add(f, "}\n");
    }
}

static void spinning(file *f)
{
    static const char *const v[] = {"0 0 1 0 0 0", "0 0 1 0 0 0.8", "0 0 1 0 0.8 0",
                                    "0 0 1 0.8 0 0"};
    animation(f, 3, v, 4);
}

static void popping(file *f)
{
    static const char *const v[] = {"0 0 1 0 0 0", "0 0 1 0 0 0", "0 0 1 0 0 0", "0 0 9 0.8 0 0",
                                    "0 0 1 0 0 0", "0 0 1 0 0 0", "0 0 1 0 0 0", "0 0 1 0 0 0"};
    animation(f, 3, v, 8);
}

static void flipping(file *f)
{
    static const char *const v[] = {"0 0 1 0 0 1", "0 0 1 0 0 -1"};
    animation(f, 3, v, 2);
}

static void wide(file *f)
{
    static const char *const v[] = {"0 0 1 0 0 0", "0 0 1 0 0 0.8", "0 0 1 0.7 0 0"};
    unsigned joints = fits(f, 160 * 8) + 1;
    animation(f, joints, v, 3);
}

/* ---- All of them ----------------------------------------------------------------------------- */

static const shape shapes[] = {
    SHAPE(fan, "md5mesh"),
    SHAPE(one_edge, "md5mesh"),
    SHAPE(strip_flipped, "md5mesh"),
    SHAPE(one_triangle, "md5mesh"),
    SHAPE(one_place, "md5mesh"),
    SHAPE(triangles_only, "illmesh"),
    SHAPE(spinning, "md5anim"),
    SHAPE(popping, "md5anim"),
    SHAPE(flipping, "md5anim"),
    SHAPE(wide, "md5anim"),
    SHAPE(meshes_and_joints, "md5mesh"),
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* If they were not, the rules that they are made for would not run. */
START_TEST(hostile_shapes_have_no_errors)
{
    file f = {.target = 3000};
    shapes[_i].make(&f);
    outcome o = run(format_named(shapes[_i].format), f.bytes, f.size, m5_lint_memory(f.size, 0));
    ck_assert_msg(o.status == M5_CLEAN && o.notes + o.warnings != 0, "%s", shapes[_i].name);
    free(f.bytes);
}
END_TEST

static void add_more(TCase *t)
{
    tcase_add_loop_test(t, hostile_shapes_have_no_errors, 0, SHAPES);
}

int main(int argc, char **argv)
{
    return run_shapes("geometry shapes", shapes, SHAPES, add_more, argc, argv);
}
