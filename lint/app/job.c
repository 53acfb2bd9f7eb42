/* Takes one input from its name to its findings. */
#include "job.h"

static const char no_memory[] = "out of memory";

/* ---- By itself ------------------------------------------------------------------------------- */

/* How many findings to reserve memory for: at most about one for every 4 bytes, which is more than
 * anyone reads. */
static size_t findings_kept(const m5_options *o, size_t size)
{
    size_t most = size / 4 + 2000, asked = (size_t)o->max_per_rule * M5_RULES;
    return asked != 0 && asked < most ? asked : most;
}

void m5_job_begin(m5_job *w, const m5_input *input)
{
    const m5_format **format = &w->file.model.format;
    w->input = input;
    w->file.source.name = input->name;
    *format = m5_format_by_name(input->name);
    if (*format != NULL)
        return;
    w->bytes = m5_bytes_read(input, false);
    if (w->bytes.error == NULL)
        *format = m5_format_by_content(w->bytes.bytes, w->bytes.size);
}

/* The text parsers cope with bytes that change while they are read; the md4 model is a view of the
 * bytes and does not. */
static bool may_map(const m5_format *format)
{
    return format != NULL && m5_format_bit(format) != M5_IN_MD4;
}

void m5_job_lint(m5_job *w, const m5_options *o)
{
    const m5_format *format = w->file.model.format;
    if (w->bytes.bytes == NULL && w->bytes.error == NULL)
        w->bytes = m5_bytes_read(w->input, may_map(format));
    w->error = w->bytes.error;
    if (w->error == NULL)
        w->error = m5_format_error(format);
    if (w->error != NULL)
        return;
    m5_source source = {w->input->name, w->bytes.bytes, (uint32_t)w->bytes.size};
    w->memory_size = m5_lint_memory(source.size, findings_kept(o, source.size));
    w->memory = m5_reserve(w->memory_size);
    m5_collector_init(&w->found, &w->file.arena, o->max_per_rule);
    m5_lint_input in = {source,    format,        &o->settings, {m5_collect, &w->found},
                        w->memory, w->memory_size};
    if (w->memory == NULL || m5_lint_bytes(&w->file, &in) == M5_NO_MEMORY)
        w->error = no_memory;
}

/* ---- With others ----------------------------------------------------------------------------- */

static size_t largest_mesh(m5_lint_file *const *files, size_t count)
{
    size_t largest = 0;
    for (size_t i = 0; i < count; i++)
        if (files[i]->model.md5mesh != NULL && files[i]->source.size > largest)
            largest = files[i]->source.size;
    return largest;
}

void m5_job_lint_together(m5_job *w, m5_lint_file *const *files, size_t count, size_t which)
{
    size_t mesh = w->file.model.md5anim != NULL ? largest_mesh(files, count) : 0;
    size_t size = mesh != 0 ? m5_lint_memory(2 * mesh, 0) : 0;
    m5_arena scratch = {0};
    void *memory = mesh != 0 ? m5_reserve(size) : NULL;
    if (mesh != 0 && memory == NULL) {
        w->error = no_memory;
        return;
    }
    m5_arena_init(&scratch, memory, size);
    m5_lint_in_group(files, count, which, &scratch);
    m5_arena_end(&scratch);
    m5_unreserve(memory, size);
}

void m5_job_free(m5_job *w)
{
    m5_bytes_free(&w->bytes);
    m5_arena_end(&w->file.arena);
    m5_unreserve(w->memory, w->memory_size);
}
