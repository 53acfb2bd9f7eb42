/* Prints --help from the table of options. */
#include "reading.h"

#include <string.h>

enum { WIDTH = 100, COLUMN = 24 };

static const char usage[] =
    "usage: md5lint [options] FILE|FOLDER...\n"
    "\n"
    "Checks md5mesh, md5anim, md5camera, md4, illmesh, illskel, illanim and def files, and whether\n"
    "files that belong together fit each other. Of an archive (pk4, pk3, dpk, kpf, zip, pak) it\n"
    "checks the archive itself and the models in it:\n"
    "\n"
    "    md5lint model.md5mesh walk.md5anim run.md5anim\n"
    "    md5lint model.illmesh model.illskel walk.illanim\n"
    "    md5lint models                       all models and archives in a folder and below it\n"
    "    md5lint pak000.pk4\n"
    "    md5lint --game=base --game=mod       a game with its mod\n"
    "\n"
    "An animation is compared with the mesh that has the same joints, an illanim or illmesh with\n"
    "its skeleton. The order of the files does not matter. FILE may be `-` for standard input.\n";

static void put_blanks(const m5_writer *out, size_t count)
{
    while (count-- > 0)
        m5_output_string(out, " ");
}

/* How many bytes of a text fit into a line; lines end at blanks. */
static size_t line_length(const char *text, size_t room)
{
    size_t length = strlen(text), end = 0;
    if (length <= room)
        return length;
    for (size_t i = 0; i <= room; i++)
        if (text[i] == ' ')
            end = i;
    return end != 0 ? end : strcspn(text, " ");
}

/* Text from the current `column` on, and in further lines from `indent` on. */
static void put_text(const m5_writer *out, const char *text, size_t column, size_t indent)
{
    for (;;) {
        size_t length = line_length(text, WIDTH - column);
        m5_output_bytes(out, text, length);
        m5_output_string(out, "\n");
        text += length + (text[length] == ' ');
        if (*text == '\0')
            return;
        put_blanks(out, indent);
        column = indent;
    }
}

static void put_option(const m5_writer *out, const char *name, char letter, const char *value,
                       const char *text)
{
    size_t column = 2 + 2 + strlen(name) + strlen(value);
    put_blanks(out, 2);
    if (letter != 0) {
        m5_write(out, "-%c, ", letter);
        column += 4;
    }
    m5_write(out, "--%s%s", name, value);
    put_blanks(out, column + 2 < COLUMN ? COLUMN - column : 2);
    put_text(out, text, column + 2 < COLUMN ? COLUMN : column + 2, COLUMN);
}

void m5_print_help(const m5_writer *out)
{
    m5_output_string(out, usage);
#define SECTION(title) m5_output_string(out, "\n" title "\n");
#define PARAGRAPH(text) put_blanks(out, 2), put_text(out, text, 2, 2);
#define OPTION(id, name, letter, value, text) put_option(out, name, letter, value, text);
#include "options.def"
}
