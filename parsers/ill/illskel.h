/* illskel (ILLSKEL0): bones in their bind pose. Format text: ".illskel". */
#ifndef M5_ILLSKEL_H
#define M5_ILLSKEL_H

#include "../core/arena.h"
#include "../core/diag.h"
#include "../core/status.h"
#include "../core/writer.h"

M5_BEGIN_C

typedef struct m5_illskel_bone {
    m5_span name;       /* any bytes but blanks; not terminated */
    int32_t parent;     /* below num_bones, or -1 for a root; it may stand behind the bone */
    float matrix[4][4]; /* relative to the parent, row by row; the offset is the last column */
    uint32_t matrix_at, parent_at; /* the first words in the source */
} m5_illskel_bone;

/* Clean: there are bones, every parent is in range, every way up from parent to parent ends at a
 * root, and there is one; every float is finite. Flawed: what could not be read is marked: floats
 * are NaN, a name's length is 0, and a parent M5_BROKEN_PARENT. */
typedef struct m5_illskel {
    const m5_source *source;
    uint32_t num_bones;
    m5_illskel_bone *bones;
    uint32_t *order; /* all bones, each behind its parent; only in a clean skeleton */
    m5_span num_bones_at;
    bool matrices_whole, parents_whole, names_whole; /* each is there, could be read and is sound */
} m5_illskel;

/* Parses report->source. The model is in the arena and points into the source; it is there (*out
 * is not NULL) unless the status is M5_NO_MEMORY. Thread rules, memory and errors: see m5.h. */
m5_status m5_illskel_parse(m5_report *report, m5_arena *arena, const m5_illskel **out);

/* Prints a clean model: see m5_print. */
void m5_illskel_print(const m5_illskel *model, const m5_writer *out);

M5_END_C

#endif
