/* Parts of a report that are kept until its end. */
#ifndef M5_LINT_REPORT_BUFFER_H
#define M5_LINT_REPORT_BUFFER_H

#include "parsers/core/writer.h"
#include "parsers/m5.h"

/* Private to m5_buffer. */
typedef struct m5_block {
    struct m5_block *next;
    size_t count, room;
    char bytes[];
} m5_block;

/* Grows without being moved. Zeroed at first. */
typedef struct m5_buffer {
    m5_block *first, *last;
    bool failed; /* there was no memory for all that was written */
} m5_buffer;

/* A writer that appends to the buffer. */
m5_writer m5_buffer_writer(m5_buffer *buffer);

void m5_buffer_put(const m5_buffer *buffer, const m5_writer *out);
void m5_buffer_free(m5_buffer *buffer);

/* The first `most` entries of each severity, to be written worst first. An entry is a line. Zeroed
 * at first but for `most`. */
typedef struct m5_ranked {
    uint32_t most;
    uint32_t kept[M5_ERROR]; /* of each severity - 1 */
    uint64_t all[M5_ERROR];
    m5_buffer text[M5_ERROR];
} m5_ranked;

/* Counts an entry; returns what to write it to, or NULL if it is one too many. */
m5_buffer *m5_ranked_add(m5_ranked *ranked, m5_severity severity);

/* Writes at most `most` entries with `between` after each but the last; returns how many. */
uint32_t m5_ranked_put(const m5_ranked *ranked, const m5_writer *out, uint32_t most,
                       const char *between);

/* Returns false if there was no memory for an entry. */
bool m5_ranked_free(m5_ranked *ranked);

#endif
