/* A baseline: the findings that a project had on a day, so that only new ones are shown. Reads and
 * writes its text, which is JSON with a finding on each line, sorted:
 *
 *     {"file": "models/imp/imp.md5mesh", "rule": "md5mesh-bias-sum", "path": "mesh[0].vert[17]",
 * "severity": "note", "count": 1}
 *
 * A finding is known by its file, rule and path in the model, never by its line. Of several that
 * are the same in this, the first `count` that a run makes are old, and those after them are new;
 * so is one that is worse than those recorded. Severities are those of the rules' own levels,
 * whatever options make of them; "error" is left out. "limit": that of the levels in force, if
 * nothing else made a rule report it.
 * Nothing here opens files. */
#ifndef M5_LINT_SETTINGS_BASELINE_H
#define M5_LINT_SETTINGS_BASELINE_H

#include "file.h"

/* A baseline may have at most this many bytes. */
enum { M5_BASELINE_MOST = 64 << 20 };

/* Findings that are the same in all that they are known by. */
typedef struct m5_old {
    char *file; /* from the baseline's folder on */
    const m5_rule *rule;
    char *path;           /* as m5_path_text has it; "": none */
    m5_severity severity; /* the worst recorded */
    double limit;         /* it may be found only if the lowest limit in force is no higher; else
                           * M5_NEVER */
    uint32_t count;       /* recorded */
    uint32_t hidden;      /* of them, found in this run */
    uint32_t silent;      /* found as well, but not reported under the levels in force */
    bool is_input;        /* the file was given */
    bool is_known;        /* all findings of this rule in this file were looked for ... */
    bool needs_all;       /* ... if all other files were looked at */
    size_t number;        /* in the text */
} m5_old;

/* Sorted by file, rule and path. Zero is an empty one. */
typedef struct m5_baseline {
    m5_old *list;
    size_t count, room;
} m5_baseline;

/* Reads a baseline. Returns false, with an error, if anything is wrong: `3:7: unknown key 'x'`, or
 * no place if it is too large or there is no memory. Then nothing is to be freed. */
bool m5_baseline_read(m5_baseline *out, const char *bytes, size_t count, m5_settings_error *error);
void m5_baseline_free(m5_baseline *baseline);

/* The findings of a file; `file` need not be there. `list` is NULL if there are none. */
typedef struct m5_old_list {
    m5_old *list;
    size_t count;
} m5_old_list;
m5_old_list m5_baseline_of(const m5_baseline *baseline, const char *file);

/* Counts a finding of a file, and returns whether it is old: then one that is reported is hidden,
 * and one that is silent is still there. One that is worse than recorded is new, and the recorded
 * one still there. Files may be on different threads. */
bool m5_old_take(const m5_old_list *of_file, const m5_diag *diag, bool silent);

/* How many were recorded and are not there any more; 0 if that is not known. */
uint32_t m5_old_gone(const m5_old *old);

/* Adds a finding that was made under these levels. Copies `file`; returns false when out of memory.
 */
bool m5_baseline_add(m5_baseline *baseline, const char *file, const m5_diag *diag,
                     const m5_levels *levels);

/* Moves what `from` has to the end of `to`; false, with nothing moved, when out of memory. */
bool m5_baseline_move(m5_baseline *to, m5_baseline *from);

/* Sorts what was added, with a count for all that is the same. */
void m5_baseline_sort(m5_baseline *baseline);

/* Takes away what is gone. Returns how many findings that were. */
uint64_t m5_baseline_prune(m5_baseline *baseline);

/* Writes the text, the same for the same findings. Returns false when out of memory; what was
 * written is then not whole. */
bool m5_baseline_write(const m5_baseline *baseline, const m5_writer *out);

#endif
