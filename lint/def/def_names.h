/* Names of declarations, and lists of them in order. */
#ifndef M5_LINT_DEF_NAMES_H
#define M5_LINT_DEF_NAMES_H

#include "lint/lint.h"

/* Compares names of declarations as Doom 3 does: without an extension, whatever the case of
 * letters, and a backslash is a slash (idDeclManagerLocal::MakeNameCanonical). */
int m5_def_compare(const m5_source *a_in, m5_name a, const m5_source *b_in, m5_name b);

/* The names of a list, each `stride` bytes after the one before, in order of `compare` and, where
 * they are equal, in that of the list: their numbers, in scratch memory; NULL without memory. */
typedef int m5_def_order(const m5_source *a_in, m5_name a, const m5_source *b_in, m5_name b);
uint32_t *m5_def_sort(m5_lint_file *f, const m5_name *first, size_t stride, uint32_t count,
                      m5_def_order *compare);

/* Compares names byte by byte: animations. */
int m5_def_compare_exact(const m5_source *a_in, m5_name a, const m5_source *b_in, m5_name b);

/* Whether two declarations say the same, token by token; `a` and `b` are their names. One that is
 * not closed ends before `end` of b's file, where the next one has its name. */
bool m5_def_say_the_same(const m5_source *a_in, m5_name a, const m5_source *b_in, m5_name b,
                         uint32_t end);

/* The places of declarations in a file, and of a model's animation, which may be M5_NO_INDEX, and
 * channel. */
m5_path m5_def_entity_path(const m5_lint_file *f, uint32_t entity);
m5_path m5_def_model_path(const m5_lint_file *f, uint32_t model);
m5_path m5_def_anim_path(const m5_lint_file *f, uint32_t model, uint32_t anim);
m5_path m5_def_channel_path(const m5_lint_file *f, uint32_t model, uint32_t channel);

#endif
