/* A run of the program: what its parts share. */
#ifndef M5_LINT_APP_PROGRAM_H
#define M5_LINT_APP_PROGRAM_H

#include "lint/app/inputs/only.h"
#include "lint/app/jobs/fix.h"
#include "lint/app/jobs/job.h"
#include "lint/app/reports/reports.h"
#include "lint/app/settings/settings.h"
#include "lint/app/system/progress.h"
#include "lint/report/fold.h"

typedef struct m5_program {
    m5_options options;
    m5_target_rows target_rows;
    m5_writer out, err;
    bool out_failed;
    m5_reports reports;
    m5_totals totals;
    m5_all_settings settings;
    m5_baselines baselines;
    m5_inputs inputs;
    const char **archives; /* the paths of all */
    m5_job *jobs;          /* one for each input */
    m5_lint_file **files;  /* of the jobs */
    m5_rig *rigs;          /* of the inputs */
    m5_declared *declared; /* about the inputs */
    void *pairs_memory;
    m5_pairs pairs;
    size_t *group_ends;  /* in the order of pairs */
    size_t *group_leads; /* see m5_pool */
    m5_only only;
    uint8_t *listed;       /* a byte for each input: whether it changed; NULL: all are shown */
    size_t next;           /* the next to be shown, in the order of pairs */
    size_t awake, written; /* of those that were shown: the first whose bytes may be in memory, and
                            * the end of those that are written once the next part begins */
    void *also;            /* of the findings that are folded in the group that is shown */
    bool *linted;          /* of each group */
    bool *shown;           /* of each input */
    m5_fold_file *folds;   /* of a group: room for all inputs */
    bool no_room;
    m5_fixer fixer;
    m5_progress progress;
    m5_times times; /* of all jobs that are done */
    uint64_t begun; /* when the program was, see m5_times_now */
} m5_program;

/* Where a group begins in the order of pairs; it ends where the next one does. */
static inline size_t m5_program_begin_of(const m5_program *p, size_t group)
{
    return group == 0 ? 0 : p->group_ends[group - 1];
}

/* ---- changed.c: only some files are shown ---------------------------------------------------- */

bool m5_changed_wanted(const m5_options *options);

/* Reads the lists of what changed. Returns false if that is not known, which is reported, or when
 * out of memory: then there is no `room`. */
bool m5_changed_read(m5_program *p, bool *room);

/* Finds the inputs that changed, or that were named besides a game. Returns false when out of
 * memory. */
bool m5_changed_list(m5_program *p);

/* Lists, after all were scanned, what could not be read: that is always reported. */
void m5_changed_list_unread(m5_program *p);

/* Whether any file of a group is to be shown. */
bool m5_changed_any(const m5_program *p, size_t group);

/* ---- show.c: what users see ------------------------------------------------------------------ */

void m5_program_flush(m5_program *p);

/* Reports an error of a file beside the report. */
void m5_program_say_error(m5_program *p, const char *name, const char *error);

/* Of m5_pool; `user` is the program. */
bool m5_show_part(void *user, size_t group, size_t part);
void m5_show_end(void *user, size_t group);
void m5_show_output(void *user, size_t part, size_t output);

#endif
