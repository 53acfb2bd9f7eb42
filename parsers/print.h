/* Writing models in canonical form: what an exporter would write that follows the format text.
 * Parsed again, it gives an equal model. */
#ifndef M5_PRINT_H
#define M5_PRINT_H

#include "formats.h"

M5_BEGIN_C

/* Where the bytes go, in pieces, from first to last. */
typedef struct m5_writer {
    void (*write)(void *user, const void *bytes, size_t count);
    void *user;
} m5_writer;

/* Prints a clean model, whose source must still be there. Names, strings and the numbers' values
 * are kept: floats take 9 digits, which read back as the same float. Comments, blanks and the
 * style of numbers are not. An MD4's blocks are put one behind the other; their contents are
 * kept byte by byte. */
void m5_print(const m5_model *model, const m5_writer *out);

/* The same for each format. */
#define M5_FORMAT(symbol, name, text)                                                              \
    void m5_##symbol##_print(const m5_##symbol *model, const m5_writer *out);
#define M5_FORMAT_LATER(name, text)
#include "formats.def"
#undef M5_FORMAT
#undef M5_FORMAT_LATER

/* For the printers: a piece of text, formatted as m5_text_format does but without names; bytes
 * of the source; floats with a blank between them. */
void m5_write(const m5_writer *out, const char *format, ...) M5_PRINTF(2, 3);
void m5_write_span(const m5_writer *out, const m5_source *source, m5_span span);
void m5_write_float(const m5_writer *out, float value);
void m5_write_floats(const m5_writer *out, const float *values, uint32_t count);

M5_END_C

#endif
