/* What reporters are given, and what they write with. They write through an m5_writer and open no
 * files. The formats that there are: lint/report/formats/reporters.h. */
#ifndef M5_LINT_REPORT_REPORT_H
#define M5_LINT_REPORT_REPORT_H

#include "collect.h"
#include "outcomes.h"
#include "parsers/core/write.h"

/* ---- Reports --------------------------------------------------------------------------------- */

/* The result of linting one file. */
typedef struct m5_result {
    const char *path;
    const char *archive; /* that the file is a member of, or NULL */
    const char *error;   /* why it could not be read; then nothing else is set */
    const char *late;    /* why its findings may not be true: it counts as unread; or NULL */
    const m5_format *format;
    m5_lint_file *file;
    m5_shown shown;
    const m5_lines *lines; /* of its source, with all marks: to be copied; or NULL */
} m5_result;

/* Finds the lines of a result's own findings; several threads may look at the same result. */
static inline m5_lines m5_result_lines(const m5_result *r)
{
    return r->lines != NULL ? *r->lines
                            : (m5_lines){.source = &r->file->source, .arena = &r->file->arena};
}

/* Findings of a baseline that are not there any more. */
typedef struct m5_gone {
    const char *file, *path; /* as in the baseline; path "": none */
    const m5_rule *rule;
    uint32_t count;
} m5_gone;

/* What became of the findings of a baseline. */
typedef struct m5_old_totals {
    bool any;        /* there is a baseline */
    uint64_t hidden; /* findings, which count nowhere else */
    uint64_t gone;   /* findings; `list` has them */
    const m5_gone *list;
    size_t num_list;
    bool fails; /* what is gone fails the run */
} m5_old_totals;

typedef struct m5_totals {
    uint64_t files, unreadable, errors, warnings, notes;
    uint64_t folded;          /* findings that are shown with others, and not counted above */
    uint64_t suppressed;      /* by comments, see lint/ignore/ignore.h, and not counted above */
    uint64_t fixable, unsafe; /* findings with a safe fix that were shown, and with an unsafe one */
    bool not_all_shown;       /* --max-per-rule or --max-per-file hides findings */
    uint64_t fixed, changed;  /* findings that were fixed, and in how many files */
    bool only_some;           /* only some files were wanted, of ... */
    uint64_t inputs;          /* ... so many */
    m5_old_totals old;
    m5_outcomes outcomes;
} m5_totals;

/* The folder that paths in reports for a repository are relative to. */
typedef struct m5_root {
    const char *path;   /* absolute, with a `/` at its end; NULL: paths stay as they are */
    const char *given;  /* the same as it was given, maybe through symbolic links; or NULL */
    const char *folder; /* the current one, absolute, with a `/` at its end, too */
    const char *const *archives; /* all that there are: their members are shown at them */
    size_t num_archives;
} m5_root;

/* The terminal or file that a report for people is written to. */
typedef struct m5_look {
    bool color;
    bool show_pairs; /* which files were compared with which */
    bool table;      /* the findings by rule, if there are many */
    bool statistics; /* nothing but this table, with an example of each rule */
    bool quiet;      /* findings, and nothing else */
    bool only_new;   /* old findings are hidden */
    bool links;      /* the terminal has links: those to the pages of rules */
    uint32_t width;  /* of a line, in columns */
    m5_root root;
} m5_look;

/* Adds the counts of a file without the findings that are folded or hidden, which are counted
 * apart.
 */
void m5_totals_add(m5_totals *totals, const m5_result *result);

/* A way to show results. Call `begin` once, `file` for each file in turn, and `end` once. A result
 * is valid only during the call, so a reporter that needs it later must copy it. `out` and the
 * texts in `look` stay valid until the end. Several reporters may show the same results, those that
 * have `lines` on several threads. */
typedef struct m5_reporter {
    const char *name;
    void *(*begin)(const m5_writer *out, const m5_look *look); /* NULL: out of memory */
    void (*file)(void *report, const m5_result *result);
    /* Frees it. Returns false if there was no memory for a part of the report. */
    bool (*end)(void *report, const m5_totals *totals);
    unsigned shows; /* of these */
} m5_reporter;

enum {
    M5_SHOWS_EDITS = 1, /* what fixes change */
    M5_SHOWS_GONE = 2,  /* what of a baseline is gone */
    M5_SHOWS_OLD = 4,   /* what a baseline hides */
    M5_SHOWS_EACH = 8,  /* each file's findings, folded or not: it is compared with earlier ones */
    M5_SHOWS_PATHS = 16 /* paths from the top of the repository */
};

/* ---- What they write with -------------------------------------------------------------------- */

void m5_output_bytes(const m5_writer *out, const char *bytes, size_t count);
void m5_output_string(const m5_writer *out, const char *text);

/* A number with commas: `1,597`. */
void m5_output_number(const m5_writer *out, uint64_t number);

/* Text from a file or a path, made safe for a terminal: control characters, bytes that are not
 * UTF-8 and characters that reorder a line are written as \xNN or \u{NNNN}. */
void m5_output_safe(const m5_writer *out, const char *text, size_t count);

/* `path:line:column` or, in binary formats, `path:@0x4c`. */
void m5_output_place(const m5_writer *out, const m5_source *source, m5_lines *lines,
                     uint32_t offset, bool text);

/* Whether it is known where the pages of rules are; writes a rule's address, if it is. */
bool m5_has_rule_url(void);
void m5_put_rule_url(const m5_writer *out, const m5_rule *rule);

/* Why a file of this format (NULL: unknown) cannot be linted, in words for users; NULL if it can.
 */
const char *m5_format_error(const m5_format *format);

/* `and in 3 more animations of this mesh`: nothing if the finding is in no other file. `before` and
 * `after` are written around it. */
void m5_output_also(const m5_writer *out, const m5_result *result, const m5_finding *finding,
                    const char *before, const char *after);

/* What of a baseline is gone: the first findings, a line each, and how many. `before` begins each
 * line. */
void m5_output_gone(const m5_writer *out, const char *before, const m5_old_totals *old);

/* One line for each rule that has findings that are not shown. */
void m5_output_hidden(const m5_writer *out, const m5_result *result);

/* Whether a byte is an ASCII character that can be seen, or a space. */
static inline bool m5_is_printable(uint8_t byte)
{
    return (uint8_t)(byte - ' ') <= '~' - ' ';
}

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
