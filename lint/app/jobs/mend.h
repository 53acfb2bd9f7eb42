/* Fixes bytes in memory. Each attempt is linted: what does not improve a file is taken back. */
#ifndef M5_LINT_APP_JOBS_MEND_H
#define M5_LINT_APP_JOBS_MEND_H

#include "lint/app/inputs/bytes.h"
#include "lint/fix/fix.h"
#include "lint/report/collect.h"

/* A file and all that was found in it, alone and with others. `failed`: nothing is known. */
typedef struct m5_linted {
    m5_lint_file *file;
    const m5_collector *found;
    bool failed;
} m5_linted;

/* A file at work. The caller sets the first part. */
typedef struct m5_mend {
    bool unsafe;                                        /* make unsafe fixes, too */
    m5_linted (*lint)(void *user, m5_bytes bytes);      /* lints other bytes in its place */
    m5_fix_input (*input)(void *user, m5_arena *arena); /* of the file as it is now */
    void *user;
    m5_linted now; /* as it was linted last */
    m5_bytes bytes;

    /* The result. */
    uint64_t fixed;          /* findings that are gone */
    uint32_t num_not_made;   /* rules with fixes that do not improve the file, ... */
    const m5_rule *not_made; /* ... the first of them, ... */
    uint32_t not_made_at;    /* ... and where its first finding is */

    /* Private. */
    const uint8_t *original;
    uint32_t tried; /* where the first of the last fixes is */
} m5_mend;

typedef enum m5_mend_end {
    M5_MEND_DONE,     /* no fix is left but those that were not made */
    M5_MEND_MORE,     /* it stopped after many passes, and there may be more */
    M5_MEND_NO_MEMORY /* there may be more */
} m5_mend_end;

/* Makes all fixes that improve the file: `now` and `bytes` are then those of the result. New bytes
 * were allocated with malloc; those that were there in the beginning are left to the caller. */
m5_mend_end m5_mend_all(m5_mend *m);

/* Whether there is `any` fix that m5_mend_all would try. False without memory. */
bool m5_mend_has_fixes(const m5_mend *m, bool *any);

/* Bytes of memory for all fixes of a file. */
size_t m5_mend_memory(const m5_fix_input *in, const m5_collector *found);

#endif
