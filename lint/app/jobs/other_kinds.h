/* Files that are not models of ours, by name and content. */
#ifndef M5_LINT_APP_JOBS_OTHER_KINDS_H
#define M5_LINT_APP_JOBS_OTHER_KINDS_H

#include "parsers/core/source.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether the name says so, and the first bytes are not those of a format that has such. */
bool m5_is_other_kind(const m5_source *source);

/* Writes what a file is whose format is unknown: "this is a material, not a model". */
void m5_say_other_kind(const m5_source *source, char *out, size_t size);

#endif
