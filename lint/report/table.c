/* The table that closes a long report: see table.h. */
#include "table.h"
#include "lint/core/sort.h"

#include <stdlib.h>
#include <string.h>

void m5_table_add(m5_table *t, const m5_shown *shown)
{
    t->shown += shown->count;
    for (const m5_counted *rule = shown->from->counts; rule != NULL; rule = rule->next)
        for (unsigned k = 0; k < M5_ERROR; k++) {
            uint32_t made = m5_shown_made_as(shown, rule, (m5_severity)(k + 1));
            t->findings[rule->rule][k] += made;
            t->files[rule->rule][k] += made != 0;
        }
}

/* A row is the number of a rule * M5_ERROR + a severity - 1. */
static uint64_t findings_of(const m5_table *t, uint32_t row)
{
    return t->findings[row / M5_ERROR][row % M5_ERROR];
}

static bool is_worse(const void *context, uint32_t a, uint32_t b)
{
    const m5_table *t = context;
    if (a % M5_ERROR != b % M5_ERROR)
        return a % M5_ERROR > b % M5_ERROR;
    if (findings_of(t, a) != findings_of(t, b))
        return findings_of(t, a) > findings_of(t, b);
    return a < b;
}

uint32_t m5_table_rows(const m5_table *t, m5_table_row *rows)
{
    uint32_t order[M5_RULES * M5_ERROR], count = 0;
    for (uint32_t row = 0; row < M5_RULES * M5_ERROR; row++)
        if (findings_of(t, row) != 0)
            order[count++] = row;
    m5_check_sort(order, count, is_worse, t);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t rule = order[i] / M5_ERROR, severity = order[i] % M5_ERROR;
        rows[i] = (m5_table_row){m5_rule_at(rule), (m5_severity)(severity + 1),
                                 t->findings[rule][severity], t->files[rule][severity],
                                 t->examples[rule][severity]};
    }
    return count;
}

/* ---- Examples -------------------------------------------------------------------------------- */

/* A place as text; a longer one is cut. */
typedef struct place {
    char bytes[1024];
    size_t length;
} place;

static void add_bytes(void *user, const void *bytes, size_t count)
{
    place *p = user;
    size_t room = sizeof p->bytes - 1 - p->length;
    memcpy(p->bytes + p->length, bytes, count < room ? count : room);
    p->length += count < room ? count : room;
}

void m5_table_add_examples(m5_table *t, const m5_result *result, m5_lines *lines)
{
    for (uint32_t i = 0; i < result->shown.count; i++) {
        const m5_diag *d = &result->shown.list[i]->diag;
        char **example = &t->examples[d->rule->number][d->severity - 1];
        if (*example != NULL)
            continue;
        place p = {.length = 0};
        m5_writer out = {add_bytes, &p};
        m5_output_place(&out, &result->file->source, lines, d->at.offset, result->format->text);
        p.bytes[p.length] = '\0';
        *example = malloc(p.length + 1);
        if (*example != NULL)
            memcpy(*example, p.bytes, p.length + 1);
    }
}

void m5_table_free(m5_table *t)
{
    for (uint32_t i = 0; i < M5_RULES && t != NULL; i++)
        for (uint32_t k = 0; k < M5_ERROR; k++)
            free(t->examples[i][k]);
    free(t);
}

/* ---- Columns --------------------------------------------------------------------------------- */

static void put_blanks(const m5_writer *out, size_t count)
{
    while (count-- > 0)
        m5_output_string(out, " ");
}

static void put_left(const m5_writer *out, const char *text, size_t width)
{
    m5_output_string(out, text);
    put_blanks(out, width - strlen(text));
}

static void put_right(const m5_writer *out, uint64_t number, size_t width)
{
    size_t digits = 1;
    for (uint64_t rest = number / 10; rest != 0; rest /= 10)
        digits++;
    put_blanks(out, digits < width ? width - digits : 0);
    m5_write(out, "%llu", (unsigned long long)number);
}

static const char gap[] = "  ";
enum { SEVERITY_WIDTH = 8, FINDINGS_WIDTH = 8, FILES_WIDTH = 7 };

static void put_row(const m5_table_row *row, const m5_writer *out, size_t width)
{
    put_left(out, row->rule->id, width);
    m5_output_string(out, gap);
    put_left(out, m5_severity_name(row->severity), SEVERITY_WIDTH);
    m5_output_string(out, gap);
    put_right(out, row->findings, FINDINGS_WIDTH);
    put_right(out, row->files, FILES_WIDTH);
    if (row->example != NULL)
        m5_write(out, "  %s", row->example);
    m5_output_string(out, "\n");
}

static void put_heading(const m5_writer *out, size_t width)
{
    m5_output_string(out, "\n");
    put_left(out, "rule", width);
    m5_output_string(out, gap);
    put_left(out, "severity", SEVERITY_WIDTH);
    m5_output_string(out, gap);
    m5_output_string(out, "findings  files\n");
}

void m5_table_put(const m5_table *t, const m5_writer *out, uint64_t folded)
{
    m5_table_row rows[M5_RULES * M5_ERROR];
    uint32_t count = m5_table_rows(t, rows);
    size_t width = strlen("rule");
    for (uint32_t i = 0; i < count; i++) {
        size_t length = strlen(rows[i].rule->id);
        width = length > width ? length : width;
    }
    put_heading(out, width);
    for (uint32_t i = 0; i < count; i++)
        put_row(&rows[i], out, width);
    if (folded != 0)
        m5_write(out,
                 "%llu more finding%s had the same cause as one above and %s not counted; "
                 "--no-fold shows %s\n",
                 (unsigned long long)folded, folded == 1 ? "" : "s", folded == 1 ? "is" : "are",
                 folded == 1 ? "it" : "them");
    m5_output_string(out, "\n");
}
