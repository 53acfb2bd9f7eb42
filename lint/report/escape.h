/* Writes text of any bytes in the ways of other formats. Bytes that are not UTF-8 become U+FFFD,
 * and so do characters that a format cannot hold. */
#ifndef M5_LINT_REPORT_ESCAPE_H
#define M5_LINT_REPORT_ESCAPE_H

#include "report.h"

typedef void m5_put_text(const m5_writer *out, const char *text);

/* Text of an XML element, or of an attribute between quotes. */
void m5_put_xml(const m5_writer *out, const char *text);

/* Text between the quotes of a JSON string. */
void m5_put_json(const m5_writer *out, const char *text);
void m5_put_json_bytes(const m5_writer *out, const char *bytes, size_t count);

/* A whole JSON text of another writer, which may have U+007F to U+009F in its strings: escaped. */
void m5_put_json_text(const m5_writer *out, const char *text);

/* Text of a GitHub workflow command, and the value of one of its properties. */
void m5_put_command(const m5_writer *out, const char *text);
void m5_put_property(const m5_writer *out, const char *text);

/* A line of Markdown, in a table too, in which no letter has a meaning. */
void m5_put_markdown(const m5_writer *out, const char *text);

/* A path in a URI: all bytes but letters, digits and `/-._~` are percent-encoded. */
void m5_put_uri(const m5_writer *out, const char *path);

/* A message as it stands alone in a report: in a binary file it begins with the field's name, and
 * it ends with what other files have it too and what it is to the targets. */
void m5_put_message(const m5_writer *out, m5_put_text *put, const m5_result *r,
                    const m5_finding *finding);

/* `:12:7` or, in binary formats, `:@0x4c`. */
void m5_put_position(const m5_writer *out, const m5_result *r, m5_lines *lines, uint32_t offset);

#endif
