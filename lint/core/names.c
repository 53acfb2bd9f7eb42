/* The names of joints and bones in any format: their order, and duplicates. */
#include "names.h"
#include "check.h"
#include "sort.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"

#include <string.h>

static int fold(uint8_t c)
{
    return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
}

static int compare_folded(const uint8_t *a, uint32_t a_length, const uint8_t *b, uint32_t b_length)
{
    for (uint32_t i = 0; i < a_length && i < b_length; i++)
        if (fold(a[i]) != fold(b[i]))
            return fold(a[i]) - fold(b[i]);
    return (a_length > b_length) - (a_length < b_length);
}

int m5_check_compare_names(const m5_source *a_in, m5_name a, const m5_source *b_in, m5_name b)
{
    const uint8_t *x = a_in->bytes + a.offset, *y = b_in->bytes + b.offset;
    int order = compare_folded(x, a.length, y, b.length);
    return order != 0 ? order : memcmp(x, y, a.length);
}

bool m5_check_same_but_case(const m5_source *a_in, m5_name a, const m5_source *b_in, m5_name b)
{
    return compare_folded(a_in->bytes + a.offset, a.length, b_in->bytes + b.offset, b.length) == 0;
}

static bool is_letter(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The part of a name that byte `i` is in: letters only. */
static uint32_t part_length(const uint8_t *name, uint32_t length, uint32_t i)
{
    uint32_t begin = i, end = i;
    while (begin > 0 && is_letter(name[begin - 1]))
        begin--;
    while (end < length && is_letter(name[end]))
        end++;
    return end - begin;
}

/* Whether two names are equal from some byte of each on. */
static bool is_same_rest(const uint8_t *x, uint32_t x_length, const uint8_t *y, uint32_t y_length)
{
    return x_length == y_length && memcmp(x, y, x_length) == 0;
}

bool m5_check_are_similar(const m5_source *a_in, m5_name a, const m5_source *b_in, m5_name b)
{
    enum { WORD = 4 }; /* shorter parts are sides, or a name for something else: l, ik, up */
    const uint8_t *x = a_in->bytes + a.offset, *y = b_in->bytes + b.offset;
    uint32_t i = 0;
    while (i < a.length && i < b.length && x[i] == y[i])
        i++;
    uint32_t xs = a.length - i, ys = b.length - i; /* what is left of each */
    if ((xs != 0 && !is_letter(x[i])) || (ys != 0 && !is_letter(y[i])) ||
        part_length(x, a.length, i) < WORD || part_length(y, b.length, i) < WORD)
        return false;
    x += i;
    y += i;
    bool swapped = xs > 1 && ys > 1 && x[0] == y[1] && x[1] == y[0] &&
                   is_same_rest(x + 2, xs - 2, y + 2, ys - 2);
    return swapped || (xs != 0 && ys != 0 && is_same_rest(x + 1, xs - 1, y + 1, ys - 1)) ||
           (xs != 0 && is_same_rest(x + 1, xs - 1, y, ys)) ||
           (ys != 0 && is_same_rest(x, xs, y + 1, ys - 1));
}

bool m5_check_is_misspelt(const m5_source *a_in, m5_name a, const m5_source *b_in, m5_name b)
{
    const uint8_t *x = a_in->bytes + a.offset, *y = b_in->bytes + b.offset;
    uint32_t i = 0;
    if (!m5_check_are_similar(a_in, a, b_in, b))
        return false;
    while (i < a.length && i < b.length && x[i] == y[i])
        i++;
    if (a.length == b.length) /* else one letter is another one, as in talk and walk */
        return i + 1 < a.length && x[i] == y[i + 1] && x[i + 1] == y[i];
    const uint8_t *longer = a.length > b.length ? x : y;
    uint32_t length = a.length > b.length ? a.length : b.length;
    /* else it begins or ends the word: lmarine, heads, walkb */
    return i > 0 && is_letter(longer[i - 1]) && i + 1 < length && is_letter(longer[i + 1]);
}

m5_name m5_check_name_at(const m5_model *m, uint32_t i)
{
    if (m->md5mesh != NULL)
        return m->md5mesh->joints[i].name;
    if (m->md5anim != NULL)
        return m->md5anim->joints[i].name;
    if (m->md4 != NULL)
        return m5_md4_bone_at(m->md4, i).name;
    return m->illskel != NULL ? m->illskel->bones[i].name : m->illanim->bones[i].name;
}

uint32_t m5_check_name_count(const m5_model *m)
{
    if (m->md5mesh != NULL)
        return m->md5mesh->num_joints;
    if (m->md5anim != NULL)
        return m->md5anim->num_joints;
    if (m->md4 != NULL)
        return m->md4->num_bones;
    if (m->illskel != NULL)
        return m->illskel->num_bones;
    return m->illanim != NULL ? m->illanim->num_bones : 0;
}

/* Names to sort. `first`: the first eight bytes of each, case folded, which mostly decide. */
typedef struct name_order {
    const m5_lint_file *f;
    uint64_t *first;
} name_order;

static uint64_t first_bytes(const m5_source *s, m5_name name)
{
    uint64_t first = 0;
    for (uint32_t i = 0; i < 8; i++)
        first = first << 8 | (i < name.length ? (uint64_t)fold(s->bytes[name.offset + i]) : 0);
    return first;
}

static bool name_less(const void *context, uint32_t a, uint32_t b)
{
    const name_order *o = context;
    if (o->first[a] != o->first[b])
        return o->first[a] < o->first[b];
    const m5_lint_file *f = o->f;
    int order = m5_check_compare_names(&f->source, m5_check_name_at(&f->model, a), &f->source,
                                       m5_check_name_at(&f->model, b));
    return order != 0 ? order < 0 : a < b;
}

const uint32_t *m5_check_sort_names(m5_lint_file *f)
{
    uint32_t count = m5_check_name_count(&f->model);
    size_t mark = f->arena.used;
    uint32_t *index = m5_arena_keep(&f->arena, count * sizeof *index);
    name_order order = {f, m5_check_scratch(f, count, sizeof *order.first)};
    bool room = index != NULL && order.first != NULL;
    for (uint32_t i = 0; i < count && room; i++) {
        index[i] = i;
        order.first[i] = first_bytes(&f->source, m5_check_name_at(&f->model, i));
    }
    if (room)
        m5_check_sort(index, count, name_less, &order);
    m5_arena_release(&f->arena, mark);
    return room ? index : NULL;
}

void m5_check_ill_duplicates(m5_lint_file *f, const m5_rule *rule, uint32_t count)
{
    for (uint32_t i = 1; f->names != NULL && i < count; i++) {
        m5_name name = m5_check_name_at(&f->model, f->names[i]);
        m5_name before = m5_check_name_at(&f->model, f->names[i - 1]);
        if (name.length == 0 || m5_check_compare_names(&f->source, before, &f->source, name) != 0)
            continue;
        m5_diag d = m5_found(rule, name);
        d.path = m5_path1("bone", f->names[i]);
        m5_relate(&d, &f->source, before, "the other bone with this name");
        m5_emit(&f->report, &d, 0, "bone %u is named '%.*s', the same as bone %u", f->names[i],
                M5_CHECK_NAME(f, name), f->names[i - 1]);
    }
}
