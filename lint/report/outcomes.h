/* What the targets asked about make of all files. */
#ifndef M5_LINT_REPORT_OUTCOMES_H
#define M5_LINT_REPORT_OUTCOMES_H

#include "lint/targets/targets.h"

struct m5_result;

/* The worst of all files. */
typedef struct m5_outcome_total {
    m5_outcome outcome;
    uint64_t unknown; /* findings whose outcome is not known */
    const m5_rule *rule;
    const m5_limit *limit;
    uint64_t measured;
    uint64_t alone; /* why it is unknown: so many meshes have no animation of their name; or 0 */
    uint32_t line, column;
    const char *file; /* its path as it is; NULL: nothing decides */
} m5_outcome_total;

typedef struct m5_outcomes {
    uint32_t chosen; /* bits of 1 << number */
    uint64_t read;   /* files that such a target may read */
    int64_t alone;   /* meshes, less the animations that have their names */
    m5_outcome_total total[M5_TARGETS];
} m5_outcomes;

/* Whether a target is asked about. */
bool m5_outcomes_has(const m5_outcomes *outcomes, unsigned target);

/* Adds a file; one that could not be read has an unknown outcome. Its path must stay. */
void m5_outcomes_add(m5_outcomes *outcomes, const struct m5_result *result);

/* Call once all files are added: without any, the outcome is unknown, and so is that of a mesh
 * alone where a target needs an animation. */
void m5_outcomes_finish(m5_outcomes *outcomes);

/* One line for each target: `dhewm3  refuses  walk.md5anim:14:2 md5anim-multiple-roots`. */
void m5_outcomes_put(const m5_outcomes *outcomes, const m5_writer *out);

/* ` (dhewm3 refuses, daemon crashes)`: what a finding is to the targets of a file; nothing if there
 * are none. */
void m5_output_effects(const m5_writer *out, const struct m5_result *result, const m5_diag *diag);

/* ---- What is known, for people --------------------------------------------------------------- */

/* One paragraph for each target. `today`, YYYY-MM-DD, marks what was read a year ago or earlier. */
void m5_list_targets(const m5_writer *out, const char *today);

/* Which findings of its rule a row is about: `md5anim, if it is an error` or `otherwise`. Returns
 * false, and writes nothing, if the row is the target's only one and is about all of them. */
bool m5_output_case(const m5_writer *out, const m5_verdict *verdict);

/* What each target does with the findings of a rule: lines, or rows of a Markdown table. */
void m5_explain_targets(const m5_writer *out, const m5_rule *rule, bool markdown);

#endif
