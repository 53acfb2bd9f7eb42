/* A file of the command line, from its name to its findings. */
#ifndef M5_WORK_H
#define M5_WORK_H

#include "input.h"
#include "options.h"

typedef struct m5_work {
    const char *path;
    const char *error; /* why it was not linted */
    const m5_format *format;
    m5_input input;
    void *memory;
    size_t memory_size;
    m5_lint_file file;
    m5_collector found;
} m5_work;

/* By its name or, where that does not tell, by its content, which then is read. */
void m5_work_choose_format(m5_work *w);

/* Reads, parses and lints it by itself. */
void m5_work_lint(m5_work *w, const m5_options *o);

/* Lints it with the other files of its group, among which it is `files[which]`. */
void m5_work_lint_together(m5_work *w, m5_lint_file *const *files, size_t count, size_t which);

void m5_work_free(m5_work *w);

#endif
