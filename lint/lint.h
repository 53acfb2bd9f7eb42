/* libm5lint: linting models, alone and together with others. Like the parsers it reads no files,
 * has no state and uses only the memory that it is given: one block for each file.
 *
 *     m5_lint_input in = {.source = {"hero.md5mesh", bytes, size},
 *                         .sink = {my_function, my_data},
 *                         .memory = malloc(m5_lint_memory(size, 0)),
 *                         .size = m5_lint_memory(size, 0)};
 *     m5_lint_file file;
 *     if (in.memory != NULL && m5_lint_bytes(&file, &in) <= M5_FLAWED)
 *         ... file.report.errors of the findings were errors; file.model holds the model ...
 *
 * Any number of threads may lint files, each its own. */
#ifndef M5_LINT_H
#define M5_LINT_H

#include "../parsers/m5.h"

M5_BEGIN_C

/* Numbers of rules: the parsers' come first. */
#define M5_RULE(symbol, ...) M5_RULE_##symbol,
enum {
    M5_LINT_RULES_FIRST = M5_PARSER_RULES - 1,
#include "rules.def"
    M5_RULES, /* how many there are, of parsers and linter */
    M5_LINT_RULES = M5_RULES - M5_PARSER_RULES
};
#undef M5_RULE

/* The rules of the linter; m5_parser_rules has those of the parsers. */
extern const m5_rule m5_lint_rules[M5_LINT_RULES];
#define M5_LINT_ROW(symbol) (&m5_lint_rules[(int)M5_RULE_##symbol - (int)M5_PARSER_RULES])

/* Returns the rule of a number, or NULL if it is not below M5_RULES. */
const m5_rule *m5_rule_at(unsigned number);

/* Returns the rule of an id, or NULL if there is none. */
const m5_rule *m5_rule_by_id(const char *id);

/* Rules that pose and skin a model place at most this many bones and weights, and at most that many
 * for each byte of the file (an intact animation needs 1 to 10), so that time is linear in the
 * size. Beyond that, evenly spread frames are looked at. m5_settings.geometry_budget replaces the
 * first limit; UINT64_MAX lifts both. */
#define M5_GEOMETRY_BUDGET UINT64_C(200000000)
#define M5_GEOMETRY_A_BYTE UINT64_C(64)

/* A file to be linted. The caller owns all of it, and keeps it unchanged while the m5_lint_file
 * made from it is in use. */
typedef struct m5_lint_input {
    m5_source source;
    const m5_format *format; /* one of formats.h; NULL: by the name's extension, else by content */
    const m5_settings *settings; /* NULL: the defaults */
    m5_sink sink;                /* without a function, findings are only counted */
    void *memory;                /* `size` bytes, aligned for any type */
    size_t size;                 /* see m5_lint_memory */
    bool in_group;    /* m5_lint_pair will be called for the file: findings that depend on the
                       * files around it come then. m5_lint_group sets it by itself. */
    const char *from; /* the archive or the folder of a game that it is from; NULL: unknown. Kept as
                       * long as the source is */
} m5_lint_input;

/* Why a file is compared with another one, or is not: see below. */
typedef enum m5_pair_reason {
    M5_PAIR_NONE,     /* nothing to compare the file with */
    M5_PAIR_DECLARED, /* a declaration of Doom 3 says so: see m5_declared */
    M5_PAIR_NAME,     /* the same name and folder */
    M5_PAIR_JOINTS,   /* the same joints; of an illanim, all of them are in the skeleton */
    M5_PAIR_STEM,     /* the file is named after the base, in its folder or the one around */
    M5_PAIR_ALIKE,    /* nearly all names are the same */
    M5_PAIR_FOLDER,   /* the only base in the folder */
    M5_PAIR_ONLY,     /* the only base there is */
    M5_PAIR_MISSING,  /* not compared: no base fits, and `base` is the one that is most alike */
} m5_pair_reason;

/* The model declaration that plays an animation: the first by path and place, if there are several,
 * whose mesh is known. */
typedef struct m5_declared {
    const m5_source *source; /* it is in; NULL: there is none */
    m5_name path, model;     /* the animation's path there, and the name of the model */
    uint32_t base;           /* the number of the model's mesh, its own or an inherited one */
    bool shared;             /* models with other meshes play the animation, too */
    bool idle;               /* none plays it, but others of its folder are played */
} m5_declared;

