/* What tells a finding from others in later runs too: its file, its rule and its place in the
 * model, but neither its line nor its message, which other changes of the file change. */
#ifndef M5_LINT_REPORT_FINGERPRINT_H
#define M5_LINT_REPORT_FINGERPRINT_H

#include "report.h"

/* Findings with the same hash have the numbers 1, 2, ... in the order of the file. */
typedef struct m5_fingerprint {
    uint64_t hash;
    uint32_t number;
} m5_fingerprint;

/* FNV-1a. The hash of nothing is M5_HASH_NONE. */
#define M5_HASH_NONE UINT64_C(0xcbf29ce484222325)
uint64_t m5_hash_add(uint64_t hash, const char *text);

/* The fingerprints of the findings that are shown of a file, in their order. `path` is the hash of
 * the file's path. Free the result; NULL: out of memory. */
m5_fingerprint *m5_fingerprints(const m5_shown *shown, uint64_t path);

/* `0123456789abcdef:1` */
void m5_put_fingerprint(const m5_writer *out, m5_fingerprint fingerprint);

#endif
