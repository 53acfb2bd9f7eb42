/* Private: records that change places, a line each. */
#ifndef M5_LINT_FIX_LINES_H
#define M5_LINT_FIX_LINES_H

#include "fixes.h"

/* A record with the comment after it, but without white space at its end. `last`: its last token,
 * counted from 0. There is no fix if it is on several lines, or if anything else or a block comment
 * is on its line. */
m5_span m5_fix_line_from(m5_fixing *x, uint32_t offset, uint32_t last);

/* Line `i`, whose record begins at at[i], becomes what line from[i] was. The lines are in the order
 * of the file. */
void m5_fix_permute_lines(m5_fixing *x, const uint32_t *at, const uint32_t *from, uint32_t count,
                          uint32_t last);

#endif
