/* The numbers of a clean model in the order of its file: what the floor has to read. */
#ifndef NUMBERS_H
#define NUMBERS_H

#include "parsers/m5.h"

/* Into `out`, which has room for half as many as the file has bytes, and one more; returns how
 * many they are, 0 for an MD4 or illskel. NaN is what the model does not tell. */
size_t model_numbers(const m5_model *model, float *out);

#endif
