/* Finds the place of a value in a JSON text, which jansson does not keep. */
#ifndef M5_LINT_SETTINGS_JSON_PLACE_H
#define M5_LINT_SETTINGS_JSON_PLACE_H

#include <stddef.h>
#include <stdint.h>

typedef struct m5_json_place {
    uint32_t line, column; /* from 1; the column in bytes */
} m5_json_place;

/* The place of a value in a text that jansson has read without an error: steps[0] is the number of
 * a member or item of the outermost value, steps[1] of one in that, and so on. Of a member, the
 * place is that of its key. The steps must exist. Takes time in proportion to the text. */
m5_json_place m5_json_find(const char *text, const size_t *steps, size_t num_steps);

#endif
