/* Expensive MD5 texts: parsing and linting them, as a mesh and as an animation, must not need more
 * memory than m5.h promises. tests/gates/linear counts the steps. */
#include "hostile_files.h"

/* The largest count of records that fit into the rest after a header, or a line, that states it. */
static unsigned fits_behind(const file *f, unsigned bytes)
{
    size_t stated = left(f) > 400 ? 120 : 16;
    return (unsigned)((left(f) > stated ? left(f) - stated : 0) / bytes);
}

/* ---- Meshes made to reserve ------------------------------------------------------------------ */

/* The shortest text of each record, by which the parser judges counts. */
enum { SHORT_JOINT = 17, SHORT_MESH = 39, SHORT_VERT = 14, SHORT_TRI = 11, SHORT_WEIGHT = 19 };

/* Each count claims the rest of the file, but the lists are empty. */
static void empty_meshes(file *f)
{
    md5mesh_header(f, 1, fits_behind(f, 90));
    md5_one_joint(f);
    while (left(f) > 90) {
        add(f, "mesh {\nnumverts %u\nnumtris ", fits_behind(f, SHORT_VERT));
        add(f, "%u\nnumweights %u\n}\n", fits_behind(f, SHORT_TRI), fits_behind(f, SHORT_WEIGHT));
    }
}

static void shortest_meshes(file *f)
{
    md5mesh_header(f, 1, fits_behind(f, SHORT_MESH));
    md5_one_joint(f);
    fill(f, "mesh{}", 1);
}

static void full_joints_then_meshes(file *f)
{
    unsigned n = fits_behind(f, SHORT_JOINT);
    md5mesh_header(f, n > 0 ? n : 1, fits_behind(f, SHORT_MESH));
    add(f, "joints{");
    fill(f, "a 0(0 0 0)(0 0 0)", 1);
}

static void nameless_joints(file *f)
{
    unsigned n = fits_behind(f, SHORT_JOINT);
    md5mesh_header(f, n > 0 ? n : 1, fits_behind(f, SHORT_MESH));
    add(f, "joints{");
    fill(f, "\"\"0(0 0 0)(0 0 0)", 1);
}

/* A record that cannot be read needs as much memory as one that can, but far less text. */
static void unreadable_joints(file *f)
{
    unsigned n = fits_behind(f, SHORT_JOINT);
    md5mesh_header(f, n > 0 ? n : 1, fits_behind(f, SHORT_MESH));
    add(f, "joints{\n");
    repeat(f, "a\n", n);
    add(f, "}\n");
    while (left(f) > 120) {
        add(f, "mesh{\nnumverts %u\n", fits_behind(f, SHORT_VERT));
        fill(f, "vert\n", 0.25);
        add(f, "numtris %u\n", fits_behind(f, SHORT_TRI));
        fill(f, "tri\n", 0.3);
        add(f, "numweights %u\n", fits_behind(f, SHORT_WEIGHT));
        fill(f, "weight\n", 0.3);
        add(f, "}\n");
    }
}

static void unreadable_verts(file *f)
{
    md5mesh_header(f, 1, fits_behind(f, SHORT_MESH));
    md5_one_joint(f);
    while (left(f) > 100) {
        add(f, "mesh{\nnumverts %u\n", fits_behind(f, SHORT_VERT));
        repeat(f, "vert\n", fits_behind(f, SHORT_VERT));
        add(f, "numverts %u\n}\n", fits_behind(f, SHORT_VERT));
    }
}

static void huge_mesh_counts(file *f)
{
    static const char *const count[] = {"2147483647", "-1", "2147483648", "1000000000",
                                        "-2147483648"};
    add(f, "MD5Version 10\ncommandline \"\"\nnumJoints 2147483647\nnumMeshes 2147483647\n");
    md5_one_joint(f);
    for (int i = 0; left(f) > 150; i++) {
        add(f, "mesh {\nnumverts %s\nvert 0(0 0)0 2147483647\nnumtris %s\ntri 0 0 0 2147483647\n",
            count[i % 5], count[i / 5 % 5]);
        add(f, "numweights %s\nweight 2147483647 0 1(0 0 0)\n}\n", count[i / 25 % 5]);
    }
}

