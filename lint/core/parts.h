/* The parts of the work on a file, for those who ask how long each takes: see m5_settings.enter. */
#ifndef M5_LINT_CORE_PARTS_H
#define M5_LINT_CORE_PARTS_H

#include "lint/lint.h"
#include "parsers/core/emit.h"

#define PART(symbol, rules) M5_PART_##symbol,
typedef enum m5_part {
#include "parts.def"
    M5_PARTS
} m5_part;
#undef PART

/* The rules that a part speaks for: ids and patterns with commas between, a constant string. */
const char *m5_part_rules(m5_part part);

static inline void m5_enter(const m5_lint_file *f, m5_part part)
{
    const m5_settings *s = m5_settings_of(&f->report);
    if (s->enter != NULL)
        s->enter(s->enter_user, part);
}

/* Calls a check as a part of the work on file `f`. */
#define M5_PART(f, part, call) (m5_enter(f, (m5_part)M5_PART_##part), (call))

#endif
