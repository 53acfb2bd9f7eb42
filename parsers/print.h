/* Writing a model in canonical form, as the format text lays it out. Parsing that gives an equal
 * model. */
#ifndef M5_PRINT_H
#define M5_PRINT_H

#include "formats.h"
#include "core/writer.h"

M5_BEGIN_C

/* Writes a clean model; its source and memory must still be there. Names, strings and the values of
 * numbers are kept: a float has 9 digits, which read back as the same float. Comments, white space
 * and the spelling of numbers are not kept. The blocks of an MD4 are written one after the other,
 * each byte by byte. Of an archive
 * nothing is written. Takes no memory and reports no errors. */
void m5_print(const m5_model *model, const m5_writer *out);

M5_END_C

#endif