/* Checks that were left out because a part of the file, or of the one that it is compared with, is
 * missing, unreadable or wrong; that itself is reported. Bits of m5_lint_file.skipped, 1 << which
 * each. */
typedef enum m5_skipped {
    M5_SKIPPED_SUMS,
    M5_SKIPPED_JOINTS,
    M5_SKIPPED_PLACES, /* this and all below need the positions of joints and vertices */
    M5_SKIPPED_EDGES,
    M5_SKIPPED_MOTION,
    M5_SKIPPED_FRAMES,
    M5_SKIPPED_BONES,
    M5_SKIPPED_BOXES,
    M5_SKIPPED_BOXED_MESH,
    M5_SKIPPED_CAMERA,
    M5_SKIPPED_MD4_SHAPE,
    M5_SKIPPED_ILLMESH_SHAPE,
    M5_SKIPPED_ILLANIM_MOTION,
    M5_SKIPPED_SKELETON,
    M5_SKIPPED_KINDS
} m5_skipped;

/* Returns what was left out and why: "poses and motion, since ...", a constant string. */
const char *m5_skipped_text(m5_skipped which);

/* A linted file, filled in by m5_lint_bytes. It must stay where it is: findings and the model point
 * to `source`. */
typedef struct m5_lint_file {
    m5_status status;
    m5_source source;
    m5_model model;                   /* without a model, all but `format` is NULL */
    m5_report report;                 /* has the counts of findings */
    m5_arena arena;                   /* holds the model */
    const struct m5_lint_file *base;  /* the mesh or skeleton it was compared with, or NULL */
    m5_pair_reason reason;            /* why */
    m5_declared declared;             /* the declaration that says so */
    uint32_t skipped;                 /* see m5_skipped */
    struct m5_targets_state *targets; /* what the targets asked about make of it; NULL: none was */
    struct m5_ignores *ignores;       /* what comments in it suppress; NULL: nothing */
    uint64_t suppressed;              /* findings that are not reported because of comments */

    bool in_group;    /* see m5_lint_input; false: m5_lint_model reports everything */
    const char *from; /* see m5_lint_input */

    /* Private: what the checks of one file leave for the checks between files. */
    const uint32_t *names; /* joint indices sorted by name; NULL if there was no memory */
    bool values_known;     /* md5anim: it is known which joint each value of a frame belongs to */
    uint8_t *odd_frames; /* md5anim, md5camera, MD4: what is wrong with each frame; NULL: nothing */
    struct m5_jump_mark *jumps; /* md5anim: of each frame; NULL: no joint jumps in any */
    const struct m5_box *parts; /* md5mesh: what hangs on each joint; NULL if unknown */
    bool far;                   /* a vertex is so far away that bounding boxes say nothing */
    const struct m5_misplaced *misplaced; /* md5mesh: joints that were reported as not where they
                                           * should be; NULL: none was */
    uint32_t other_name;   /* md5anim: 1 + the joint that was reported to have another name than
                            * in the mesh; 0: none */
    uint32_t other_parent; /* 1 + the joint that was reported as a second root, here or, with what
                            * its comment says, in the mesh, or as the first of those that have
                            * another parent in the mesh; 0: none */
    bool parents_differ; /* md5anim: each joint that has another parent in the mesh was reported */
    bool comments_name_parents; /* md5mesh, md5anim: as a rule */
    bool misfit;                /* most vertices are elsewhere than their joints */
    bool inverted;              /* md5mesh: inverted orientations of its joints were reported */
    bool in_parents;            /* md5mesh: ... or that they are in their parents' space */
    double scaled_by; /* md5mesh: what all weights, or all vertices, seem to be scaled by, and
                       * joints not, as was reported; 0: they are not */
} m5_lint_file;

/* Returns enough memory to lint any file of `size` bytes: 64 KiB + 16 * size, or SIZE_MAX if that
 * is more than a size_t holds. `findings` adds 1 KiB each, for md5lint's own sink, which keeps
 * findings in the file's arena; all others pass 0. */
size_t m5_lint_memory(size_t size, size_t findings);

/* Parses one file and runs every rule that is about a single file. Findings go to in->sink, during
 * this call or one of those below. Returns out->status, which is about the model: M5_CLEAN says
 * that it can be used without checks, not that there are no findings; out->report has their counts.
 * Without a model (M5_NO_MEMORY, M5_NO_FORMAT) there may be findings of the parser, but no other
 * rule was run. */
