/* Which rules have fixes. */
#include "edit.h"
#include "lint/lint.h"

static const struct {
    unsigned rule;
    m5_fix_kind kind;
} fixable[] = {
#define FIX(rule, function, kind) {M5_RULE_##rule, M5_FIX_##kind},
#include "lint/fix/fixes.def"
};

m5_fix_kind m5_fix_kind_of(const m5_rule *rule)
{
    for (unsigned i = 0; i < sizeof fixable / sizeof *fixable; i++)
        if (fixable[i].rule == rule->number)
            return fixable[i].kind;
    return M5_FIX_NONE;
}

const char *m5_fix_kind_text(const m5_rule *rule)
{
    static const char *const texts[] = {[M5_FIX_NONE] = "",
                                        [M5_FIX_SAFE] = "safe",
                                        [M5_FIX_UNSAFE] = "unsafe",
                                        [M5_FIX_EITHER] = "safe or unsafe"};
    return texts[m5_fix_kind_of(rule)];
}
