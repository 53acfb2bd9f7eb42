/* Gives back the memory of files that wait to be shown: see rest.h. */
#include "rest.h"

#include <stdlib.h>
#include <string.h>

/* What is kept of a file: nothing that was in its memory. */
static m5_lint_file without_model(const m5_lint_file *f)
{
    const m5_report *r = &f->report;
    return (m5_lint_file){.status = f->status,
                          .source = {.name = f->source.name, .size = f->source.size},
                          .model.format = f->model.format,
                          .report = {.errors = r->errors,
                                     .warnings = r->warnings,
                                     .notes = r->notes,
                                     .found = r->found,
                                     .flaws = r->flaws},
                          .base = f->base,
                          .reason = f->reason,
                          .declared = f->declared,
                          .skipped = f->skipped,
                          .suppressed = f->suppressed,
                          .in_group = f->in_group,
                          .from = f->from};
}

/* The stamp of the bytes stays, to be compared when they are read again. */
static void give_back(m5_job *w)
{
    m5_arena_end(&w->file.arena);
    m5_unreserve(w->memory, w->memory_size);
    w->memory = NULL;
    m5_bytes_free(&w->bytes);
    w->file = without_model(&w->file);
}

void m5_job_rest(m5_job *w, const m5_options *o, bool large)
{
    bool stays = w->bytes.once || o->fix || o->diff || o->settings.targets != 0;
    if (w->needed || stays || w->turn == NULL || m5_job_late_error(w) != NULL)
        return;
    if (m5_collector_is_empty(&w->turn->found)) {
        give_back(w);
        m5_job_end_turn(w);
    } else if (large) {
        give_back(w);
        w->rests = true;
    }
}

/* Why the bytes that were read again are not those of before, or NULL. */
static const char *find_late(const m5_bytes *now, const m5_stamp *before, size_t size)
{
    m5_stamp sizes[2] = {{.is_known = true, .size = size}, {.is_known = true, .size = now->size}};
    const char *late = now->error != NULL ? now->error : m5_stamp_differs(before, &now->stamp);
    return late == NULL && size != now->size ? m5_stamp_differs(&sizes[0], &sizes[1]) : late;
}

/* Cuts off what is there beyond `size`, or adds zeros. */
static void resize(m5_bytes *b, size_t size)
{
    m5_bytes new = {.bytes = calloc(1, size + 1), .size = size, .stamp = b->stamp};
    if (new.bytes != NULL && b->bytes != NULL)
        memcpy((uint8_t *)new.bytes, b->bytes, b->size < size ? b->size : size);
    m5_bytes_free(b);
    *b = new;
}

bool m5_job_wake(m5_job *w, const m5_options *o)
{
    m5_lint_file *f = &w->file;
    m5_stamp before = w->bytes.stamp;
    if (!w->rests)
        return true;
    m5_job_read_again(w, o);
    w->turn->late = find_late(&w->bytes, &before, f->source.size);
    if (w->turn->late != NULL)
        resize(&w->bytes, f->source.size);
    w->memory_size = m5_lint_memory(f->source.size, 0);
    w->memory = m5_reserve(w->memory_size);
    f->source.bytes = w->bytes.bytes;
    m5_arena_init(&f->arena, w->memory, w->memory != NULL ? w->memory_size : 0);
    return w->memory != NULL && w->bytes.bytes != NULL;
}

void m5_job_end_rest(m5_job *w)
{
    if (!w->rests)
        return;
    give_back(w);
    m5_job_end_turn(w);
}
