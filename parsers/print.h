/* Writing models in canonical form: what an exporter would write that follows the format text.
 * Parsed again, it gives an equal model. */
#ifndef M5_PRINT_H
#define M5_PRINT_H

#include "formats.h"
#include "core/writer.h"

M5_BEGIN_C

/* Prints a clean model, whose source must still be there. Names, strings and the numbers' values
 * are kept: floats take 9 digits, which read back as the same float. Comments, blanks and the
 * style of numbers are not. An MD4's blocks are put one behind the other; their contents are
 * kept byte by byte. */
void m5_print(const m5_model *model, const m5_writer *out);

M5_END_C

#endif
