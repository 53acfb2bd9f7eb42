/* Computes the collapse map of an MD4 surface by removing its shortest edges. */
#include "convert_collapse.h"

#include <stdlib.h>

typedef struct edge {
    double length;
    uint32_t a, b; /* a < b */
} edge;

/* A heap: no edge is longer than the two at twice its index. */
typedef struct edges {
    edge *list;
    size_t count, room;
} edges;

/* The vertices that a vertex is connected to by an edge. One that has vanished means the vertex
 * that it was merged into since. */
typedef struct ties {
    uint32_t *list;
    size_t count, room;
} ties;

typedef struct mesh {
    const shape *s;
    edges edges;          /* all edges, and some with an end that has vanished */
    ties *ties;           /* of each vertex */
    uint32_t *into, *now; /* the vertex that it vanished into, and the one it is now; or itself */
    uint32_t *seen, round;
    bool *border;
} mesh;

/* ---- The heap ----------------------------------------------------------------------------- */

static bool comes_before(const edge *x, const edge *y)
{
    if (x->length != y->length)
        return x->length < y->length;
    return x->a != y->a ? x->a < y->a : x->b < y->b;
}

static void push(edges *h, edge e)
{
    h->list = one_more(h->list, h->count, &h->room, sizeof *h->list);
    size_t i = h->count++;
    for (; i > 0 && comes_before(&e, &h->list[(i - 1) / 2]); i = (i - 1) / 2)
        h->list[i] = h->list[(i - 1) / 2];
    h->list[i] = e;
}

static edge pop(edges *h)
{
    edge first = h->list[0], last = h->list[--h->count];
    size_t i = 0;
    for (size_t k; (k = 2 * i + 1) < h->count; i = k) {
        if (k + 1 < h->count && comes_before(&h->list[k + 1], &h->list[k]))
            k++;
        if (!comes_before(&h->list[k], &last))
            break;
        h->list[i] = h->list[k];
    }
    h->list[i] = last;
    return first;
}

/* ---- Edges -------------------------------------------------------------------------------- */

static void tie(ties *t, uint32_t to)
{
    t->list = one_more(t->list, t->count, &t->room, sizeof *t->list);
    t->list[t->count++] = to;
}

static edge edge_between(const mesh *m, uint32_t x, uint32_t y)
{
    double length = vec_length(vec_sub(m->s->at[x], m->s->at[y]));
    return x < y ? (edge){length, x, y} : (edge){length, y, x};
}

static int by_ends(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

/* The edges of all triangles, sorted so that equal edges are adjacent. */
static edge *sorted_edges(const mesh *m, size_t *count)
{
    edge *all = allocate(m->s->num_tris, 3 * sizeof *all);
    *count = 0;
    for (uint32_t i = 0; i < m->s->num_tris; i++) {
        const uint32_t *c = m->s->tris[i].corner;
        for (int k = 0; k < 3; k++)
            all[(*count)++] = edge_between(m, c[k], c[(k + 1) % 3]);
    }
    qsort(all, *count, sizeof *all, by_ends);
    return all;
}

/* An edge of one triangle only is a border of the surface. */
static void find_edges(mesh *m)
{
    size_t count;
    edge *all = sorted_edges(m, &count);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && by_ends(&all[i], &all[end]) == 0;)
            end++;
        uint32_t a = all[i].a, b = all[i].b;
        if (end == i + 1)
            m->border[a] = m->border[b] = true;
        tie(&m->ties[a], b);
        tie(&m->ties[b], a);
        push(&m->edges, all[i]);
    }
    free(all);
}

/* ---- The collapse ------------------------------------------------------------------------- */

static uint32_t find_now(mesh *m, uint32_t i)
{
    while (m->now[i] != i) {
        m->now[i] = m->now[m->now[i]];
        i = m->now[i];
    }
    return i;
}

/* Border vertices stay, so that no holes open. Otherwise the vertex with fewer ties vanishes, which
 * is less work. */
static bool goes_first(const mesh *m, uint32_t x, uint32_t y)
{
    if (m->border[x] != m->border[y])
        return m->border[y];
    if (m->ties[x].count != m->ties[y].count)
        return m->ties[x].count < m->ties[y].count;
    return x > y;
}

/* Connects the neighbours of the vertex that vanishes to the one that stays. */
static void vanish(mesh *m, uint32_t goes, uint32_t stays)
{
    ties *from = &m->ties[goes], *to = &m->ties[stays];
    m->into[goes] = m->now[goes] = stays;
    m->round++;
    m->seen[stays] = m->round;
    for (size_t i = 0; i < to->count; i++)
        m->seen[find_now(m, to->list[i])] = m->round;
    for (size_t i = 0; i < from->count; i++) {
        uint32_t other = find_now(m, from->list[i]);
        if (m->seen[other] == m->round)
            continue;
        m->seen[other] = m->round;
        tie(to, other);
        push(&m->edges, edge_between(m, stays, other));
    }
}

static void begin(mesh *m, const shape *s)
{
    *m = (mesh){.s = s};
    m->ties = allocate(s->num_verts, sizeof *m->ties);
    m->into = allocate(s->num_verts, sizeof *m->into);
    m->now = allocate(s->num_verts, sizeof *m->now);
    m->seen = allocate(s->num_verts, sizeof *m->seen);
    m->border = allocate(s->num_verts, sizeof *m->border);
    for (uint32_t i = 0; i < s->num_verts; i++)
        m->into[i] = m->now[i] = i;
    find_edges(m);
}

static void end(mesh *m)
{
    for (uint32_t i = 0; i < m->s->num_verts; i++)
        free(m->ties[i].list);
    free(m->ties);
    free(m->into);
    free(m->now);
    free(m->seen);
    free(m->border);
    free(m->edges.list);
}

/* One vertex of each connected part is left. These have the lowest ranks, and vanish into the
 * first. */
void find_collapse(const shape *s, uint32_t *ranks, uint32_t *map)
{
    mesh m;
    begin(&m, s);
    uint32_t rank = s->num_verts;
    while (m.edges.count > 0) {
        edge e = pop(&m.edges);
        if (m.now[e.a] != e.a || m.now[e.b] != e.b)
            continue;
        bool a_goes = goes_first(&m, e.a, e.b);
        uint32_t goes = a_goes ? e.a : e.b;
        vanish(&m, goes, a_goes ? e.b : e.a);
        ranks[goes] = --rank;
    }
    for (uint32_t i = s->num_verts; i-- > 0;)
        if (m.now[i] == i)
            ranks[i] = --rank;
    for (uint32_t i = 0; i < s->num_verts; i++)
        map[ranks[i]] = m.into[i] == i ? 0 : ranks[m.into[i]];
    end(&m);
}

/* The corner of the highest rank vanishes first. */
uint32_t triangle_end(const uint32_t *map, triangle t)
{
    uint32_t *c = t.corner;
    for (;;) {
        int highest = c[0] > c[1] ? (c[0] > c[2] ? 0 : 2) : (c[1] > c[2] ? 1 : 2);
        uint32_t rank = c[highest];
        c[highest] = map[rank];
        if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0])
            return rank;
    }
}
