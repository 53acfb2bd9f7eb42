/* Prints a model of any format; archives are none. */
#include "print.h"

void m5_print(const m5_model *model, const m5_writer *out)
{
#define M5_FORMAT(symbol, name, text)                                                              \
    if (model->symbol != NULL)                                                                     \
        m5_##symbol##_print(model->symbol, out);
#define M5_FORMAT_PACK(symbol, name, text)
#include "formats.def"
#undef M5_FORMAT
}