/* The shortest records possible, each in its place. */
static void shortest_verts(file *f)
{
    md5mesh_header(f, 1, 1);
    md5_one_joint(f);
    unsigned n = fits_behind(f, 24);
    add(f, "mesh{shader\"\"numverts %u\n", n);
    for (unsigned i = 0; i < n; i++)
        add(f, "vert %u(0 0)0 1 ", i);
    add(f, "numtris 0 numweights 1 weight 0 0 1(0 0 0)}");
}

static void shortest_tris_and_weights(file *f)
{
    md5mesh_header(f, 1, 1);
    md5_one_joint(f);
    unsigned n = (unsigned)(left(f) / 2 / 19);
    add(f, "mesh{shader\"\"numverts 1\nvert 0(0 0)0 %u numtris %u\n", n, n);
    for (unsigned i = 0; i < n; i++)
        add(f, "tri %u 0 0 0 ", i);
    add(f, "numweights %u\n", n);
    for (unsigned i = 0; i < n; i++)
        add(f, "weight %u 0 0(0 0 0)", i);
    add(f, "}");
}

/* Triangle corners that cannot be read, and others that are counted from 1. */
static void corners_from_one(file *f)
{
    md5mesh_header(f, 1, 1);
    md5_one_joint(f);
    unsigned n = fits_behind(f, 14) / 2;
    add(f, "mesh{shader\"\"numverts 1 vert 0(0 0)0 1 numtris %u\n", 2 * n);
    repeat(f, "tri 0 a\n", n);
    repeat(f, "tri 0 1 1 1\n", n);
    add(f, "numweights 1 weight 0 0 1(0 0 0)}");
}

/* Records that are not in the order of their numbers, which needs a table to check. */
static void numbers_backwards(file *f)
{
    md5mesh_header(f, 1, fits_behind(f, 100));
    md5_one_joint(f);
    while (left(f) > 200) {
        unsigned n = fits_behind(f, 40);
        add(f, "mesh {\nshader \"\"\nnumverts %u\n", fits_behind(f, SHORT_VERT));
        for (unsigned i = n; i-- > 0;)
            add(f, "vert %u ( 0 0 ) 0 %u\n", i, n);
        add(f, "numtris 0\nnumweights %u\nweight 1 0 1 ( 0 0 0 )\n}\n",
            fits_behind(f, SHORT_WEIGHT));
    }
}

/* Every vertex uses every weight. */
static void shared_weights(file *f)
{
    md5mesh_header(f, 1, 1);
    md5_one_joint(f);
    unsigned n = (unsigned)(left(f) / 60);
    add(f, "mesh {\nshader \"\"\nnumverts %u\n", n);
    for (unsigned i = 0; i < n; i++)
        add(f, "vert %u ( 0 0 ) 0 %u\n", i, n);
    add(f, "numtris 0\nnumweights %u\n", n);
    for (unsigned i = 0; i < n; i++)
        add(f, "weight %u 0 0.125 ( 0 0 0 )\n", i);
    add(f, "}\n");
}

static void repeated_mesh_blocks(file *f)
{
    md5mesh_header(f, fits_behind(f, 30), fits_behind(f, 40));
    while (left(f) > 80) {
        add(f, "numJoints %u\n", fits_behind(f, SHORT_JOINT));
        add(f, "numMeshes %u\njoints{}", fits_behind(f, SHORT_MESH));
        add(f, "mesh{numverts %u\n", fits_behind(f, SHORT_VERT));
        add(f, "numverts %u\n}\n", fits_behind(f, SHORT_VERT));
    }
}

/* The joints at the end, when everything else has been read and holds its memory. */
static void joints_last(file *f)
{
    unsigned n = fits_behind(f, SHORT_JOINT), meshes = fits_behind(f, SHORT_MESH),
             tris = fits_behind(f, 14);
    md5mesh_header(f, n > 0 ? n : 1, meshes);
    add(f, "mesh{numverts 0 numtris %u\n", tris);
    repeat(f, "tri 0 0 0 0\n", tris);
    add(f, "numweights 0}joints{\"\"0(0 0 0)(0 0 0)}");
}

