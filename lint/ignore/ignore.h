/* Comments in a file that suppress findings:
 *
 *     // md5lint: ignore RULE, RULE -- reason         on that line; alone on a line: on the next
 * one
 *     // md5lint: ignore-file RULE, RULE -- reason    in the whole file
 *
 * RULE is a rule's id or a pattern, as in m5_choice_names. Only md5mesh, md5anim, md5camera and
 * .def have such comments; before MD5Version none counts. A suppressed finding is not reported and
 * not counted by its severity, but it is still a flaw of the model, and targets still see it.
 * Findings of the rules ignore-* cannot be suppressed. */
#ifndef M5_LINT_IGNORE_IGNORE_H
#define M5_LINT_IGNORE_IGNORE_H

#include "lint/lint.h"

/* In the comments of a file so many names count. */
enum { M5_IGNORE_MOST = 256 };

/* Looks for comments, reports those that are wrong, and lets the others watch the report of the
 * file. Call it before the file is parsed, once its report, settings and format are known. False
 * when out of memory. A file without such comments is searched once for their first word. */
bool m5_ignore_begin(m5_lint_file *file, const m5_format *format);

/* Reports names that suppressed nothing. Call it after all checks of the file; later calls do
 * nothing. */
void m5_ignore_finish(m5_lint_file *file);

#endif
