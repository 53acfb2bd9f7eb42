/* The reports of a run: one on standard output, and others in files. In a GitHub job, those that it
 * reads come besides, if no format was chosen. */
#ifndef M5_LINT_APP_REPORTS_H
#define M5_LINT_APP_REPORTS_H

#include "options.h"

#include <stdio.h>

/* A report that is being written. */
typedef struct m5_open_report {
    const m5_reporter *reporter;
    void *report; /* the reporter's; NULL: not begun */
    m5_writer out;
    FILE *file;     /* where it grows; NULL: standard output */
    size_t pending; /* bytes that come next: reports write many small pieces */
    char bytes[1 << 14];
    const char *path; /* of the file that it becomes, or is appended to */
    bool appends;
    bool pauses; /* no line of it is a command to GitHub's runner: see `token` */
} m5_open_report;

enum { M5_TOKEN_BYTES = 16 };

typedef struct m5_reports {
    m5_open_report *list;
    size_t count;
    char *root, *given, *folder; /* the roots of paths in reports, as it is and as it was given, and
                                  * the current folder; with a `/` each */
    char token[2 * M5_TOKEN_BYTES + 1]; /* the line `::token::` makes the runner listen again */
    const m5_writer *err;
    bool failed; /* a file could not be written, which was reported */
} m5_reports;

/* Begins all reports. `look` is that of standard output, `out`. Returns false when out of memory or
 * if a file cannot be written: see `failed`. */
bool m5_reports_begin(m5_reports *reports, const m5_options *options, const m5_look *look,
                      const m5_writer *out, const m5_writer *err);

void m5_reports_file(m5_reports *reports, const m5_result *result);

/* Ends all reports. Their files are written only if `done`, else they stay as they were. Returns
 * false when out of memory. */
bool m5_reports_end(m5_reports *reports, const m5_totals *totals, bool done);

/* May be called without a beginning. */
void m5_reports_free(m5_reports *reports);

#endif
