/* The progress of a long run: one line on a terminal that is written over and over. */
#ifndef M5_LINT_APP_SYSTEM_PROGRESS_H
#define M5_LINT_APP_SYSTEM_PROGRESS_H

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

/* Starts to show the line, from a second later on, on a terminal of that width. With width 0 it is
 * never shown, and the other functions do nothing. */
void m5_progress_begin(m5_progress *p, const m5_writer *out, uint32_t width, unsigned files);
void m5_progress_end(m5_progress *p);

/* Any thread may call these. */
void m5_progress_file(m5_progress *p, const char *path);
void m5_progress_done(m5_progress *p, uint64_t bytes);

/* Between these two calls the line is removed and not written, so that findings can be shown. */
void m5_progress_pause(m5_progress *p);
void m5_progress_resume(m5_progress *p);

#endif
