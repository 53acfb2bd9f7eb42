/* What can be said about a file, and how it is said: rules are rows of data, a finding is
 * measured by the code and judged by the row. */
#ifndef M5_DIAG_H
#define M5_DIAG_H

#include "source.h"

#include <math.h>

M5_BEGIN_C

typedef enum m5_severity { M5_SILENT, M5_NOTE, M5_WARNING, M5_ERROR } m5_severity;

/* "note", "warning" or "error"; "silent" of what is not reported. */
const char *m5_severity_name(m5_severity severity);

/* A finding comes with a measure; the highest level that it exceeds is its severity. A plain
 * rule is always measured as 0 and has a single level below that. */
typedef struct m5_levels {
    double note, warning, error;
} m5_levels;

#define M5_NEVER ((double)INFINITY)
#define M5_ALWAYS (-1.0)
/* clang-format off */
#define M5_IS_ERROR {M5_NEVER, M5_NEVER, M5_ALWAYS}
#define M5_IS_WARNING {M5_NEVER, M5_ALWAYS, M5_NEVER}
#define M5_IS_NOTE {M5_ALWAYS, M5_NEVER, M5_NEVER}
#define M5_IS_OFF {M5_NEVER, M5_NEVER, M5_NEVER} /* a note when it is asked for */
#define M5_GRADED(note, warning, error) {note, warning, error}

/* A rule of which some cases are worse than others. It is measured by M5_MILD and M5_GRAVE, which
 * give its first and its second severity. */
#define M5_NOTE_OR_WARNING {0, 1, M5_NEVER}
#define M5_WARNING_OR_ERROR {M5_NEVER, 0, 1}
/* clang-format on */
#define M5_MILD 0.5
#define M5_GRAVE 2.0

/* A limit for what is beyond measure: a count of none where there must be one, a float that is
 * none. */
#define M5_BEYOND 1e300

/* Formats a rule can speak of: a bit for each row of formats.def. */
#define M5_FORMAT(symbol, name, text) M5_FORMAT_##symbol,
#define M5_FORMAT_LATER(name, text)
enum {
#include "../formats.def"
    M5_FORMATS
};
#undef M5_FORMAT
#undef M5_FORMAT_LATER
enum {
    M5_IN_MD5MESH = 1 << M5_FORMAT_md5mesh,
    M5_IN_MD5ANIM = 1 << M5_FORMAT_md5anim,
    M5_IN_MD5 = M5_IN_MD5MESH | M5_IN_MD5ANIM,
    M5_IN_MD4 = 1 << M5_FORMAT_md4,
    M5_IN_ILLMESH = 1 << M5_FORMAT_illmesh,
    M5_IN_ILLSKEL = 1 << M5_FORMAT_illskel,
    M5_IN_ILLANIM = 1 << M5_FORMAT_illanim,
    M5_IN_ILL = M5_IN_ILLMESH | M5_IN_ILLSKEL | M5_IN_ILLANIM
};

/* One row. `number` is its place in a table of levels and nothing else: people and files know
 * a rule by `id`. The prose is written once, here, and shown by --explain, hints and lists. */
typedef struct m5_rule {
    unsigned number;
    const char *id;
    m5_levels levels;
    unsigned formats;
    const char *summary; /* one line: what is wrong */
    const char *why;     /* what goes wrong because of it, and in which loaders */
    const char *fix;     /* what to do about it; the hint of a diagnostic */
    const char *example; /* a line or two that the rule speaks of */
    const char *origin;  /* where the rule comes from */
} m5_rule;

#define M5_RULE(symbol, ...) M5_RULE_##symbol,
enum {
#include "../rules.def"
    M5_PARSER_RULES
};
#undef M5_RULE

/* The rows of everything that a parser can say, by number. */
extern const m5_rule m5_parser_rules[M5_PARSER_RULES];
#define M5_ROW(symbol) (&m5_parser_rules[M5_RULE_##symbol])

/* Where in the model: mesh[0].tri[7], or surface[1].vertex[17].weight[0].boneIndex. Unused steps
 * have no name. */
#define M5_NO_INDEX UINT32_MAX
enum { M5_PATH_STEPS = 4 };
typedef struct m5_path {
    struct {
        const char *name;
        uint32_t index; /* M5_NO_INDEX: a thing there is one of */
    } step[M5_PATH_STEPS];
} m5_path;

/* Writes a path as text, `mesh[0].tri[7]`, into `size` bytes (200 are enough for any of ours),
 * ended by NUL and cut if it is longer. Returns its length as written. */
size_t m5_path_text(const m5_path *path, char *out, size_t size);

/* Another place that a finding is about, in the same file or in another. */
typedef struct m5_related {
    const m5_source *source;
    m5_span at;
    const char *message;
} m5_related;
enum { M5_MOST_RELATED = 4 };

/* A finding. Everything it points to but `rule` and the sources is gone when the sink returns. */
typedef struct m5_diag {
    const m5_rule *rule;
    m5_severity severity;
    m5_span at;
    m5_path path;
    const char *message;
    uint32_t num_related;
    m5_related related[M5_MOST_RELATED];
} m5_diag;

/* Takes findings in the order they are made, which is only roughly that of the file. */
typedef struct m5_sink {
    void (*take)(void *user, const m5_diag *diag);
    void *user;
} m5_sink;

/* In which order an illmesh holds a vertex's texture coordinates and blend data. The format text
 * and its author's engine disagree; the parser finds out which a file follows, unless told. */
typedef enum m5_ill_layout { M5_ILL_AUTO, M5_ILL_SPEC, M5_ILL_ENGINE } m5_ill_layout;

/* How one file is parsed and linted; all zero is as usual. Each file can have its own. They are the
 * caller's, and stay unchanged while the file is at work. */
typedef struct m5_settings {
    const m5_levels *levels;  /* by rule number: M5_PARSER_RULES of them, for a lint M5_RULES; NULL:
                               * the rows' own */
    m5_ill_layout ill_layout; /* of an illmesh */
    bool no_geometry;         /* lint: leave out rules that stand on poses, skins and triangles */
    uint64_t geometry_budget; /* lint: bones and weights placed at most; 0: M5_GEOMETRY_BUDGET */
    bool plain; /* for tests: without fast readers and cheap looks, with the same result */
} m5_settings;

/* What parsers and checks report through, one for each file at work. Zero it except for `source`;
 * a NULL sink only counts, NULL settings are the usual ones. */
typedef struct m5_report {
    const m5_source *source;
    m5_sink sink;
    const m5_settings *settings;
    uint64_t errors, warnings, notes; /* as the levels in force judge */
    uint64_t flaws;                   /* errors by the rows' own levels: these spoil a model */
} m5_report;

M5_END_C

#endif
