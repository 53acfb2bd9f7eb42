/* Folds findings that have one cause: what the animations of a mesh share with it, or all report
 * about it, is shown once. */
#ifndef M5_LINT_REPORT_FOLD_H
#define M5_LINT_REPORT_FOLD_H

#include "collect.h"

/* Of each rule that may be folded, so many findings of a file are kept to be compared, if more are
 * not wanted anyway. */
enum { M5_FOLD_MOST = 1000 };

/* Whether findings of this rule are about what a mesh or skeleton shares with its animations. */
bool m5_may_fold(const m5_rule *rule);

/* Where findings are folded: a file and what was found in it. */
typedef struct m5_fold_file {
    const m5_lint_file *file;
    m5_collector *found;
} m5_fold_file;

/* Folds the findings of `count` files, in which meshes and skeletons come before other files. Those
 * of one cause in files with the same base are shown in the first of them: its `also` names the
 * others, in their order. Returns memory that `also` points to, to be freed when nothing is shown
 * any more, or NULL when out of memory: then nothing was folded. */
void *m5_fold(const m5_fold_file *files, size_t count);

#endif
