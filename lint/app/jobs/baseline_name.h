/* How a baseline names files: from its folder on, with `/`, and the member of an archive after `!`.
 * JSON has UTF-8 only: other bytes are %NN, and so is % itself. */
#ifndef M5_LINT_APP_JOBS_BASELINE_NAME_H
#define M5_LINT_APP_JOBS_BASELINE_NAME_H

#include "lint/app/inputs/inputs.h"

/* The name of a file. Both paths are from the root on. NULL without memory; free it. */
char *m5_baseline_name(const char *folder, const char *whole);

/* Whether a named file, which is none of the inputs, is no more: it does not exist, or is not in
 * its archive, which was given. `here` is the current folder. False if that is not known. */
bool m5_baseline_is_missing(const char *folder, const char *name, const m5_inputs *inputs,
                            const char *here);

#endif
