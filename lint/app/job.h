/* The work on one input, from its name to its findings. */
#ifndef M5_LINT_APP_JOB_H
#define M5_LINT_APP_JOB_H

#include "bytes.h"
#include "options.h"

typedef struct m5_job {
    const m5_input *input;
    const char *error; /* why it was not linted */
    m5_bytes bytes;
    void *memory;
    size_t memory_size;
    m5_lint_file file; /* source.name and model.format are set before it is linted */
    m5_collector found;
} m5_job;

/* Finds the format from the extension. If it is not recognised, reads the input and finds the
 * format from its content. */
void m5_job_begin(m5_job *w, const m5_input *input);

/* Reads, parses and lints the input on its own. */
void m5_job_lint(m5_job *w, const m5_options *o);

/* Compares the input, which is `files[which]`, with the other files of its group. Does nothing if
 * it has no model. */
void m5_job_lint_together(m5_job *w, m5_lint_file *const *files, size_t count, size_t which);

void m5_job_free(m5_job *w);

#endif
