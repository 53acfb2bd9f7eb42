/* A model and its findings in one call: the only part of the libraries that opens files. */
#include "m5_file.h"
#include "lint/report/report.h"
#include "parsers/core/allocate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char no_memory[] = "out of memory";
static const char too_large[] = "the file is larger than 4 GiB - 1";

/* What m5_file is the beginning of. */
typedef struct whole {
    m5_file file;
    char *name;
    uint8_t *bytes;
    void *memory;
    m5_lint_file lint;
    m5_collector found;
    m5_file_finding *findings;
} whole;

/* ---- Findings -------------------------------------------------------------------------------- */

static char *copy(m5_arena *arena, const char *text)
{
    size_t size = strlen(text) + 1;
    char *kept = m5_arena_keep(arena, size);
    return kept != NULL ? memcpy(kept, text, size) : NULL;
}

static m5_file_finding finding_of(whole *w, const m5_diag *d, m5_lines *lines)
{
    char buffer[256] = "";
    m5_text path = {buffer, sizeof buffer, 0, false};
    m5_path_text(&d->path, &path);
    m5_place place = w->lint.model.format->text ? m5_lines_find(lines, d->at.offset)
                                                : (m5_place){0, 0};
    const char *kept = copy(&w->lint.arena, buffer);
    return (m5_file_finding){.rule = d->rule->id,
                             .severity = d->severity,
                             .offset = d->at.offset,
                             .length = d->at.length,
                             .line = place.line,
                             .column = place.column,
                             .path = kept != NULL ? kept : "",
                             .message = d->message,
                             .fix = d->rule->fix};
}

static const char *list_findings(whole *w)
{
    m5_shown shown;
    m5_lines lines = {.source = &w->lint.source};
    m5_collector_pick(&w->found, 0, &shown);
    w->findings = calloc((size_t)shown.count + 1, sizeof *w->findings);
    if (w->findings == NULL)
        return no_memory;
    for (uint32_t i = 0; i < shown.count; i++)
        w->findings[i] = finding_of(w, &shown.list[i]->diag, &lines);
    w->file.findings = w->findings;
    w->file.num_findings = shown.count;
    return NULL;
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

static const m5_format *format_of(const whole *w, size_t size)
{
    const m5_format *format = m5_format_by_name(w->name);
    return format != NULL ? format : m5_format_by_content(w->bytes, size);
}

static const char *lint(whole *w, size_t size)
{
    const m5_format *format = format_of(w, size);
    if (format == NULL)
        return "unknown format: neither the extension nor the content is recognised";
    if (format->parse == NULL)
        return "this format is not supported yet";
    size_t room = m5_lint_memory(size, size / 4 + 2000); /* nothing has more findings by much */
    m5_source source = {w->name, w->bytes, (uint32_t)size};
    w->memory = malloc(room);
    m5_collector_init(&w->found, &w->lint.arena, 0);
    if (w->memory == NULL)
        return no_memory;
    w->file.status = m5_lint_bytes(&w->lint, &source, format, NULL,
                                   (m5_sink){m5_collect, &w->found}, w->memory, room);
    w->file.model = w->lint.model;
    return w->file.status == M5_NO_MEMORY ? no_memory : list_findings(w);
}

/* With a copy of the name; NULL without memory. */
static whole *begin(const char *name)
{
    size_t size = strlen(name) + 1;
    whole *w = calloc(1, sizeof *w);
    if (w != NULL && (w->name = malloc(size)) == NULL) {
        free(w);
        return NULL;
    }
    return w != NULL ? memcpy(w->name, name, size), w : NULL;
}

m5_file *m5_file_from(const char *name, const void *bytes, size_t size)
{
    whole *w = begin(name);
    if (w == NULL)
        return NULL;
    if (size > M5_SOURCE_MAX)
        w->file.error = too_large;
    else if ((w->bytes = malloc(size + 1)) == NULL)
        w->file.error = no_memory;
    if (w->file.error == NULL && size != 0)
        memcpy(w->bytes, bytes, size);
    if (w->file.error == NULL)
        w->file.error = lint(w, size);
    return &w->file;
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* To its end, in memory that grows; returns what is wrong, or NULL. */
static const char *read_all(whole *w, FILE *stream, size_t *size)
{
    size_t room = 1 << 16, read;
    for (*size = 0;; *size += read) {
        if (*size + room > M5_SOURCE_MAX)
            return too_large;
        uint8_t *more = realloc(w->bytes, *size + room);
        if (more == NULL)
            return no_memory;
        w->bytes = more;
        if ((read = fread(w->bytes + *size, 1, room, stream)) == 0)
            return ferror(stream) ? "it cannot be read" : NULL;
        room = *size + read;
    }
}

m5_file *m5_file_read(const char *path)
{
    whole *w = begin(path);
    if (w == NULL)
        return NULL;
    size_t size;
    FILE *stream = fopen(path, "rb");
    w->file.error = stream == NULL ? "it cannot be opened" : read_all(w, stream, &size);
    if (stream != NULL)
        fclose(stream);
    if (w->file.error == NULL)
        w->file.error = lint(w, size);
    return &w->file;
}

void m5_free(m5_file *file)
{
    whole *w = (whole *)file; /* of which it is the first member */
    if (w == NULL)
        return;
    free(w->findings);
    free(w->memory);
    free(w->bytes);
    free(w->name);
    free(w);
}
