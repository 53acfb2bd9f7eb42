/* Takes one input from its name to its findings. */
#include "job.h"

#include <stdlib.h>
#include <string.h>

static const char no_memory[] = "out of memory";

/* The text parsers cope with bytes that change while they are read; the md4 model is a view of the
 * bytes and does not. */
static bool may_map(const m5_format *format)
{
    return format != NULL && m5_format_bit(format) != M5_IN_MD4;
}

/* ---- Which files belong together ------------------------------------------------------------- */

/* Reads what the rig needs; its names go to memory of their own. */
static void read_rig(m5_job *w, m5_rig *rig, const m5_format *format)
{
    m5_lint_input in = {.source = {w->input->name, w->bytes.bytes, (uint32_t)w->bytes.size},
                        .format = format,
                        .size = m5_lint_memory(w->bytes.size, 0)};
    in.memory = m5_reserve(in.size);
    bool room = in.memory != NULL && m5_rig_read(rig, &in);
    if (room && rig->names != NULL) {
        w->names = malloc(rig->num_joints * sizeof *w->names);
        room = w->names != NULL;
    }
    if (room && rig->names != NULL)
        memcpy(w->names, rig->names, rig->num_joints * sizeof *w->names);
    rig->names = w->names;
    rig->known &= room;
    w->amiss = room ? m5_bytes_lost(&w->bytes) : no_memory;
    m5_unreserve(in.memory, in.size);
}

void m5_job_scan(m5_job *w, m5_rig *rig)
{
    const m5_format *format = m5_format_by_name(w->input->name);
    w->file.source.name = w->input->name;
    if (may_map(format) || format == NULL)
        w->bytes = m5_bytes_read(w->input, may_map(format));
    if (format == NULL && w->bytes.error == NULL)
        format = m5_format_by_content(w->bytes.bytes, w->bytes.size);
    w->file.model.format = format;
    *rig = (m5_rig){.name = w->input->name, .format = format};
    if (may_map(format) && format->parse != NULL && w->bytes.error == NULL)
        read_rig(w, rig, format);
    if (w->bytes.error == NULL && !w->bytes.once) {
        w->scanned = w->bytes.size;
        m5_bytes_free(&w->bytes);
    }
}

/* ---- By itself ------------------------------------------------------------------------------- */

/* How many findings to reserve memory for: at most about one for every 4 bytes, which is more than
 * anyone reads. */
static size_t findings_kept(const m5_options *o, size_t size)
{
    size_t most = size / 4 + 2000, asked = (size_t)o->max_per_rule * M5_RULES;
    return asked != 0 && asked < most ? asked : most;
}

void m5_job_lint(m5_job *w, const m5_options *o)
{
    const m5_format *format = w->file.model.format;
    if (w->bytes.bytes == NULL && w->bytes.error == NULL)
        w->bytes = m5_bytes_read(w->input, may_map(format));
    if (w->scanned != 0 && w->bytes.error == NULL && w->bytes.size != w->scanned)
        w->amiss = w->bytes.size < w->scanned ? "the file got shorter while it was being read"
                                              : "the file got longer while it was being read";
    w->error = w->amiss != NULL ? w->amiss : w->bytes.error;
    if (w->error == NULL)
        w->error = m5_format_error(format);
    if (w->error != NULL)
        return;
    m5_source source = {w->input->name, w->bytes.bytes, (uint32_t)w->bytes.size};
    w->memory_size = m5_lint_memory(source.size, findings_kept(o, source.size));
    w->memory = m5_reserve(w->memory_size);
    m5_collector_init(&w->found, &w->file.arena, o->max_per_rule);
    m5_lint_input in = {source,    format,         &o->settings, {m5_collect, &w->found},
                        w->memory, w->memory_size, true};
    if (w->memory == NULL || m5_lint_bytes(&w->file, &in) == M5_NO_MEMORY)
        w->error = no_memory;
}

/* ---- With others ----------------------------------------------------------------------------- */

static size_t larger_mesh(const m5_lint_file *f, size_t size)
{
    return f->model.md5mesh != NULL && f->source.size > size ? f->source.size : size;
}

static size_t largest_mesh(m5_lint_file *const *files, const m5_pair *pair)
{
    size_t largest = pair->base != M5_NO_INDEX ? larger_mesh(files[pair->base], 0) : 0;
    for (uint32_t i = 0; i < pair->num_equals; i++)
        largest = larger_mesh(files[pair->equals[i]], largest);
    return largest;
}

void m5_job_lint_pair(m5_job *w, m5_lint_file *const *files, const m5_pairs *pairs, uint32_t which)
{
    const m5_pair *pair = &pairs->list[which];
    bool compared = w->file.model.md5anim != NULL && pair->reason != M5_PAIR_MISSING;
    size_t mesh = compared ? largest_mesh(files, pair) : 0;
    size_t size = mesh != 0 ? m5_lint_memory(2 * mesh, 0) : 0;
    m5_arena scratch = {0};
    void *memory = mesh != 0 ? m5_reserve(size) : NULL;
    if (mesh != 0 && memory == NULL) {
        w->error = no_memory;
        return;
    }
    m5_arena_init(&scratch, memory, size);
    m5_lint_pair(files, pairs, which, &scratch);
    m5_arena_end(&scratch);
    m5_unreserve(memory, size);
}

void m5_job_free(m5_job *w)
{
    free(w->names);
    m5_bytes_free(&w->bytes);
    m5_arena_end(&w->file.arena);
    m5_unreserve(w->memory, w->memory_size);
    *w = (m5_job){.input = w->input};
}
