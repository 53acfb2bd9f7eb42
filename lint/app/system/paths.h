/* Paths as text: what they name may be gone. */
#ifndef M5_LINT_APP_SYSTEM_PATHS_H
#define M5_LINT_APP_SYSTEM_PATHS_H

#include "lint/report/whole_path.h"

#include <stdbool.h>
#include <stddef.h>

/* The current folder, or NULL without memory or if it is gone. Free it. */
char *m5_path_here(void);

/* A path from the root on, without the symbolic links of its folder; the file itself need not be
 * there. If the folder is not, the path as it is. NULL without memory. Free it. */
char *m5_path_real(const char *whole);

/* The path of an archive's member, with the archive as a folder: `name` has the archive's name, of
 * `archive` bytes, a separator, and the member's, where `\` is a slash too. NULL without memory.
 * Free it. */
char *m5_path_of_member(const char *name, size_t archive);

/* Whether programs that read our output may take the name for an option or a command at the start
 * of a line: it begins with `-`, or with `::` after any blanks. */
bool m5_path_is_risky(const char *name);

/* A copy of a path without `./` and double slashes, so that a file has one name; but a risky one
 * gets a `./` before it. NULL without memory. Free it. */
char *m5_path_clean(const char *path);

#endif
