/* Expensive files in the ill* formats: parsing and linting them must not need more memory than m5.h
 * promises. tests/gates/linear counts the steps. */
#include "hostile_files.h"

/* ---- illmesh -------------------------------------------------------------------------------- */

static unsigned words_of(unsigned mask)
{
    static const uint8_t words[] = {3, 3, 6, 2, 8, 4};
    unsigned sum = 0;
    for (unsigned i = 0; i < 6; i++)
        sum += mask >> i & 1 ? words[i] : 0;
    return sum;
}

static void mesh_header(file *f, unsigned mask, unsigned verts, unsigned indices)
{
    add(f, "ILLMESH0\n");
    for (unsigned i = 0; i < 6; i++)
        add(f, "%u ", mask >> i & 1);
    add(f, "%u %u\n", verts, indices);
}

/* As many vertices as fit into this part of the file, with two bytes for each word, and then
 * indices. */
static void dense_mesh(file *f, unsigned mask, double part)
{
    unsigned words = words_of(mask), all = fits(f, 2);
    unsigned verts = words == 0 ? 1 : (unsigned)(all * part) / words;
    unsigned indices = (all - verts * words) / 3 * 3;
    mesh_header(f, mask, verts, indices);
    repeat(f, "0 ", (size_t)verts * words + indices);
}

static void mesh_positions(file *f)
{
    dense_mesh(f, 1, 0.999);
}
static void mesh_texcoords(file *f)
{
    dense_mesh(f, 8, 0.999);
}
static void mesh_of_all(file *f)
{
    dense_mesh(f, 63, 0.5);
}
static void mesh_of_indices(file *f)
{
    dense_mesh(f, 1, 0.001);
}
static void mesh_of_nothing(file *f)
{
    dense_mesh(f, 0, 0);
}

/* A file of rows with a wrong count, in which every line is flawed. */
static void mesh_lines_flawed(file *f)
{
    unsigned verts = fits(f, 22);
    mesh_header(f, 9, verts, 3);
    repeat(f, "0 0 0\n0 0\n", 20);
    while (left(f) > 60)
        add(f, "0 0 0 0\n0\n1 1 1\n0 0 0\nx\n0 0\n");
}

static void mesh_long_lines(file *f)
{
    mesh_header(f, 1, fits(f, 200), 3);
    repeat(f, "0 0 0\n", 20);
    while (left(f) > 5000) {
        repeat(f, "0 ", 2000);
        repeat(f, "\n0 0 0", 3);
        add(f, "\n");
    }
}

/* Both counts claim the rest of the file. Rows of vertices are expected, but all lines have two
 * words, so that each can only be one certain row of the next vertex. */
static void mesh_rows_missing(file *f)
{
    unsigned words = fits(f, 2);
    mesh_header(f, 63, words / 26, words / 3 * 3);
    repeat(f, "0 0 0\n0 0 0\n0 0 0\n0 0 0\n0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n", 3);
    fill(f, "0 0\n", 0.1);
    fill(f, "0 0 0\n", 1);
}

static void mesh_one_line(file *f)
{
    mesh_header(f, 1, 7, 3);
    repeat(f, "0 0 0\n", 20);
    fill(f, "0 ", 1);
}

static void mesh_comments(file *f)
{
    mesh_header(f, 1, 7, 3);
    repeat(f, "0 0 0\n", 20);
    fill(f, "// x\n", 1);
}

static void mesh_hashes(file *f)
{
    mesh_header(f, 1, fits(f, 8), 3), fill(f, "0 0 0\n#\n", 1);
}
static void mesh_glued(file *f)
{
    mesh_header(f, 1, fits(f, 6), 0), fill(f, "0-1-2\n", 1);
}
static void mesh_one_glued(file *f)
{
    mesh_header(f, 1, 1, 0);
    add(f, "0 0 0");
    fill(f, "-1.5", 1);
}

static void mesh_minuses(file *f)
{
    mesh_header(f, 1, 1, 0), fill(f, "-", 1);
}
static void mesh_no_numbers(file *f)
{
    mesh_header(f, 1, fits(f, 12), 0);
    fill(f, "nan nan nan\n", 1);
}

