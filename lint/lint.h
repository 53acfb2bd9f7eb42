/* libm5lint: rules over parsed models. Like the parsers it needs no files, no globals and no
 * memory but what it is given: one arena for each file holds the model, the findings and, while
 * a check runs, its scratch. */
#ifndef M5_LINT_H
#define M5_LINT_H

#include "../parsers/m5.h"

M5_BEGIN_C

#define M5_RULE(symbol, ...) M5_RULE_##symbol,
enum {
    M5_LINT_RULES_FIRST = M5_PARSER_RULES - 1,
#include "rules.def"
    M5_RULES, /* all there are, the parsers' first */
    M5_LINT_RULES = M5_RULES - M5_PARSER_RULES
};
#undef M5_RULE

extern const m5_rule m5_lint_rules[M5_LINT_RULES];
#define M5_LINT_ROW(symbol) (&m5_lint_rules[(int)M5_RULE_##symbol - (int)M5_PARSER_RULES])

/* Any rule by its number, and by its id (NULL if there is none). */
const m5_rule *m5_rule_at(unsigned number);
const m5_rule *m5_rule_by_id(const char *id);

/* Enough memory to lint any file of `size` bytes, with at most `findings` of them kept. */
size_t m5_lint_memory(size_t size, size_t findings);

/* A file that is being linted, or was. */
typedef struct m5_lint_file {
    m5_source source;
    m5_model model;
    m5_report report;
    m5_arena arena;
    const uint32_t *names; /* joint indices sorted by name, once linted; NULL without memory */
    bool values_known;     /* of an md5anim, once linted: which value of a frame is whose */
    uint8_t *odd_frames;   /* ... or MD4: 1 for frames that were told to be wrong; NULL: none was */
    const struct m5_box *parts; /* of an md5mesh, what hangs on each joint; NULL where not known */
    bool far;                   /* once linted: a vertex is so far away that boxes tell nothing */
} m5_lint_file;

/* What posing and skinning may cost: some seconds, and so much for each byte of the file, so
 * that time is linear in the input; an intact animation needs 1 to 10. UINT64_MAX lifts both
 * limits. Beyond them, frames are sampled evenly. */
#define M5_GEOMETRY_BUDGET UINT64_C(200000000)
#define M5_GEOMETRY_A_BYTE UINT64_C(64)

/* Parses `source` as `format`, which must have a parser, and runs every rule that speaks of it
 * alone: m5_parse and m5_lint_model in one. `memory` is the caller's, `size` bytes, aligned for any
 * type; m5_lint_memory says how many are enough. Findings go to `sink`. Afterwards `out` holds the
 * model, and can go into m5_lint_group with others. It must not be moved; bytes, memory and
 * settings (NULL: the usual ones) stay while it is in use. M5_NO_MEMORY: there is no model, and no
 * rule has run. */
m5_status m5_lint_bytes(m5_lint_file *out, const m5_source *source, const m5_format *format,
                        const m5_settings *settings, m5_sink sink, void *memory, size_t size);

/* Runs every rule that speaks of this model alone. Rules are skipped where the model has not
 * the parts they stand on. */
void m5_lint_model(m5_lint_file *file);

/* Files form groups: a mesh behind a mesh and its animation or skeleton begins a new one, together
 * with those just before it that are nearer to it by name or folder; but not while animations of a
 * mesh are still to come whose name is the beginning of its own. Animations before any mesh belong
 * to the first. MD5 and ill* files do not disturb each other. Returns where the group that starts
 * at `begin` ends. A format may be NULL: it belongs to whatever group it stands in. `names` are the
 * files' names. */
size_t m5_group_end(const m5_format *const *formats, const char *const *names, size_t begin,
                    size_t count);

/* Runs the rules for files that go together over a group, all of which went through
 * m5_lint_model before; findings go to the animations, to the illmeshes and illskels. An
 * animation goes with the mesh whose joints fit exactly, of these with the one whose bones are as
 * long, else with the one that shares most joint names; of equals with the nearest by name or
 * folder, and of these with the last. A file may be NULL. */
void m5_lint_group(m5_lint_file *const *files, size_t count);

/* The same for one file of a group: findings go to it alone. With memory of its own in `scratch`
 * (as much as m5_lint_memory says of twice the size of the group's largest md5mesh), each file of a
 * group may be looked at by another thread at the same time; without, where that is NULL, the
 * meshes' arenas serve, and what does not fit there is left out: with joints written in fewer than
 * 20 bytes it may not. */
void m5_lint_in_group(m5_lint_file *const *files, size_t count, size_t which, m5_arena *scratch);

M5_END_C

#endif
