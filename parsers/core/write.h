/* Private: writing text, spans of the source and numbers that read back the same. */
#ifndef M5_WRITE_H
#define M5_WRITE_H

#include "text.h"
#include "writer.h"

M5_BEGIN_C

/* A piece of text, formatted as m5_text_format does but without names; bytes
 * of the source; floats with a space between them. */
void m5_write(const m5_writer *out, const char *format, ...) M5_PRINTF(2, 3);
void m5_write_span(const m5_writer *out, const m5_source *source, m5_span span);
void m5_write_float(const m5_writer *out, float value);
void m5_write_floats(const m5_writer *out, const float *values, uint32_t count);

M5_END_C

#endif
