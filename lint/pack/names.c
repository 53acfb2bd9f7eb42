/* Checks the names of an archive's members: how they are spelt, and whether two are the same. */
#include "checks.h"
#include "lint/core/sort.h"
#include "lint/report/report.h"
#include "parsers/core/allocate.h"
#include "parsers/core/cursor.h"
#include "parsers/core/emit.h"

#include <string.h>

/* For %.*s; a NUL ends it. */
#define NAME(pack, m)                                                                              \
    (int)m5_cursor_string((pack)->source, (m)->name.offset, (m)->name.length).length,              \
        (const char *)(pack)->source->bytes + (m)->name.offset

m5_diag m5_check_pack_name(const m5_pack *pack, const m5_rule *rule, uint32_t member)
{
    const m5_pack_member *m = &pack->members[member];
    m5_diag d = m5_found(rule, m->name);
    d.path = m5_path2("member", member, "name", M5_NO_INDEX);
    return d;
}

/* ---- Alone ----------------------------------------------------------------------------------- */

static bool is_utf8(const uint8_t *name, uint32_t length)
{
    for (uint32_t i = 0; i < length;) {
        uint32_t code;
        size_t bytes = m5_utf8_letter(name + i, length - i, &code);
        if (bytes == 0)
            return false;
        i += (uint32_t)bytes;
    }
    return true;
}

/* Where the first byte is that is not ASCII; where the first control character is, but a NUL, which
 * the parser reports. */
static uint32_t first_wide(const uint8_t *name, uint32_t length)
{
    uint32_t i = 0;
    while (i < length && name[i] < 0x80)
        i++;
    return i;
}

static uint32_t first_control(const uint8_t *name, uint32_t length)
{
    uint32_t i = 0;
    while (i < length && (name[i] >= 0x20 || name[i] == 0) && name[i] != 0x7f)
        i++;
    return i;
}

enum { UTF8_FLAG = 1 << 11 }; /* APPNOTE 4.4.4 */

static void check_encoding(m5_lint_file *f, uint32_t member)
{
    const m5_pack *p = f->model.pack;
    const m5_pack_member *m = &p->members[member];
    const uint8_t *name = f->source.bytes + m->name.offset;
    if (first_wide(name, m->name.length) == m->name.length)
        return;
    bool stated = (m->flags & UTF8_FLAG) != 0;
    m5_diag d = m5_check_pack_name(p, M5_LINT_ROW(pack_name_encoding), member);
    if (stated && !is_utf8(name, m->name.length))
        m5_emit(&f->report, &d, M5_GRAVE,
                "the flags say that the name '%.*s' is UTF-8, but it is not", NAME(p, m));
    else if (!stated)
        m5_emit(&f->report, &d, M5_MILD,
                "the name '%.*s' is not ASCII, and its encoding is not given", NAME(p, m));
}

static void check_spelling(m5_lint_file *f, uint32_t member)
{
    const m5_pack *p = f->model.pack;
    const m5_pack_member *m = &p->members[member];
    const uint8_t *name = f->source.bytes + m->name.offset;
    uint32_t control = first_control(name, m->name.length);
    m5_diag d = m5_check_pack_name(p, M5_LINT_ROW(pack_name_backslash), member);
    if (m->state != M5_PACK_REFUSED && memchr(name, '\\', m->name.length) != NULL)
        m5_emit(&f->report, &d, 0, "the name '%.*s' has backslashes, expected slashes", NAME(p, m));
    d = m5_check_pack_name(p, M5_LINT_ROW(pack_name_control), member);
    if (control != m->name.length)
        m5_emit(&f->report, &d, 0, "the name '%.*s' has a control character, at byte %u of it",
                NAME(p, m), control);
    check_encoding(f, member);
    d = m5_check_pack_name(p, M5_LINT_ROW(pack_folder_data), member);
    if (m->state == M5_PACK_FOLDER && m->size != 0)
        m5_emit(&f->report, &d, 0, "'%.*s' is the name of a folder, but the member has %llu bytes",
                NAME(p, m), (unsigned long long)m->size);
}

