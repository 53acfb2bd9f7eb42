/* The table that closes a long report: how many findings there are of each rule. */
#ifndef M5_LINT_REPORT_TABLE_H
#define M5_LINT_REPORT_TABLE_H

#include "report.h"

/* It is written after more findings than this. */
enum { M5_TABLE_FROM = 50 };

/* Zeroed at first. */
typedef struct m5_table {
    uint64_t shown;
    uint64_t findings[M5_RULES][M5_ERROR]; /* of each rule and severity - 1, shown or not */
    uint64_t files[M5_RULES][M5_ERROR];    /* that have such findings */
    char *examples[M5_RULES][M5_ERROR];    /* the place of the first one, if wanted; or NULL */
} m5_table;

void m5_table_add(m5_table *table, const m5_shown *shown);

/* Keeps the place of the first finding of each rule and severity; without memory none. */
void m5_table_add_examples(m5_table *table, const m5_result *result, m5_lines *lines);

/* A row: a rule and a severity that it has findings of. */
typedef struct m5_table_row {
    const m5_rule *rule;
    m5_severity severity;
    uint64_t findings, files;
    const char *example; /* or NULL */
} m5_table_row;

/* The rows, worst first: writes at most M5_RULES * M5_ERROR, and returns how many. */
uint32_t m5_table_rows(const m5_table *table, m5_table_row *rows);

/* Writes the table, worst first; `folded` findings are not in it. */
void m5_table_put(const m5_table *table, const m5_writer *out, uint64_t folded);

void m5_table_free(m5_table *table);

#endif
