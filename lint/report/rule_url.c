/* Where the page of a rule is: what `make RULE_URL=...` says, and the rule's id. */
#include "report.h"

#ifndef M5_RULE_URL
#define M5_RULE_URL ""
#endif

static const char url[] = M5_RULE_URL;

bool m5_has_rule_url(void)
{
    return sizeof url > 1;
}

void m5_put_rule_url(const m5_writer *out, const m5_rule *rule)
{
    if (m5_has_rule_url())
        m5_write(out, "%s%s.html", url, rule->id);
}
