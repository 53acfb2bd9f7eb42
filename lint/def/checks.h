/* The checks of one file of declarations. Each may be called for any model, flawed or not. */
#ifndef M5_LINT_DEF_CHECKS_H
#define M5_LINT_DEF_CHECKS_H

#include "lint/lint.h"

void m5_check_def(m5_lint_file *f); /* all below */

void m5_check_def_names(m5_lint_file *f);    /* declarations of the same name */
void m5_check_def_anims(m5_lint_file *f);    /* animations: names, files, removed ones */
void m5_check_def_channels(m5_lint_file *f); /* channels and their joints */
void m5_check_def_commands(m5_lint_file *f); /* frame commands */
void m5_check_def_keys(m5_lint_file *f);     /* keys of an entity that are there twice */

#endif