m5_status m5_lint_bytes(m5_lint_file *out, const m5_lint_input *in);

/* Runs every rule that is about a single model, after m5_parse. Set `source`, `model`, `report` and
 * `arena` (with the model in it) before. A rule is skipped if the parts of the model that it needs
 * are not there. */
void m5_lint_model(m5_lint_file *file);

/* Lints `count` files, in[i] into *out[i]: each as m5_lint_bytes does, and then those that belong
 * together against each other, see m5_lint_together, which takes `memory`. Returns the worst status
 * of all, M5_CLEAN of none. */
m5_status m5_lint_group(m5_lint_file *const *out, const m5_lint_input *in, size_t count,
                        void *memory);

/* ---- Files that belong together ---------------------------------------------------------------
 *
 * An animation is compared with its mesh, an illanim and an illmesh with their skeleton; each mesh
 * or skeleton is a base that any number of files may belong to. Which base a file belongs to is
 * decided from the names and the joints of all files at once. The order of the files does not
 * matter. The first of these that there is counts:
 *   1. the mesh of the model declaration that plays the animation;
 *   2. the base of the file's name in its folder;
 *   3. a base with the same joints, in the same order: one that the file is named after (hero-walk
 *      after hero), else one in the nearest folder; among several the one whose bones have the same
 *      lengths, else the first by path;
 *   4. if no base has the same joints, the one that shares most names of these four: one that the
 *      file is named after, in its folder or the one around it; one that shares all names but one,
 *      or 95%; the only one in the folder; the only one there is, if `named` is set.
 * Otherwise the file is not compared; it is reported that its mesh is missing if others are there.
 * An illmesh has no names: its skeleton is found by its name, or is the only one in its folder that
 * has enough bones. */

/* What must be known of each file for that: about 4 bytes for each joint. */
typedef struct m5_rig {
    const char *name;        /* the path; not copied */
    const m5_format *format; /* NULL: the file belongs to none */
    bool known;              /* every joint has a name; what follows is 0 otherwise */
    uint32_t num_joints;     /* of an illmesh: how many bones it needs */
    uint64_t names_hash;     /* of the names, in order but for ill*, upper case as lower case */
    uint64_t joints_hash;    /* of the names as they are, and of the parents */
    const uint32_t *names;   /* a hash of each name, sorted; in the memory of m5_rig_read */
} m5_rig;

/* Reads what is needed of one file. Of an MD5 file nothing behind the joints is looked at. `memory`
 * is used as in m5_lint_bytes. Returns false if there is no memory or no format; then *rig has the
 * name and the format. */
bool m5_rig_read(m5_rig *rig, const m5_lint_input *in);

enum {
    M5_PAIR_MOST = 64, /* how many equally good bases are looked at, ... */
    M5_PAIR_SEEN = 64  /* ... and how many meshes and animations of a skeleton for each other */
};

typedef struct m5_pair {
    m5_pair_reason reason;
    uint32_t base;          /* the number of a file, or M5_NO_INDEX */
    uint32_t shared;        /* how many names are the same, if not all are */
    uint32_t others;        /* M5_PAIR_MISSING: how many bases were looked at */
    const uint32_t *equals; /* bases that are as good, `base` the first of them; NULL if none is.
                             * M5_PAIR_DECLARED: that the boxes may be meant for, too */
    uint32_t num_equals;
} m5_pair;

/* The decisions for `count` files: list[i] is about the file of rigs[i]. */
typedef struct m5_pairs {
    m5_pair *list;
    uint32_t *order; /* all files: groups by path, and in each by path the bases, the illmeshes and
                      * illanims that others are compared with, and the others */
    uint32_t count;

    /* Private. */
    const m5_rig *rigs;
    const m5_declared *declared;
    bool named;
    uint32_t num_bases, num_distinct;
    uint32_t num_known[3]; /* bases of each family whose joints are known */
    uint32_t *by_folder, *by_stem, *by_joints, *distinct, *place, *group, *rank;
    uint32_t *first_mesh, *first_anim, *next; /* the illmeshes and illanims of each base, in order:
                                               * chains that end with M5_NO_INDEX */
} m5_pairs;

/* Decides for all files. declared[i] is about the file of rigs[i]; NULL: nothing is declared.
 * `named`: somebody has named each file, so that a mesh is meant for an animation if it is the only
 * one. `memory` has m5_pairs_memory(count) bytes, aligned for any type, and is used as long as
 * *out, as are the rigs and declarations. */
