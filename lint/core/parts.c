/* The parts of the work on a file, and the rules that they speak for. */
#include "parts.h"

const char *m5_part_rules(m5_part part)
{
#define PART(symbol, rules) rules,
    static const char *const all[M5_PARTS] = {
#include "parts.def"
    };
#undef PART
    return all[part];
}
