/* The command line. */
#ifndef M5_LINT_APP_OPTIONS_OPTIONS_H
#define M5_LINT_APP_OPTIONS_OPTIONS_H

#include "lint/report/formats/reporters.h"
#include "lint/settings/choice.h"

typedef enum m5_action {
    M5_ACT_LINT,
    M5_ACT_SHOW_CONFIG,
    M5_ACT_INIT,
    M5_ACT_DONE, /* the requested text was printed */
    M5_ACT_USAGE /* an error was reported */
} m5_action;

/* Values of an option that may come several times. */
typedef struct m5_values {
    const char **list;
    size_t count;
} m5_values;

/* A report in a file. */
typedef struct m5_output {
    const m5_reporter *reporter;
    const char *path;
} m5_output;

typedef struct m5_options {
    m5_action action;
    const m5_reporter *reporter; /* on standard output */
    bool has_format;             /* it was chosen by an option */
    m5_output *outputs;          /* besides ... */
    size_t num_outputs;
    const char *root;             /* the folder that paths in reports are relative to, or NULL */
    m5_severity fail_on;          /* 0: not set */
    const char *config;           /* of --config, or NULL */
    bool no_config;               /* use no files of settings */
    const char *show_config;      /* the path */
    const char *baseline;         /* of --baseline, or NULL */
    bool no_baseline;             /* hide nothing */
    bool writes_baseline;         /* record what is found ... */
    const char *written_baseline; /* ... there; NULL: not said where */
    bool prunes_baseline;         /* take away what is gone */
    bool fail_on_stale;           /* if anything is gone */
    m5_outcome fail_on_target;    /* M5_LOADS: none fails */
    uint32_t max_per_rule, max_per_file;
    uint32_t jobs; /* the largest number of threads; 0: as many as there are processors */
    bool show_pairs;
    bool quiet;        /* show errors only */
    bool statistics;   /* show the table by rule only */
    bool fix, diff;    /* fixes are made, or shown */
    bool unsafe_fixes; /* ... unsafe ones, too */
    bool fix_only;     /* and nothing else is shown */
    bool exit_zero;    /* whatever is found */
    bool time;         /* report how long it takes */
    uint32_t max_warnings;
    bool fold;              /* what several files of a mesh share is shown once */
    int color;              /* -1 auto, 0 never, 1 always */
    int links;              /* the same, about links in a terminal */
    bool notes;             /* show them */
    m5_rule_setting *rules; /* in the order in which options name them */
    size_t num_rules;
    m5_choice choice;     /* what came of them, without any file of settings */
    m5_settings settings; /* for every file */
    char **arguments;     /* the remaining arguments: the files to lint */
    int num_arguments;
    m5_values lists;        /* files that list more of them ... */
    bool nul;               /* ... with a NUL byte after each */
    m5_values exclude;      /* patterns */
    m5_values games;        /* folders of a game ... */
    int rules_of;           /* ... of this engine: see m5_game_rules */
    m5_values only;         /* lists of what changed */
    bool ask_git;           /* what changed ... */
    const char *since;      /* ... since the merge base with this; or NULL */
    const char *stdin_name; /* or NULL */
} m5_options;

void m5_options_read(m5_options *o, int argc, char **argv, const m5_writer *out,
                     const m5_writer *err);
/* Applies the options that choose rules, after other settings. */
/* What the reports show: bits of m5_reporter.shows. */
unsigned m5_options_shows(const m5_options *o);

void m5_options_choose(const m5_options *o, m5_choice *choice);

void m5_options_free(m5_options *o);

#endif
