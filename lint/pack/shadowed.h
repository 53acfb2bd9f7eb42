/* Files that an engine does not load. */
#ifndef M5_LINT_PACK_SHADOWED_H
#define M5_LINT_PACK_SHADOWED_H

#include "lint/lint.h"

/* Reports a file that an engine does not load: it finds another one, `instead`, or, if that is
 * NULL, does not open such archives. Fills in *out as m5_lint_bytes does, without a model;
 * in->source need not have bytes. */
void m5_lint_shadowed(m5_lint_file *out, const m5_lint_input *in, const char *instead);

#endif
