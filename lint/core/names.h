/* The names of joints and bones in any format. */
#ifndef M5_LINT_CORE_NAMES_H
#define M5_LINT_CORE_NAMES_H

#include "lint/lint.h"

/* Orders names by their bytes, case folded first, so that names that only differ in case are
 * neighbours and equal ones next to each other. */
int m5_check_compare_names(const m5_source *a_in, m5_name a, const m5_source *b_in, m5_name b);
bool m5_check_same_but_case(const m5_source *a_in, m5_name a, const m5_source *b_in, m5_name b);
/* Whether one name may be the other one misspelt: one letter is changed, extra or missing, or two
 * are exchanged, in a word of four letters or more. */
bool m5_check_are_similar(const m5_source *a_in, m5_name a, const m5_source *b_in, m5_name b);
/* ... and hardly two names on purpose: letters are exchanged, or one is missing within a word. */
bool m5_check_is_misspelt(const m5_source *a_in, m5_name a, const m5_source *b_in, m5_name b);

/* The names of joints or bones, by number, and how many there are. m5_check_sort_names returns
 * their numbers in the order of names, for f->names, in the file's arena; NULL without memory. */
m5_name m5_check_name_at(const m5_model *model, uint32_t i);
uint32_t m5_check_name_count(const m5_model *model);
const uint32_t *m5_check_sort_names(m5_lint_file *f);

/* Reports bones of an illskel or illanim that have the same name. */
void m5_check_ill_duplicates(m5_lint_file *f, const m5_rule *rule, uint32_t count);

#endif
