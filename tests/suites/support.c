/* What the test suites share: linting bytes in memory, and describing the findings. */
#include "support.h"
#include "parsers/core/emit.h"
#include "parsers/core/text.h"

#include "lint/pack/shadowed.h"
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

/* Those of the rows, with a rule that is off switched on. */
static const m5_levels *usual_levels(m5_levels levels[M5_RULES], const char *enable)
{
    for (unsigned i = 0; i < M5_RULES; i++)
        levels[i] = m5_rule_at(i)->levels;
    const m5_rule *rule = enable != NULL ? m5_rule_by_id(enable) : NULL;
    if (rule != NULL && m5_judge(&rule->levels, DBL_MAX) == M5_SILENT)
        levels[rule->number] = (m5_levels)M5_IS_NOTE;
    return levels;
}

static void *must_allocate(size_t size)
{
    void *memory = malloc(size);
    if (memory == NULL && size != 0)
        abort();
    return memory;
}

/* Fills memory with ones, to find code that depends on memory before it is written. Most cases need
 * less than is filled. */
static void *allocate_used(size_t size)
{
    enum { FILLED = 1 << 11 };
    uint32_t *memory = must_allocate(size);
    for (size_t i = 0; i < size / sizeof *memory && i < FILLED; i++)
        memory[i] = 1;
    return memory;
}

/* Ready to be linted. */
static linted *load(const char *name, const void *bytes, size_t size, const m5_settings *settings)
{
    linted *l = must_allocate(sizeof *l);
    memset(l, 0, sizeof *l);
    size_t room = m5_lint_memory(size, size / 4 + 200);
    l->memory = allocate_used(room);
    l->bytes = must_allocate(size); /* exact, so that a sanitizer reports a read past the end */
    if (size != 0)
        memcpy(l->bytes, bytes, size);
    memcpy(l->levels, settings->levels, sizeof l->levels);
    l->settings = (m5_settings){
        .levels = l->levels, .plain = settings->plain, .targets = settings->targets};
    m5_collector_init(&l->found, &l->file.arena, 0);
    l->input = (m5_lint_input){{name, l->bytes, (uint32_t)size},
                               m5_format_by_name(name),
                               &l->settings,
                               {m5_collect, &l->found},
                               l->memory,
                               room,
                               false,
                               NULL};
    return l;
}

linted *lint_bytes(const char *name, const void *bytes, size_t size, const char *enable, bool plain)
{
    m5_levels levels[M5_RULES];
    linted *l = load(name, bytes, size,
                     &(m5_settings){.levels = usual_levels(levels, enable), .plain = plain});
    m5_lint_bytes(&l->file, &l->input);
    if (l->found.lost) /* there was too little memory for all findings */
        abort();
    return l;
}

/* `base.pk4` of `base.pk4!imp.md5mesh`; NULL for a file in no archive. */
static const char *archive_of(linted *l, const char *name)
{
    const char *mark = strchr(name, '!'), *slash = strrchr(name, '/');
    name = slash != NULL ? slash + 1 : name;
    if (mark == NULL)
        return NULL;
    snprintf(l->archive, sizeof l->archive, "%.*s", (int)(mark - name), name);
    return l->archive;
}

/* In archives, the last one of a name is loaded: its name, if there is a later one. */
static const char *instead_of(const text_file *files, size_t count, size_t i)
{
    const char *mark = strchr(files[i].name, '!'), *other;
    while (mark != NULL && ++i < count)
        if ((other = strchr(files[i].name, '!')) != NULL && strcmp(mark, other) == 0)
            return strrchr(files[i].name, '/') + 1;
    return NULL;
}

void lint_files_at(const text_file *files, size_t count, const m5_settings *settings, linted **out)
{
    m5_lint_file **models = must_allocate(count * sizeof *models);
    m5_lint_input *inputs = must_allocate(count * sizeof *inputs);
    size_t loaded = 0;
    for (size_t i = 0; i < count; i++) {
        const char *instead = instead_of(files, count, i);
        out[i] = load(files[i].name, files[i].bytes, files[i].size, settings);
        out[i]->input.from = archive_of(out[i], files[i].name);
        if (instead != NULL) {
            m5_lint_shadowed(&out[i]->file, &out[i]->input, instead);
            continue;
        }
        models[loaded] = &out[i]->file;
        inputs[loaded++] = out[i]->input;
    }
    void *memory = must_allocate(m5_together_memory(count));
    m5_lint_group(models, inputs, loaded, memory);
    for (size_t i = 0; i < count; i++)
        if (out[i]->found.lost)
            abort();
    free(memory);
    free(models);
    free(inputs);
}

