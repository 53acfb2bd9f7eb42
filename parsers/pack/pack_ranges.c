/* Judges where the members of an archive are: none may overlap another one or the directory. */
#include "pack_state.h"
#include "../core/allocate.h"
#include "../core/emit.h"
#include "../core/sort.h"

/* By place; then as they are in the directory. */
static bool is_before(const void *members, uint32_t a, uint32_t b)
{
    const m5_pack_member *all = members, *x = &all[a], *y = &all[b];
    if (x->begin != y->begin)
        return x->begin < y->begin;
    return a < b;
}

/* The member that reaches farthest so far, and where it ends. */
typedef struct sweep {
    m5_pack_parser *w;
    const m5_pack_member *last;
    uint32_t end;
} sweep;

static void say_overlap(const sweep *s, m5_pack_member *m)
{
    m5_pack_parser *w = s->w;
    bool zip = w->model->zip;
    m5_diag d = m5_pack_found(w, M5_ROW(pack_overlap), m, NULL,
                              zip ? "localHeaderOffset" : "offset", m->entry + (zip ? 42 : 56), 4);
    m5_relate(&d, w->source, (m5_span){s->last->begin, 4}, "the other member");
    m5_emit(w->report, &d, 0, "'%.*s' begins at %u, but another member ends at %u",
            M5_PACK_NAME(w, m), m->begin, s->end);
    m->state = M5_PACK_REFUSED;
}

/* Two members of a pak with the same data: it is read once. */
static void say_same(sweep *s, m5_pack_member *m)
{
    if (s->last->state == M5_PACK_REFUSED) {
        s->last = m;
        return;
    }
    m5_diag d = m5_pack_found(s->w, M5_ROW(pack_same_data), m, NULL, "offset", m->entry + 56, 4);
    m5_relate(&d, s->w->source, (m5_span){s->last->entry, M5_PAK_NAME}, "the other member");
    m5_emit(s->w->report, &d, 0, "'%.*s' has the same bytes of the archive as another member",
            M5_PACK_NAME(s->w, m));
    if (m->state == M5_PACK_READABLE)
        m->state = M5_PACK_SAME;
}

static void say_gap(const sweep *s, uint32_t from, uint32_t to)
{
    m5_pack_parser *w = s->w;
    bool first = s->last == NULL && w->model->zip;
    if (from == to || w->report->flaws != w->flaws)
        return;
    m5_diag d = m5_pack_found_at(first ? M5_ROW(pack_prefix) : M5_ROW(pack_gap), from, to - from,
                                 NULL, NULL);
    m5_emit(w->report, &d, 0,
            first ? "bytes before the archive that do not belong to it: %u"
                  : "bytes that belong to no member: %u",
            to - from);
}

/* Reports the bytes from the end of the last member up to the begin of the next one, but not the
 * directory among them. */
static void check_gap(const sweep *s, uint32_t to)
{
    m5_span directory = s->w->directory;
    uint32_t end = directory.offset + directory.length;
    if (directory.length != 0 && directory.offset >= s->end && end <= to) {
        say_gap(s, s->end, directory.offset);
        say_gap(s, end, to);
    } else {
        say_gap(s, s->end, to);
    }
}

static void visit(sweep *s, m5_pack_member *m)
{
    bool same = s->last != NULL && m->begin == s->last->begin && m->end == s->last->end;
    if (same && !s->w->model->zip) {
        say_same(s, m);
        return;
    }
    if (m->begin < s->end) {
        say_overlap(s, m);
        return;
    }
    check_gap(s, m->begin);
    s->last = m;
    s->end = m->end;
}

/* Those whose place is known. */
static uint32_t list_placed(const m5_pack_parser *w, uint32_t *index)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->model->num_members; i++)
        if (w->members[i].end != 0)
            index[count++] = i;
    return count;
}

void m5_pack_check_ranges(m5_pack_parser *w)
{
    size_t mark = w->arena->used;
    uint32_t *index = m5_arena_take(w->arena, w->model->num_members, sizeof *index);
    if (index == NULL) {
        w->out_of_memory = true;
        return;
    }
    uint32_t count = list_placed(w, index);
    sweep s = {.w = w, .end = w->data};
    m5_sort(index, count, is_before, w->members);
    for (uint32_t i = 0; i < count; i++)
        visit(&s, &w->members[index[i]]);
    check_gap(&s, w->data_end);
    m5_arena_release(w->arena, mark);
}
