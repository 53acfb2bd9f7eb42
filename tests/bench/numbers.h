/* Lists the numbers of a clean model in the order of its file, which the floor must read, too. */
#ifndef NUMBERS_H
#define NUMBERS_H

#include "parsers/m5.h"

/* Writes the numbers to `out`, which has room for one more than half the number of bytes of the
 * file. Returns how many there are, 0 for an MD4 or illskel. NaN means that the model does not have
 * the number. */
size_t model_numbers(const m5_model *model, float *out);

#endif
