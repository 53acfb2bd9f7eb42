/* Reports a model whose vertices were scaled or rotated without the joints that move them. */
#ifndef M5_LINT_COMMON_MISFIT_H
#define M5_LINT_COMMON_MISFIT_H

#include "lint/geometry/misfit.h"
#include "lint/lint.h"
#include "parsers/play/vector.h"

/* For a sound bind pose; sets f->misfit if it was reported. Linear in weights. */
void m5_check_md5mesh_misfit(m5_lint_file *f, const m5_matrix *bind);

/* `bones` as in frame 0, and for each the box of its weights, in its own space. */
void m5_check_md4_misfit(m5_lint_file *f, const m5_matrix *bones, const m5_box *parts);

/* Which of the two rules is about it; and the message, of `count` joints or bones: `joint`. */
const m5_rule *m5_check_misfit_rule(const m5_misfit *m, const m5_rule *size, const m5_rule *turned);
void m5_check_say_misfit(m5_lint_file *f, m5_diag *d, const m5_misfit *m, uint32_t count,
                         const char *joint);

#endif
