/* Judges the names of an archive's members: those that no reader may use as they are. */
#include "pack_state.h"
#include "../core/emit.h"

static void say(const m5_pack_parser *w, m5_pack_member *m, const m5_rule *rule, m5_span at,
                const char *what)
{
    m5_diag d = m5_pack_found(w, rule, m, NULL, "name", at.offset, at.length);
    m5_emit(w->report, &d, 0, "'%.*s': %s", M5_PACK_NAME(w, m), what);
    m->state = M5_PACK_REFUSED;
}

static bool is_slash(uint8_t c)
{
    return c == '/' || c == '\\';
}

static bool has_drive(const uint8_t *name, uint32_t length)
{
    return length >= 2 && name[1] == ':' && (name[0] | 0x20) >= 'a' && (name[0] | 0x20) <= 'z';
}

/* Whether one of the parts between slashes is `..`. */
static bool has_parent(const uint8_t *name, uint32_t length)
{
    for (uint32_t from = 0, to; from < length; from = to + 1) {
        for (to = from; to < length && !is_slash(name[to]); to++)
            ;
        if (to - from == 2 && name[from] == '.' && name[from + 1] == '.')
            return true;
    }
    return false;
}

static const char *leads_outside(const uint8_t *name, uint32_t length)
{
    if (is_slash(name[0]))
        return "the name begins with a slash; expected a path relative to the archive";
    if (has_drive(name, length))
        return "the name begins with a drive; expected a path relative to the archive";
    return has_parent(name, length) ? "the name has `..`, which leads out of a folder" : NULL;
}

static void say_empty(const m5_pack_parser *w, m5_pack_member *m)
{
    m5_diag d = m5_pack_found(w, M5_ROW(pack_name_empty), m, NULL, "name", m->entry,
                              w->model->zip ? 4 : 1);
    m5_emit(w->report, &d, 0, "the member has no name");
    m->state = M5_PACK_REFUSED;
}

static void check_name(const m5_pack_parser *w, m5_pack_member *m)
{
    uint32_t length = m->name.length;
    const uint8_t *name = w->source->bytes + m->name.offset;
    if (length == 0) {
        say_empty(w, m);
        return;
    }
    const uint8_t *nul = memchr(name, 0, length);
    const char *outside = leads_outside(name, length);
    if (nul != NULL)
        say(w, m, M5_ROW(pack_name_nul), (m5_span){m->name.offset + (uint32_t)(nul - name), 1},
            "the name has a NUL byte, where loaders end it");
    else if (outside != NULL)
        say(w, m, M5_ROW(pack_name_outside), m->name, outside);
    else if (length > M5_PACK_MAX_NAME)
        say(w, m, M5_ROW(pack_name_length), m->name, "the name is longer than 255 bytes");
}

void m5_pack_check_names(m5_pack_parser *w)
{
    for (uint32_t i = 0; i < w->model->num_members; i++)
        check_name(w, &w->members[i]);
}
