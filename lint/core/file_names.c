/* Judges by the names of two files whether they belong together. */

#include "file_names.h"

#include <string.h>

size_t m5_check_length_of_stem(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot != NULL ? (size_t)(dot - name) : strlen(name);
}

static const char *base_of(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash != NULL ? slash + 1 : name;
}

bool m5_check_belongs_by_name(const char *mesh, const char *file)
{
    size_t stem = m5_check_length_of_stem(mesh);
    if (strncmp(mesh, file, stem) != 0)
        return false;
    char next = file[stem];
    return !(next >= '0' && next <= '9') && !(next >= 'a' && next <= 'z') &&
           !(next >= 'A' && next <= 'Z');
}

/* ... in any folder: models/hero.illmesh, anims/hero-walk.illanim, models/hero/walk.illanim. */
static bool belongs(const char *mesh, const char *file)
{
    return m5_check_belongs_by_name(mesh, file) ||
           m5_check_belongs_by_name(base_of(mesh), base_of(file));
}

bool m5_check_is_named_after(const m5_lint_file *mesh, const m5_lint_file *f)
{
    return belongs(mesh->source.name, f->source.name);
}

unsigned m5_check_kinship(const char *mesh, const char *file)
{
    enum { FOLDER = 4096, NAME = 1 << 30 };
    unsigned kin = 0;
    for (size_t i = 0; mesh[i] != '\0' && mesh[i] == file[i]; i++)
        kin += mesh[i] == '/' && kin < NAME - FOLDER ? FOLDER : 0;
    if (!belongs(mesh, file))
        return kin;
    size_t name = m5_check_length_of_stem(base_of(mesh));
    return NAME + kin + (unsigned)(name < FOLDER ? name : FOLDER - 1);
}
