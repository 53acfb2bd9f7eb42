/* Finds the fix of a finding: by the table of rules that have one. */
#include "fixes.h"
#include "parsers/core/allocate.h"

static const struct {
    unsigned rule;
    bool (*make)(m5_fixing *x);
    m5_fix_kind kind;
} table[] = {
#define FIX(rule, function, kind) {M5_RULE_##rule, function, M5_FIX_##kind},
#include "fixes.def"
};
enum { ROWS = sizeof table / sizeof *table };

static int row_of(const m5_rule *rule)
{
    for (int i = 0; i < ROWS; i++)
        if (table[i].rule == rule->number)
            return i;
    return -1;
}

/* Sets `apart` if there is no fix, but may be one of the other findings that share theirs. */
static const m5_fix *make(const m5_fix_input *in, const m5_diag *diag, m5_arena *arena, bool *apart)
{
    int row = row_of(diag->rule);
    m5_fixing x = {.in = in, .f = in->file, .diag = diag, .arena = arena};
    bool made = row >= 0 && table[row].make(&x) && !x.failed && (x.count != 0 || x.has_edits);
    *apart = x.apart;
    if (!made)
        return NULL;
    m5_fix *fix = m5_arena_keep(arena, sizeof *fix);
    if (fix == NULL)
        return NULL;
    bool safe = table[row].kind == M5_FIX_SAFE || (table[row].kind == M5_FIX_EITHER && !x.unsafe);
    *fix = (m5_fix){safe, x.edits, x.count, x.cut};
    return fix;
}

/* What is known of a rule's fixes besides. */
typedef enum trait { BRINGS_MORE, REVEALS_ANY, SHOWS_LOSS, IS_LONG, IS_SHARED } trait;
enum { IN_MESH, IN_FILE };

static bool has(trait what, const m5_rule *rule, unsigned other)
{
    static const struct {
        trait what;
        unsigned rule, other;
    } traits[] = {
#define BRINGS(rule, other) {BRINGS_MORE, M5_RULE_##rule, M5_RULE_##other},
#define REVEALS(rule) {REVEALS_ANY, M5_RULE_##rule, M5_RULES},
#define LOSES(rule, other) {SHOWS_LOSS, M5_RULE_##rule, M5_RULE_##other},
#define LONG(rule) {IS_LONG, M5_RULE_##rule, M5_RULES},
#define SHARED(rule, in) {IS_SHARED, M5_RULE_##rule, IN_##in},
#include "fixes.def"
    };
    for (size_t i = 0; i < sizeof traits / sizeof *traits; i++)
        if (traits[i].what == what && traits[i].rule == rule->number && traits[i].other == other)
            return true;
    return false;
}

const m5_fix *m5_fix_find(m5_fix_input *in, const m5_diag *diag, m5_arena *arena)
{
    bool in_mesh = has(IS_SHARED, diag->rule, IN_MESH), apart;
    uint32_t mesh = in_mesh ? diag->path.step[0].index : M5_NO_INDEX;
    if (!in_mesh && !has(IS_SHARED, diag->rule, IN_FILE))
        return make(in, diag, arena, &apart);
    if (in->shared.rule == diag->rule && in->shared.mesh == mesh)
        return in->shared.fix;
    const m5_fix *fix = make(in, diag, arena, &apart);
    if (!apart) {
        in->shared.fix = fix;
        in->shared.rule = diag->rule;
        in->shared.mesh = mesh;
    }
    return fix;
}

bool m5_fix_may_bring(const m5_rule *rule, const m5_rule *other)
{
    return has(BRINGS_MORE, rule, other->number);
}

bool m5_fix_may_reveal(const m5_rule *rule)
{
    return has(REVEALS_ANY, rule, M5_RULES);
}

bool m5_fix_may_lose(const m5_rule *rule, const m5_rule *other)
{
    return has(SHOWS_LOSS, rule, other->number);
}

bool m5_fix_may_be_long(const m5_rule *rule)
{
    return has(IS_LONG, rule, M5_RULES);
}
