/* Gives back the memory of animations that wait to be shown: see rest.h. */
#include "rest.h"

#include <stdlib.h>

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

bool m5_job_wake(m5_job *w, const m5_options *o)
{
    m5_lint_file *f = &w->file;
    m5_stamp before = w->bytes.stamp;
    if (!w->rests)
        return true;
    m5_job_read_again(w, o);
    w->turn->late = w->bytes.error != NULL ? w->bytes.error
                                           : m5_stamp_differs(&before, &w->bytes.stamp);
    if (w->turn->late == NULL && w->bytes.size != f->source.size)
        w->turn->late = "the file changed while it was being read"; /* in an archive */
    if (w->turn->late != NULL) {
        m5_bytes_free(&w->bytes);
        w->bytes = (m5_bytes){.bytes = calloc(1, (size_t)f->source.size + 1),
                              .size = f->source.size,
                              .stamp = before};
    }
    w->memory_size = m5_lint_memory(f->source.size, 0);
    w->memory = m5_reserve(w->memory_size);
    f->source.bytes = w->bytes.bytes;
    m5_arena_init(&f->arena, w->memory, w->memory != NULL ? w->memory_size : 0);
    return w->memory != NULL && w->bytes.bytes != NULL;
}

void m5_job_rest_again(m5_job *w)
{
    if (w->rests)
        give_back(w);
}
