/* Takes one file of the command line from its name to its findings. */
#include "job.h"

static const char no_memory[] = "out of memory";

/* ---- By itself ------------------------------------------------------------------------------- */

/* No file has more findings than bytes by much, and no reader wants that many. */
static size_t findings_kept(const m5_options *o, size_t size)
{
    size_t most = size / 4 + 2000, asked = (size_t)o->max_per_rule * M5_RULES;
    return asked != 0 && asked < most ? asked : most;
}

static const char *judge_format(const m5_job *w)
{
    if (w->format == NULL)
        return "neither its name nor its content tell which format it is in";
    return w->format->parse == NULL ? "this format is not supported yet" : NULL;
}

void m5_job_choose_format(m5_job *w)
{
    w->format = m5_format_by_name(w->path);
    if (w->format != NULL)
        return;
    w->input = m5_input_read(w->path, false);
    if (w->input.error == NULL)
        w->format = m5_format_by_content(w->input.bytes, w->input.size);
}

/* The text parsers may do with bytes that change while they look, a view of an md4 not. */
static bool may_map(const m5_job *w)
{
    return w->format != NULL && m5_format_bit(w->format) != M5_IN_MD4;
}

void m5_job_lint(m5_job *w, const m5_options *o)
{
    if (w->input.bytes == NULL && w->input.error == NULL)
        w->input = m5_input_read(w->path, may_map(w));
    w->error = w->input.error;
    if (w->error == NULL)
        w->error = judge_format(w);
    if (w->error != NULL)
        return;
    m5_source source = {w->path, w->input.bytes, (uint32_t)w->input.size};
    w->memory_size = m5_lint_memory(source.size, findings_kept(o, source.size));
    w->memory = m5_reserve(w->memory_size);
    m5_collector_init(&w->found, &w->file.arena, o->max_per_rule);
    if (w->memory == NULL ||
        m5_lint_bytes(&w->file, &source, w->format, &o->settings, (m5_sink){m5_collect, &w->found},
                      w->memory, w->memory_size) == M5_NO_MEMORY)
        w->error = no_memory;
}

/* ---- With others ----------------------------------------------------------------------------- */

static size_t largest_mesh(m5_lint_file *const *files, size_t count)
{
    size_t largest = 0;
    for (size_t i = 0; i < count; i++)
        if (files[i] != NULL && files[i]->model.md5mesh != NULL && files[i]->source.size > largest)
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
    m5_input_free(&w->input);
    m5_arena_end(&w->file.arena);
    m5_unreserve(w->memory, w->memory_size);
}
