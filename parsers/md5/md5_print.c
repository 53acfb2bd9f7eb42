/* What the MD5 formats print alike. */
#include "md5_print.h"
#include "../core/write.h"

void m5_md5_print_header(const m5_writer *out, const m5_source *source, m5_name commandline)
{
    m5_write(out, "MD5Version 10\ncommandline \"");
    m5_write_span(out, source, commandline);
    m5_write(out, "\"\n\n");
}

void m5_md5_print_name(const m5_writer *out, const m5_source *source, m5_name name)
{
    m5_write(out, "\t\"");
    m5_write_span(out, source, name);
    m5_write(out, "\"\t");
}

void m5_md5_print_pair(const m5_writer *out, const float a[3], const float b[3])
{
    m5_write(out, "( ");
    m5_write_floats(out, a, 3);
    m5_write(out, " ) ( ");
    m5_write_floats(out, b, 3);
    m5_write(out, " )");
}

void m5_md5_print_vectors(const m5_writer *out, const float a[3], const float b[3])
{
    m5_md5_print_pair(out, a, b);
    m5_write(out, "\n");
}
