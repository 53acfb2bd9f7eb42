/* The work on one input, from its name to its findings. */
#ifndef M5_LINT_APP_JOBS_JOB_H
#define M5_LINT_APP_JOBS_JOB_H

#include "asset.h"
#include "baseline.h"
#include "lint/app/inputs/archive.h"
#include "lint/app/options/options.h"
#include "lint/app/system/blocks.h"
#include "lint/app/system/times.h"

/* What is needed while a file is linted and shown: in `kept` itself. */
typedef struct m5_turn {
    m5_settings settings;
    m5_collector found;
    m5_blocks kept;   /* what was found, and an error if it is about this file only */
    const char *late; /* what was wrong when the bytes were read again to be shown; or NULL */
} m5_turn;

typedef struct m5_job {
    const m5_input *input;
    const char *error;    /* why it was not linted */
    const char *unfixed;  /* why it was linted, but not fixed */
    char *why;            /* that, if it is about this file only; NULL: it never was */
    bool unread;          /* a member that could not be read: that is reported with its archive */
    bool keeps_asset;     /* it may be compared with declarations */
    bool needed;          /* others are compared with it */
    bool rests;           /* only what was found in it is in memory: see rest.h */
    uint32_t num_joints;  /* of a mesh or animation */
    uint32_t most_joints; /* the most of a file in its group */
    uint32_t *names;      /* of its rig; NULL: it has none, or those of another */
    m5_asset *asset;      /* NULL: nothing is kept */
    const char *amiss;    /* why its rig is not known, although it should be */
    m5_stamp scanned;     /* when its rig was read; unknown: it was not, or cannot be read again */
    m5_bytes bytes;
    void *memory;
    size_t memory_size;
    const m5_levels *levels; /* of its rules */
    m5_lint_file file;
    m5_hiding *hiding; /* of old findings; NULL: none is hidden or recorded */
    m5_times *times;   /* NULL: the user did not ask */
    m5_turn *turn;     /* NULL: it was not linted, there is no memory, or m5_job_rest */
} m5_job;

/* Whether the input is a file in an archive. */
bool m5_job_is_member(const m5_job *w);

/* Finds the format from the extension, else from the content, and reads what tells which files
 * belong together into `rig`. Keeps the bytes only if they cannot be read again. */
void m5_job_scan(m5_job *w, m5_rig *rig, const m5_options *o);

/* Lets the rig of a scanned job have the names of an earlier one that has the same: the files of a
 * character have the same joints, so that few lists of names are kept. `known` is a hash table of
 * jobs, with `room` places, more than there are jobs, which are 0 before the first call. */
void m5_job_share_names(m5_job *jobs, m5_rig *rigs, uint32_t which, uint32_t *known, size_t room);

/* Frees the names of its rig, which other jobs may have, too. May be called again. */
void m5_job_free_names(m5_job *w);

/* Reads bytes that were read and given back. */
void m5_job_read_again(m5_job *w, const m5_options *o);

/* Reads, parses and lints the input on its own. */
void m5_job_lint(m5_job *w, const m5_options *o);

/* Lints other bytes in its place, which the job takes over; the old ones are still the caller's. */
void m5_job_lint_again(m5_job *w, const m5_options *o, m5_bytes bytes);

/* Compares the input, file `which`, with those it belongs to. Does nothing if it has no model. */
void m5_job_lint_pair(m5_job *w, m5_lint_file *const *files, const m5_pairs *pairs, uint32_t which);

/* Frees what was found. */
void m5_job_end_turn(m5_job *w);

/* An error text if the file changed since it was read, so that its findings may not be true, or if
 * there was no memory for one. Else NULL. */
const char *m5_job_late_error(const m5_job *w);

/* The same only of a file that changed. */
const char *m5_job_changed(const m5_job *w);

/* Frees what was kept to be compared with declarations. May be called again. */
void m5_job_free_asset(m5_job *w);

/* May be called again, and for a job that has not begun. */
void m5_job_free(m5_job *w);

#endif
