/* What the user names: files, folders, and standard input. */
#ifndef M5_LINT_APP_INPUTS_ARGUMENTS_H
#define M5_LINT_APP_INPUTS_ARGUMENTS_H

#include "inputs.h"

/* Adds an argument: a file, a folder with all models below it, or `-` for standard input. Both
 * return false when out of memory. */
bool m5_inputs_add(m5_inputs *inputs, const char *argument);

/* Adds all models and archives in a folder of a game. The engine's base game comes first; what is
 * in a later one is found before what is in an earlier one. Returns false when out of memory. */
bool m5_inputs_add_game(m5_inputs *inputs, const char *folder);

/* Adds the files and folders of a list: see m5_file_list_read. Files that are not models are passed
 * over; a file that is missing, or the list, becomes an input with an error. */
bool m5_inputs_add_list(m5_inputs *inputs, const char *path, bool nul);

#endif
