/* What changed in a git repository. */
#ifndef M5_LINT_APP_INPUTS_GIT_H
#define M5_LINT_APP_INPUTS_GIT_H

#include "only.h"

typedef enum m5_git_result { M5_GIT_DONE, M5_GIT_FAILED, M5_GIT_NO_MEMORY } m5_git_result;

/* Adds the files that are staged, changed or untracked in the repository of the current folder;
 * with `ref` also those that changed since the merge base with it. M5_GIT_FAILED: git said why, or
 * there is no git. */
m5_git_result m5_git_changed(m5_only *only, const char *ref);

#endif
