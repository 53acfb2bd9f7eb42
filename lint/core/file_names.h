/* What the names of two files say of whether they belong together. */
#ifndef M5_LINT_CORE_FILE_NAMES_H
#define M5_LINT_CORE_FILE_NAMES_H

#include "lint/lint.h"

/* Whether a file bears the name of a mesh, with something behind it or not: hero.md5mesh,
 * hero-walk.md5anim. */
bool m5_check_is_named_after(const m5_lint_file *mesh, const m5_lint_file *f);

/* Whether two files are of the same name, but for their extensions and what stands behind the
 * mesh's name: hero.illmesh, hero.illanim, hero-walk.illanim; and how near they are: by name, then
 * by how many folders they share, then by how much of a name. */
bool m5_check_belongs_by_name(const char *mesh, const char *file);
unsigned m5_check_kinship(const char *mesh, const char *file);
size_t m5_check_length_of_stem(const char *name);

#endif
