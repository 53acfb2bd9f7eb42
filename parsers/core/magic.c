/* Finds out by its first bytes what kind of file it is: one table of magic numbers. */
#include "magic.h"
#include "ends.h"

#include <string.h>

#define ILL "an illmesh, illskel or illanim file"

static const m5_magic magics[] = {
    {"IDP4", "md4", "an MD4", NULL},
    {"ILLMESH", "illmesh", ILL, NULL},
    {"ILLSKEL", "illskel", ILL, NULL},
    {"ILLANIM", "illanim", ILL, NULL},
    {"MD5V", NULL, "an MD5 text file", NULL},
    {"4PDI", NULL, "big-endian, with the bytes of every number swapped", NULL},
    {"IDP3", NULL, "an MD3, id Software's model format without a skeleton", NULL},
    {"RDM5", NULL, "an MDR, Raven's format similar to MD4", NULL},
    {"SKL ", NULL, "a skeleton file of the FAKK2 tools", NULL},
    {"IDP2", NULL, "an MD2, Quake II's model format", NULL},
    {"version https://git-lfs", NULL, NULL, "a Git LFS pointer: run git lfs pull to get the model"},
    {"<!", NULL, NULL, "a web page"},
    {"<html", NULL, NULL, "a web page"},
    {"<?xml", NULL, NULL, "an XML file"},
    {"Kaydara FBX", NULL, NULL, "an FBX model"},
    {"glTF", NULL, NULL, "a glTF model"},
    {"BLENDER", NULL, NULL, "a Blender file"},
    {"PK\3\4", NULL, NULL, "a zip archive"},
    {"\x1f\x8b", NULL, NULL, "compressed with gzip"},
    {"7z\xbc\xaf", NULL, NULL, "a 7-Zip archive"},
    {"Rar!", NULL, NULL, "a RAR archive"},
};

const m5_magic *m5_magic_of(const m5_source *s)
{
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
        size_t length = strlen(magics[i].bytes);
        if (s->size >= length && memcmp(s->bytes, magics[i].bytes, length) == 0)
            return &magics[i];
    }
    return NULL;
}

const char *m5_magic_foreign(const m5_source *s)
{
    const m5_magic *magic = m5_magic_of(s);
    if (magic != NULL)
        return magic->other;
    return m5_source_ends_in_zeros(s, 0) ? "only NUL bytes: copy or export it again" : NULL;
}
