/* The function that tests/compare/compare.c calls in each version of the library: lists all
 * findings in a file, one on each line. */
#include "fuzz/harness/all_rules.h"

#include <stdio.h>
#include <stdlib.h>

size_t compare_findings(const char *name, const uint8_t *bytes, size_t size, char *out,
                        size_t room);

typedef struct told {
    m5_lines lines;
    char *out;
    size_t size, room;
} told;

static void put(void *user, const m5_diag *d)
{
    static const char *const names[] = {"silent", "note", "warning", "error"};
    told *t = user;
    m5_place place = m5_lines_find(&t->lines, d->at.offset);
    size_t left = t->room - t->size;
    int n = snprintf(t->out + t->size, left, "%u:%u @0x%x+%u %s %s: %s\n", place.line, place.column,
                     d->at.offset, d->at.length, names[d->severity], d->rule->id, d->message);
    t->size += n > 0 && (size_t)n < left ? (size_t)n : 0;
}

size_t compare_findings(const char *name, const uint8_t *bytes, size_t size, char *out, size_t room)
{
    m5_source source = {name, bytes, (uint32_t)size};
    m5_settings settings = {.levels = all_rules()};
    told t = {.lines = {.source = &source}, .out = out, .room = room};
    size_t memory = m5_lint_memory(size, 0);
    void *block = malloc(memory);
    m5_lint_file f;
    m5_lint_bytes(
        &f, &(m5_lint_input){
                source, NULL, &settings, {put, &t}, block, block != NULL ? memory : 0, false});
    free(block);
    return t.size;
}
