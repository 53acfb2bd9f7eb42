/* Sorting, as in the parsers. */
#ifndef M5_LINT_CORE_SORT_H
#define M5_LINT_CORE_SORT_H

#include "parsers/core/sort.h"

#define m5_check_sort m5_sort

#endif
