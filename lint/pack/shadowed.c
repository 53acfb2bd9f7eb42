/* Files that an engine does not load. */
#include "shadowed.h"
#include "lint/core/check.h"
#include "parsers/core/emit.h"

void m5_lint_shadowed(m5_lint_file *out, const m5_lint_input *in, const char *instead)
{
    *out = (m5_lint_file){.status = M5_NO_FORMAT,
                          .source = {in->source.name, (const uint8_t *)"", 0},
                          .model.format = m5_lint_format(in),
                          .in_group = in->in_group,
                          .from = in->from};
    m5_arena_init(&out->arena, in->memory, in->size);
    out->report = (m5_report){.source = &out->source, .sink = in->sink, .settings = in->settings};
    m5_diag d = m5_found(M5_LINT_ROW(pack_shadowed), (m5_span){0, 0});
    if (instead != NULL)
        m5_emit(&out->report, &d, 0, "never loaded: the game finds '%s' first", instead);
    else
        m5_emit(&out->report, &d, 0, "never opened: the game opens no archive of this name here");
}
