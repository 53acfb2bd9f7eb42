/* A model and its findings in one call: the only part of the libraries that opens files. */
#include "m5_file.h"
#include "lint/def/link.h"
#include "lint/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char no_memory[] = "out of memory";
static const char too_large[] = "the file is larger than 4 GiB - 1 byte";

/* A finding with its strings, which are one block: path, message and those of related places. */
typedef struct kept {
    m5_file_finding finding;
    m5_file_place related[M5_MOST_RELATED];
    char *strings;
    size_t made; /* how many before it */
} kept;

/* What m5_file is the beginning of. */
typedef struct whole {
    m5_file file;
    char *name;
    uint8_t *bytes;
    void *memory;
    m5_lint_file lint;
    kept *kept;
    size_t count, room;
    bool lost; /* a finding, for want of memory */
    m5_file_finding *findings;
} whole;

/* ---- Findings -------------------------------------------------------------------------------- */

/* A string that grows; NULL once there was no memory. */
typedef struct string {
    char *bytes;
    size_t length;
} string;

static void append(void *user, const void *bytes, size_t count)
{
    string *s = user;
    char *more = s->bytes != NULL ? realloc(s->bytes, s->length + count + 1) : NULL;
    if (more == NULL)
        free(s->bytes);
    s->bytes = more;
    if (more == NULL)
        return;
    memcpy(more + s->length, bytes, count);
    more[s->length += count] = '\0';
}

/* With what a file put into it made safe to show, and a NUL. */
static void append_message(string *s, const char *message)
{
    m5_output_safe(&(m5_writer){append, s}, message, strlen(message));
    append(s, "", 1);
}

static char *strings_of(const m5_diag *d)
{
    char path[200];
    string s = {calloc(1, 1), 0};
    append(&s, path, m5_path_text(&d->path, path, sizeof path) + 1);
    append_message(&s, d->message);
    for (uint32_t i = 0; i < d->num_related; i++)
        append_message(&s, d->related[i].message);
    return s.bytes;
}

static const char *next_string(const char **strings)
{
    const char *next = *strings;
    *strings += strlen(next) + 1;
    return next;
}

static kept *next_kept(whole *w)
{
    if (w->count == w->room) {
        size_t room = w->room != 0 ? 2 * w->room : 16;
        kept *more = realloc(w->kept, room * sizeof *more);
        if (more == NULL)
            return NULL;
        w->kept = more;
        w->room = room;
    }
    return &w->kept[w->count];
}

static void keep(void *user, const m5_diag *d)
{
    whole *w = user;
    kept *k = next_kept(w);
    char *strings = k != NULL ? strings_of(d) : NULL;
    if (strings == NULL) {
        w->lost = true;
        return;
    }
    *k = (kept){.strings = strings, .made = w->count++};
    m5_file_finding *f = &k->finding;
    *f = (m5_file_finding){.rule = d->rule->id,
                           .severity = d->severity,
                           .offset = d->at.offset,
                           .length = d->at.length,
                           .fix = d->fix,
                           .num_related = d->num_related};
    const char *next = strings;
    f->path = next_string(&next);
    f->message = next_string(&next);
    for (uint32_t i = 0; i < d->num_related; i++) {
        m5_span at = d->related[i].at;
        k->related[i] = (m5_file_place){.offset = at.offset, .length = at.length};
        k->related[i].message = next_string(&next);
    }
}

/* As md5lint shows them: by place, at one place the worst first. */
static int in_order(const void *a, const void *b)
{
    const kept *x = a, *y = b;
    if (x->finding.offset != y->finding.offset)
        return x->finding.offset < y->finding.offset ? -1 : 1;
    if (x->finding.severity != y->finding.severity)
        return x->finding.severity > y->finding.severity ? -1 : 1;
    return x->made < y->made ? -1 : 1;
}

static m5_place place_of(whole *w, m5_lines *lines, uint32_t offset)
{
    return w->lint.model.format->text ? m5_lines_find(lines, offset) : (m5_place){0, 0};
}

