/* Writes JSON to stdout, value after value. The caller keeps objects and lists balanced; in an
 * object each value has a key, elsewhere `key` is NULL. */
#ifndef DUMP_JSON_OUT_H
#define DUMP_JSON_OUT_H

#include "parsers/m5.h"

void json_open(const char *key, char bracket); /* '{' or '[' */
void json_close(char bracket);                 /* '}' or ']' */
void json_end_line(void);                      /* after the last bracket */
void json_int(const char *key, int64_t value);
void json_bool(const char *key, bool value);
void json_text(const char *key, const char *text);

/* Nine digits, which read back as the same float. */
void json_floats(const char *key, const float *values, size_t count);
void json_float(const char *key, float value);
void json_ints(const char *key, const uint32_t *values, size_t count);

/* A span of the source. Bytes that are not ASCII become \u0080 to \u00ff, one for each byte. */
void json_span(const char *key, const m5_source *source, m5_span span);

#endif
