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
} m5_lint_input;

/* A linted file, filled in by m5_lint_bytes. It must stay where it is: findings and the model point
 * to `source`. */
typedef struct m5_lint_file {
    m5_status status;
    m5_source source;
    m5_model model;   /* without a model, all but `format` is NULL */
    m5_report report; /* has the counts of findings */
    m5_arena arena;   /* holds the model */

    /* Private: what the checks of one file leave for the checks between files. */
    const uint32_t *names; /* joint indices sorted by name; NULL if there was no memory */
    bool values_known;     /* md5anim: it is known which joint each value of a frame belongs to */
    uint8_t *odd_frames;   /* md5anim, MD4: 1 for each frame with a finding; NULL: there is none */
    const struct m5_box *parts; /* md5mesh: what hangs on each joint; NULL if unknown */
    bool far;                   /* a vertex is so far away that bounding boxes say nothing */
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

/* Lints `count` files, in[i] into *out[i]: each as m5_lint_bytes does, and then those that belong
 * together against each other: each animation against its mesh or skeleton, each illmesh against
 * its illskel. Which belong together is found out from names and models, see m5_group_end and
 * m5_lint_together. A finding about two files goes to the sink of one, with the other as a related
 * place; since a finding does not name its file, give each file a sink with its own `user`. A file
 * without a model hides nothing about the others. Returns the worst status of all, M5_CLEAN of
 * none. */
m5_status m5_lint_group(m5_lint_file *const *out, const m5_lint_input *in, size_t count);

/* ---- The steps of m5_lint_group, one by one ---------------------------------------------------
 */

/* Runs every rule that is about a single model, after m5_parse. Set `source`, `model`, `report` and
 * `arena` (with the model in it) before. A rule is skipped if the parts of the model that it needs
 * are not there. */
void m5_lint_model(m5_lint_file *file);

/* Files that are listed one after the other form groups. Returns the end of the group that begins
 * at file `begin`: the index of the next group's first file, or `count`. Only source.name and
 * model.format of each file are used, and may be set before it is linted.
 *   A mesh that follows a mesh with its animation or skeleton begins a new group.
 *   Animations directly before that mesh belong to it, if its name or folder is nearer to theirs
 * than that of the mesh before. While animations named after an earlier mesh are still to come, a
 * mesh whose name only goes on where that one's ends begins no group: hero, hero2, hero2-walk,
 * hero-walk are one. MD5 files and ill* files do not affect each other; a file without a format
 * belongs to the group around it. */
size_t m5_group_end(m5_lint_file *const *files, size_t begin, size_t count);

/* Compares the files of a group, each of which was linted alone before. An animation is compared
 * with the mesh that has the same joints; if several have, with the one whose bones have the same
 * lengths; if none has, with the one that shares most names. Among equals the nearest by name or
 * folder counts, then the last. Likewise for illanim and illmesh with an illskel. Findings go to
 * the sinks of the animations, illmeshes and illskels. */
void m5_lint_together(m5_lint_file *const *files, size_t count);

/* Does the same for one file of the group: findings go to its sink only. With a `scratch` arena for
 * each call (of m5_lint_memory(2 * size of the group's largest md5mesh, 0) bytes), the files of a
 * group may be on different threads. If `scratch` is NULL the arenas of the meshes are used; then a
 * rule may be skipped for want of memory, if joints take less than 20 bytes each in the file. */
void m5_lint_in_group(m5_lint_file *const *files, size_t count, size_t which, m5_arena *scratch);

M5_END_C

#endif
