/* Finds where the values of an md5anim's frames are in the file. */
#ifndef M5_LINT_CORE_FRAME_VALUES_H
#define M5_LINT_CORE_FRAME_VALUES_H

#include "lint/lint.h"
#include "parsers/md5/lex.h"

/* Finds values of frames again, by lexing. Going forward within a frame only lexes the values in
 * between, so callers that ask in order take linear time. */
typedef struct m5_check_value_finder {
    const m5_lint_file *file;
    m5_report silent;
    m5_lex lx;
    uint32_t frame, next; /* the value that the lexer is in front of */
    m5_span at;           /* of value next - 1 */
} m5_check_value_finder;
m5_check_value_finder m5_check_start_finding(const m5_lint_file *f);
m5_span m5_check_find_value(m5_check_value_finder *v, uint32_t frame, uint32_t component);

/* The same for one value alone. */
m5_span m5_check_value_at(const m5_lint_file *f, uint32_t frame, uint32_t component);

#endif
