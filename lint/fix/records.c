/* Fixes the order of records: each goes to the place that its number says. */
#include "lines.h"
#include "parsers/core/allocate.h"
#include "parsers/core/number.h"
#include "parsers/md5/lex.h"

#include <string.h>

/* ---- Lines ----------------------------------------------------------------------------------- */

m5_span m5_fix_line_from(m5_fixing *x, uint32_t offset, uint32_t last)
{
    const m5_source *s = &x->f->source;
    m5_span token = m5_lex_nth(s, offset, last);
    uint32_t begin = offset, end = offset, rest = token.offset + token.length;
    while (begin > 0 && s->bytes[begin - 1] != '\n' && m5_is_blank(s->bytes[begin - 1]))
        begin--;
    x->failed |= begin > 0 && s->bytes[begin - 1] != '\n';
    for (; end < s->size && s->bytes[end] != '\n'; end++)
        x->failed |= s->bytes[end] == '/' && end + 1 < s->size && s->bytes[end + 1] == '*';
    while (rest < end && m5_is_blank(s->bytes[rest]))
        rest++;
    x->failed |= rest > end || (rest < end && s->bytes[rest] != '/');
    while (end > offset && m5_is_blank(s->bytes[end - 1]))
        end--;
    return (m5_span){offset, end - offset};
}

void m5_fix_permute_lines(m5_fixing *x, const uint32_t *at, const uint32_t *from, uint32_t count,
                          uint32_t last)
{
    const uint8_t *p = x->f->source.bytes;
    for (uint32_t i = 0; i < count && !x->failed; i++) {
        m5_span old = m5_fix_line_from(x, at[i], last);
        m5_span new = m5_fix_line_from(x, at[from[i]], last);
        if (old.length != new.length || memcmp(p + old.offset, p + new.offset, old.length) != 0)
            m5_fix_copy(x, old, new);
    }
}

/* ---- Numbers out of order -------------------------------------------------------------------- */

/* The records of a list, whose offsets come first in each. */
typedef struct list {
    const uint8_t *records;
    size_t size;
    uint32_t count, last; /* `last`: token of each record */
} list;

static list list_of(const m5_md5mesh_mesh *m, const char *word)
{
    if (strcmp(word, "vert") == 0)
        return (list){(const uint8_t *)m->verts, sizeof *m->verts, m->num_verts, 7};
    if (strcmp(word, "tri") == 0)
        return (list){(const uint8_t *)m->tris, sizeof *m->tris, m->num_tris, 4};
    return (list){(const uint8_t *)m->weights, sizeof *m->weights, m->num_weights, 8};
}

static uint32_t offset_of(const list *l, uint32_t i)
{
    uint32_t offset;
    memcpy(&offset, l->records + i * l->size, sizeof offset);
    return offset;
}

/* Where each record of the list is, and which belongs there; false unless the numbers are all of
 * those from 0, each once. */
static bool sort_records(const m5_fixing *x, const list *l, uint32_t *at, uint32_t *from)
{
    for (uint32_t i = 0; i < l->count; i++)
        from[i] = M5_NO_INDEX;
    for (uint32_t i = 0; i < l->count; i++) {
        int32_t number = -1;
        at[i] = offset_of(l, i);
        m5_span text = m5_lex_nth(&x->f->source, at[i], 1);
        if (m5_read_int(x->f->source.bytes + text.offset, text.length, &number) != M5_NUMBER_FINE ||
            number < 0 || (uint32_t)number >= l->count || from[number] != M5_NO_INDEX ||
            (i != 0 && at[i] <= at[i - 1]))
            return false;
        from[number] = i;
    }
    return true;
}

bool m5_fix_record_order(m5_fixing *x)
{
    const m5_path *path = &x->diag->path;
    const m5_md5mesh *model = x->f->model.md5mesh;
    uint32_t mesh = path->step[0].index;
    if (mesh >= model->num_meshes) /* more than declared are not kept */
        return false;
    list l = list_of(&model->meshes[mesh], path->step[1].name);
    size_t mark = x->arena->used;
    uint32_t *at = m5_arena_take(x->arena, l.count, sizeof *at);
    uint32_t *from = m5_arena_take(x->arena, l.count, sizeof *from);
    bool sorted = at != NULL && from != NULL && sort_records(x, &l, at, from);
    if (sorted)
        m5_fix_permute_lines(x, at, from, l.count, l.last);
    m5_arena_release(x->arena, mark);
    return sorted;
}