static void mesh_one_word(file *f)
{
    mesh_header(f, 1, 1, 0), fill(f, "9", 1);
}
static void mesh_blanks(file *f)
{
    mesh_header(f, 1, 1, 3);
    add(f, "0");
    fill(f, " \n", 1);
    add(f, "0 0 9 9 9");
}

/* Each vertex has every flaw that the linter checks. */
static void mesh_values_odd(file *f)
{
    unsigned verts = fits(f, 110) + 1;
    mesh_header(f, 63, verts, 3);
    for (unsigned i = 0; i < verts; i++)
        add(f, "9 9 9\n9 9 9\n9 9 9\n9 9 9\n99 99\n2.5 200 200 200\n-1 2 -3 4\n9 9 9 9\n");
    add(f, "0 0 0\n");
}

static void mesh_indices_beyond(file *f)
{
    unsigned indices = fits(f, 2) / 3 * 3;
    mesh_header(f, 1, 1, indices);
    add(f, "0 0 0\n");
    repeat(f, "9 ", indices);
}

/* The only vertex has a long gap between its first word and the others. */
static void mesh_far_words(file *f)
{
    mesh_header(f, 24, 1, 0);
    add(f, "0.5 0.5 1 1 1 1 ");
    fill(f, "\t", 1);
    add(f, "-1 -1 -1 -1\n");
}

#define LETTERS "abcdefghijklmnopqrstuvwxyz"
#define LONG_NAME LETTERS LETTERS LETTERS "\n"

/* ---- illskel -------------------------------------------------------------------------------- */

static void skel_of(file *f, int32_t (*parent)(unsigned i, unsigned bones), const char *name)
{
    unsigned bones = fits(f, 32 + 6 + strlen(name)) + 1;
    add(f, "ILLSKEL0 %u\n", bones);
    repeat(f, "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ", bones);
    for (unsigned i = 0; i < bones; i++)
        add(f, "%d ", parent(i, bones));
    for (unsigned i = 0; i < bones; i++)
        add_bytes(f, name, strlen(name));
}

static int32_t up_one(unsigned i, unsigned bones)
{
    (void)bones;
    return (int32_t)i - 1;
}
static int32_t up_first(unsigned i, unsigned bones)
{
    (void)bones;
    return i == 0 ? -1 : 0;
}
static int32_t down_one(unsigned i, unsigned bones)
{
    return i + 1 < bones ? (int32_t)i + 1 : -1;
}
static int32_t in_pairs(unsigned i, unsigned bones)
{
    return (i ^ 1) < bones ? (int32_t)(i ^ 1) : 0;
}

static int32_t around(unsigned i, unsigned bones)
{
    return (int32_t)((i + 1) % bones);
}
static int32_t beyond(unsigned i, unsigned bones)
{
    (void)i;
    return (int32_t)bones + 1;
}
static int32_t to_root_or_pair(unsigned i, unsigned bones)
{
    return i < 2 ? -2 : in_pairs(i, bones);
}

/* All bones are descendants of the last two, which are each other's parents; no bone is a root. */
static int32_t into_loop(unsigned i, unsigned bones)
{
    return (int32_t)bones - (i + 2 == bones ? 1 : 2);
}

static void skel_chain(file *f)
{
    skel_of(f, up_one, "a ");
}
static void skel_chain_reversed(file *f)
{
    skel_of(f, down_one, "a ");
}
static void skel_star(file *f)
{
    skel_of(f, up_first, "a ");
}
static void skel_loops(file *f)
{
    skel_of(f, in_pairs, "a ");
}
static void skel_loops_and_roots(file *f)
{
    skel_of(f, to_root_or_pair, "a ");
}
static void skel_one_loop(file *f)
{
    skel_of(f, around, "a ");
}
static void skel_into_loop(file *f)
{
    skel_of(f, into_loop, "a ");
}
static void skel_parents_beyond(file *f)
{
    skel_of(f, beyond, "a ");
}
static void skel_long_names(file *f)
{
    skel_of(f, up_first, LONG_NAME);
}

/* A file of rows whose header has one bone more than the file. */
static void skel_lines_missing(file *f)
{
    unsigned bones = fits(f, 38);
    add(f, "ILLSKEL0\n%u\n", bones);
    repeat(f, "1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n", 5);
    fill(f, "0 0 0 0\n0 0\n", 0.8);
    fill(f, "0\n", 0.6);
    fill(f, "a\n", 1);
}

