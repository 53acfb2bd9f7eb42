/* Fixes files: finds the fixes of their findings, tries them, and shows or writes the result. */
#ifndef M5_LINT_APP_JOBS_FIX_H
#define M5_LINT_APP_JOBS_FIX_H

#include "job.h"
#include "lint/fix/fix.h"

/* The inputs, and what was fixed in them so far. */
typedef struct m5_fixer {
    const m5_options *o;
    const m5_writer *out; /* for differences, and for what was read from standard input */
    m5_job *jobs;
    m5_lint_file **files; /* of the jobs */
    const m5_pairs *pairs;
    uint64_t fixed, changed; /* findings, and files that were written or shown */
} m5_fixer;

/* Finds the largest number of joints of a file in a group, for each of its files. */
void m5_fix_count_joints(m5_fixer *x, const uint32_t *order, size_t count);

/* The file, and the meshes that its boxes may be for: what it is compared with must be in memory.
 * Without memory there are no meshes, and boxes are not fixed. */
m5_fix_input m5_fix_input_of(const m5_fixer *x, uint32_t which, m5_arena *arena);

/* Fixes an input that was linted, alone and with the others of its group, and shows or writes the
 * result; its findings are then those of the new bytes. Returns whether it has new bytes. If
 * something went wrong, `unfixed` of the job says so, and the file is as it was. */
bool m5_fix_file(m5_fixer *x, uint32_t which);

/* Writes an input to `out` if it was read from standard input and --fix was given, fixed or not. */
void m5_fix_put(const m5_fixer *x, uint32_t which);

/* Lints the files of a group again, after one of them got new bytes. */
void m5_fix_lint_again(m5_fixer *x, const uint32_t *order, size_t count);

#endif
