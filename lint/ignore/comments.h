/* Finds the comments of a text file. */
#ifndef M5_LINT_IGNORE_COMMENTS_H
#define M5_LINT_IGNORE_COMMENTS_H

#include "lint/lint.h"

/* Called for each comment that begins with two slashes, in order; its span ends before the line
 * does. `first`: nothing but comments comes before it. */
typedef void m5_take_comment(void *user, m5_span comment, bool first);

/* Reads the whole file with the lexer of its format: what looks like a comment in a string is none.
 * Comments after a NUL byte, where loaders stop, are not found. */
void m5_comments_each(const m5_source *source, unsigned format_bit, m5_take_comment *take,
                      void *user);

/* Whether `md5lint` is anywhere in the file. */
bool m5_comments_are_likely(const m5_source *source);

#endif
