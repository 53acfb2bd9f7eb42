/* What the user leaves out of folders and archives. */
#ifndef M5_LINT_APP_INPUTS_EXCLUDE_H
#define M5_LINT_APP_INPUTS_EXCLUDE_H

#include "inputs.h"

/* Whether a pattern matches a path, or what is of it below the folder given: from `below` on. */
bool m5_is_excluded(const m5_inputs *inputs, const char *path, size_t below, bool folder);

/* Whether a member of an archive is left out, as it would be in a folder of the archive's name: it
 * or a folder that it is in is hidden or matches. `name` is that of m5_archive_name. *room is set
 * to false when out of memory. */
bool m5_is_member_excluded(m5_inputs *inputs, const m5_input *archive, const char *name,
                           bool *room);

#endif
