/* Gives back the memory of files that wait to be shown: most are animations, of which a group may
 * have thousands. */
#ifndef M5_LINT_APP_JOBS_REST_H
#define M5_LINT_APP_JOBS_REST_H

#include "job.h"

/* Gives back all memory of a file that was linted and compared, if nothing was found in it. Else,
 * if `large` is set, since its group is, gives back its bytes and its model, and keeps what was
 * found; its fixes must have been found. Nothing is given back if other files are compared with it,
 * if it cannot be read again, if its group may be linted again to be fixed, or if targets were
 * chosen, whose limits are shown with their lines. */
void m5_job_rest(m5_job *w, const m5_options *o, bool large);

/* Reads the bytes of a file that rests, so that its lines can be shown. If that is not possible, or
 * the file has changed, that is a late error; then there are as many bytes as before, zeros at the
 * end if need be. False when out of memory. */
bool m5_job_wake(m5_job *w, const m5_options *o);

/* Frees what was found in a file that rests, and what m5_job_wake has read. May be called again. */
void m5_job_end_rest(m5_job *w);

#endif
