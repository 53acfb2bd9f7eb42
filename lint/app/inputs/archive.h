/* Archives that were given: their bytes and directory stay in memory, and members are read from
 * there, one at a time and thread. */
#ifndef M5_LINT_APP_INPUTS_ARCHIVE_H
#define M5_LINT_APP_INPUTS_ARCHIVE_H

#include "bytes.h"

#include "lint/lint.h"

typedef struct m5_archive {
    m5_bytes bytes;
    m5_source source;
    void *memory; /* of the directory */
    size_t memory_size;
    const m5_pack *pack;
    m5_member_result *results; /* of each member that is a model: set when it is read first */
    char *path;
    struct m5_archive *next; /* for the list of inputs */
} m5_archive;

/* Whether a file is an archive. *error is set if that cannot be found out. `bytes`: of standard
 * input; else NULL. */
bool m5_archive_is(const char *path, const m5_bytes *bytes, const char **error);

/* Reads the directory of an archive and takes over its bytes. NULL, and an error text, if that is
 * not possible. */
m5_archive *m5_archive_open(const char *path, m5_bytes bytes, const char **error);
void m5_archive_free(m5_archive *archive);

/* Whether a member is a model that can be read. */
bool m5_archive_has_model(const m5_archive *archive, uint32_t member);

/* The name of a member that can be read: `pak000.pk4!models/md5/imp.md5mesh`. NULL without memory;
 * free it. */
char *m5_archive_name(const m5_archive *archive, uint32_t member);

/* Reads a member. If that fails, the bytes have an error, and *result says more. Any number of
 * threads may read at the same time. */
m5_bytes m5_archive_read(const m5_archive *archive, uint32_t member, const m5_settings *settings,
                         m5_member_result *result);

/* Whether a member could not be read for a reason that is reported with the archive. */
bool m5_archive_is_flawed(const m5_archive *archive, uint32_t member);

/* Reports these members. */
void m5_archive_report(const m5_archive *archive, m5_lint_file *file);

#endif
