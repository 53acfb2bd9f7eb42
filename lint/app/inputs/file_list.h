/* Lists of files, as `git ls-files` or `find` write them. */
#ifndef M5_LINT_APP_INPUTS_FILE_LIST_H
#define M5_LINT_APP_INPUTS_FILE_LIST_H

#include <stdbool.h>
#include <stdio.h>

/* Called for each entry; false ends the reading. */
typedef bool (*m5_entry)(void *user, const char *entry);

/* Reads a list with an entry on each line or, if `nul`, with a NUL byte after each. `path` may be
 * `-` for standard input, or a pipe. Returns false if the callback did or memory is short. *error
 * is why the list could not be read, or NULL. */
bool m5_file_list_read(const char *path, bool nul, m5_entry take, void *user, const char **error);

/* The same for an open file, whose entries end with `end`. *error is NULL before. */
bool m5_file_list_read_open(FILE *in, int end, m5_entry take, void *user, const char **error);

#endif
