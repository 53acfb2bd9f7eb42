/* Judges by the names of two files whether they belong together. */
#ifndef M5_LINT_CORE_FILE_NAMES_H
#define M5_LINT_CORE_FILE_NAMES_H

#include "lint/lint.h"

/* Whether a file's name begins with the name of a mesh: hero.md5mesh, hero-walk.md5anim. */
bool m5_check_is_named_after(const m5_lint_file *mesh, const m5_lint_file *f);

/* m5_check_belongs_by_name: whether a file's name is the mesh's name, except for the extension and
 * a suffix: hero.illmesh, hero.illanim, hero-walk.illanim. m5_check_kinship: how close two files
 * are: by name, then by how many folders they share, then by how long the shared name is. */
bool m5_check_belongs_by_name(const char *mesh, const char *file);
unsigned m5_check_kinship(const char *mesh, const char *file);
size_t m5_check_length_of_stem(const char *name);

#endif
