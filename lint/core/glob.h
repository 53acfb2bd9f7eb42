/* Patterns for paths, as in .gitignore. */
#ifndef M5_LINT_CORE_GLOB_H
#define M5_LINT_CORE_GLOB_H

#include <stdbool.h>

/* Whether a pattern matches a path. `*` and `?` stand for any bytes but '/', `[a-z]` and `[!a-z]`
 * for one byte, and `\` takes the meaning from the byte after it. A pattern without a '/', but for
 * one at its end, is about the last name of the path; any other one about the whole path, where
 * `**` as a whole name stands for any number of names. A '/' at the end matches folders only. */
bool m5_glob_matches(const char *pattern, const char *path, bool folder);

/* Whether a pattern matches a file or a folder that it is in, from the first name of its path on.
 */
bool m5_glob_covers(const char *pattern, const char *path);

#endif
