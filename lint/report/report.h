/* Showing what was found. Reporters write through a callback and know nothing of files. */
#ifndef M5_LINT_REPORT_REPORT_H
#define M5_LINT_REPORT_REPORT_H

#include "collect.h"
#include "parsers/core/text.h"

typedef struct m5_output {
    void (*write)(void *user, const char *bytes, size_t count);
    void *user;
} m5_output;

void m5_output_bytes(const m5_output *out, const char *bytes, size_t count);
void m5_output_string(const m5_output *out, const char *text);

/* Formats as m5_text_format does; what a file may have had a say in goes through m5_output_safe. */
void m5_output_format(const m5_output *out, const char *format, ...) M5_PRINTF(2, 3);

/* Text from a file or a path, fit for a terminal: control bytes, stray bytes that are no UTF-8
 * and letters that reorder a line are written as \xNN or \u{NNNN}. */
void m5_output_safe(const m5_output *out, const char *text, size_t count);

/* The bytes that one letter takes at `p`, 0 if they are no UTF-8; its code in `*code`. */
size_t m5_utf8_letter(const uint8_t *p, size_t count, uint32_t *code);

/* The bytes that the letter at `p` takes, one if it is none; in `*columns` how many it has on a
 * terminal, written by m5_output_safe. */
size_t m5_safe_letter(const uint8_t *p, size_t count, uint32_t *columns);

/* A path in a model, `mesh[0].tri[7]`, into a small buffer. */
void m5_path_text(const m5_path *path, m5_text *out);

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

typedef struct m5_look {
    bool color;
    uint32_t width; /* of a terminal line */
} m5_look;

/* A way to show results: begin once, each file in turn, end once. */
typedef struct m5_reporter {
    const char *name;
    void (*begin)(const m5_output *out);
    void (*file)(const m5_output *out, const m5_result *result, const m5_look *look, bool first);
    void (*end)(const m5_output *out, const m5_totals *totals, const m5_look *look);
} m5_reporter;

extern const m5_reporter m5_report_text, m5_report_gcc, m5_report_json;

const char *m5_severity_name(m5_severity severity);

/* `path:line:column` or, in binary formats, `path:@0x4c`. */
void m5_output_place(const m5_output *out, const m5_source *source, m5_lines *lines,
                     uint32_t offset, bool text);

#endif