/* A file of rows. Whether a line is a name or an extra line depends on all names after it. */
static void skel_names(file *f, const char *before, const char *name)
{
    unsigned bones = fits(f, 34 + strlen(name)) + 1;
    add(f, "ILLSKEL0\n%u\n", bones);
    repeat(f, "1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n", bones);
    add(f, "-1\n");
    repeat(f, "0\n", bones - 1);
    add(f, "%s", before);
    repeat(f, name, bones);
}

static void skel_names_with_blanks(file *f)
{
    skel_names(f, "", "a b\n");
}
static void skel_line_before_names(file *f)
{
    skel_names(f, "a b\n", "a\n");
}

static void skel_letters(file *f)
{
    add(f, "ILLSKEL0 %u\n", fits(f, 36)), fill(f, "a ", 1);
}

/* The number of extra words is the same for any size, as their explanation depends on it. */
static void skel_numbers(file *f)
{
    unsigned bones = fits(f, 2 * 18);
    add(f, "ILLSKEL0 %u\n", bones);
    repeat(f, "0 ", 18 * (size_t)bones + 5);
}

static void skel_cut(file *f)
{
    add(f, "ILLSKEL0 4000000000\n");
    fill(f, "0 0 0 0\n", 1);
    add_bytes(f, "", 1);
}

/* ---- illanim -------------------------------------------------------------------------------- */

static void anim_of(file *f, unsigned bones, unsigned frames, const char *name, const char *key)
{
    add(f, "ILLANIM0 24 %u %u\n", frames, bones);
    for (unsigned i = 0; i < bones; i++) {
        add_bytes(f, name, strlen(name));
        repeat(f, key, frames);
    }
}

static const char short_key[] = "0 0 0 0 0 0 0 0 0 0 ", rows_key[] = "0 0 0\n0 0 0 9\n0 0 0\n";

static void anim_one_key_each(file *f)
{
    anim_of(f, fits(f, 22), 1, "a ", short_key);
}
static void anim_one_bone(file *f)
{
    anim_of(f, 1, fits(f, 20), "a ", short_key);
}
static void anim_square(file *f)
{
    anim_of(f, fits(f, 602), 30, "a\n", rows_key);
}
static void anim_long_names(file *f)
{
    anim_of(f, fits(f, 100), 1, LONG_NAME, rows_key);
}
/* Most lines of each key are missing; a NUL at the end keeps the count from being judged. */
static void anim_rows_missing_and_cut(file *f)
{
    add(f, "ILLANIM0\n24\n4\n4000000000\na\n");
    repeat(f, rows_key, 4);
    fill(f, "a\n0 0 0\n0 0 0 0\n", 1);
    add_bytes(f, "", 1);
}

static void anim_no_numbers(file *f)
{
    anim_of(f, fits(f, 42), 1, "a ", "nan nan nan nan nan nan nan nan nan nan ");
}

static void anim_letters(file *f)
{
    add(f, "ILLANIM0 24 1 %u\n", fits(f, 22)), fill(f, "a ", 1);
}
static void anim_no_bones(file *f)
{
    add(f, "ILLANIM0 24 %u 0\n", fits(f, 20)), fill(f, "0 ", 1);
}

/* A name and some rows of a key; all other rows of its keys are missing. */
static void anim_rows_missing(file *f)
{
    add(f, "ILLANIM0\n24\n4\n%u\na\n", fits(f, 2 * 41));
    repeat(f, rows_key, 4);
    fill(f, "a\n0 0 0\n0 0 0 0\n", 1);
}

/* The same mistake in every record, for which there are several explanations. */
static void anim_scales_missing(file *f)
{
    anim_of(f, fits(f, 20), 1, "a\n", "0 0 0\n0 0 0 1\n");
}

static void skel_rows_missing(file *f)
{
    unsigned bones = fits(f, 28);
    add(f, "ILLSKEL0\n%u\n", bones);
    repeat(f, "1 0 0 0\n", 3 * (size_t)bones);
    repeat(f, "0\n", bones);
    repeat(f, "a\n", bones);
}

