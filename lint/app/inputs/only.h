/* The files that changed: only these, and what is compared with them, are looked at. */
#ifndef M5_LINT_APP_INPUTS_ONLY_H
#define M5_LINT_APP_INPUTS_ONLY_H

#include "inputs.h"
#include "lint/lint.h"

typedef struct m5_only {
    char **paths; /* from the root on, without `.` and `..` */
    size_t count, room;
    char *here; /* the current folder */
} m5_only;

/* All of these return false when out of memory. */
bool m5_only_begin(m5_only *only);

/* Adds a path in `folder`, or in the current folder if that is NULL. */
bool m5_only_add(m5_only *only, const char *folder, const char *path);

/* Why an input is listed. */
enum {
    M5_LISTED_ITSELF = 1, /* or the archive that it is in */
    M5_LISTED_NAMED = 2,  /* a listed declaration names it, or it is one that names a listed file */
    M5_LISTED_ORPHAN = 4  /* it was or may have been compared with a listed file that is gone */
};

/* Sets a byte for each input: M5_LISTED_ITSELF or 0. */
bool m5_only_mark(m5_only *only, const m5_inputs *inputs, uint8_t *listed);

/* Adds M5_LISTED_ORPHAN, after m5_only_mark. */
bool m5_only_mark_orphans(const m5_only *only, const m5_inputs *inputs, const m5_pairs *pairs,
                          uint8_t *listed);

void m5_only_free(m5_only *only);

#endif
