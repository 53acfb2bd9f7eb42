/* Checks an archive: whether the models in it can be read, archives in it, and limits of engines.
 */
#include "checks.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"

/* A model in an archive within the archive is found by no engine. A zip may hold anything else. */
static void say_nested(m5_lint_file *f, uint32_t member)
{
    const m5_pack *p = f->model.pack;
    const m5_pack_member *m = &p->members[member];
    const uint8_t *end = f->source.bytes + m->name.offset + m->name.length - 3;
    bool zip = (end[0] | 0x20) == 'z';
    m5_diag d = m5_check_pack_name(p, M5_LINT_ROW(pack_nested), member);
    m5_emit(&f->report, &d, zip ? M5_MILD : M5_GRAVE,
            "'%.*s' is an archive in the archive; it is not opened", M5_CHECK_NAME(f, m->name));
}

static void check_member(m5_lint_file *f, uint32_t member, void *scratch)
{
    const m5_pack *p = f->model.pack;
    const m5_settings *settings = m5_settings_of(&f->report);
    const m5_format *format = m5_member_format(p, member);
    if (p->members[member].state != M5_PACK_READABLE || format == NULL)
        return;
    if (m5_format_bit(format) == M5_IN_PACK) {
        say_nested(f, member);
        return;
    }
    if (format->parse == NULL || settings->members_apart)
        return;
    m5_member_result result = m5_member_read(p, member, settings, NULL, scratch);
    m5_member_report(&f->report, p, member, &result);
}

static void check_count(m5_lint_file *f)
{
    const m5_pack *p = f->model.pack;
    m5_diag d = m5_found(M5_LINT_ROW(pack_pak_count), (m5_span){8, 4});
    d.path = m5_path2("header", M5_NO_INDEX, "directorySize", M5_NO_INDEX);
    if (!p->zip)
        m5_emit(&f->report, &d, p->num_members,
                "the pak has %u members; Quake has room for 2048, Quake II for 4096",
                p->num_members);
}

void m5_check_pack(m5_lint_file *f)
{
    size_t mark = f->arena.used;
    m5_check_pack_names(f);
    check_count(f);
    void *scratch = m5_check_scratch(f, 1, M5_MEMBER_SCRATCH);
    for (uint32_t i = 0; i < f->model.pack->num_members && scratch != NULL; i++)
        check_member(f, i, scratch);
    m5_arena_release(&f->arena, mark);
}
