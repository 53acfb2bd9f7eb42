/* Writes a file whole or not at all: at any moment the old one or the new one is there.
 *
 * What is written grows in a file without a name, in the same folder where the system has such
 * files, so that nothing is left of it when the program is killed. */
#ifndef M5_LINT_APP_SYSTEM_WHOLE_FILE_H
#define M5_LINT_APP_SYSTEM_WHOLE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* A file that is being written. */
typedef struct m5_whole_file {
    char *target;      /* where it will be: what a link leads to; NULL: it is appended to */
    bool is_there;     /* it grows in the target's folder, and only lacks a name */
    int fd;            /* -1: none is open */
    const char *error; /* why a part of it could not be written; NULL: nothing went wrong */
    size_t pending;    /* bytes that come next: reports write many small pieces */
    char bytes[1 << 15];
} m5_whole_file;

/* Why a file cannot be written there, as far as that is known before; NULL if it can. */
const char *m5_whole_file_error(const char *path);

/* Begins a file that will be at `path`. Returns an error text, then there is nothing to end; or
 * NULL. */
const char *m5_whole_file_begin(m5_whole_file *file, const char *path);

/* Begins to append to a file: what is written is there at once. */
const char *m5_whole_file_append(m5_whole_file *file, const char *path);

/* For an m5_writer, whose user is the file. What goes wrong is known at the end. */
void m5_whole_file_write(void *file, const void *bytes, size_t count);

enum {
    M5_WHOLE_OWNER = 1, /* the file must belong to whom the old one does */
    M5_WHOLE_LASTS = 2  /* its bytes are on the disk when this returns, its name if that can be */
};

/* Makes the file, or replaces it and keeps its mode, and its owner if that is allowed; where the
 * path is a symbolic link, that stays, and the file that it leads to is replaced. Signals that end
 * the program wait until it is done. Returns an error text, and all is as it was; or NULL. */
const char *m5_whole_file_end(m5_whole_file *file, unsigned how);

/* Ends it without a trace. */
void m5_whole_file_drop(m5_whole_file *file);

#endif
