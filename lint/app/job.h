/* A file of the command line, from its name to its findings. */
#ifndef M5_LINT_APP_JOB_H
#define M5_LINT_APP_JOB_H

#include "input.h"
#include "options.h"

typedef struct m5_job {
    const char *path;
    const char *error; /* why it was not linted */
    const m5_format *format;
    m5_input input;
    void *memory;
    size_t memory_size;
    m5_lint_file file;
    m5_collector found;
} m5_job;

/* By its name or, where that does not tell, by its content, which then is read. */
void m5_job_choose_format(m5_job *w);

/* Reads, parses and lints it by itself. */
void m5_job_lint(m5_job *w, const m5_options *o);

/* Lints it with the other files of its group, among which it is `files[which]`. */
void m5_job_lint_together(m5_job *w, m5_lint_file *const *files, size_t count, size_t which);

void m5_job_free(m5_job *w);

#endif