/* ---- Against each other ---------------------------------------------------------------------- */

static unsigned fold(uint8_t c)
{
    return c >= 'A' && c <= 'Z' ? c | 0x20U : c;
}

/* Below, equal or above, without regard to case. */
static int compare_folded(const m5_pack *p, uint32_t a, uint32_t b)
{
    m5_span x = p->members[a].name, y = p->members[b].name;
    const uint8_t *bytes = p->source->bytes;
    for (uint32_t i = 0; i < x.length && i < y.length; i++) {
        unsigned c = fold(bytes[x.offset + i]), d = fold(bytes[y.offset + i]);
        if (c != d)
            return c < d ? -1 : 1;
    }
    return (x.length > y.length) - (x.length < y.length);
}

/* Names are sorted by a hash, which mostly decides, so that long ones are rarely compared. */
typedef struct name_order {
    const m5_pack *pack;
    uint64_t *hash;
} name_order;

static uint64_t hash_of(const m5_pack *p, uint32_t member)
{
    m5_span name = p->members[member].name;
    uint64_t hash = UINT64_C(14695981039346656037);
    for (uint32_t i = 0; i < name.length; i++)
        hash = (hash ^ fold(p->source->bytes[name.offset + i])) * UINT64_C(1099511628211);
    return hash;
}

static bool name_less(const void *context, uint32_t a, uint32_t b)
{
    const name_order *o = context;
    if (o->hash[a] != o->hash[b])
        return o->hash[a] < o->hash[b];
    int order = compare_folded(o->pack, a, b);
    return order != 0 ? order < 0 : a < b;
}

static bool is_same(const m5_pack *p, uint32_t a, uint32_t b)
{
    m5_span x = p->members[a].name, y = p->members[b].name;
    return x.length == y.length &&
           memcmp(p->source->bytes + x.offset, p->source->bytes + y.offset, x.length) == 0;
}

/* `later` has the name of `earlier`, at least without regard to case. */
static void say_twice(m5_lint_file *f, uint32_t earlier, uint32_t later)
{
    const m5_pack *p = f->model.pack;
    const m5_pack_member *m = &p->members[later], *other = &p->members[earlier];
    bool same = is_same(p, earlier, later);
    m5_diag d = m5_check_pack_name(
        p, same ? M5_LINT_ROW(pack_name_duplicate) : M5_LINT_ROW(pack_name_case), later);
    m5_relate(&d, &f->source, other->name, "the first one");
    if (same)
        m5_emit(&f->report, &d, 0, "there are two members named '%.*s'", NAME(p, m));
    else
        m5_emit(&f->report, &d, 0, "'%.*s' and '%.*s' differ in upper and lower case only",
                NAME(p, m), NAME(p, other));
}

/* Each is compared with the first of its group; an empty name is reported by the parser. */
static void check_sorted(m5_lint_file *f, const uint32_t *index)
{
    const m5_pack *p = f->model.pack;
    uint32_t first = 0;
    for (uint32_t i = 1; i < p->num_members; i++)
        if (compare_folded(p, index[first], index[i]) != 0)
            first = i;
        else if (p->members[index[i]].name.length != 0)
            say_twice(f, index[first], index[i]);
}

static void check_twice(m5_lint_file *f)
{
    const m5_pack *p = f->model.pack;
    size_t mark = f->arena.used;
    uint32_t *index = m5_check_scratch(f, p->num_members, sizeof *index);
    name_order order = {p, m5_check_scratch(f, p->num_members, sizeof *order.hash)};
    bool room = index != NULL && order.hash != NULL;
    for (uint32_t i = 0; i < p->num_members && room; i++) {
        index[i] = i;
        order.hash[i] = hash_of(p, i);
    }
    if (room) {
        m5_check_sort(index, p->num_members, name_less, &order);
        check_sorted(f, index);
    }
    m5_arena_release(&f->arena, mark);
}

void m5_check_pack_names(m5_lint_file *f)
{
    for (uint32_t i = 0; i < f->model.pack->num_members; i++)
        check_spelling(f, i);
    check_twice(f);
}
