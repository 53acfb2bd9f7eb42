/* Private: what the functions that make fixes share. */
#ifndef M5_LINT_FIX_FIXES_H
#define M5_LINT_FIX_FIXES_H

#include "fix.h"
#include "parsers/core/text.h"

/* A fix at work. */
typedef struct m5_fixing {
    const m5_fix_input *in;
    const m5_lint_file *f;
    const m5_diag *diag;
    m5_arena *arena;
    m5_edit *edits;
    uint32_t count, room;
    bool unsafe;    /* of a rule with both kinds */
    double cut;     /* the largest part of a vertex's weights that is cut off */
    bool failed;    /* out of memory, or there is no fix after all */
    bool has_edits; /* they are left out, as it is enough to know that there are some */
    bool apart;     /* this finding has none, but another one that would share it may have one */
} m5_fixing;

/* Adds an edit, after those before it in the file. The text is copied. */
void m5_fix_replace(m5_fixing *x, m5_span at, const char *text, size_t length);
void m5_fix_print(m5_fixing *x, m5_span at, const char *format, ...) M5_PRINTF(3, 4);

/* Puts a copy of other bytes of the file there. */
void m5_fix_copy(m5_fixing *x, m5_span at, m5_span from);

/* Deletes the lines from `first` to the token `last`, with a comment after it. There is no fix if
 * anything else is on them. */
void m5_fix_delete_lines(m5_fixing *x, uint32_t first, m5_span last);

/* The functions of fixes.def, which add the edits for x->diag. False: this finding has no fix. */
#define FIX(rule, function, kind) bool function(m5_fixing *x);
#include "fixes.def"

#endif
