/* The names of joints and bones, whatever the format. */
#ifndef M5_LINT_CORE_NAMES_H
#define M5_LINT_CORE_NAMES_H

#include "lint/lint.h"

/* Orders names by their bytes, case folded first, so that names that only differ in case are
 * neighbours and equal ones next to each other. */
int m5_check_compare_names(const m5_source *a_in, m5_name a, const m5_source *b_in, m5_name b);
bool m5_check_same_but_case(const m5_source *a_in, m5_name a, const m5_source *b_in, m5_name b);

/* Joints or bones by name, whatever the format; f->names has their order, which is made by sorting
 * them, in the file's arena: NULL without memory. */
m5_name m5_check_name_at(const m5_model *model, uint32_t i);
uint32_t m5_check_name_count(const m5_model *model);
const uint32_t *m5_check_sort_names(m5_lint_file *f);

/* Bones of an illskel or illanim that have the same name. */
void m5_check_ill_duplicates(m5_lint_file *f, const m5_rule *rule, uint32_t count);

#endif
