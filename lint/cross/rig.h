/* Fingerprints of joints: see m5_rig in lint.h. */
#ifndef M5_LINT_CROSS_RIG_H
#define M5_LINT_CROSS_RIG_H

#include "lint/lint.h"

/* Describes a model; the hashes of its names are kept in the arena. */
void m5_rig_of(m5_rig *rig, const m5_source *source, const m5_model *model, m5_arena *arena);

#endif
