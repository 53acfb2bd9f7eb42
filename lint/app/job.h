/* The work on one input, from its name to its findings. */
#ifndef M5_LINT_APP_JOB_H
#define M5_LINT_APP_JOB_H

#include "bytes.h"
#include "options.h"

typedef struct m5_job {
    const m5_input *input;
    const char *error; /* why it was not linted */
    uint32_t *names;   /* of its rig */
    const char *amiss; /* why its rig is not known, although it should be */
    size_t scanned;    /* bytes, when its rig was read; 0: it was not, or cannot be read again */
    m5_bytes bytes;
    void *memory;
    size_t memory_size;
    m5_lint_file file;
    m5_collector found;
} m5_job;

/* Finds the format from the extension, else from the content, and reads what tells which files
 * belong together into `rig`. Keeps the bytes only if they cannot be read again. */
void m5_job_scan(m5_job *w, m5_rig *rig);

/* Reads, parses and lints the input on its own. */
void m5_job_lint(m5_job *w, const m5_options *o);

/* Compares the input, file `which`, with those it belongs to. Does nothing if it has no model. */
void m5_job_lint_pair(m5_job *w, m5_lint_file *const *files, const m5_pairs *pairs, uint32_t which);

/* May be called again, and for a job that has not begun. */
void m5_job_free(m5_job *w);

#endif
