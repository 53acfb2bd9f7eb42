/* The baselines of a run: files that are read and written, and which of them is about each input.
 *
 * --baseline names one for all inputs; else that of the nearest settings that name one counts. With
 * --write-baseline none is read, and all that is found is recorded. */
#ifndef M5_LINT_APP_JOBS_BASELINE_H
#define M5_LINT_APP_JOBS_BASELINE_H

#include "lint/app/settings/settings.h"
#include "lint/settings/baseline.h"

struct m5_job;

/* A baseline that was read, or that is written. */
typedef struct m5_baseline_file {
    m5_baseline baseline; /* that was there */
    m5_baseline recorded; /* what is new in one that is written */
    char *whole;          /* its path from the root on ... */
    char *folder;         /* ... and its folder's, without symbolic links */
    bool covered;         /* all that it names was given */
    struct m5_baseline_file *next;
} m5_baseline_file;

/* What a job has to do with baselines. */
typedef struct m5_hiding {
    m5_old_list old;           /* findings of the input */
    uint64_t new_errors;       /* by the rules' own levels, shown or not, and not old */
    uint64_t new_others;       /* of rules that compare files, at least warnings, and not old */
    m5_baseline_file *into;    /* what is found is recorded there; NULL: it is not */
    char *file;                /* as that names the input */
    m5_baseline recorded;      /* so far */
    bool whole_run;            /* all files that may belong to the input were given */
    bool no_room;              /* not all was recorded */
    bool weighs;               /* what new findings are to targets is kept: */
    uint8_t worst[M5_TARGETS]; /* the worst m5_outcome */
} m5_hiding;

typedef struct m5_baselines {
    m5_all_settings *settings;
    m5_baseline_file *files, *last;
    uint8_t worst[M5_TARGETS]; /* of all files that were shown */
    size_t complete;           /* inputs in which all was looked at */
    m5_gone *gone;             /* for the report */
    bool failed;               /* a baseline could not be written, which was reported */
    bool no_room;              /* out of memory */
} m5_baselines;

/* Begins: settings were begun before, and stay until m5_baselines_free. Errors up to the call of
 * m5_baselines_check are reported and kept as those of settings are. */
void m5_baselines_begin(m5_baselines *all, m5_all_settings *settings);

/* Finds, and reads, the baseline of a job's input. Call it for all jobs, and then
 * m5_baselines_check, which reports options that need a baseline if there is none. */
void m5_baselines_find(m5_baselines *all, struct m5_job *job);
void m5_baselines_check(m5_baselines *all);

/* Before a job is linted: changes its collector and settings so that old findings are hidden. */
void m5_baseline_watch(struct m5_job *job);

/* Takes over what a job has, once its findings are shown. */
void m5_baselines_take(m5_baselines *all, struct m5_job *job);
void m5_hiding_free(m5_hiding *hiding); /* NULL: nothing */

/* When all is shown: finds what is gone, and writes what has to be written. */
void m5_baselines_finish(m5_baselines *all, const m5_inputs *inputs, m5_totals *totals);

void m5_baselines_free(m5_baselines *all);

#endif
