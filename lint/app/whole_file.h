/* Writes a file whole or not at all: at any moment the old one or the new one is there. */
#ifndef M5_LINT_APP_WHOLE_FILE_H
#define M5_LINT_APP_WHOLE_FILE_H

#include "parsers/core/writer.h"

#include <stdbool.h>

/* What a file will have. */
typedef struct m5_whole_file {
    const char *(*put)(void *user, const m5_writer *out); /* writes it; returns an error text, or
                                                           * NULL */
    void *user;
    bool as_owner; /* the new file must belong to whom the old one does */
} m5_whole_file;

/* Why a file cannot be written there, as far as that is known before; NULL if it can. */
const char *m5_whole_file_error(const char *path);

/* Makes a file, or replaces it and keeps its mode, and its owner if that is allowed; where the path
 * is a symbolic link, that stays, and the file that it leads to is replaced. Signals that end the
 * program wait until it is done. Returns an error text, and all is as it was; or NULL. */
const char *m5_whole_file_write(const char *path, const m5_whole_file *content);

#endif
