/* The tables of targets, of what they do with findings, and of their limits. */
#include "targets.h"

#include <string.h>

#define NONE M5_TARGET_NONE
#define VERDICT(...)
#define LIMIT(...)
#define TARGET(id, name, alias, what, commit, date, needs, like)                                   \
    {name, alias, what, commit, date, needs, M5_TARGET_##like},
const m5_target m5_targets[M5_TARGETS] = {
#include "targets.def"
};
#undef TARGET
#undef VERDICT
#undef LIMIT

/* In a row, `any` stands for all kinds of a column. */
enum { M5_FORMAT_any = M5_FORMATS, M5_TAG_any = M5_TAGS };
enum {
    SEVERITY_any = M5_SILENT,
    SEVERITY_note = M5_NOTE,
    SEVERITY_warning = M5_WARNING,
    SEVERITY_error = M5_ERROR
};

#define TARGET(...)
#define LIMIT(...)
#define VERDICT(id, rule, severity, format, record, tag, outcome, evidence)                        \
    {                                                                                              \
        M5_TARGET_##id,                                                                            \
        outcome,                                                                                   \
        M5_FORMAT_##format,                                                                        \
        M5_TAG_##tag,                                                                              \
        SEVERITY_##severity,                                                                       \
        M5_RULE_##rule,                                                                            \
        record,                                                                                    \
        evidence},
const m5_verdict m5_verdicts[M5_VERDICTS] = {
#include "targets.def"
};
#undef VERDICT
#undef LIMIT

#define VERDICT(...)
#define LIMIT(id, measure, value, outcome, evidence)                                               \
    {M5_TARGET_##id, M5_MEASURE_##measure, outcome, value, evidence},
const m5_limit m5_limits[] = {
#include "targets.def"
};
const size_t m5_num_limits = sizeof m5_limits / sizeof *m5_limits;
#undef VERDICT
#undef LIMIT
#undef TARGET

const char *m5_outcome_name(m5_outcome outcome)
{
    static const char *const names[] = {"loads",   "misplays", "unknown",
                                        "refuses", "exits",    "crashes"};
    return names[outcome];
}

const char *m5_measure_name(m5_measure measure)
{
    static const char *const names[M5_MEASURES] = {
        "joints of a mesh",
        "joints of an animation",
        "weights of a vertex",
        "vertices of a mesh",
        "triangles of a mesh",
        "weights of a mesh",
        "meshes",
        "frames",
        "values of a frame",
        "bytes of a joint name in a mesh",
        "bytes of a joint name in an animation",
        "bytes of a shader",
        "bytes of a mesh's commandline",
        "bytes of an animation's commandline",
        "bytes of a word in a mesh",
        "bytes of a word in an animation",
        "bytes of a line",
    };
    return names[measure];
}

static bool is_name(const char *name, const char *text, size_t length)
{
    return name != NULL && strlen(name) == length && memcmp(name, text, length) == 0;
}

uint32_t m5_targets_by_name(const char *name, size_t length)
{
    if (is_name("all", name, length))
        return (1u << M5_TARGETS) - 1;
    for (unsigned i = 0; i < M5_TARGETS; i++)
        if (is_name(m5_targets[i].name, name, length) || is_name(m5_targets[i].alias, name, length))
            return 1u << i;
    return 0;
}

const char *m5_target_name_at(unsigned i)
{
    return i < M5_TARGETS ? m5_targets[i].name : NULL;
}

bool m5_target_needs_pair(unsigned target)
{
    static const char pair[] = "a mesh and an animation of the same name";
    return strncmp(m5_targets[target].needs, pair, sizeof pair - 1) == 0;
}
