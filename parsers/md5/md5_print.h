/* What the MD5 formats print alike. */
#ifndef M5_MD5_PRINT_H
#define M5_MD5_PRINT_H

#include "../core/source.h"
#include "../core/writer.h"

/* The header, up to the counts. */
void m5_md5_print_header(const m5_writer *out, const m5_source *source, m5_name commandline);

/* Two vectors in parentheses: a part of a camera's line. */
void m5_md5_print_pair(const m5_writer *out, const float a[3], const float b[3]);

/* The beginning of a joint's line, and the end of it or of a box: two vectors in parentheses. */
void m5_md5_print_name(const m5_writer *out, const m5_source *source, m5_name name);
void m5_md5_print_vectors(const m5_writer *out, const float a[3], const float b[3]);

#endif
