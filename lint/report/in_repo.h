/* Findings as services show them beside the files of a repository: paths are relative to its root,
 * and what is in an archive is at the archive. */
#ifndef M5_LINT_REPORT_IN_REPO_H
#define M5_LINT_REPORT_IN_REPO_H

#include "escape.h"

/* A file of the repository, and the member if it is an archive's, or NULL. */
typedef struct m5_repo_file {
    const char *path;   /* as given */
    size_t length;      /* of the path, which ends before the member's name */
    const char *member; /* its name in the archive */
} m5_repo_file;

m5_repo_file m5_repo_file_of(const m5_result *result);

/* The file of a related place. */
m5_repo_file m5_repo_file_related(const m5_root *root, const m5_result *result,
                                  const m5_source *source);

/* The path from the root. An absolute one that is not below it stays, and all do without a root.
 * Returns a copy, to be freed; or NULL when out of memory. */
char *m5_repo_path(const m5_root *root, m5_repo_file file);

/* Whether lines and columns of the file can be shown: it is text, and not in an archive. */
bool m5_repo_has_lines(const m5_result *result);

/* The number of bytes of the byte order mark that a file begins with. */
uint32_t m5_repo_mark(const m5_source *source);

/* The column, from 1, of a place that m5_lines_find has found, in UTF-16 units; a byte that is not
 * UTF-8 is one, and a byte order mark none. Returns 0 far into a line: to count there would take
 * too long in a file that is all one line. */
uint32_t m5_repo_column(const m5_source *source, uint32_t offset, m5_place place);

/* As m5_put_message; before it the place in the archive, if the file is in one. */
void m5_put_repo_message(const m5_writer *out, m5_put_text *put, const m5_result *result,
                         m5_lines *lines, const m5_finding *finding);

#endif
