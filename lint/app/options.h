/* The command line. */
#ifndef M5_LINT_APP_OPTIONS_H
#define M5_LINT_APP_OPTIONS_H

#include "lint/report/report.h"

typedef enum m5_action { M5_ACT_LINT, M5_ACT_DONE, M5_ACT_USAGE } m5_action;

typedef struct m5_options {
    m5_action action; /* DONE: the requested text was printed; USAGE: an error was reported */
    const m5_reporter *reporter;
    m5_severity fail_on;
    uint32_t max_per_rule, max_per_file;
    uint32_t jobs; /* the largest number of threads; 0: as many as there are processors */
    bool show_pairs;
    int color; /* -1 auto, 0 never, 1 always */
    m5_levels levels[M5_RULES];
    m5_settings settings; /* for every file */
    char **arguments;     /* the remaining arguments: the files to lint */
    int num_arguments;
} m5_options;

void m5_options_read(m5_options *o, int argc, char **argv, const m5_writer *out,
                     const m5_writer *err);

#endif