void lint_files(const text_file *files, size_t count, const char *enable, bool plain, linted **out)
{
    m5_levels levels[M5_RULES];
    lint_files_at(files, count,
                  &(m5_settings){.levels = usual_levels(levels, enable), .plain = plain}, out);
}

m5_fix_input fix_input_of(linted *l, linted *const *all, size_t count, const m5_lint_file **meshes)
{
    m5_fix_input in = {.file = &l->file};
    if (l->file.model.md5anim == NULL)
        return in;
    in.meshes = meshes;
    for (size_t i = 0; i < count; i++)
        if (all[i]->file.model.md5mesh != NULL)
            meshes[in.num_meshes++] = &all[i]->file;
    return in;
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

/* ---- What was found, as text ----------------------------------------------------------------- */

void append_text(void *user, const void *bytes, size_t count)
{
    text_buffer *b = user;
    if (b->size + count >= b->room) {
        b->room = 2 * (b->size + count) + 256;
        b->bytes = realloc(b->bytes, b->room);
    }
    if (b->bytes == NULL)
        abort();
    memcpy(b->bytes + b->size, bytes, count);
    b->bytes[b->size += count] = '\0';
}

/* A place: line and column, or the offset in a binary. */
static void put_place(const m5_writer *out, const linted *l, m5_lines *lines, m5_span at,
                      bool length)
{
    char text[64];
    m5_place p = m5_lines_find(lines, at.offset);
    if (!l->file.model.format->text)
        snprintf(text, sizeof text, "@0x%x+%u", at.offset, at.length);
    else if (length)
        snprintf(text, sizeof text, "%u:%u+%u", p.line, p.column, at.length);
    else
        snprintf(text, sizeof text, "%u:%u", p.line, p.column);
    m5_output_string(out, text);
}

static const char *last_part(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash != NULL ? slash + 1 : name;
}

/* The part after the rule when a finding is described in full. */
static void put_rest(const m5_writer *out, const linted *l, const m5_diag *d)
{
    char path[200];
    m5_path_text(&d->path, path, sizeof path);
    m5_output_string(out, ": ");
    m5_output_safe(out, d->message, strlen(d->message));
    m5_write(out, " [%s]", path);
    for (uint32_t i = 0; i < d->num_related; i++) {
        const m5_related *r = &d->related[i];
        m5_lines lines = {.source = r->source};
        m5_output_string(out, "; ");
        if (r->source != &l->file.source) {
            m5_output_string(out, last_part(r->source->name));
            m5_output_string(out, " ");
        }
        put_place(out, l, &lines, r->at, true);
        m5_output_string(out, ": ");
        m5_output_safe(out, r->message, strlen(r->message));
    }
    if (d->fix != d->rule->fix) { /* advice of its own */
        m5_output_string(out, "; hint: ");
        m5_output_string(out, d->fix);
    }
}

char *describe(linted *l, const char *prefix, bool fully)
{
    text_buffer text = {calloc(1, 1), 0, 1};
    m5_writer out = {append_text, &text};
    m5_shown shown;
    m5_lines lines = {.source = &l->file.source};
    m5_collector_pick(&l->found, 0, &shown);
    for (uint32_t i = 0; i < shown.count; i++) {
        const m5_diag *d = &shown.list[i]->diag;
        m5_output_string(&out, prefix);
        put_place(&out, l, &lines, d->at, fully);
        m5_write(&out, " %s %s", m5_severity_name(d->severity), d->rule->id);
        if (fully)
            put_rest(&out, l, d);
        m5_output_string(&out, "\n");
    }
    for (unsigned i = 0; i < M5_SKIPPED_KINDS && fully; i++)
        if ((l->file.skipped >> i & 1) != 0)
            m5_write(&out, "%snot checked: %s\n", prefix, m5_skipped_text(i));
    return text.bytes;
}

unsigned long count_of(const linted *l, const char *id)
{
    const m5_rule *rule = m5_rule_by_id(id);
    return rule != NULL ? (unsigned long)m5_collector_made(&l->found, rule->number) : 0;
}

void add_threads_test(Suite *suite, const TTest *test)
{
    TCase *threads = tcase_create("threads");
    tcase_set_tags(threads, "threads");
    tcase_set_timeout(threads, 120);
    tcase_add_test(threads, test);
    suite_add_tcase(suite, threads);
}
