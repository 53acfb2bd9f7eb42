/* Writes JSON piece by piece, and what the JSON reports have of a finding.
 *
 * Text may be any bytes: those that are not UTF-8 become U+FFFD. */
#ifndef M5_LINT_REPORT_FORMATS_JSON_PARTS_H
#define M5_LINT_REPORT_FORMATS_JSON_PARTS_H

#include "lint/report/report.h"

/* An object or an array that is being written: it was begun, and has to be ended. What is begun in
 * it must be ended before anything else is put into it. */
typedef struct m5_json {
    const m5_writer *out;
    char end;
    bool any; /* a member was written: the next one needs a comma before it */
} m5_json;

m5_json m5_json_begin(const m5_writer *out); /* an object by itself */
void m5_json_end(const m5_json *json);

/* Members of an object. */
m5_json m5_json_put_object(m5_json *o, const char *key);
m5_json m5_json_put_array(m5_json *o, const char *key);
void m5_json_put_text(m5_json *o, const char *key, const char *text);
void m5_json_put_number(m5_json *o, const char *key, uint64_t number);

/* Elements of an array. */
m5_json m5_json_add_object(m5_json *array);
void m5_json_add_text(m5_json *array, const char *text);

/* Whether JSON can have all texts of a fix as they are. */
bool m5_json_can_hold(const m5_fix *fix);

/* The members of a finding. */
void m5_json_put_finding(m5_json *o, const m5_result *r, m5_both_lines *lines, const m5_finding *f);

#endif
