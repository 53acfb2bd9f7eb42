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

const m5_fix *m5_fix_find(const m5_fix_input *in, const m5_diag *diag, m5_arena *arena)
{
    int row = row_of(diag->rule);
    m5_fixing x = {.in = in, .f = in->file, .diag = diag, .arena = arena};
    if (row < 0 || !table[row].make(&x) || x.failed || (x.count == 0 && !in->probe))
        return NULL;
    m5_fix *fix = m5_arena_keep(arena, sizeof *fix);
    if (fix == NULL)
        return NULL;
    bool safe = table[row].kind == M5_FIX_SAFE || (table[row].kind == M5_FIX_EITHER && !x.unsafe);
    *fix = (m5_fix){safe, x.edits, x.count, x.cut};
    return fix;
}

bool m5_fix_may_bring(const m5_rule *rule, const m5_rule *other)
{
    static const unsigned pairs[][2] = {
#define BRINGS(rule, other) {M5_RULE_##rule, M5_RULE_##other},
#include "fixes.def"
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i][0] == rule->number && pairs[i][1] == other->number)
            return true;
    return false;
}

bool m5_fix_may_reveal(const m5_rule *rule)
{
    static const unsigned rules[] = {
#define REVEALS(rule) M5_RULE_##rule,
#include "fixes.def"
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i] == rule->number)
            return true;
    return false;
}
