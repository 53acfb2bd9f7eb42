/* Private: how parsers and checks make findings and hand them to a report. */
#ifndef M5_EMIT_H
#define M5_EMIT_H

#include "diag.h"
#include "exact.h"
#include "text.h"

M5_BEGIN_C

/* The highest level that a measure exceeds. */
m5_severity m5_judge(const m5_levels *levels, double measure);

/* A path of one step, and of two. */
m5_path m5_path1(const char *name, uint32_t index);
m5_path m5_path2(const char *outer, uint32_t i, const char *inner, uint32_t j);

/* m5_path1 in place, for a path of one step or none: what is done for each record. */
static inline void m5_path_set(m5_path *path, const char *name, uint32_t index)
{
    path->step[0].name = name;
    path->step[0].index = index;
}

/* Writes a step's own name as m5_path_text does, at most M5_PATH_OWN bytes and a NUL; of what was
 * written it makes the same. Returns its length. */
enum { M5_PATH_OWN = 40 };
uint32_t m5_path_own(const char *own, uint32_t length, char *out);

/* A path one step longer, to something that the file gives a name; with an empty one, its index
 * says which it is. The path must have a step left. */
m5_path m5_path_to(m5_path from, const char *name, uint32_t index, const m5_source *in,
                   m5_name own);

/* The settings in force. */
extern const m5_settings m5_usual_settings;
static inline const m5_settings *m5_settings_of(const m5_report *report)
{
    return report->settings != NULL ? report->settings : &m5_usual_settings;
}

/* Whether a finding with this measure would be reported at all: lets expensive checks be skipped.
 */
m5_severity m5_would_say(const m5_report *report, const m5_rule *rule, double measure);

/* Begins a finding at `at`: fill in the path and related places, then emit it. Only the first
 * M5_MOST_RELATED related places are kept. */
m5_diag m5_found(const m5_rule *rule, m5_span at);
void m5_relate(m5_diag *diag, const m5_source *source, m5_span at, const char *message);

/* The measure of a finding that is only for targets (see m5_watch): no level reports it. */
#define M5_FOR_TARGETS (-2.0)

/* Judges the finding, writes its message (see m5_text_format) and hands it to the sink. */
void m5_emit(m5_report *report, m5_diag *diag, double measure, const char *format, ...)
    M5_PRINTF(4, 5);
void m5_emit_list(m5_report *report, m5_diag *diag, double measure, const char *format,
                  va_list args);

/* What is reported once a file. A place where a comment suppresses it, or another finding hides it,
 * does not count: then it is reported at the next one. */
typedef struct m5_once {
    bool said;
    uint32_t from; /* before this byte it is not reported */
} m5_once;

/* Whether it is still to be reported at `at`. Call m5_once_done after that. */
static inline bool m5_once_open(const m5_once *once, m5_span at)
{
    return !once->said && at.offset >= once->from;
}
static inline void m5_once_done(m5_once *once, const m5_report *report)
{
    once->said = report->spared_to == 0;
    once->from = report->spared_to;
}

/* Reports the finding as m5_emit does, if m5_once_open allows it at the place of the finding. */
void m5_emit_once(m5_report *report, m5_once *once, m5_diag *diag, double measure,
                  const char *format, ...) M5_PRINTF(5, 6);

/* Lets the watcher of the report see a finding that is not reported. */
void m5_overlook(m5_report *report, m5_diag *diag, double measure);

M5_END_C

#endif
