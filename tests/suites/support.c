/* What test suites share: linting bytes in memory, and describing what was found. */
#include "support.h"
#include "parsers/core/emit.h"
#include "parsers/core/text.h"

#include "lint/report/report.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    rewind(file);
    char *bytes = length < 0 ? NULL : malloc((size_t)length + 1);
    if (bytes != NULL && fread(bytes, 1, (size_t)length, file) != (size_t)length) {
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    if (bytes == NULL)
        return NULL;
    bytes[length] = '\0';
    *size = (size_t)length;
    return bytes;
}

static void set_levels(m5_levels *levels, const char *enable)
{
    for (unsigned i = 0; i < M5_RULES; i++)
        levels[i] = m5_rule_at(i)->levels;
    const m5_rule *rule = enable != NULL ? m5_rule_by_id(enable) : NULL;
    if (rule != NULL && m5_judge(&rule->levels, DBL_MAX) == M5_SILENT)
        levels[rule->number] = (m5_levels)M5_IS_NOTE;
}

static void *must_allocate(size_t size)
{
    void *memory = malloc(size);
    if (memory == NULL && size != 0)
        abort();
    return memory;
}

/* What is in memory before it is written must not matter; ones look most like something. Most cases
 * take less than is filled. */
static void *allocate_used(size_t size)
{
    enum { FILLED = 1 << 11 };
    uint32_t *memory = must_allocate(size);
    for (size_t i = 0; i < size / sizeof *memory && i < FILLED; i++)
        memory[i] = 1;
    return memory;
}

/* Ready to be linted. */
static linted *load(const char *name, const void *bytes, size_t size, const char *enable,
                    bool plain)
{
    linted *l = must_allocate(sizeof *l);
    memset(l, 0, sizeof *l);
    size_t room = m5_lint_memory(size, size + 100);
    l->memory = allocate_used(room);
    l->bytes = must_allocate(size); /* exactly, so that sanitizers see a byte too far */
    if (size != 0)
        memcpy(l->bytes, bytes, size);
    set_levels(l->levels, enable);
    l->settings = (m5_settings){.levels = l->levels, .plain = plain};
    m5_collector_init(&l->found, &l->file.arena, 0);
    l->input = (m5_lint_input){{name, l->bytes, (uint32_t)size},
                               m5_format_by_name(name),
                               &l->settings,
                               {m5_collect, &l->found},
                               l->memory,
                               room};
    return l;
}

linted *lint_bytes(const char *name, const void *bytes, size_t size, const char *enable, bool plain)
{
    linted *l = load(name, bytes, size, enable, plain);
    m5_lint_bytes(&l->file, &l->input);
    return l;
}

void lint_files(const text_file *files, size_t count, const char *enable, bool plain, linted **out)
{
    m5_lint_file **models = must_allocate(count * sizeof *models);
    m5_lint_input *inputs = must_allocate(count * sizeof *inputs);
    for (size_t i = 0; i < count; i++) {
        out[i] = load(files[i].name, files[i].bytes, files[i].size, enable, plain);
        models[i] = &out[i]->file;
        inputs[i] = out[i]->input;
    }
    m5_lint_group(models, inputs, count);
    free(models);
    free(inputs);
}

linted *lint_string(const char *name, const char *text)
{
    return lint_bytes(name, text, strlen(text), NULL, false);
}

void free_linted(linted *l)
{
    free(l->memory);
    free(l->bytes);
    free(l);
}

static const char *severity_name(m5_severity severity)
{
    return severity == M5_ERROR ? "error" : severity == M5_WARNING ? "warning" : "note";
}

/* A span as its format shows it: a binary has no lines. */
static char *put_place(char *end, const linted *l, m5_lines *lines, m5_span at)
{
    m5_place p = m5_lines_find(lines, at.offset);
    return end + (l->file.model.format->text ? sprintf(end, "%u:%u", p.line, p.column)
                                             : sprintf(end, "@0x%x+%u", at.offset, at.length));
}

/* What stands behind the rule when a finding is told in full. */
static char *put_rest(char *end, const linted *l, const m5_diag *d)
{
    char path[200];
    m5_path_text(&d->path, path, sizeof path);
    end += sprintf(end, ": %s [%s]", d->message, path);
    for (uint32_t i = 0; i < d->num_related; i++) {
        m5_lines lines = {.source = d->related[i].source};
        end = put_place(end + sprintf(end, "; "), l, &lines, d->related[i].at);
        end += sprintf(end, ": %s", d->related[i].message);
    }
    return end;
}

char *describe(linted *l, const char *prefix, bool fully)
{
    enum { ROOM = 1200 }; /* a message takes 512 at most */
    m5_shown shown;
    m5_lines lines = {.source = &l->file.source};
    m5_collector_pick(&l->found, 0, &shown);
    char *text = must_allocate(1 + shown.count * (strlen(prefix) + ROOM)), *end = text;
    *end = '\0';
    for (uint32_t i = 0; i < shown.count; i++) {
        const m5_diag *d = &shown.list[i]->diag;
        end = put_place(end + sprintf(end, "%s", prefix), l, &lines, d->at);
        end += sprintf(end, " %s %s", severity_name(d->severity), d->rule->id);
        end = fully ? put_rest(end, l, d) : end;
        end += sprintf(end, "\n");
    }
    return text;
}

unsigned long count_of(const linted *l, const char *id)
{
    const m5_rule *rule = m5_rule_by_id(id);
    return rule != NULL ? (unsigned long)l->found.made[rule->number] : 0;
}
