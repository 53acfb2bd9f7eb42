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

/* Any rule by its number, and by its id; NULL if there is none. */
const m5_rule *m5_rule_at(unsigned number);
const m5_rule *m5_rule_by_id(const char *id);

/* What posing and skinning may cost: some seconds, and so much for each byte of the file, so
 * that time is linear in the input; an intact animation needs 1 to 10. UINT64_MAX lifts both
 * limits. Beyond them, frames are sampled evenly. */
#define M5_GEOMETRY_BUDGET UINT64_C(200000000)
#define M5_GEOMETRY_A_BYTE UINT64_C(64)

/* A file to be linted. All of it is the caller's, and stays unchanged while the file is in use. */
typedef struct m5_lint_input {
    m5_source source;
    const m5_format *format;     /* NULL: by the extension of the name, or else by the content */
    const m5_settings *settings; /* NULL: the usual ones */
    m5_sink sink;                /* takes the findings; without a function they are only counted */
    void *memory;                /* `size` bytes, aligned for any type; see m5_lint_memory */
    size_t size;
} m5_lint_input;

/* A file that was linted. It must not be moved, since findings point to `source`. */
typedef struct m5_lint_file {
    m5_status status;
    m5_source source;
    m5_model model;   /* its members are all NULL after M5_NO_MEMORY and M5_NO_FORMAT */
    m5_report report; /* the counts of findings */
    m5_arena arena;
    /* What the checks of one file leave for those between files: private. */
    const uint32_t *names; /* joint indices sorted by name, once linted; NULL without memory */
    bool values_known;     /* of an md5anim, once linted: which value of a frame is whose */
    uint8_t *odd_frames;   /* ... or MD4: 1 for frames that were told to be wrong; NULL: none was */
    const struct m5_box *parts; /* of an md5mesh, what hangs on each joint; NULL where not known */
    bool far;                   /* once linted: a vertex is so far away that boxes tell nothing */
} m5_lint_file;

/* Enough memory to lint any file of `size` bytes, with room for copies of `findings` findings by a
 * sink that keeps them in the file's arena (0 for one that does not). SIZE_MAX where that is more
 * than there are addresses for. */
size_t m5_lint_memory(size_t size, size_t findings);

/* Parses one file and runs every rule that speaks of it alone. Findings go to its sink, on the
 * caller's thread. Returns out->status; there is no error but those that it names, and without a
 * model no rule has run. */
m5_status m5_lint_bytes(m5_lint_file *out, const m5_lint_input *in);

/* The same of `count` files that were given together, and then the rules between those that belong
 * together, which m5_group_end and m5_lint_together find out. A finding about two files goes to the
 * sink of one of them: the animation's, the illmesh's or the illskel's. A file without a model
 * belongs to none. Returns the last in the order of m5_status of the files' own. */
m5_status m5_lint_group(m5_lint_file *const *out, const m5_lint_input *in, size_t count);

/* ---- The steps of these, for those who want something done in between -------------------------
 */

/* Runs every rule that speaks of this model alone, after m5_parse. Rules are skipped where the
 * model has not the parts they stand on. */
void m5_lint_model(m5_lint_file *file);

/* Files form groups: a mesh behind a mesh and its animation or skeleton begins a new one, together
 * with those just before it that are nearer to it by name or folder; but not while animations of a
 * mesh are still to come whose name is the beginning of its own. Animations before any mesh belong
 * to the first. MD5 and ill* files do not disturb each other. Returns where the group that starts
 * at `begin` ends. Only the name of each file and its model's format are looked at, which may be
 * set before it is linted; where the format is NULL it belongs to whatever group it stands in. */
size_t m5_group_end(m5_lint_file *const *files, size_t begin, size_t count);

/* Runs the rules for files that go together over a group, all of which were linted alone before;
 * findings go to the animations, to the illmeshes and illskels. An animation goes with the mesh
 * whose joints fit exactly, of these with the one whose bones are as long, else with the one that
 * shares most joint names; of equals with the nearest by name or folder, and of these with the
 * last. */
void m5_lint_together(m5_lint_file *const *files, size_t count);

/* The same for one file of a group: findings go to it alone. With memory of its own in `scratch`
 * (as much as m5_lint_memory says of twice the size of the group's largest md5mesh), each file of a
 * group may be looked at by another thread at the same time; without, where that is NULL, the
 * meshes' arenas serve, and what does not fit there is left out: with joints written in fewer than
 * 20 bytes it may not. */
void m5_lint_in_group(m5_lint_file *const *files, size_t count, size_t which, m5_arena *scratch);

M5_END_C

#endif
