/* Parses the directory of an archive: finds out which kind it is, and judges the members. */
#include "pack_state.h"
#include "../core/allocate.h"
#include "../core/emit.h"
#include "../core/magic.h"

static void say_unknown(m5_pack_parser *w)
{
    const m5_magic *magic = m5_magic_of(w->source);
    m5_diag d = m5_pack_found_at(M5_ROW(pack_magic), 0, w->source->size < 4 ? w->source->size : 4,
                                 "header", "ident");
    if (magic != NULL)
        m5_emit(w->report, &d, 0, "expected a zip archive or a Quake pak, but the file is %s",
                magic->what);
    else
        m5_emit(w->report, &d, 0, "the file is neither a zip archive nor a Quake pak");
}

static void read_members(m5_pack_parser *w)
{
    if (m5_cursor_is(w->source, 0, "PACK"))
        m5_pack_read_pak(w);
    else if (!m5_pack_read_zip(w))
        say_unknown(w);
    if (w->out_of_memory)
        return;
    m5_arena_trim(w->arena, w->members, w->model->num_members * sizeof *w->members);
    w->model->members = w->members;
    m5_pack_check_names(w);
    m5_pack_check_ranges(w);
}

m5_status m5_pack_parse(m5_report *report, m5_arena *arena, const m5_pack **out)
{
    uint64_t flaws = report->flaws;
    size_t mark = arena->used;
    m5_pack *model = m5_arena_take(arena, 1, sizeof *model);
    m5_pack_parser w = {
        .report = report, .arena = arena, .source = report->source, .model = model, .flaws = flaws};
    *out = NULL;
    if (model == NULL)
        return M5_NO_MEMORY;
    *model = (m5_pack){.source = report->source};
    read_members(&w);
    if (w.out_of_memory) {
        m5_arena_release(arena, mark);
        return M5_NO_MEMORY;
    }
    *out = model;
    return report->flaws == flaws ? M5_CLEAN : M5_FLAWED;
}
