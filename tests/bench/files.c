/* Loads the benchmark's files into memory, and lints them there. */
#include "files.h"

#include "race.h"
#include "tokens.h"
#include "lint/report/collect.h"

#include <stdio.h>
#include <stdlib.h>

void *must_allocate(size_t size)
{
    void *memory = malloc(size);
    if (memory == NULL)
        race_fail("out of memory", "a lower BENCH_MB will do");
    return memory;
}

static long length_of(FILE *stream)
{
    fseek(stream, 0, SEEK_END);
    long length = ftell(stream);
    rewind(stream);
    return length;
}

file file_read(const char *path)
{
    FILE *stream = fopen(path, "rb");
    long length = stream != NULL ? length_of(stream) : -1;
    if (length < 0 || (unsigned long)length > M5_SOURCE_MAX)
        race_fail("cannot be read", path);
    size_t size = (size_t)length;
    uint8_t *bytes = must_allocate(size + TOKENS_PADDING);
    if (fread(bytes, 1, size, stream) != size)
        race_fail("cannot be read", path);
    fclose(stream);
    memset(bytes + size, 0, TOKENS_PADDING);
    file f = {m5_format_by_name(path), {path, bytes, (uint32_t)size}};
    if (f.format == NULL)
        race_fail("a format is missing", path);
    return f;
}

/* The program's defaults: how many findings of one rule are kept, and how many in total. */
enum { MAX_PER_RULE = 10, FINDINGS = MAX_PER_RULE * M5_RULES };

size_t lint_memory(size_t size)
{
    return m5_lint_memory(size, FINDINGS);
}

void lint_levels(m5_levels levels[M5_RULES])
{
    for (unsigned i = 0; i < M5_RULES; i++) {
        levels[i] = m5_rule_at(i)->levels;
        levels[i].note = M5_NEVER;
    }
}

uint64_t lint_file(const file *f, const m5_levels *levels, void *memory, bool geometry)
{
    m5_settings settings = {.levels = levels, .no_geometry = !geometry};
    m5_lint_file work;
    m5_collector found;
    m5_collector_init(&found, &work.arena, MAX_PER_RULE);
    m5_lint_input in = {.source = f->source,
                        .format = f->format,
                        .settings = &settings,
                        .sink = {m5_collect, &found},
                        .memory = memory,
                        .size = lint_memory(f->source.size)};
    if (m5_lint_bytes(&work, &in) == M5_NO_MEMORY)
        race_fail("out of memory", f->source.name);
    return work.report.errors;
}
