/* The table of the linter's rules; finds any rule by number or id. */
#include "lint/lint.h"

#include <string.h>

#define M5_RULE(symbol, id, levels, ...) {M5_RULE_##symbol, id, levels, __VA_ARGS__},
const m5_rule m5_lint_rules[M5_RULES - M5_PARSER_RULES] = {
#include "../rules.def"
};
#undef M5_RULE

const m5_rule *m5_rule_at(unsigned number)
{
    if (number < M5_PARSER_RULES)
        return &m5_parser_rules[number];
    return number < M5_RULES ? &m5_lint_rules[number - M5_PARSER_RULES] : NULL;
}

const m5_rule *m5_rule_by_id(const char *id)
{
    for (unsigned i = 0; i < M5_RULES; i++)
        if (strcmp(m5_rule_at(i)->id, id) == 0)
            return m5_rule_at(i);
    return NULL;
}
