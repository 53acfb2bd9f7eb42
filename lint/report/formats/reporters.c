/* The list of reporters. To add one, add its file to this folder, its name to this list and to
 * reporters.h. */
#include "reporters.h"

const m5_reporter *m5_reporter_at(unsigned i)
{
    static const m5_reporter *const all[] = {
        &m5_report_text,   &m5_report_gcc,        &m5_report_json,
        &m5_report_jsonl,  &m5_report_checkstyle, &m5_report_junit,
        &m5_report_gitlab, &m5_report_sarif,      &m5_report_github,
    };
    return i < sizeof all / sizeof *all ? all[i] : NULL;
}
