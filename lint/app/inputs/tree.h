/* The models in a folder and in all folders below it. */
#ifndef M5_LINT_APP_INPUTS_TREE_H
#define M5_LINT_APP_INPUTS_TREE_H

#include "inputs.h"

/* Adds all files that m5_tree_wants; hidden files and folders, and what inputs->exclude names, are
 * left out. Symbolic links to files are followed, to folders not. A folder that cannot be read
 * becomes an input with an error. Returns false when out of memory. */
bool m5_tree_walk(m5_inputs *inputs, const char *folder);

/* Whether a file's extension is that of a model, or of a game's archive: of .zip only if it is
 * named. */
bool m5_tree_wants(const char *path);

#endif
