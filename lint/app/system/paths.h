/* Paths from the root on, compared as text: what they name may be gone. */
#ifndef M5_LINT_APP_SYSTEM_PATHS_H
#define M5_LINT_APP_SYSTEM_PATHS_H

#include <stddef.h>

/* The current folder, or NULL without memory or if it is gone. Free it. */
char *m5_path_here(void);

/* A path in a folder, which is from the root on, without `.`, `..` and empty names; NULL without
 * memory. Free it. */
char *m5_path_whole(const char *folder, const char *path);

/* A path from the root on, without the symbolic links of its folder; the file itself need not be
 * there. If the folder is not, the path as it is. NULL without memory. Free it. */
char *m5_path_real(const char *whole);

/* The path of an archive's member, with the archive as a folder: `name` has the archive's name, of
 * `archive` bytes, a separator, and the member's, where `\` is a slash too. NULL without memory.
 * Free it. */
char *m5_path_of_member(const char *name, size_t archive);

#endif
