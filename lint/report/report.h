/* Showing what was found. Reporters write through a writer and know nothing of files. */
#ifndef M5_LINT_REPORT_REPORT_H
#define M5_LINT_REPORT_REPORT_H

#include "collect.h"
#include "parsers/core/write.h"

/* ---- Reports --------------------------------------------------------------------------------- */

/* One file's outcome. */
typedef struct m5_result {
    const char *path;
    const char *error; /* why it could not be read; then nothing else is set */
    const m5_format *format;
    m5_lint_file *file;
    m5_shown shown;
} m5_result;

typedef struct m5_totals {
    uint64_t files, unreadable, errors, warnings, notes;
} m5_totals;

/* Of what is written to, for a report that people read. */
typedef struct m5_look {
    bool color;
    uint32_t width; /* of a line, in columns */
} m5_look;

/* A way to show results. A report is begun once, is given each file in turn, and ended once; each
 * result is gone when the call returns, so whoever needs them all together must copy. `out` stays
 * until the end. */
typedef struct m5_reporter {
    const char *name;
    void *(*begin)(const m5_writer *out, const m5_look *look); /* NULL: out of memory */
    void (*file)(void *report, const m5_result *result);
    void (*end)(void *report, const m5_totals *totals); /* and frees it */
} m5_reporter;

/* One of each name, in the order in which they are listed; NULL past the last. */
const m5_reporter *m5_reporter_at(unsigned i);

extern const m5_reporter m5_report_text, m5_report_gcc, m5_report_json;

/* ---- What they write with -------------------------------------------------------------------- */

void m5_output_bytes(const m5_writer *out, const char *bytes, size_t count);
void m5_output_string(const m5_writer *out, const char *text);

/* Text from a file or a path, fit for a terminal: control bytes, stray bytes that are no UTF-8
 * and letters that reorder a line are written as \xNN or \u{NNNN}. */
void m5_output_safe(const m5_writer *out, const char *text, size_t count);

/* `path:line:column` or, in binary formats, `path:@0x4c`. */
void m5_output_place(const m5_writer *out, const m5_source *source, m5_lines *lines,
                     uint32_t offset, bool text);

/* A line for each rule some of whose findings are not shown. */
void m5_output_hidden(const m5_writer *out, const m5_result *result);

/* The bytes that one letter takes at `p`, 0 if they are no UTF-8; its code in `*code`. */
size_t m5_utf8_letter(const uint8_t *p, size_t count, uint32_t *code);

/* The bytes that the letter at `p` takes, one if it is none; in `*columns` how many it has on a
 * terminal, written by m5_output_safe. */
size_t m5_safe_letter(const uint8_t *p, size_t count, uint32_t *columns);

/* Lines of a file, and of the last other file that one of its related places was in. */
typedef struct m5_both_lines {
    m5_lines own, other;
} m5_both_lines;
m5_lines *m5_lines_of(m5_both_lines *lines, const m5_source *source);

#endif
