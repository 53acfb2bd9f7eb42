/* A model and what is found in it, in one call, for those who want no arenas, sinks and settings: a
 * file or bytes go in, the model and an array of findings come out, memory is taken by malloc and
 * given back by m5_free. The rules are those of md5lint for one file, with their usual levels,
 * notes included.
 *
 *     m5_file *file = m5_file_read("hero.md5mesh");
 *     for (size_t i = 0; file != NULL && i < file->num_findings; i++)
 *         puts(file->findings[i].message);
 *     m5_free(file);
 *
 * Any number of threads may call this, each for files of its own. */
#ifndef M5_FILE_H
#define M5_FILE_H

#include "lint.h"

M5_BEGIN_C

/* A place in the file that a finding is about besides its own. */
typedef struct m5_file_place {
    uint32_t offset, length; /* in bytes */
    uint32_t line, column;   /* from 1, in bytes; 0 in a binary */
    const char *message;     /* what is there */
} m5_file_place;

typedef struct m5_file_finding {
    const char *rule; /* its id */
    m5_severity severity;
    uint32_t offset, length; /* in bytes */
    uint32_t line, column;   /* from 1, in bytes; 0 in a binary */
    const char *path;        /* in the model: "mesh[0].tri[7]"; "" where it is not in one place */
    const char *message;     /* what is wrong; safe to print, whatever the file holds */
    const char *fix;         /* what to do about it; "" where there is nothing to say */
    const m5_file_place *related;
    uint32_t num_related;
} m5_file_finding;

typedef struct m5_file {
    const char *error; /* why it could not be read, or linted whole; NULL: it was */
    m5_status status;  /* M5_CLEAN: the model may be walked without one check. With an error
                        * M5_NO_FILE, M5_NO_FORMAT or M5_NO_MEMORY */
    m5_model model;    /* with an error all NULL, and no findings */
    const m5_file_finding *findings; /* in the order of the file, at one place the worst first */
    size_t num_findings;
} m5_file;

/* Reads a file of up to 4 GiB - 1. `path` is not NULL; the format is told by the extension or else
 * by the content. NULL only where there is no memory at all. Everything that the result points to
 * is freed with it. */
m5_file *m5_file_read(const char *path);

/* The same of bytes, which are copied; `name` tells the format as a path does. */
m5_file *m5_file_from(const char *name, const void *bytes, size_t size);

/* Frees a file, its model and its findings; NULL is nothing. */
void m5_free(m5_file *file);

M5_END_C

#endif
