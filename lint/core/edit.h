/* Edits of a file's bytes. */
#ifndef M5_LINT_CORE_EDIT_H
#define M5_LINT_CORE_EDIT_H

#include "../../parsers/core/diag.h"

M5_BEGIN_C

/* Bytes of the file and what replaces them. An empty span inserts, an empty text removes. */
typedef struct m5_edit {
    m5_span at;
    const char *text; /* not terminated */
    uint32_t length;
} m5_edit;

/* The edits that remove one finding: in order, inside the file, without overlaps. It is safe if its
 * meaning is certain, and otherwise a choice that somebody must allow. */
typedef struct m5_fix {
    bool safe;
    const m5_edit *edits;
    uint32_t count; /* 0: it was only asked whether there is a fix */
    double cut;     /* the largest part of a vertex's weights that it cuts off, or 0 */
} m5_fix;

/* What a rule's fixes are: none of its findings has one, all that have are safe, none is, or each
 * says for itself. */
typedef enum m5_fix_kind { M5_FIX_NONE, M5_FIX_SAFE, M5_FIX_UNSAFE, M5_FIX_EITHER } m5_fix_kind;
m5_fix_kind m5_fix_kind_of(const m5_rule *rule);

/* Returns "", "safe", "unsafe" or "safe or unsafe": a constant string. */
const char *m5_fix_kind_text(const m5_rule *rule);

M5_END_C

#endif