/* ---- Animations made to reserve -------------------------------------------------------------- */

static void bare_frames(file *f)
{
    unsigned n = fits_behind(f, 34);
    md5anim_header(f, n, 1, 0);
    add(f, "hierarchy{\"\"-1 0 0}bounds{");
    repeat(f, "(0 0 0)(0 0 0)", n);
    add(f, "}baseframe{(0 0 0)(0 0 0)}");
    for (unsigned i = 0; i < n; i++)
        add(f, "frame %u{}", i);
}

static void shortest_anim_joints(file *f)
{
    unsigned n = fits_behind(f, 23) > 10 ? fits_behind(f, 23) : 1;
    md5anim_header(f, 1, n, 0);
    add(f, "hierarchy{\"\"-1 0 0");
    repeat(f, "\"\"0 0 0", n - 1);
    add(f, "}bounds{(0 0 0)(1 1 1)}baseframe{");
    repeat(f, "(0 0 0)(0 0 0)", n);
    add(f, "}frame 0{}\n");
}

/* Frames reserve memory by the size of the rest, so they come first; then the lists, with the
 * shortest text possible. */
static void frames_first(file *f)
{
    unsigned n = fits_behind(f, 23), joints = fits_behind(f, 21);
    md5anim_header(f, n, joints, 7);
    add(f, "frame 0{}\nbounds{\n");
    repeat(f, "a\n", n);
    add(f, "}\nhierarchy{\n");
    repeat(f, "a\n", joints);
    add(f, "}\nbaseframe{\n");
    repeat(f, "a\n", joints);
    add(f, "}\n");
    fill(f, "\n", 1);
}

/* As many joints as fit, boxes and poses that cannot be read, and one frame in the rest. */
static void unreadable_boxes(file *f)
{
    unsigned n = fits_behind(f, 23), joints = fits_behind(f, 21);
    md5anim_header(f, n, joints, n > 6 ? 4 * n : 0);
    add(f, "hierarchy{");
    repeat(f, "\"\"0 0 0", joints);
    add(f, "}bounds{\n");
    repeat(f, "()\n", n);
    add(f, "}baseframe{\n");
    repeat(f, "()\n", joints);
    add(f, "}frame 0{");
    fill(f, "0 ", 1);
}

static void frames_first_readable(file *f)
{
    unsigned n = fits_behind(f, 23), joints = fits_behind(f, 21);
    md5anim_header(f, n, joints, 7);
    add(f, "frame 0{}bounds{");
    repeat(f, "(0 0 0)(0 0 0)", n);
    add(f, "}hierarchy{");
    repeat(f, "\"\"0 0 0", joints);
    add(f, "}baseframe{}");
    fill(f, "\n", 1);
}

static void lists_last(file *f)
{
    unsigned n = fits_behind(f, 22), joints = fits_behind(f, 21);
    md5anim_header(f, n, joints, 0);
    repeat(f, "frame 0{}\n", fits_behind(f, 11));
    add(f, "baseframe{(0 0 0)(0 0 0)}bounds{(0 0 0)(0 0 0)}hierarchy{\"\"0 0 0}");
}

static void huge_anim_counts(file *f)
{
    add(f, "MD5Version 10\ncommandline \"\"\nnumFrames 2147483647\nnumJoints 2147483647\n"
           "frameRate 2147483647\nnumAnimatedComponents 2147483647\n");
    while (left(f) > 100)
        add(f, "hierarchy{\"a\" 2147483647 63 2147483647}bounds{}baseframe{}"
               "frame 2147483647{0 1}\n");
}

/* Without numJoints, nothing bounds the components of a frame. */
static void huge_components(file *f)
{
    md5anim_header(f, fits_behind(f, 40), 0, INT32_MAX);
    add(f, "hierarchy{}bounds{}baseframe{}frame 0{");
    fill(f, "0 ", 1);
    add(f, "}\n");
}

