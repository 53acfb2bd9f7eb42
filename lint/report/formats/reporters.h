/* The formats in which findings are shown: a file of this folder each. */
#ifndef M5_LINT_REPORT_FORMATS_REPORTERS_H
#define M5_LINT_REPORT_FORMATS_REPORTERS_H

#include "lint/report/report.h"

/* The reporters in the order in which they are listed; NULL past the last. */
const m5_reporter *m5_reporter_at(unsigned i);

extern const m5_reporter m5_report_text, m5_report_gcc, m5_report_json, m5_report_jsonl,
    m5_report_checkstyle, m5_report_junit, m5_report_gitlab, m5_report_sarif, m5_report_github;

/* A page in Markdown for the summary of a GitHub job: not in the list. */
extern const m5_reporter m5_report_summary;

#endif