size_t m5_pairs_memory(size_t count);
void m5_pairs_find(m5_pairs *out, const m5_rig *rigs, const m5_declared *declared, uint32_t count,
                   bool named, void *memory);

/* The end of the group that begins with order[at]: files of different groups need not be in memory
 * at the same time. */
uint32_t m5_pairs_end(const m5_pairs *pairs, uint32_t at);

/* How many files of a group, which are the first of those from order[begin] to before order[end],
 * others of it are compared with. Another one need be in memory only while it is compared. */
uint32_t m5_pairs_needed(const m5_pairs *pairs, uint32_t begin, uint32_t end);

/* Compares one file with those it belongs to. files[k] is the file of rigs[k], linted alone before;
 * only those of the group are looked at. Findings go to the sink of file `which` only; its `base`
 * is set. With a `scratch` arena for each call, of m5_lint_memory(2 * size of the group's largest
 * md5mesh, 0) bytes, the files of a group may be on different threads. If `scratch` is NULL the
 * arenas of the meshes are used; then a rule may be skipped for want of memory, if joints take less
 * than 20 bytes each in the file. */
void m5_lint_pair(m5_lint_file *const *files, const m5_pairs *pairs, uint32_t which,
                  m5_arena *scratch);

/* Decides for files that were linted alone (`named` is set), compares declarations with all that
 * they name, and each other file with those it belongs to. `memory` has
 * m5_together_memory(count) bytes and is not needed afterwards. */
size_t m5_together_memory(size_t count);
void m5_lint_together(m5_lint_file *const *files, size_t count, void *memory);

/* ---- Members of archives ----------------------------------------------------------------------
 *
 * m5_lint_bytes lints an archive: its directory, and whether the models in it can be read. What the
 * models themselves are is not looked at. For that, read each member whose format has a parser, and
 * lint it as a file of its own. */

/* Larger members are not read; m5_settings.max_member replaces the limit. None of M5_SOURCE_MAX or
 * more is read. */
#define M5_MAX_MEMBER (UINT64_C(512) << 20)

/* Why a member has no bytes. */
typedef enum m5_member_problem {
    M5_MEMBER_READ,     /* it has */
    M5_MEMBER_LARGE,    /* it is too large */
    M5_MEMBER_RATIO,    /* it has over 16 MiB, and over 1,000 for each byte of the archive */
    M5_MEMBER_DEFLATE,  /* the data is not what Deflate makes */
    M5_MEMBER_CUT,      /* ... or ends too early */
    M5_MEMBER_SHORT,    /* it has fewer bytes than the directory says */
    M5_MEMBER_LONG,     /* ... or more */
    M5_MEMBER_CRC,      /* its bytes are not those that were packed */
    M5_MEMBER_NO_MEMORY /* `scratch` is NULL */
} m5_member_problem;

typedef struct m5_member_result {
    m5_member_problem problem;
    uint32_t at;        /* where in the archive reading ended */
    uint64_t size;      /* how many bytes were made, at most one more than the directory says */
    uint32_t crc;       /* of these bytes */
    const char *reason; /* of M5_MEMBER_DEFLATE: zlib's words, a constant string; or NULL */
} m5_member_result;

/* Returns the format of a member by the extension of its name; NULL if that is unknown. */
const m5_format *m5_member_format(const m5_pack *pack, uint32_t member);

/* Whether a member is too large to be read: M5_MEMBER_LARGE, M5_MEMBER_RATIO, or M5_MEMBER_READ if
 * it is not. */
m5_member_problem m5_member_limit(const m5_pack *pack, uint32_t member,
                                  const m5_settings *settings);

/* Reads a member, which must be M5_PACK_READABLE, into `out`, which has room for its size and one
 * byte more; or, if `out` is NULL, only finds out whether it could be read. `scratch` has
 * M5_MEMBER_SCRATCH bytes, aligned for any type. Time is linear in what is made. Any number of
 * threads may read members of one archive. */
#define M5_MEMBER_SCRATCH ((size_t)49152)
m5_member_result m5_member_read(const m5_pack *pack, uint32_t member, const m5_settings *settings,
                                void *out, void *scratch);

/* Reports the problem of a member that could not be read, in a report about its archive. */
void m5_member_report(m5_report *report, const m5_pack *pack, uint32_t member,
                      const m5_member_result *result);

M5_END_C

#endif
