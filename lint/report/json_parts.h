/* What the JSON reports write of a finding, and how their objects are made. */
#ifndef M5_LINT_REPORT_JSON_PARTS_H
#define M5_LINT_REPORT_JSON_PARTS_H

#include "report.h"

#include <jansson.h>

/* An object that is being made. If one of its members cannot be made, neither can the object. */
typedef struct m5_json {
    json_t *json;
    bool spoilt;
} m5_json;

m5_json m5_json_new(void);
void m5_json_put(m5_json *o, const char *key,
                 json_t *value); /* takes the value, which may be NULL */
void m5_json_put_number(m5_json *o, const char *key, uint64_t number);

/* Any bytes: those that are not UTF-8 become U+FFFD. */
void m5_json_put_text(m5_json *o, const char *key, const char *text);

/* The object, or NULL when out of memory. */
json_t *m5_json_finish(m5_json o);

/* The members of a finding. */
void m5_json_put_finding(m5_json *o, const m5_result *r, m5_both_lines *lines, const m5_finding *f);

/* Writes JSON in one line and frees it. If it is NULL or out of memory, writes something that is
 * not JSON, so that a reader notices the gap, and returns false. */
bool m5_json_write(const m5_writer *out, json_t *json);

#endif
