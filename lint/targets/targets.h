/* Engines: what each does with a finding, and what it makes of a file. Rows are in *.def. */
#ifndef M5_LINT_TARGETS_TARGETS_H
#define M5_LINT_TARGETS_TARGETS_H

#include "lint/lint.h"

/* What an engine does with a file. A larger one is shown before a smaller one. UNKNOWN hides what
 * is harmless, but not what is known to be refused. */
typedef enum m5_outcome {
    M5_LOADS,
    M5_MISPLAYS, /* loads, and is known to look or play wrong */
    M5_UNKNOWN,
    M5_REFUSES, /* also an animation of the model, or nothing is left of it */
    M5_EXITS,   /* the program ends by itself */
    M5_CRASHES  /* also hangs, and runs out of memory */
} m5_outcome;

/* Returns "loads", "misplays", "unknown", "refuses", "exits" or "crashes": a constant string. */
const char *m5_outcome_name(m5_outcome outcome);

#define TARGET(id, ...) M5_TARGET_##id,
#define VERDICT(...)
#define LIMIT(...)
enum {
#include "targets.def"
    M5_TARGETS,
    M5_TARGET_NONE = M5_TARGETS
};
#undef TARGET
#undef VERDICT
#undef LIMIT

typedef struct m5_target {
    const char *name, *alias; /* alias: NULL if there is none */
    const char *what;
    const char *commit, *date; /* of the source that was read */
    const char *needs;         /* which files: see m5_target_needs_pair */
    int like;                  /* the target whose rows hold where this one has none */
} m5_target;
extern const m5_target m5_targets[M5_TARGETS];

/* What is known of findings of a rule. */
typedef struct m5_verdict {
    uint8_t target, outcome, format, tag, severity; /* format M5_FORMATS, tag M5_TAGS, severity
                                                     * M5_SILENT: all */
    uint16_t rule;
    const char *record;   /* the keyword of the line, or the kind of record; NULL: all */
    const char *evidence; /* where the engine does it, or "executed" */
} m5_verdict;
#define TARGET(...)
#define VERDICT(...) +1
#define LIMIT(...)
enum {
    M5_VERDICTS = 0
#include "targets.def"
};
#undef TARGET
#undef VERDICT
#undef LIMIT
extern const m5_verdict m5_verdicts[M5_VERDICTS];

/* Measures of a model. */
typedef enum m5_measure {
    M5_MEASURE_joints,           /* of a mesh */
    M5_MEASURE_joints_with_anim, /* of an animation */
    M5_MEASURE_influences,       /* weights of a vertex */
    M5_MEASURE_verts,            /* of each mesh */
    M5_MEASURE_tris,
    M5_MEASURE_weights,
    M5_MEASURE_meshes,
    M5_MEASURE_frames,
    M5_MEASURE_components,      /* values of a frame */
    M5_MEASURE_joint_name,      /* bytes, in a mesh */
    M5_MEASURE_joint_name_anim, /* bytes, in an animation */
    M5_MEASURE_shader,          /* bytes */
    M5_MEASURE_commandline,     /* bytes, of a mesh */
    M5_MEASURE_commandline_anim,
    M5_MEASURE_word, /* bytes of a word that is no string, in a mesh */
    M5_MEASURE_word_anim,
    M5_MEASURE_line, /* bytes, without its ending; not of the commandline */
    M5_MEASURES
} m5_measure;

/* Returns "vertices of a mesh", "bytes of a shader" and so on: a constant string. */
const char *m5_measure_name(m5_measure measure);

/* More than `value` of something, and its outcome. */
typedef struct m5_limit {
    uint8_t target, measure, outcome;
    uint32_t value;
    const char *evidence;
} m5_limit;
extern const m5_limit m5_limits[];
extern const size_t m5_num_limits;

/* Returns the bit (1 << number) of the target of a name or alias, those of all for "all", and 0 if
 * there is none. */
uint32_t m5_targets_by_name(const char *name, size_t length);

/* Returns the name of target `i`, NULL from M5_TARGETS on: for m5_nearest. */
const char *m5_target_name_at(unsigned i);

/* Whether a target loads no mesh alone, but only with an animation of the same name. */
bool m5_target_needs_pair(unsigned target);

/* The kind of a rule's case: what the finding's maker says, or else what the text at it is. */
m5_tag m5_tag_of(const m5_source *source, const m5_diag *diag);
const char *m5_tag_name(m5_tag tag); /* NULL for M5_TAG_none */

/* The keyword that begins the line of a finding, or the kind of its record; "" if there is none. */
const char *m5_record_of(const m5_source *source, const m5_diag *diag);

/* What a target makes of a file, and why: the finding or limit that decides. */
typedef struct m5_decision {
    m5_outcome outcome;
    uint32_t unknown;    /* how many findings it is unknown for */
    const m5_rule *rule; /* NULL: a limit, or nothing decides */
    uint32_t offset;     /* where */
    const m5_limit *limit;
    uint64_t measured; /* what goes beyond it */
} m5_decision;

enum { M5_TARGETS_SEEN = 16 };

/* What does not depend on a file: which rules the targets mind (see m5_watch), and the rows of each
 * rule, in their order: the first, and the one after each; M5_VERDICTS: there is none. */
typedef struct m5_target_rows {
    uint8_t minds[M5_RULES];
    uint16_t first[M5_RULES], next[M5_VERDICTS];
    uint32_t reads_all; /* targets that read more meshes than numMeshes says: bits */
} m5_target_rows;

/* Finds the rows for some targets. */
void m5_target_rows_find(uint32_t targets, m5_target_rows *out);

/* What is known of a file so far. */
typedef struct m5_targets_state {
    const m5_source *source;
    const m5_report *report;
    uint32_t chosen; /* bits of 1 << number */
    unsigned format;
    const m5_model *model; /* what is known of it so far */
    m5_decision decisions[M5_TARGETS];
    const m5_target_rows *rows;
    struct {
        uint16_t rule;
        uint8_t tag, own;
        const char *record;
        uint8_t outcome[M5_TARGETS];
    } seen[M5_TARGETS_SEEN]; /* of findings that are alike, the rows are looked up once */
} m5_targets_state;

/* Begins a file, whose report then watches its findings. `state`, `rows` and `model` stay where
 * they are. */
void m5_targets_begin(m5_targets_state *state, const m5_target_rows *rows, m5_report *report,
                      const m5_model *model);

/* What each target makes of a finding of the file: outcome[M5_TARGETS]. Levels are not looked at.
 * `source` is the file's. */
void m5_targets_effect(const m5_targets_state *state, const m5_source *source, const m5_diag *diag,
                       uint8_t *outcome);

/* Holds the word or line that a finding is about against the limits of some targets: bits. */
void m5_targets_measure_text(m5_targets_state *state, const m5_diag *diag, uint32_t targets);

/* Holds the model against the targets' limits. */
void m5_targets_measure(m5_targets_state *state, const m5_model *model);

#endif
