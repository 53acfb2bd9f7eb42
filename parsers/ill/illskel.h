/* illskel (ILLSKEL0): bones in their bind pose. Format text: "Skinned Animations" by Ilya Seletsky,
 * section ".illskel". */
#ifndef M5_ILLSKEL_H
#define M5_ILLSKEL_H

#include "../core/arena.h"
#include "../core/diag.h"
#include "../core/status.h"
#include "../core/writer.h"

M5_BEGIN_C

typedef struct m5_illskel_bone {
    m5_span name; /* any bytes but white space */
    int32_t
        parent; /* below num_bones, or -1 for a root; it may have a higher index than the bone */
    float matrix[4][4]; /* relative to the parent, row by row; the translation is the last column */
    uint32_t matrix_at, parent_at; /* offsets of their first words in the source */
} m5_illskel_bone;

/* Clean: there are bones and a root, every parent is in range, no bone is its own ancestor, and
 * every float is finite. Flawed: what could not be read is marked: a float is NaN, a name's length
 * is 0, a parent is M5_BROKEN_PARENT. */
typedef struct m5_illskel {
    const m5_source *source;
    uint32_t num_bones;
    m5_illskel_bone *bones;
    uint32_t *order; /* all bones, each after its parent; only in a clean skeleton */
    m5_span num_bones_at;
    bool matrices_whole, parents_whole, names_whole; /* every one is there and sound */
} m5_illskel;

/* Parses report->source. The model is in the arena and points into it and into the source; *out is
 * NULL only after M5_NO_MEMORY. Memory, threads and errors: see m5.h. */
m5_status m5_illskel_parse(m5_report *report, m5_arena *arena, const m5_illskel **out);

/* Writes a clean model: see m5_print. */
void m5_illskel_print(const m5_illskel *model, const m5_writer *out);

M5_END_C

#endif
