/* The files of the baselines of a run. */
#ifndef M5_LINT_APP_JOBS_BASELINE_FILE_H
#define M5_LINT_APP_JOBS_BASELINE_FILE_H

#include "baseline.h"

/* Finds a baseline by its path from the root on, and reads it the first time; what is wrong is
 * reported. With --write-baseline none need be there. NULL without memory. */
m5_baseline_file *m5_baseline_file_find(m5_baselines *all, const char *path);

/* Writes findings to a baseline, and reports that as `1,597 findings <what>`. */
void m5_baseline_file_write(m5_baselines *all, const m5_baseline_file *f, const m5_baseline *b,
                            uint64_t count, const char *what);

#endif
