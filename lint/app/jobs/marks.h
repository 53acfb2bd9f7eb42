/* Marks findings with their fixes, for reports. */
#ifndef M5_LINT_APP_JOBS_MARKS_H
#define M5_LINT_APP_JOBS_MARKS_H

#include "fix.h"

/* Finds the fixes of a file's findings, and keeps copies, with their edits if a report shows them.
 * The files that it is compared with must be in memory. On any thread. False when out of memory. */
bool m5_marks_find(const m5_fixer *x, uint32_t which);

/* Call it when it is known which findings are folded. Only the first of those that are shown and
 * have one fix keeps its edits, as they may be many. Finds the edits that m5_marks_find has left
 * out, since there may be one for each number of the file; then m5_marks_wait was true. False when
 * out of memory. */
bool m5_marks_end(const m5_fixer *x, uint32_t which);

/* Takes the fixes away: they would be made in another version of the file. */
void m5_marks_drop(const m5_collector *found);

/* Whether m5_marks_end needs the file and those that it is compared with. */
bool m5_marks_wait(const m5_fixer *x, uint32_t which);

#endif
