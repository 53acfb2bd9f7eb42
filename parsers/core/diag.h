/* Rules and findings. A rule is a row of data; a check measures how bad a finding is, and the row
 * turns that into a severity. */
#ifndef M5_DIAG_H
#define M5_DIAG_H

#include "source.h"

#include <math.h>

M5_BEGIN_C

/* In ascending order. A silent finding is counted nowhere and reported to no one. */
typedef enum m5_severity { M5_SILENT, M5_NOTE, M5_WARNING, M5_ERROR } m5_severity;

/* Returns "note", "warning", "error", or "silent": a constant string. */
const char *m5_severity_name(m5_severity severity);

/* Limits of a rule. Each finding has a measure (a distance, a count, a share: the rule's text says
 * which), and its severity is the highest of these limits that the measure exceeds. A rule that
 * does not measure always has measure 0, and a single limit below 0. */
typedef struct m5_levels {
    double note, warning, error;
} m5_levels;

#define M5_NEVER ((double)INFINITY)
#define M5_ALWAYS (-1.0)
/* clang-format off */

/* The usual kinds of limits. */
#define M5_IS_ERROR {M5_NEVER, M5_NEVER, M5_ALWAYS}
#define M5_IS_WARNING {M5_NEVER, M5_ALWAYS, M5_NEVER}
#define M5_IS_NOTE {M5_ALWAYS, M5_NEVER, M5_NEVER}
#define M5_IS_OFF {M5_NEVER, M5_NEVER, M5_NEVER} /* a note when it is asked for */
#define M5_GRADED(note, warning, error) {note, warning, error}

/* Limits of a rule with two kinds of cases, whose measure is M5_MILD or M5_GRAVE. */
#define M5_NOTE_OR_WARNING {0, 1, M5_NEVER}
#define M5_WARNING_OR_ERROR {M5_NEVER, 0, 1}
/* clang-format on */

#define M5_MILD 0.5
#define M5_GRAVE 2.0

/* A limit that only an infinite measure exceeds, such as that of a number that is not finite. */
#define M5_BEYOND 1e300

/* The formats that a rule is about: one bit for each row of formats.def. */
#define M5_FORMAT(symbol, name, text) M5_FORMAT_##symbol,
enum {
#include "../formats.def"
    M5_FORMATS
};
#undef M5_FORMAT
enum {
    M5_IN_MD5MESH = 1 << M5_FORMAT_md5mesh,
    M5_IN_MD5ANIM = 1 << M5_FORMAT_md5anim,
    M5_IN_MD5CAMERA = 1 << M5_FORMAT_md5camera,
    M5_IN_MD5_MODELS = M5_IN_MD5MESH | M5_IN_MD5ANIM, /* with joints */
    M5_IN_MD5 = M5_IN_MD5_MODELS | M5_IN_MD5CAMERA,
    M5_IN_MD4 = 1 << M5_FORMAT_md4,
    M5_IN_ILLMESH = 1 << M5_FORMAT_illmesh,
    M5_IN_ILLSKEL = 1 << M5_FORMAT_illskel,
    M5_IN_ILLANIM = 1 << M5_FORMAT_illanim,
    M5_IN_ILL = M5_IN_ILLMESH | M5_IN_ILLSKEL | M5_IN_ILLANIM,
    M5_IN_PACK = 1 << M5_FORMAT_pack,
    M5_IN_DEF = 1 << M5_FORMAT_def
};

/* A rule. Users and files name a rule by its id, which never changes; its number changes from
 * version to version and only says where its limits are in a table of levels. All strings are
 * constant. */
typedef struct m5_rule {
    unsigned number;
    const char *id;
    m5_levels levels;
    unsigned formats;
    const char *summary; /* what is wrong, in one line */
    const char *why;     /* what a user will see, in which loaders, and the cause */
    const char *fix;     /* what to do; shown as the hint of a finding */
    const char *example; /* lines of a file that break the rule */
    const char *origin;  /* the document or observation that the rule comes from */
} m5_rule;

#define M5_RULE(symbol, ...) M5_RULE_##symbol,
enum {
#include "../rules.def"
    M5_PARSER_RULES
};
#undef M5_RULE

/* The rules of the parsers, by number. Those of the linter are in lint.h. */
extern const m5_rule m5_parser_rules[M5_PARSER_RULES];
#define M5_ROW(symbol) (&m5_parser_rules[M5_RULE_##symbol])

/* A place in a model, such as mesh[0].tri[7] or surface[1].vertex[17].weight[0].boneIndex. Steps
 * that are not used have name NULL. */
#define M5_NO_INDEX UINT32_MAX
enum { M5_PATH_STEPS = 4 };
typedef struct m5_path {
    struct {
        const char *name;
        uint32_t index;      /* from 0; M5_NO_INDEX where there is only one */
        uint32_t own_length; /* bytes of `own`; 0: it has no name of its own */
        const char *own; /* the name that a .def gives it, which other changes of the file leave */
    } step[M5_PATH_STEPS];
} m5_path;

/* Writes a path as text into `out`, at most `size` bytes with the final NUL (at least 1; 200 are
 * enough for every path of this library); a longer one is cut. What has a name of its own has that
 * in place of the index: model[imp].anim[walk]. One that is longer than 40 bytes, or has others
 * than letters, digits and _ / - . ~, is shortened to a part, ~ and a hash. Returns the length
 * written, 0 for no path. */
size_t m5_path_text(const m5_path *path, char *out, size_t size);

