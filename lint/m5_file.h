/* Reading and linting a file in one call, without arenas, sinks and settings: a path or bytes go
 * in, the model and an array of findings come out. The rules are those of md5lint for a single
 * file, with their default levels, notes included.
 *
 *     m5_file *file = m5_file_read("hero.md5mesh");
 *     for (size_t i = 0; file != NULL && i < file->num_findings; i++)
 *         puts(file->findings[i].message);
 *     m5_free(file);
 *
 * Memory comes from malloc. Any number of threads may call these functions, and may read the same
 * m5_file until one of them frees it. */
#ifndef M5_FILE_H
#define M5_FILE_H

#include "lint.h"

M5_BEGIN_C

/* Another place in the file that a finding is about. */
typedef struct m5_file_place {
    uint32_t offset, length; /* in bytes */
    uint32_t line, column;   /* from 1, in bytes; 0 in a binary */
    const char *message;     /* what is there */
} m5_file_place;

/* All strings end in NUL and are UTF-8 without control characters; others in the file are shown as
 * \xNN or \u{NNNN}. */
typedef struct m5_file_finding {
    const char *rule; /* its id */
    m5_severity severity;
    uint32_t offset, length; /* in bytes */
    uint32_t line, column;   /* from 1, in bytes; 0 in a binary */
    const char *path;        /* in the model: "mesh[0].tri[7]"; may be "" */
    const char *message;     /* what is wrong */
    const char *fix;         /* what to do; may be "" */
    const m5_file_place *related;
    uint32_t num_related;
} m5_file_finding;

typedef struct m5_file {
    const char *error; /* NULL; or why there is neither model nor findings */
    m5_status status;  /* M5_CLEAN or M5_FLAWED; with an error M5_NO_FILE, M5_NO_FORMAT or
                        * M5_NO_MEMORY */
    m5_model model;
    const m5_file_finding *findings; /* by offset; the worst first if they are equal */
    size_t num_findings;
    uint32_t skipped; /* checks that were left out: see m5_skipped */
} m5_file;

/* Reads and lints a file of at most 4 GiB - 1 bytes. The format is found out by the extension, or
 * else by the content. Returns NULL only if there is no memory even for an error; the result, and
 * all that it points to, is freed by m5_free. */
m5_file *m5_file_read(const char *path);

/* Lints `size` bytes, which are copied, as if they were in a file of that name. */
m5_file *m5_file_from(const char *name, const void *bytes, size_t size);

/* Frees the file with its model and findings. NULL is allowed. */
void m5_free(m5_file *file);

M5_END_C

#endif