/* As many values as possible, with two bytes for each. */
static void wide_frames(file *f)
{
    unsigned joints = (unsigned)(left(f) / 60);
    md5anim_header(f, 2, joints, 6 * joints);
    add(f, "hierarchy{");
    for (unsigned i = 0; i < joints; i++)
        add(f, "\"\"%d 63 %u", (int)i - 1, 6 * i);
    add(f, "}bounds{(0 0 0)(1 1 1)(0 0 0)(1 1 1)}baseframe{");
    repeat(f, "(0 0 0)(0 0 0)", joints);
    add(f, "}frame 0{");
    repeat(f, "0 0 0 0 0 0 ", joints);
    add(f, "}frame 1{");
    repeat(f, "0 0 0 0 0 0 ", joints);
    add(f, "}");
}

/* A frame whose first line is long, and many that miss a value: each could be compared with it. */
static void long_line_and_odd_lines(file *f)
{
    unsigned n = (unsigned)(left(f) / 120);
    md5anim_header(f, n + 1, 1, 6);
    add(f, "hierarchy{\"origin\"-1 63 0}bounds{");
    repeat(f, "(0 0 0)(1 1 1)", n + 1);
    add(f, "}baseframe{(0 0 0)(0 0 0)}frame 0{\n0 0 0 ");
    repeat(f, "          ", 6 * n);
    add(f, "\n0 0 0\n}\n");
    for (unsigned i = 1; i <= n; i++)
        add(f, "frame %u{\n0 0\n0 0 0\n}\n", i);
}

static void many_frames(file *f)
{
    unsigned n = fits_behind(f, 40);
    md5anim_header(f, n, 1, 6);
    add(f, "hierarchy{\"origin\"-1 63 0}bounds{");
    repeat(f, "(0 0 0)(1 1 1)", n);
    add(f, "}baseframe{(0 0 0)(0 0 0)}");
    for (unsigned i = 0; i < n; i++)
        add(f, "frame %u{0 0 0 0 0 0}", i);
}

static void repeated_anim_blocks(file *f)
{
    md5anim_header(f, fits_behind(f, 30), fits_behind(f, 40), fits_behind(f, 40));
    while (left(f) > 100) {
        add(f, "hierarchy{\na\n}bounds{\na\n}baseframe{\na\n}frame 0{0}\n");
        add(f, "numFrames %u\n", fits_behind(f, 23));
    }
}

/* ---- Cameras --------------------------------------------------------------------------------- */

static void camera_header(file *f, unsigned frames, unsigned cuts)
{
    add(f, "MD5Version 10\ncommandline \"\"\nnumFrames %u\nframeRate 24\nnumCuts %u\n", frames,
        cuts);
}

/* The shortest text that frames and cuts can have. */
static void shortest_camera(file *f)
{
    unsigned n = fits_behind(f, 24) > 2 ? fits_behind(f, 24) : 2;
    camera_header(f, n, n - 1);
    add(f, "cuts{");
    for (unsigned i = 1; i < n; i++)
        add(f, "%u ", i);
    add(f, "}camera{");
    repeat(f, "(0 0 0)(0 0 0)1", n);
    add(f, "}");
}

static void still_camera(file *f)
{
    unsigned n = fits_behind(f, 16);
    camera_header(f, n, 0);
    add(f, "cuts{}camera{\n");
    repeat(f, "(0 0 0)(0 0 0)1\n", n);
    add(f, "}");
}

/* Cuts that reserve by the size of the rest, and frames that cannot be read. */
static void unreadable_frames(file *f)
{
    unsigned n = fits_behind(f, 18);
    camera_header(f, n, n);
    add(f, "cuts{\n");
    repeat(f, "a\n", n / 4);
    add(f, "}camera{\n");
    repeat(f, "()\n", n);
    add(f, "}\n");
}

static void camera_before_cuts(file *f)
{
    unsigned n = fits_behind(f, 24);
    camera_header(f, n, n);
    add(f, "camera{");
    repeat(f, "(0 0 0)(0 0 0)1", n / 2);
    add(f, "}cuts{");
    fill(f, "1 ", 1);
    add(f, "}");
}