/* Another place that a finding is about, in the same file or in one that it is compared with. */
typedef struct m5_related {
    const m5_source *source;
    m5_span at;
    const char *message; /* what is there */
} m5_related;

enum { M5_MOST_RELATED = 4 };

/* What kind of its rule's case a finding is: see tags.def. */
#define M5_TAG(symbol, name) M5_TAG_##symbol,
typedef enum m5_tag {
    M5_TAG_none,
#include "tags.def"
    M5_TAGS
} m5_tag;
#undef M5_TAG

/* Whether a finding knows what belongs at its place: in MD4, which number in its 4 bytes. */
typedef enum m5_knows {
    M5_KNOWS_NOTHING,
    M5_KNOWS_GUESS,   /* another number may be wrong instead, or a record be lost */
    M5_KNOWS_NUMBER,  /* for certain */
    M5_KNOWS_EXCHANGE /* for certain: what the first related place has, where this one belongs */
} m5_knows;

/* A finding. The strings are valid only until the sink returns, and a sink that keeps findings
 * copies them, and those in `path` that are a step's own; `rule`, `fix`, the sources, and the other
 * names in `path`, which are constant, stay. */
typedef struct m5_diag {
    const m5_rule *rule;
    m5_severity severity; /* by the levels in force */
    m5_severity own;      /* by the rule's own levels */
    m5_span at;
    m5_path path;
    m5_tag tag;          /* M5_TAG_none: what the text at `at` says, see m5_tag_of */
    bool unsaid;         /* not reported, as another one of its line was: only for m5_watch */
    const char *message; /* may quote bytes of the file: not yet safe for a terminal */
    const char *fix;     /* constant: better advice than the rule's; NULL before it is reported */
    m5_knows knows;      /* only in MD4, and where places are exchanged */
    uint32_t number;     /* the number of m5_knows, as it is stored */
    uint32_t num_related;
    m5_related related[M5_MOST_RELATED];
} m5_diag;

/* A function of the caller's that takes findings, on the caller's thread, in the order in which
 * they are made, which is only roughly that of the file. It may parse other files. */
typedef struct m5_sink {
    void (*take)(void *user, const m5_diag *diag);
    void *user;
} m5_sink;

/* A function of the caller's that sees each finding before levels and limits of output apply to it.
 * diag->severity is that by the levels in force, the result the one that it is reported with. A
 * parser reports one error of a line; the others are seen with diag->unsaid.
 * `minds[rule->number]`: whether it needs the rule's findings. */
enum { M5_MINDS_NOT, M5_MINDS, M5_MINDS_EVEN_IF_OFF };
typedef struct m5_watch {
    m5_severity (*see)(void *user, const m5_diag *diag); /* NULL: nobody watches */
    void *user;
    const uint8_t *minds;
} m5_watch;

/* The order of texture coordinates and bones in a vertex of an illmesh. The format text has texture
 * coordinates first, illEngine, whose author wrote the text, has bones first. AUTO finds out which
 * order a file has. */
typedef enum m5_ill_layout { M5_ILL_AUTO, M5_ILL_SPEC, M5_ILL_ENGINE } m5_ill_layout;

/* How one file is parsed and linted. Zero is the default for every member. Owned by the caller, and
 * unchanged until the file is done; files on any number of threads may share one. */
typedef struct m5_settings {
    const m5_levels *levels;  /* by rule number: M5_PARSER_RULES of them to parse, M5_RULES to lint;
                               * NULL: each rule's own */
    m5_ill_layout ill_layout; /* illmesh only */
    bool no_geometry;         /* lint: skip rules that pose, skin or look at triangles */
    uint64_t geometry_budget; /* lint: see M5_GEOMETRY_BUDGET, which 0 stands for */
    bool joints_only; /* parse: leave an MD5 file after its joints: the model has nothing else, and
                       * no status or finding says anything about the rest */
    uint64_t max_member; /* lint: bytes of an archive's member that is read; 0: M5_MAX_MEMBER */
    bool members_apart;  /* lint: do not read an archive's members: the caller does it */
    uint32_t targets;    /* lint: the targets asked about, bits of 1 << number: see targets.h */
    const struct m5_target_rows *target_rows; /* lint: found once for many files: see targets.h;
                                               * NULL: for each file */
    void (*enter)(void *user, unsigned part); /* lint: called where another part of the work on a
                                               * file begins, see lint/core/parts.h; or NULL */
    void *enter_user;
    bool plain; /* for tests: use no fast paths; the result is the same */
    void (*silent)(void *user, const m5_diag *diag); /* takes findings that are not reported, with
                                                      * the sink's user and no message; or NULL */
} m5_settings;

/* Where a parser and checks report to, one for each file. Set `source`, and `sink`, `settings`
 * and `watch` if they are wanted, and zero the rest. Without a sink findings are only counted. */
typedef struct m5_report {
    const m5_source *source;
    m5_sink sink;
    const m5_settings *settings;
    m5_watch watch;
    uint64_t errors, warnings, notes; /* by the levels in force */
    uint64_t found; /* findings that the rules' own levels report, if they are made at all: checks
                     * leave out notes that nobody sees */
    uint64_t flaws; /* errors among these; after a parse 0 means clean */
    uint32_t spared_to; /* not 0: the last finding was not reported, but only up to this byte is it
                         * suppressed or hidden by another: see m5_once */
} m5_report;

M5_END_C

#endif
