/* The function that tests/compare/compare.c calls in each version of the library: lists all
 * findings in a file, one on each line. */
#include "fuzz/harness/all_rules.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

size_t compare_findings(const char *name, const uint8_t *bytes, size_t size, char *out,
                        size_t room);

typedef struct told {
    m5_lines lines;
    char *out;
    size_t size, room;
} told;

static void put_format(told *t, const char *format, ...)
{
    size_t left = t->room - t->size;
    va_list values;
    va_start(values, format);
    int n = vsnprintf(t->out + t->size, left, format, values);
    va_end(values);
    t->size += n > 0 && (size_t)n < left ? (size_t)n : 0;
}

static void put(void *user, const m5_diag *d)
{
    static const char *const names[] = {"silent", "note", "warning", "error"};
    told *t = user;
    m5_place place = m5_lines_find(&t->lines, d->at.offset);
    char path[200];
    m5_path_text(&d->path, path, sizeof path);
    put_format(t, "%u:%u @0x%x+%u %s %s: %s [%s]", place.line, place.column, d->at.offset,
               d->at.length, names[d->severity], d->rule->id, d->message, path);
    for (uint32_t i = 0; i < d->num_related; i++)
        put_format(t, "; @0x%x+%u: %s", d->related[i].at.offset, d->related[i].at.length,
                   d->related[i].message);
    put_format(t, "\n");
}

size_t compare_findings(const char *name, const uint8_t *bytes, size_t size, char *out, size_t room)
{
    m5_source source = {name, bytes, (uint32_t)size};
    m5_settings settings = {.levels = all_rules()};
    told t = {.lines = {.source = &source}, .out = out, .room = room};
    size_t memory = m5_lint_memory(size, 0);
    void *block = malloc(memory);
    m5_lint_file f;
    m5_lint_bytes(&f, &(m5_lint_input){.source = source,
                                       .settings = &settings,
                                       .sink = {put, &t},
                                       .memory = block,
                                       .size = block != NULL ? memory : 0});
    free(block);
    return t.size;
}