static void huge_camera_counts(file *f)
{
    camera_header(f, INT32_MAX, INT32_MAX);
    while (left(f) > 100)
        add(f, "cuts{2147483647}camera{(0 0 0)(0 0 0)1}\n");
}

/* Each line could be a key of another format, and each could be looked for in the rest. */
static void keys_of_models(file *f)
{
    add(f, "MD5Version 10\ncommandline \"\"\n");
    fill(f, "numJoints 1\nnumFrames 1\n", 1);
    add(f, "cuts{}\n");
}

static void cuts_backwards(file *f)
{
    unsigned n = (unsigned)(left(f) / 40);
    camera_header(f, n + 1, n);
    add(f, "cuts{\n");
    for (unsigned i = n; i > 0; i--)
        add(f, "%u\n", i);
    add(f, "}\ncamera{\n");
    repeat(f, "(0 0 0) (0 0 0) 1\n", n + 1);
    add(f, "}\n");
}

/* Every frame jumps, and every second one is a cut. */
static void jumping_camera(file *f)
{
    unsigned n = (unsigned)(left(f) / 44) + 2;
    camera_header(f, n, n / 20);
    add(f, "cuts{\n");
    for (unsigned i = 1; i <= n / 20; i++)
        add(f, "%u\n", 20 * i - 1);
    add(f, "}\ncamera{\n");
    for (unsigned i = 0; i < n; i++)
        add(f, "( %u 0 0 ) ( 0 0 %s ) %s\n", i % 2 * 900, i % 3 ? "0.1" : "0.9",
            i % 5 ? "60" : "6");
    add(f, "}\n");
}

static void stray_vectors(file *f)
{
    camera_header(f, 9, 0);
    add(f, "cuts{}camera{(0 0 0)(0 0 0)1");
    fill(f, "(0 0 0)", 1);
}

/* ---- Texts that are neither ------------------------------------------------------------------ */

static void braces(file *f)
{
    md5mesh_header(f, 1, 1), fill(f, "{", 1);
}
static void closed(file *f)
{
    md5mesh_header(f, 1, 1), fill(f, "joints {\nmesh {\n", 1);
}
static void quotes(file *f)
{
    md5mesh_header(f, 1, 1), fill(f, "\"", 1);
}
static void strings(file *f)
{
    md5anim_header(f, 1, 1, 1), fill(f, "\"\n", 1);
}
static void one_word(file *f)
{
    md5mesh_header(f, 1, 1), fill(f, "a", 1);
}
static void one_number(file *f)
{
    add(f, "MD5Version 10\nnumJoints "), fill(f, "9", 1);
}
static void zeros(file *f)
{
    md5mesh_header(f, 1, 1), fill(f, "0 ", 1);
}
static void comments(file *f)
{
    md5mesh_header(f, 1, 1), fill(f, "/**/", 1);
}
static void open_comments(file *f)
{
    md5mesh_header(f, 1, 1), fill(f, "/*", 1);
}
static void blanks(file *f)
{
    fill(f, " \t\r\n", 1);
}
static void long_comment(file *f)
{
    fill(f, "/", 1);
}
static void headers(file *f)
{
    fill(f, "numJoints 1\nnumMeshes 1\nnumFrames 1\n", 1);
}
static void minuses(file *f)
{
    md5anim_header(f, 1, 1, 1), add(f, "frame 0 {"), fill(f, "- ", 1);
}
static void letters(file *f)
{
    md5mesh_header(f, 1, 1), fill(f, "a\nb\nvert\nmesh\n", 1);
}

static void nuls(file *f)
{
    md5mesh_header(f, 1, 1);
    while (left(f) > 0)
        add_bytes(f, "", 1);
}

static void crs(file *f)
{
    fill(f, "\r", 1);
}
static void comments_of_cr_lines(file *f)
{
    fill(f, "//\r", 1);
}
static void keywords(file *f)
{
    md5mesh_header(f, 1, 1), md5_one_joint(f), fill(f, "mesh\njoints\n", 1);
}
static void open_strings(file *f)
{
    md5mesh_header(f, 1, 1), fill(f, "\"a\" \"b\n", 1);
}

