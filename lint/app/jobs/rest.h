/* Gives back the memory of animations that wait to be shown. No other file is compared with them,
 * and there may be thousands of them in a group. */
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
 * the file has changed, that is a late error, and zeros take their place. False when out of memory.
 */
bool m5_job_wake(m5_job *w, const m5_options *o);

/* Gives back what m5_job_wake has read. */
void m5_job_rest_again(m5_job *w);

#endif
