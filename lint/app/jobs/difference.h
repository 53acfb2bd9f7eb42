/* Shows how two versions of a file differ. */
#ifndef M5_LINT_APP_JOBS_DIFFERENCE_H
#define M5_LINT_APP_JOBS_DIFFERENCE_H

#include "lint/report/report.h"

typedef struct m5_content {
    const uint8_t *bytes;
    size_t size;
} m5_content;

/* Writes a unified diff, with three lines around each change, that `patch -p0` accepts. False when
 * out of memory. */
bool m5_difference_put(const m5_writer *out, const char *name, m5_content before, m5_content after);

/* The same for a binary: a line for each word of four bytes that differs, `name:@0x4c: 00 00 80 3f
 * -> 00 00 00 40`, where one side is empty if a word was put in or taken out. */
bool m5_difference_put_binary(const m5_writer *out, const char *name, m5_content before,
                              m5_content after);

#endif
