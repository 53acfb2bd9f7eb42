/* Whether reports may be written where they are to be. */
#ifndef M5_LINT_APP_REPORTS_OUTPUTS_H
#define M5_LINT_APP_REPORTS_OUTPUTS_H

#include "lint/app/jobs/baseline.h"

/* Reports an output that would replace what the run reads, or another output, by whatever path.
 * Call it before anything is linted: see m5_settings_report. */
void m5_outputs_check(m5_all_settings *settings, const m5_inputs *inputs,
                      const m5_baselines *baselines);

#endif
