/* The reports of a run: one on standard output, and others in files. In a GitHub job, those that it
 * reads come besides, if no format was chosen. */
#ifndef M5_LINT_APP_REPORTS_REPORTS_H
#define M5_LINT_APP_REPORTS_REPORTS_H

#include "lint/app/options/options.h"
#include "lint/app/system/times.h"
#include "lint/app/system/whole_file.h"

/* A report that is being written. */
typedef struct m5_open_report {
    const m5_reporter *reporter;
    void *report; /* the reporter's; NULL: not begun */
    m5_writer out;
    const char *path;   /* of its file; NULL: standard output */
    m5_whole_file file; /* if it is open */
    bool pauses;        /* no line of it is a command to GitHub's runner: see `token` */
    m5_times times;     /* of m5_reports_write */
} m5_open_report;

enum { M5_TOKEN_BYTES = 16, M5_RESULTS_MOST = 64 };

/* Results that are still to be written into files. */
typedef struct m5_kept_part {
    struct m5_kept_result {
        m5_result result, each; /* without, and with, findings that are folded */
        m5_lines lines;
    } list[M5_RESULTS_MOST];
    size_t count;
} m5_kept_part;

typedef struct m5_reports {
    m5_open_report *list; /* files, then standard output */
    size_t count, num_files;
    m5_kept_part *kept, *part; /* two, of which one is shown while the other is written; that one */
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

/* Begins a part of the results, counted from 0. The one before the last is written into all files.
 */
void m5_reports_begin_part(m5_reports *reports, size_t part);

/* Shows a result on standard output, and keeps it for the files: at most M5_RESULTS_MOST in a part.
 * They stay valid until the part is written. `each`: the findings for reports with M5_SHOWS_EACH,
 * if others are shown in those; or NULL. */
void m5_reports_show(m5_reports *reports, const m5_result *result, const m5_shown *each);

/* Writes a part into one of the files; each may be written by another thread, while the next part
 * is shown. */
void m5_reports_write(m5_reports *reports, size_t part, size_t file, bool time);

/* Ends all reports. Their files are written only if `done`, else they stay as they were. Returns
 * false when out of memory. */
bool m5_reports_end(m5_reports *reports, const m5_totals *totals, bool done);

/* May be called without a beginning. */
void m5_reports_free(m5_reports *reports);

#endif
