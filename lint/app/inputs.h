/* The inputs to lint, in order: files and standard input. Each entry is one model. */
#ifndef M5_LINT_APP_INPUTS_H
#define M5_LINT_APP_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct m5_input {
    const char *name; /* shown in reports; also decides the format and the group */
    const char *path; /* of the file; NULL: standard input */
} m5_input;

typedef struct m5_inputs {
    m5_input *list;
    size_t count, room;
} m5_inputs;

/* Adds an argument: a file, or `-` for standard input. The argument is not copied. Returns false
 * when out of memory. */
bool m5_inputs_add(m5_inputs *inputs, const char *argument);

void m5_inputs_free(m5_inputs *inputs);

#endif
