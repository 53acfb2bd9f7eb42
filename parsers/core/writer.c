/* What printers write with: text, spans of the source, numbers that read back the same. */
#include "writer.h"
#include "text.h"
#include "write.h"

void m5_write(const m5_writer *out, const char *format, ...)
{
    char buffer[512];
    m5_text text = {buffer, sizeof buffer, 0, false};
    va_list args;
    va_start(args, format);
    m5_text_format(&text, format, args);
    va_end(args);
    out->write(out->user, buffer, text.length);
}

void m5_write_span(const m5_writer *out, const m5_source *source, m5_span span)
{
    if (span.length != 0)
        out->write(out->user, source->bytes + span.offset, span.length);
}

/* A number with an exponent so small that not all readers accept it: as 0.000... without one. */
static void write_tiny(const m5_writer *out, double value)
{
    m5_write(out, value < 0 ? "-0." : "0.");
    for (value = value < 0 ? -value : value; value < 1e-1; value *= 10)
        m5_write(out, "0");
    for (int i = 0; i < 9; i++) {
        value *= 10;
        m5_write(out, "%d", (int)value);
        value -= (int)value;
    }
}

void m5_write_float(const m5_writer *out, float value)
{
    double v = (double)value, size = v < 0 ? -v : v;
    if (size < 1e-37 && size > 0)
        write_tiny(out, v);
    else
        m5_write(out, "%.9g", v);
}

void m5_write_floats(const m5_writer *out, const float *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            m5_write(out, " ");
        m5_write_float(out, values[i]);
    }
}
