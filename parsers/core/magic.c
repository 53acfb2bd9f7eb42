/* Finds out by its first bytes what kind of file it is: one table of magic numbers. */
#include "magic.h"
#include "ends.h"

#include <string.h>

#define EXTENSION(name) "give the file the extension ." name
#define CONVERT "convert the file, or export the model again, in the format of its extension"
#define UNPACK "unpack the file, and put the model from it in its place"
#define DOWNLOAD "download the model itself; this is a page, maybe the one that links to it"

static const m5_magic magics[] = {
    {"IDP4", "md4", "an MD4 model", EXTENSION("md4")},
    {"ILLMESH", "illmesh", "an illmesh", EXTENSION("illmesh")},
    {"ILLSKEL", "illskel", "an illskel", EXTENSION("illskel")},
    {"ILLANIM", "illanim", "an illanim", EXTENSION("illanim")},
    {"MD5V", NULL, "an MD5 text file", EXTENSION("md5mesh, .md5anim or .md5camera")},
    {"4PDI", NULL, "an MD4 with the bytes of every number swapped (big-endian)",
     "export the file with little-endian numbers"},
    {"IDP3", NULL, "an MD3, a model format without a skeleton", CONVERT},
    {"RDM5", NULL, "an MDR, Raven's format similar to MD4", CONVERT},
    {"SKL ", NULL, "a skeleton file of the FAKK2 tools", CONVERT},
    {"IDP2", NULL, "an MD2, the model format of Quake II", CONVERT},
    {"INTERQUAKEMODEL", NULL, "an IQM model", CONVERT},
    {"Kaydara FBX", NULL, "an FBX model", CONVERT},
    {"glTF", NULL, "a glTF model", CONVERT},
    {"BLENDER", NULL, "a Blender file", "open the file in Blender and export the model from it"},
    {"version https://git-lfs", NULL, "a Git LFS pointer", "run git lfs pull to get the model"},
    {"<!", NULL, "a web page", DOWNLOAD},
    {"<html", NULL, "a web page", DOWNLOAD},
    {"<?xml", NULL, "an XML file", CONVERT},
    {"PK\3\4", "pack", "a zip archive", UNPACK},
    {"PK\5\6", "pack", "an empty zip archive", UNPACK},
    {"PACK", "pack", "a Quake pak", UNPACK},
    {"\x1f\x8b", NULL, "compressed with gzip", UNPACK},
    {"7z\xbc\xaf", NULL, "a 7-Zip archive", UNPACK},
    {"Rar!", NULL, "a RAR archive", UNPACK},
};

const m5_magic *m5_magic_of(const m5_source *s)
{
    static const m5_magic zeros = {"", NULL, "only NUL bytes", "copy or export the file again"};
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
        size_t length = strlen(magics[i].bytes);
        if (s->size >= length && memcmp(s->bytes, magics[i].bytes, length) == 0)
            return &magics[i];
    }
    return m5_source_ends_in_zeros(s, 0) ? &zeros : NULL;
}
