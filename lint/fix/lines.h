/* Private: records that change places, a line each. */
#ifndef M5_LINT_FIX_LINES_H
#define M5_LINT_FIX_LINES_H

#include "fixes.h"

/* The rest of a record's line with its comment, but without white space at its end. There is no fix
 * if another record or a block comment is on it. */
m5_span m5_fix_line_from(m5_fixing *x, uint32_t offset);

/* Line `i`, the rest of which begins at at[i], becomes what line from[i] was. The lines are in the
 * order of the file. */
void m5_fix_permute_lines(m5_fixing *x, const uint32_t *at, const uint32_t *from, uint32_t count);

#endif