static void mesh_joined_lines(file *f)
{
    unsigned verts = fits(f, 24);
    mesh_header(f, 3, verts / 2 * 2, 0);
    repeat(f, "0 0 00 0 1\n0 0 0\n0 0 1\n", verts / 2);
}

static void anim_lines_flawed(file *f)
{
    add(f, "ILLANIM0\n24\n3\n%u\n", fits(f, 70));
    while (left(f) > 100)
        add(f, "a\n%s%s0 0 0 0 0\n1\n0 0 0\nb c\n", rows_key, rows_key);
}

/* ---- All of them ---------------------------------------------------------------------------- */

static const shape shapes[] = {
    SHAPE(mesh_positions, "illmesh"),
    SHAPE(mesh_texcoords, "illmesh"),
    SHAPE(mesh_of_all, "illmesh"),
    SHAPE(mesh_of_indices, "illmesh"),
    SHAPE(mesh_of_nothing, "illmesh"),
    SHAPE(mesh_rows_missing, "illmesh"),
    SHAPE(mesh_joined_lines, "illmesh"),
    SHAPE(skel_rows_missing, "illskel"),
    SHAPE(anim_scales_missing, "illanim"),
    SHAPE(mesh_lines_flawed, "illmesh"),
    SHAPE(mesh_long_lines, "illmesh"),
    SHAPE(mesh_one_line, "illmesh"),
    SHAPE(mesh_comments, "illmesh"),
    SHAPE(mesh_hashes, "illmesh"),
    SHAPE(mesh_glued, "illmesh"),
    SHAPE(mesh_one_glued, "illmesh"),
    SHAPE(mesh_minuses, "illmesh"),
    SHAPE(mesh_no_numbers, "illmesh"),
    SHAPE(mesh_one_word, "illmesh"),
    SHAPE(mesh_blanks, "illmesh"),
    SHAPE(mesh_values_odd, "illmesh"),
    SHAPE(mesh_indices_beyond, "illmesh"),
    SHAPE(mesh_far_words, "illmesh"),
    SHAPE(skel_chain, "illskel"),
    SHAPE(skel_chain_reversed, "illskel"),
    SHAPE(skel_star, "illskel"),
    SHAPE(skel_loops, "illskel"),
    SHAPE(skel_loops_and_roots, "illskel"),
    SHAPE(skel_one_loop, "illskel"),
    SHAPE(skel_into_loop, "illskel"),
    SHAPE(skel_parents_beyond, "illskel"),
    SHAPE(skel_long_names, "illskel"),
    SHAPE(skel_lines_missing, "illskel"),
    SHAPE(skel_names_with_blanks, "illskel"),
    SHAPE(skel_line_before_names, "illskel"),
    SHAPE(skel_letters, "illskel"),
    SHAPE(skel_numbers, "illskel"),
    SHAPE(skel_cut, "illskel"),
    SHAPE(anim_one_key_each, "illanim"),
    SHAPE(anim_one_bone, "illanim"),
    SHAPE(anim_square, "illanim"),
    SHAPE(anim_long_names, "illanim"),
    SHAPE(anim_no_numbers, "illanim"),
    SHAPE(anim_letters, "illanim"),
    SHAPE(anim_no_bones, "illanim"),
    SHAPE(anim_rows_missing, "illanim"),
    SHAPE(anim_rows_missing_and_cut, "illanim"),
    SHAPE(anim_lines_flawed, "illanim"),
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

START_TEST(memory_is_bounded_for_any_parts_of_a_vertex)
{
    static const double part[] = {0.999, 0.7, 0.3, 0};
    for (int k = 0; k < 4; k++) {
        file f = {.target = 300000};
        dense_mesh(&f, (unsigned)_i, part[k]);
        check_memory(format_named("illmesh"), &f, "dense_mesh");
        free(f.bytes);
    }
}
END_TEST

static void add_more(TCase *t)
{
    tcase_add_loop_test(t, memory_is_bounded_for_any_parts_of_a_vertex, 0, 64);
}

int main(int argc, char **argv)
{
    return run_shapes("ill shapes", shapes, SHAPES, add_more, argc, argv);
}
