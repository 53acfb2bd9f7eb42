/* What there is to lint, in order: files and standard input. Each entry is one model, whatever the
 * argument was that it came from. */
#ifndef M5_LINT_APP_INPUTS_H
#define M5_LINT_APP_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct m5_input {
    const char *name; /* what it is called in reports; its format and its group go by it */
    const char *path; /* where its bytes are; NULL: standard input */
} m5_input;

typedef struct m5_inputs {
    m5_input *list;
    size_t count, room;
} m5_inputs;

/* Adds what an argument names: a file, or `-`, which is standard input. The argument must stay.
 * False without memory. */
bool m5_inputs_add(m5_inputs *inputs, const char *argument);

void m5_inputs_free(m5_inputs *inputs);

#endif