static void long_gap(file *f, double part)
{
    add(f, " /*");
    fill(f, "x", part);
    add(f, "*/ ");
}

/* One weight with a long comment in it, which every vertex points to. */
static void commented_weight(file *f)
{
    md5mesh_header(f, 1, 1);
    md5_one_joint(f);
    unsigned n = (unsigned)(left(f) / 2 / 23);
    add(f, "mesh {\nshader \"\"\nnumverts %u\n", n);
    for (unsigned i = 0; i < n; i++)
        add(f, "vert %u ( 0 0 ) 0 1\n", i);
    add(f, "numtris 0\nnumweights 1\nweight 0");
    long_gap(f, 1);
    add(f, "0 0.5 ( 0 0 0 )\n}\n");
}

static void commented_repeat(file *f)
{
    md5mesh_header(f, 1, 1);
    md5_one_joint(f);
    unsigned n = (unsigned)(left(f) / 2 / 23);
    add(f, "mesh {\nshader \"\"\nnumverts %u\n", n);
    for (unsigned i = 0; i < n; i++)
        add(f, "vert %u ( 0 0 ) 0 2\n", i);
    add(f, "numtris 0\nnumweights 2\nweight 0 0 0.5 ( 0 0 0 )\nweight 1");
    long_gap(f, 1);
    add(f, "0 0.5 ( 0 0 0 )\n}\n");
}

static void commented_channel(file *f)
{
    unsigned n = 1 + (unsigned)(left(f) / 2 / 36);
    md5anim_header(f, 1, n, 1);
    add(f, "hierarchy {\n\"a\" -1 1");
    long_gap(f, 0.5);
    add(f, "0\n");
    repeat(f, "\"b\" 0 1 0\n", n - 1);
    add(f, "}\nbounds {\n( 0 0 0 ) ( 1 1 1 )\n}\nbaseframe {\n");
    repeat(f, "( 0 0 0 ) ( 0 0 0 )\n", n);
    add(f, "}\nframe 0 {\n0\n}\n");
}

static void same_numbers(file *f)
{
    md5mesh_header(f, 1, 1);
    md5_one_joint(f);
    add(f, "mesh {\nshader \"\"\nnumverts %u\nvert", (unsigned)(left(f) / 2 / 20));
    long_gap(f, 0.5);
    add(f, "0 ( 0 0 ) 0 1\n");
    fill(f, "vert 0 ( 0 0 ) 0 1\n", 0.9);
}

static void chain_of_joints(file *f)
{
    unsigned n = fits_behind(f, 40);
    md5mesh_header(f, n, 1);
    add(f, "joints {\n");
    for (unsigned i = 0; i < n; i++)
        add(f, "\"a\" %d ( 0 0 0 ) ( 0 0 0 )\n", i % 2 ? (int)i + 1 : (int)i - 1);
    add(f, "}\n");
}

/* ---- All of them ----------------------------------------------------------------------------- */

