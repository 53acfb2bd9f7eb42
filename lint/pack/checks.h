/* The checks of archives. Each may be called for any archive, even a flawed one. */
#ifndef M5_LINT_PACK_CHECKS_H
#define M5_LINT_PACK_CHECKS_H

#include "lint/core/check.h"

void m5_check_pack(m5_lint_file *f);

/* The names of all members, alone and against each other. */
void m5_check_pack_names(m5_lint_file *f);

/* A finding at a member's name. */
m5_diag m5_check_pack_name(const m5_pack *pack, const m5_rule *rule, uint32_t member);

#endif
