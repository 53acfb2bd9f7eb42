/* Expensive files of declarations: parsing and linting them must not need more memory than m5.h
 * promises. tests/gates/linear counts the steps. */
#include "hostile_files.h"

/* A piece again and again, and then an end. */
static void all_of(file *f, const char *piece, const char *end)
{
    while (left(f) > strlen(piece) + strlen(end))
        add_bytes(f, piece, strlen(piece));
    add(f, "%s", end);
}

/* ---- Records of few bytes ---------------------------------------------------------------------
 */

static void models(file *f)
{
    all_of(f, "model\"\"{}", "");
}
static void entities(file *f)
{
    add(f, "model a{}");
    all_of(f, "a{}", "");
}
static void lines(file *f)
{
    add(f, "model a{");
    all_of(f, "mesh\"\"", "}");
}
static void offsets(file *f)
{
    add(f, "model a{");
    all_of(f, "offset(0 0 0)", "}");
}
static void channels(file *f)
{
    add(f, "model a{mesh\"\"");
    all_of(f, "channel a()", "}");
}
static void joints_of_signs(file *f)
{
    add(f, "model a{mesh\"\"channel torso(");
    all_of(f, ",", ")}");
}
static void joints_of_minuses(file *f)
{
    add(f, "model a{mesh\"\"channel torso(");
    all_of(f, "-*a ", ")}");
}
static void joints_in_two_channels(file *f)
{
    add(f, "model a{mesh\"\"");
    all_of(f, "channel torso(a b c)", "}");
}
static void anims(file *f)
{
    add(f, "model a{mesh\"\"");
    all_of(f, "anim\"\"1", "}");
}
static void files_of_anims(file *f)
{
    add(f, "model a{mesh\"\"");
    all_of(f, "anim ab 1,1,1", "}");
}
static void too_many_files(file *f)
{
    add(f, "model a{mesh\"\"anim ab a");
    all_of(f, ",1", "}");
}
static void commands(file *f)
{
    add(f, "model a{mesh\"\"anim ab a{");
    all_of(f, "frame 1a ", "}}");
}
static void commands_without_number(file *f)
{
    add(f, "model a{mesh\"\"anim ab a{");
    all_of(f, "frame a\n", "}}");
}
static void keys(file *f)
{
    add(f, "entityDef a{");
    all_of(f, "\"anim\"1", "}");
}
static void other_keys(file *f)
{
    add(f, "entityDef a{");
    all_of(f, "\"\"1", "}");
}

/* ---- Flaws -------------------------------------------------------------------------------------
 */

static void unclosed_models(file *f)
{
    all_of(f, "model a{\n", "");
}
static void unclosed_others(file *f)
{
    all_of(f, "skin a{\n", "");
}
static void unclosed_anims(file *f)
{
    add(f, "model a{mesh\"\"");
    all_of(f, "\nanim a a.md5anim{", "");
}
static void extra_braces(file *f)
{
    all_of(f, "model a{}}\n", "");
}
static void opening_braces(file *f)
{
    add(f, "model a{}");
    all_of(f, "{", "");
}
static void strays(file *f)
{
    add(f, "model a{}");
    all_of(f, "a ", "");
}
static void misspelt_types(file *f)
{
    all_of(f, "entityDfe\n", "modle a{}");
}
static void misspelt_keys(file *f)
{
    add(f, "model a{mesh\"\"");
    all_of(f, "chanel\n", "}");
}
static void misspelt_commands(file *f)
{
    add(f, "model a{mesh\"\"anim ab a{");
    all_of(f, "frame 1 muzle_flash\n", "}}");
}
static void open_strings(file *f)
{
    add(f, "entityDef a{");
    all_of(f, "\"\n", "}");
}
static void one_long_line(file *f)
{
    add(f, "entityDef a{");
    all_of(f, "\"a\" \"b\" ", "}");
}
static void unquoted_line(file *f)
{
    add(f, "entityDef a{");
    all_of(f, "a ", "\"}");
}
static void values_missing(file *f)
{
    add(f, "entityDef a{");
    all_of(f, "\"a\"\n\"b\"\"c\"\n", "}");
}
static void odd_bytes(file *f)
{
    add(f, "model a{");
    all_of(f, "@", "}");
}
static void names_with_signs(file *f)
{
    add(f, "model a{mesh a");
    all_of(f, "-", "}");
}

