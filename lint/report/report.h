/* The reporters, which show findings. They write through an m5_writer and open no files. */
#ifndef M5_LINT_REPORT_REPORT_H
#define M5_LINT_REPORT_REPORT_H

#include "collect.h"
#include "parsers/core/write.h"

/* ---- Reports --------------------------------------------------------------------------------- */

/* The result of linting one file. */
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

/* The terminal or file that a report for people is written to. */
typedef struct m5_look {
    bool color;
    bool show_pairs; /* which files were compared with which */
    uint32_t width;  /* of a line, in columns */
} m5_look;

/* A way to show results. Call `begin` once, `file` for each file in turn, and `end` once. A result
 * is valid only during the call, so a reporter that needs it later must copy it. `out` stays valid
 * until the end. */
typedef struct m5_reporter {
    const char *name;
    void *(*begin)(const m5_writer *out, const m5_look *look); /* NULL: out of memory */
    void (*file)(void *report, const m5_result *result);
    void (*end)(void *report, const m5_totals *totals); /* and frees it */
} m5_reporter;

/* The reporters in the order in which they are listed; NULL past the last. */
const m5_reporter *m5_reporter_at(unsigned i);

extern const m5_reporter m5_report_text, m5_report_gcc, m5_report_json;

/* ---- What they write with -------------------------------------------------------------------- */

void m5_output_bytes(const m5_writer *out, const char *bytes, size_t count);
void m5_output_string(const m5_writer *out, const char *text);

/* Text from a file or a path, made safe for a terminal: control characters, bytes that are not
 * UTF-8 and characters that reorder a line are written as \xNN or \u{NNNN}. */
void m5_output_safe(const m5_writer *out, const char *text, size_t count);

/* `path:line:column` or, in binary formats, `path:@0x4c`. */
void m5_output_place(const m5_writer *out, const m5_source *source, m5_lines *lines,
                     uint32_t offset, bool text);

/* Why a file of this format (NULL: unknown) cannot be linted, in words for users; NULL if it can.
 */
const char *m5_format_error(const m5_format *format);

/* One line for each rule that has findings that are not shown. */
void m5_output_hidden(const m5_writer *out, const m5_result *result);

/* The number of bytes of the character at `p`, 0 if it is not UTF-8; its code point in `*code`. */
size_t m5_utf8_letter(const uint8_t *p, size_t count, uint32_t *code);

/* The number of bytes of the character at `p`, 1 if it is not UTF-8; in `*columns` how many columns
 * it has on a terminal when m5_output_safe writes it. */
size_t m5_safe_letter(const uint8_t *p, size_t count, uint32_t *columns);

/* The lines of a file, and of the last other file that had a related place. */
typedef struct m5_both_lines {
    m5_lines own, other;
} m5_both_lines;
m5_lines *m5_lines_of(m5_both_lines *lines, const m5_source *source);

#endif
