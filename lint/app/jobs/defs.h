/* Declarations among the inputs, which are compared with each other and with all meshes and
 * animations. */
#ifndef M5_LINT_APP_JOBS_DEFS_H
#define M5_LINT_APP_JOBS_DEFS_H

#include "job.h"

/* Whether a job is a file of declarations. */
bool m5_defs_is_def(const m5_job *job);

/* Whether a file of declarations is among the inputs, by their names: the format is not known by
 * the content. */
bool m5_defs_are_likely(const m5_inputs *inputs);

/* Lints all files of declarations among the jobs, which were scanned before, and compares them.
 * They must stay until the last one was shown, since findings refer to other files. declared[i],
 * which is zero before, is set to what is declared about jobs[i]. `complete`: all files of the game
 * are given, so that what is not among them is missing. If `listed`, a byte for each job, is not
 * NULL, M5_LISTED_NAMED is added to it. Returns false when out of memory. */
bool m5_defs_lint(m5_job *jobs, size_t count, const m5_options *o, m5_declared *declared,
                  bool complete, uint8_t *listed);

#endif
