/* How far a long run has come: one line on a terminal, written over and over. */
#ifndef M5_LINT_APP_PROGRESS_H
#define M5_LINT_APP_PROGRESS_H

#include "lint/report/report.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct m5_progress {
    const m5_writer *out; /* standard error */
    uint32_t width;       /* of the terminal */
    unsigned files, files_done;
    uint64_t bytes_done;
    const char *current; /* the file begun last; NULL before the first */
    bool is_running, is_ended, is_shown;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ended;
} m5_progress;

/* From now on, after a second, the line is shown on a terminal of that width. With width 0 it never
 * is: then the rest does nothing. */
void m5_progress_begin(m5_progress *p, const m5_writer *out, uint32_t width, unsigned files);
void m5_progress_end(m5_progress *p);

/* Called by any thread. */
void m5_progress_file(m5_progress *p, const char *path);
void m5_progress_done(m5_progress *p, uint64_t bytes);

/* Between these two nothing else writes, and the line is gone: for what is shown for good. */
void m5_progress_pause(m5_progress *p);
void m5_progress_resume(m5_progress *p);

#endif
