/* The files of settings that hold for each input: those named .md5lint.json in its folder and in
 * the folders around it, up to one that says `root`, a folder with .git, or the root. */
#ifndef M5_LINT_APP_SETTINGS_SETTINGS_H
#define M5_LINT_APP_SETTINGS_SETTINGS_H

#include "lint/app/inputs/inputs.h"
#include "lint/app/options/options.h"
#include "lint/settings/file.h"

/* A file that was found. */
typedef struct m5_settings_found {
    m5_settings_file file;
    char *path;   /* as it is shown */
    char *folder; /* that its patterns are about, from the root on */
    struct m5_settings_found *next;
} m5_settings_found;

/* What set something that holds for the whole run; neither: it is built in. */
typedef struct m5_origin {
    const m5_settings_found *file;
    bool option;
} m5_origin;

typedef struct m5_all_settings {
    const m5_options *options;
    const m5_writer *err;
    char *here; /* the current folder */
    m5_settings_found *files, *last;
    m5_settings_found *only; /* of --config */
    void *folders;           /* a tree of those that were looked at */
    void *levels;            /* a tree of those for inputs with the same settings */
    m5_origin fail_on, targets;
    bool failed;  /* a file is wrong, which was reported */
    bool no_room; /* out of memory */
} m5_all_settings;

/* Begins with the settings of the current folder, or of --config. They are nothing but a default
 * for what the options do not say; *options is changed accordingly. `options` and `err` must stay.
 */
void m5_settings_begin(m5_all_settings *all, m5_options *options, const m5_writer *err);

/* The levels of all rules for an input; valid until m5_settings_end. */
const m5_levels *m5_settings_levels(m5_all_settings *all, const m5_input *input);

/* Whether a file or folder that was found in a folder is to be left out. */
bool m5_settings_exclude(void *all, const char *path, bool folder);

/* The path, from the root on, of the baseline of a path from the root on: that of the nearest
 * settings that name one. NULL if none does, or without memory. Free it. `from`, unless NULL, is
 * set to these settings. */
char *m5_settings_baseline(m5_all_settings *all, const char *whole, const m5_settings_found **from);

/* Reports what is wrong with a file; all->failed is set. */
void m5_settings_report(m5_all_settings *all, const char *path, const char *error);

/* How messages name a file: from the current folder on, if it is there or below. */
const char *m5_settings_shorten(const m5_all_settings *all, const char *whole);

/* Reports the patterns that have matched no file. */
void m5_settings_report_unused(const m5_all_settings *all);

/* Calls a function for each setting that holds for a file, in the order in which they count, with
 * the place in its file. */
typedef void m5_visit_setting(void *user, const m5_settings_found *file, const char *place,
                              const m5_rule_setting *setting);
void m5_settings_visit(m5_all_settings *all, const char *path, m5_visit_setting *visit, void *user);

/* Calls a function for each file that holds for a path, the nearest last. */
typedef void m5_visit_file(void *user, const m5_settings_found *file);
void m5_settings_visit_files(m5_all_settings *all, const char *path, m5_visit_file *visit,
                             void *user);

/* What --show-config=PATH prints. False when out of memory. */
bool m5_settings_show(m5_all_settings *all, const char *path, const m5_writer *out);

/* What --init does: writes a small file of settings here. Returns an error text or NULL. */
const char *m5_settings_init(void);

void m5_settings_end(m5_all_settings *all);

#endif