#define BOTH(name) SHAPE(name, "md5mesh"), SHAPE(name, "md5anim")
#define CAMERA(name) SHAPE(name, "md5camera")
static const shape shapes[] = {
    BOTH(empty_meshes),
    BOTH(shortest_meshes),
    BOTH(full_joints_then_meshes),
    BOTH(nameless_joints),
    BOTH(unreadable_joints),
    BOTH(unreadable_verts),
    BOTH(huge_mesh_counts),
    BOTH(shortest_verts),
    BOTH(shortest_tris_and_weights),
    BOTH(corners_from_one),
    BOTH(numbers_backwards),
    BOTH(shared_weights),
    BOTH(repeated_mesh_blocks),
    BOTH(joints_last),
    BOTH(lists_last),
    BOTH(bare_frames),
    BOTH(shortest_anim_joints),
    BOTH(frames_first),
    BOTH(unreadable_boxes),
    BOTH(frames_first_readable),
    BOTH(huge_anim_counts),
    BOTH(huge_components),
    BOTH(wide_frames),
    BOTH(many_frames),
    BOTH(long_line_and_odd_lines),
    BOTH(repeated_anim_blocks),
    CAMERA(shortest_camera),
    CAMERA(still_camera),
    CAMERA(unreadable_frames),
    CAMERA(camera_before_cuts),
    CAMERA(huge_camera_counts),
    CAMERA(keys_of_models),
    CAMERA(cuts_backwards),
    CAMERA(jumping_camera),
    CAMERA(stray_vectors),
    CAMERA(braces),
    CAMERA(closed),
    CAMERA(quotes),
    CAMERA(strings),
    CAMERA(one_number),
    CAMERA(zeros),
    CAMERA(comments),
    CAMERA(open_comments),
    CAMERA(minuses),
    CAMERA(crs),
    CAMERA(open_strings),
    BOTH(braces),
    BOTH(closed),
    BOTH(quotes),
    BOTH(strings),
    BOTH(one_word),
    BOTH(one_number),
    BOTH(zeros),
    BOTH(comments),
    BOTH(open_comments),
    BOTH(blanks),
    BOTH(long_comment),
    BOTH(headers),
    BOTH(minuses),
    BOTH(letters),
    BOTH(nuls),
    BOTH(crs),
    BOTH(comments_of_cr_lines),
    BOTH(keywords),
    BOTH(open_strings),
    BOTH(commented_weight),
    BOTH(commented_repeat),
    BOTH(commented_channel),
    BOTH(same_numbers),
    BOTH(chain_of_joints),
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* In well-formed text, counts are accepted even if all records are as short as possible. */
START_TEST(counts_of_existing_records_are_accepted)
{
    static const struct {
        void (*shape)(file *f);
        const char *format;
    } whole[] = {{shortest_verts, "md5mesh"},    {shortest_tris_and_weights, "md5mesh"},
                 {bare_frames, "md5anim"},       {shortest_anim_joints, "md5anim"},
                 {wide_frames, "md5anim"},       {many_frames, "md5anim"},
                 {shortest_camera, "md5camera"}, {still_camera, "md5camera"}};
    char name[16];
    file f = {.target = 20000};
    whole[_i].shape(&f);
    snprintf(name, sizeof name, "x.%s", whole[_i].format);
    linted *l = lint_bytes(name, f.bytes, f.size, NULL, false);
    ck_assert_msg(count_of(l, "md5-count-exceeds-file") == 0, "case %d: counts are refused", _i);
    char *found = describe(l, "", false);
    ck_assert_msg(l->file.status == M5_CLEAN, "case %d is flawed: %.300s", _i, found);
    free(found);
    free_linted(l);
    free(f.bytes);
}
END_TEST

/* The shortest record has 17 bytes for a joint, 15 for a vertex. */
START_TEST(counts_of_shortest_records_are_accepted)
{
    file f = {.target = 0};
    md5mesh_header(&f, 400, 1);
    add(&f, "joints{\"\"-1(0 0 0)(0 0 0)");
    repeat(&f, "\"\"0(0 0 0)(0 0 0)", 399);
    add(&f, "}mesh{shader\"\"numverts 10 ");
    for (int i = 0; i < 10; i++)
        add(&f, "vert %d(0 0)0 1\n", i);
    add(&f, "numtris 0 numweights 1 weight 0 0 1(0 0 0)}");
    linted *l = lint_bytes("x.md5mesh", f.bytes, f.size, NULL, false);
    ck_assert_uint_eq(count_of(l, "md5-count-exceeds-file"), 0);
    ck_assert_int_eq(l->file.status, M5_CLEAN);
    free_linted(l);
    free(f.bytes);
}
END_TEST

static void add_more(TCase *t)
{
    tcase_add_loop_test(t, counts_of_existing_records_are_accepted, 0, 8);
    tcase_add_test(t, counts_of_shortest_records_are_accepted);
}

int main(int argc, char **argv)
{
    return run_shapes("MD5 shapes", shapes, SHAPES, add_more, argc, argv);
}
