/* A file of settings, .md5lint.json: reads it, and says what is wrong with it. */
#ifndef M5_LINT_SETTINGS_FILE_H
#define M5_LINT_SETTINGS_FILE_H

#include "choice.h"

#include <stddef.h>

/* A file may have at most this many bytes. */
enum { M5_SETTINGS_MOST = 1 << 20 };

typedef struct m5_strings {
    const char **list;
    size_t count;
} m5_strings;

typedef struct m5_rule_list {
    m5_rule_setting *list;
    size_t count;
} m5_rule_list;

/* Rules for some files only. */
typedef struct m5_override {
    m5_strings files; /* patterns, as in m5_glob_covers */
    bool *used;       /* of each pattern: whether it has matched a file */
    m5_rule_list rules;
} m5_override;

typedef struct m5_settings_file {
    bool root;           /* files in the folders around do not count */
    m5_severity fail_on; /* 0: not set */
    uint32_t targets;    /* bits of engines; 0: not set */
    m5_strings exclude;
    const char *baseline; /* from the file's folder on; NULL: not set */
    m5_rule_list rules;
    m5_override *overrides;
    size_t num_overrides;
    void *json; /* has the strings */
} m5_settings_file;

/* What is wrong: `3:7: '}' expected` or `/rules/md5-versoin: unknown rule; did you mean ...`. */
typedef struct m5_settings_error {
    char text[512];
} m5_settings_error;

/* Reads a file's bytes. Returns false, with an error, if anything is wrong; then nothing is to be
 * freed. */
bool m5_settings_file_read(m5_settings_file *file, const char *bytes, size_t count,
                           m5_settings_error *error);
void m5_settings_file_free(m5_settings_file *file);

#endif