static const char *list_findings(whole *w)
{
    m5_lines lines = {.source = &w->lint.source};
    w->findings = calloc(w->count + 1, sizeof *w->findings);
    if (w->findings == NULL || w->lost)
        return no_memory;
    if (w->count != 0)
        qsort(w->kept, w->count, sizeof *w->kept, in_order);
    for (size_t i = 0; i < w->count; i++) {
        kept *k = &w->kept[i];
        m5_place at = place_of(w, &lines, k->finding.offset);
        k->finding.line = at.line;
        k->finding.column = at.column;
        k->finding.related = k->related;
        for (uint32_t r = 0; r < k->finding.num_related; r++) {
            at = place_of(w, &lines, k->related[r].offset);
            k->related[r].line = at.line;
            k->related[r].column = at.column;
        }
        w->findings[i] = k->finding;
    }
    return NULL;
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

/* Compares the declarations of a file with each other. Returns false when out of memory. */
static bool link_declarations(m5_lint_file *f)
{
    m5_lint_file *const files[] = {f};
    m5_def_game game = {.defs = files, .num_defs = 1};
    void *memory = malloc(m5_def_link_memory(&game));
    if (memory != NULL)
        m5_def_link(&game, memory);
    free(memory);
    return memory != NULL;
}

static const char *lint(whole *w, size_t size)
{
    size_t room = m5_lint_memory(size, 0);
    w->memory = malloc(room);
    if (w->memory == NULL)
        return no_memory;
    m5_lint_input in = {
        {w->name, w->bytes, (uint32_t)size}, NULL, NULL, {keep, w}, w->memory, room, false, NULL};
    w->file.status = m5_lint_bytes(&w->lint, &in);
    if (w->file.status == M5_NO_FORMAT)
        return m5_format_error(w->lint.model.format);
    if (w->lint.model.def != NULL && !link_declarations(&w->lint))
        return no_memory;
    return w->file.status == M5_NO_MEMORY ? no_memory : list_findings(w);
}

/* With an error there is nothing else. */
static m5_file *finish(whole *w, const char *error)
{
    w->file.error = error;
    if (error == no_memory)
        w->file.status = M5_NO_MEMORY;
    if (error != NULL)
        return &w->file;
    w->file.model = w->lint.model;
    w->file.findings = w->findings;
    w->file.num_findings = w->count;
    w->file.skipped = w->lint.skipped;
    return &w->file;
}

/* With a copy of the name; NULL without memory. */
static whole *begin(const char *name)
{
    size_t size = strlen(name) + 1;
    whole *w = calloc(1, sizeof *w);
    if (w != NULL)
        w->file.status = M5_NO_FILE;
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
        return finish(w, too_large);
    w->bytes = malloc(size + 1);
    if (w->bytes == NULL)
        return finish(w, no_memory);
    if (size != 0)
        memcpy(w->bytes, bytes, size);
    return finish(w, lint(w, size));
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* To its end, in memory that doubles; returns what is wrong, or NULL. There is always room for a
 * byte more than what may be, which tells a file that is too large from one that just is not. */
static const char *read_all(whole *w, FILE *stream, size_t *size)
{
    size_t room = 0, read;
    for (*size = 0;; *size += read) {
        if (*size > M5_SOURCE_MAX)
            return too_large;
        if (*size == room) {
            room = room < 1 << 16 ? 1 << 16 : room <= M5_SOURCE_MAX / 2 ? 2 * room : M5_SOURCE_MAX;
            room += room == *size; /* the byte more */
            uint8_t *more = realloc(w->bytes, room);
            if (more == NULL)
                return no_memory;
            w->bytes = more;
        }
        if ((read = fread(w->bytes + *size, 1, room - *size, stream)) == 0)
            return ferror(stream) ? "it cannot be read" : NULL;
    }
}

m5_file *m5_file_read(const char *path)
{
    whole *w = begin(path);
    if (w == NULL)
        return NULL;
    size_t size;
    FILE *stream = fopen(path, "rb");
    const char *error = stream == NULL ? "it cannot be opened" : read_all(w, stream, &size);
    if (stream != NULL)
        fclose(stream);
    return finish(w, error != NULL ? error : lint(w, size));
}

void m5_free(m5_file *file)
{
    whole *w = (void *)file; /* the first member of a whole */
    if (w == NULL)
        return;
    for (size_t i = 0; i < w->count; i++)
        free(w->kept[i].strings);
    free(w->kept);
    free(w->findings);
    free(w->memory);
    free(w->bytes);
    free(w->name);
    free(w);
}