/* ---- Text --------------------------------------------------------------------------------------
 */

static void comments(file *f)
{
    add(f, "model a{");
    all_of(f, "/*a*/", "}");
}
static void open_comments(file *f)
{
    add(f, "model a{} ");
    all_of(f, "/*a", "");
}
static void comment_lines(file *f)
{
    add(f, "a");
    all_of(f, "//\n", "{\"a\"\"b\"}");
}
static void parts_of_strings(file *f)
{
    add(f, "entityDef a{\"a\" \"b\"");
    all_of(f, "\\\"\"", "}");
}
static void blanks(file *f)
{
    add(f, "model a{}");
    all_of(f, "\n", "");
}
static void long_names(file *f)
{
    add(f, "model ");
    all_of(f, "aaaaaaaaaaaaaaaa", "{}");
}

/* ---- Names that are sorted ---------------------------------------------------------------------
 */

/* Each finding has the model's name in its path. */
static void long_name_of_many(file *f)
{
    unsigned n = fits(f, 32);
    add(f, "model ");
    for (unsigned i = 0; i < n; i++)
        add(f, "0123456789abcdef");
    add(f, " {\nmesh a.md5mesh\n");
    for (unsigned i = 0; i < n; i++)
        add(f, "anim x a.md5ani\n");
    add(f, "}\n");
}

static void same_models(file *f)
{
    all_of(f, "model a{mesh b.md5mesh}\n", "");
}
static void one_large_same_model(file *f)
{
    size_t half = left(f) / 2;
    add(f, "model a{");
    while (f->size < half)
        add(f, "skin b\n");
    add(f, "}");
    all_of(f, "model a{skin b skin c}\n", "");
}
static void same_anims(file *f)
{
    add(f, "model a{mesh b.md5mesh\n");
    all_of(f, "anim idle b.md5anim\n", "}");
}
static void same_keys(file *f)
{
    add(f, "entityDef a{");
    all_of(f, "\"a\" \"b\"\n\"A\" \"c\"\n", "}");
}
static void different_names(file *f)
{
    for (unsigned i = 0; left(f) > 40; i++)
        add(f, "model m%u{mesh a.md5mesh}\ne%u{\"k%u\" \"1\"}\n", i * 7919 % 10007, i, i);
}

static const shape shapes[] = {
    SHAPE(models, "def"),
    SHAPE(entities, "def"),
    SHAPE(lines, "def"),
    SHAPE(offsets, "def"),
    SHAPE(channels, "def"),
    SHAPE(joints_of_signs, "def"),
    SHAPE(joints_of_minuses, "def"),
    SHAPE(joints_in_two_channels, "def"),
    SHAPE(anims, "def"),
    SHAPE(files_of_anims, "def"),
    SHAPE(too_many_files, "def"),
    SHAPE(commands, "def"),
    SHAPE(commands_without_number, "def"),
    SHAPE(keys, "def"),
    SHAPE(other_keys, "def"),
    SHAPE(unclosed_models, "def"),
    SHAPE(unclosed_others, "def"),
    SHAPE(unclosed_anims, "def"),
    SHAPE(extra_braces, "def"),
    SHAPE(opening_braces, "def"),
    SHAPE(strays, "def"),
    SHAPE(misspelt_types, "def"),
    SHAPE(misspelt_keys, "def"),
    SHAPE(misspelt_commands, "def"),
    SHAPE(open_strings, "def"),
    SHAPE(one_long_line, "def"),
    SHAPE(unquoted_line, "def"),
    SHAPE(values_missing, "def"),
    SHAPE(odd_bytes, "def"),
    SHAPE(names_with_signs, "def"),
    SHAPE(comments, "def"),
    SHAPE(open_comments, "def"),
    SHAPE(comment_lines, "def"),
    SHAPE(parts_of_strings, "def"),
    SHAPE(blanks, "def"),
    SHAPE(long_names, "def"),
    SHAPE(long_name_of_many, "def"),
    SHAPE(same_models, "def"),
    SHAPE(one_large_same_model, "def"),
    SHAPE(same_anims, "def"),
    SHAPE(same_keys, "def"),
    SHAPE(different_names, "def"),
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

int main(int argc, char **argv)
{
    return run_shapes("def shapes", shapes, SHAPES, NULL, argc, argv);
}
