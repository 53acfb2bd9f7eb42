/* The list of members, and findings about them. */
#include "pack_state.h"
#include "../core/allocate.h"
#include "../core/emit.h"

bool m5_pack_reserve(m5_pack_parser *w, uint32_t bytes, uint32_t least)
{
    w->room = bytes / least;
    w->members = m5_arena_take(w->arena, w->room, sizeof *w->members);
    w->out_of_memory = w->members == NULL;
    return !w->out_of_memory;
}

m5_pack_member *m5_pack_add(m5_pack_parser *w, uint32_t entry)
{
    m5_pack_member *m = &w->members[w->model->num_members++];
    *m = (m5_pack_member){.entry = entry};
    return m;
}

m5_diag m5_pack_found(const m5_pack_parser *w, const m5_rule *rule, const m5_pack_member *m,
                      const char *in, const char *field, uint32_t offset, uint32_t length)
{
    m5_diag d = m5_pack_found_at(rule, offset, length, in != NULL ? in : field,
                                 in != NULL ? field : NULL);
    d.path.step[2] = d.path.step[1];
    d.path.step[1] = d.path.step[0];
    d.path.step[0].name = "member";
    d.path.step[0].index = (uint32_t)(m - w->members);
    return d;
}

m5_diag m5_pack_found_at(const m5_rule *rule, uint32_t offset, uint32_t length, const char *in,
                         const char *field)
{
    m5_diag d = m5_found(rule, (m5_span){offset, length});
    d.path = m5_path2(in, M5_NO_INDEX, field, M5_NO_INDEX);
    return d;
}
