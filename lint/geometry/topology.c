/* Finds what is odd about the triangles of a mesh: edges, winding, areas, normals. */
#include "topology.h"
#include "weld.h"
#include "parsers/core/allocate.h"
#include "parsers/play/algebra.h"

#include <string.h>

/* A smaller area of a triangle, as a share of its longest edge's square, is only rounding. */
static const double SLIVER = 1e-6;

/* A smaller sum of normals, as a share of their lengths, is only rounding. */
static const double CANCELLED = 1e-6;

typedef struct work {
    const m5_topology *mesh;
    void (*found)(void *user, const m5_topology_fact *fact);
    void *user;
    uint32_t *point;   /* of each vertex, the first one at its place */
    uint8_t *left_out; /* triangles that are ignored for edges */
    uint32_t *corners; /* points of triangle t: from 4t on, then the first point again */
    /* edge 4t + k runs from corner k of triangle t to the next; sorted by its points */
    uint32_t *edges;
    /* of each triangle, a lower one of its patch; of the lowest, itself */
    uint32_t *patch;
    /* of a patch: its triangles, edges that disagree, the largest patch across these */
    uint32_t *size, *clashes, *against;
    uint32_t *part; /* like `patch`, of triangles that share edges, whether they agree or not */
    uint32_t *alike, *unlike; /* of a part: edges whose triangles agree, and those that do not */
    uint8_t *open;            /* of a patch: some edge has no single neighbour */
} work;

static bool is_wanted(const work *w, m5_topology_kind kind)
{
    return (w->mesh->unwanted >> kind & 1) == 0;
}

static void tell(const work *w, m5_topology_kind kind, uint32_t first, uint32_t count,
                 bool surrounded)
{
    m5_topology_fact fact = {
        .kind = kind, .first = first, .count = count, .surrounded = surrounded};
    if (count != 0 && is_wanted(w, kind))
        w->found(w->user, &fact);
}

/* The same for edges; `first` is the edge of the lowest triangle. */
static void tell_edges(const work *w, m5_topology_kind kind, uint32_t first, uint32_t count)
{
    m5_topology_fact fact = {.kind = kind, .first = first / 4, .count = count};
    if (count == 0 || !is_wanted(w, kind))
        return;
    for (uint32_t k = 0; k < 2; k++)
        fact.edge[k] = w->mesh->tris[first / 4][(first % 4 + k) % 3];
    w->found(w->user, &fact);
}

/* ---- Areas ----------------------------------------------------------------------------------- */

/* Returns twice the area, as a vector. */
static m5_vec across(const m5_topology *s, const uint32_t t[3])
{
    return m5_vec_cross(m5_vec_sub(s->pos[t[1]], s->pos[t[0]]),
                        m5_vec_sub(s->pos[t[2]], s->pos[t[0]]));
}

/* Faster than fmax, which is a call and handles NaN. */
static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double longest_squared(const m5_topology *s, const uint32_t t[3])
{
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        m5_vec edge = m5_vec_sub(s->pos[t[(k + 1) % 3]], s->pos[t[k]]);
        longest = larger(m5_vec_dot(edge, edge), longest);
    }
    return longest;
}

static bool repeats(const uint32_t t[3])
{
    return t[0] == t[1] || t[1] == t[2] || t[0] == t[2];
}

static void check_areas(work *w)
{
    const m5_topology *s = w->mesh;
    for (uint32_t i = 0; i < s->num_tris; i++) {
        const uint32_t *t = s->tris[i];
        double area = m5_vec_length(across(s, t)) / 2, square = longest_squared(s, t);
        const uint32_t points[3] = {w->point[t[0]], w->point[t[1]], w->point[t[2]]};
        w->left_out[i] = !(area >= SLIVER * square) || repeats(points);
        if ((!(area >= SLIVER * square) || !(square > 0)) && !repeats(t))
            tell(w, M5_TOPOLOGY_ZERO_AREA, i, 1, false);
    }
}

/* ---- Edges ----------------------------------------------------------------------------------- */

static void list_corners(work *w)
{
    for (uint32_t i = 0; i < w->mesh->num_tris; i++)
        for (uint32_t k = 0; k < 4; k++)
            w->corners[4 * i + k] = w->point[w->mesh->tris[i][k % 3]];
}

/* Returns the lower or the upper of an edge's two points. */
static uint32_t end_of(const work *w, uint32_t edge, bool upper)
{
    uint32_t a = w->corners[edge], b = w->corners[edge + 1];
    return (a < b) == upper ? b : a;
}

/* Returns the point of an edge's triangle that is not on the edge. */
static uint32_t opposite(const work *w, uint32_t edge)
{
    return w->corners[edge / 4 * 4 + (edge % 4 + 2) % 3];
}

static void sort_by_end(const work *w, bool upper, const uint32_t *in, uint32_t *out,
                        uint32_t count, uint32_t *start)
{
    memset(start, 0, ((size_t)w->mesh->num_verts + 1) * sizeof *start);
    for (uint32_t i = 0; i < count; i++)
        start[end_of(w, in[i], upper) + 1]++;
    for (uint32_t i = 0; i < w->mesh->num_verts; i++)
        start[i + 1] += start[i];
    for (uint32_t i = 0; i < count; i++)
        out[start[end_of(w, in[i], upper)]++] = in[i];
}

/* Sorts edges so that those with the same points are together. Returns the number of edges. */
static uint32_t sort_edges(work *w, uint32_t *other, uint32_t *start)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->mesh->num_tris; i++)
        for (uint32_t k = 0; k < 3 && !w->left_out[i]; k++)
            w->edges[count++] = 4 * i + k;
    sort_by_end(w, true, w->edges, other, count, start);
    sort_by_end(w, false, other, w->edges, count, start);
    return count;
}

static bool same_points(const work *w, uint32_t a, uint32_t b)
{
    const uint32_t *x = &w->corners[a], *y = &w->corners[b];
    return (x[0] == y[0] && x[1] == y[1]) || (x[0] == y[1] && x[1] == y[0]);
}

/* Returns where the edges end that have the same points as the edge at `begin`. */
static uint32_t end_of_group(const work *w, uint32_t begin, uint32_t count)
{
    uint32_t end = begin + 1;
    while (end < count && same_points(w, w->edges[begin], w->edges[end]))
        end++;
    return end;
}

/* Whether two triangles run along their common edge in opposite directions, as neighbours do. */
static bool agree(const work *w, uint32_t a, uint32_t b)
{
    return w->corners[a] != w->corners[b];
}

static bool same_verts(const work *w, uint32_t a, uint32_t b)
{
    const uint32_t *x = w->mesh->tris[a], *y = w->mesh->tris[b];
    for (int k = 0; k < 3; k++)
        if (x[k] != y[0] && x[k] != y[1] && x[k] != y[2])
            return false;
    return true;
}

/* Triangles of an edge that also share the third point are at the same place. Back to back they
 * are two sides of a sheet. A triangle that repeats another's vertices is reported by another
 * rule. Usually there is one pair; if there are more triangles, neighbours in the order are
 * compared. */
static void leave_out_doubles(work *w, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint32_t a = w->edges[i - 1], b = w->edges[i];
        if (!same_points(w, a, b) || opposite(w, a) != opposite(w, b))
            continue;
        if (agree(w, a, b))
            w->left_out[a / 4] = w->left_out[b / 4] = 1;
        else if (same_verts(w, a / 4, b / 4))
            w->left_out[b / 4] = 1;
    }
}

static uint32_t keep_edges(work *w, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!w->left_out[w->edges[i] / 4])
            w->edges[kept++] = w->edges[i];
    return kept;
}

/* ---- Patches --------------------------------------------------------------------------------- */

static uint32_t lowest_of(uint32_t *lower, uint32_t tri)
{
    while (lower[tri] != tri)
        tri = lower[tri] = lower[lower[tri]];
    return tri;
}

static uint32_t patch_of(work *w, uint32_t tri)
{
    return lowest_of(w->patch, tri);
}

static void join(work *w, uint32_t a, uint32_t b)
{
    a = patch_of(w, a);
    b = patch_of(w, b);
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    if (low == high)
        return;
    w->patch[high] = low;
    w->size[low] += w->size[high];
}

static void grow_patches(work *w, uint32_t count)
{
    for (uint32_t i = 0; i < w->mesh->num_tris; i++) {
        w->patch[i] = w->part[i] = i;
        w->size[i] = 1;
        w->clashes[i] = w->against[i] = w->alike[i] = w->unlike[i] = w->open[i] = 0;
    }
    for (uint32_t i = 0, end; i < count; i = end) {
        end = end_of_group(w, i, count);
        if (end - i == 2 && agree(w, w->edges[i], w->edges[i + 1]))
            join(w, w->edges[i] / 4, w->edges[i + 1] / 4);
    }
}

static void clash(work *w, uint32_t patch, uint32_t other)
{
    w->clashes[patch]++;
    w->against[patch] = w->size[other] > w->against[patch] ? w->size[other] : w->against[patch];
}

/* The number of edges of a kind, and the first of them. */
typedef struct tally {
    uint32_t count, first;
} tally;

static void add_edge(tally *t, uint32_t edge)
{
    t->first = t->count == 0 || edge < t->first ? edge : t->first;
    t->count++;
}

/* Whether two triangles are at the same place and face the same way. */
static bool has_copies(const work *w, uint32_t begin, uint32_t end)
{
    enum { MOST = 8 };
    for (uint32_t i = begin; i < end && end - begin <= MOST; i++)
        for (uint32_t k = i + 1; k < end; k++)
            if (!agree(w, w->edges[i], w->edges[k]) &&
                opposite(w, w->edges[i]) == opposite(w, w->edges[k]))
                return true;
    return false;
}

/* Whether as many triangles run along an edge in one direction as in the other. Then two bodies
 * touch there, or it is a sheet whose sides are split into triangles in different ways. */
static bool is_balanced(const work *w, uint32_t begin, uint32_t end)
{
    uint32_t with_first = 0;
    for (uint32_t i = begin; i < end; i++)
        with_first += !agree(w, w->edges[begin], w->edges[i]);
    return 2 * with_first == end - begin && !has_copies(w, begin, end);
}

static void find_clashes(work *w, uint32_t count)
{
    tally crowded = {0, 0}, open = {0, 0};
    for (uint32_t i = 0, end; i < count; i = end) {
        end = end_of_group(w, i, count);
        uint32_t a = patch_of(w, w->edges[i] / 4), b = patch_of(w, w->edges[end - 1] / 4);
        if (end - i == 2 && a != b && !agree(w, w->edges[i], w->edges[i + 1])) {
            clash(w, a, b);
            clash(w, b, a);
        } else if (end - i > 2 && !is_balanced(w, i, end)) {
            add_edge(&crowded, w->edges[i + 2]); /* the first extra triangle */
        } else if (end - i > 2) {
            for (uint32_t k = i; k < end; k++)
                w->open[patch_of(w, w->edges[k] / 4)] = 1;
        } else if (end - i == 1) {
            add_edge(&open, w->edges[i]);
            w->open[a] = 1;
        }
    }
    tell_edges(w, M5_TOPOLOGY_CROWDED, crowded.first, crowded.count);
    tell_edges(w, M5_TOPOLOGY_OPEN, open.first, open.count);
}

/* Whether the patch that begins with this triangle is flipped. */
static bool is_flipped(const work *w, uint32_t patch)
{
    return w->clashes[patch] >= 2 && w->size[patch] < w->against[patch];
}

static void grow_parts(work *w, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint32_t a = lowest_of(w->part, w->edges[i - 1] / 4);
        uint32_t b = lowest_of(w->part, w->edges[i] / 4);
        if (same_points(w, w->edges[i - 1], w->edges[i]))
            w->part[a < b ? b : a] = a < b ? a : b;
    }
    for (uint32_t i = 0, end; i < count; i = end) {
        end = end_of_group(w, i, count);
        uint32_t part = lowest_of(w->part, w->edges[i] / 4);
        if (end - i == 2)
            (agree(w, w->edges[i], w->edges[i + 1]) ? w->alike : w->unlike)[part]++;
    }
}

/* Whether in a part as many neighbours differ as agree, and not only around this patch. */
static bool is_mixed(work *w, uint32_t patch)
{
    uint32_t part = lowest_of(w->part, patch);
    return w->unlike[part] >= w->alike[part] && w->unlike[part] > w->clashes[patch];
}

static void find_flipped(work *w, uint32_t count)
{
    bool grown = false;
    for (uint32_t i = 0; i < w->mesh->num_tris; i++) {
        if (w->patch[i] != i || !is_flipped(w, i))
            continue;
        if (!grown)
            grow_parts(w, count);
        grown = true;
        tell(w, M5_TOPOLOGY_FLIPPED, i, w->size[i],
             w->clashes[i] >= 3 && !w->open[i] && !is_mixed(w, i));
    }
}

/* ---- Quick check ----------------------------------------------------------------------------- */

/* Sets `to` to the points that edges run to, ordered by the points that they run from, and `end`
 * of each point to where its edges end in `to`. */
static void gather_edges(const work *w, uint32_t *to, uint32_t *end)
{
    const m5_topology *s = w->mesh;
    memset(end, 0, (size_t)s->num_verts * sizeof *end);
    for (uint32_t i = 0; i < s->num_tris; i++)
        for (int k = 0; k < 3; k++)
            end[w->point[s->tris[i][k]]]++;
    for (uint32_t i = 0, sum = 0, count; i < s->num_verts; i++, sum += count) {
        count = end[i];
        end[i] = sum;
    }
    for (uint32_t i = 0; i < s->num_tris; i++)
        for (int k = 0; k < 3; k++)
            to[end[w->point[s->tris[i][k]]]++] = w->point[s->tris[i][(k + 1) % 3]];
}

/* Whether two triangles run along an edge in the same direction. If not, no triangle is flipped
 * and no edge has too many triangles. `last` has, for each point, the last point that an edge
 * runs to it from. */
static bool runs_twice(const work *w, const uint32_t *to, const uint32_t *end, uint32_t *last)
{
    memset(last, 0xff, (size_t)w->mesh->num_verts * sizeof *last);
    for (uint32_t i = 0, k = 0; i < w->mesh->num_verts; i++)
        for (; k < end[i]; k++) {
            if (last[to[k]] == i)
                return true;
            last[to[k]] = i;
        }
    return false;
}

/* Whether a quick check shows that nothing is to be reported about edges. */
static bool has_sound_edges(const work *w, m5_arena *arena)
{
    size_t mark = arena->used;
    uint32_t *to = m5_arena_take(arena, 3 * (size_t)w->mesh->num_tris, sizeof *to);
    uint32_t *end = m5_arena_take(arena, w->mesh->num_verts, sizeof *end);
    uint32_t *last = m5_arena_take(arena, w->mesh->num_verts, sizeof *last);
    bool sound = false;
    if (!is_wanted(w, M5_TOPOLOGY_OPEN) && to != NULL && end != NULL && last != NULL) {
        gather_edges(w, to, end);
        sound = !runs_twice(w, to, end, last);
    }
    m5_arena_release(arena, mark);
    return sound;
}

static bool check_edges(work *w, m5_arena *arena)
{
    size_t mark = arena->used;
    uint32_t *other = m5_arena_take(arena, 3 * (size_t)w->mesh->num_tris, sizeof *other);
    uint32_t *start = m5_arena_take(arena, (size_t)w->mesh->num_verts + 1, sizeof *start);
    if (other == NULL || start == NULL)
        return false;
    uint32_t count = sort_edges(w, other, start);
    m5_arena_release(arena, mark);
    leave_out_doubles(w, count);
    count = keep_edges(w, count);
    uint32_t **const lists[] = {&w->patch, &w->size,  &w->clashes, &w->against,
                                &w->part,  &w->alike, &w->unlike};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if ((*lists[i] = m5_arena_take(arena, w->mesh->num_tris, sizeof **lists[i])) == NULL)
            return false;
    if ((w->open = m5_arena_take(arena, w->mesh->num_tris, 1)) == NULL)
        return false;
    grow_patches(w, count);
    find_clashes(w, count);
    find_flipped(w, count);
    return true;
}

/* ---- Normals --------------------------------------------------------------------------------- */

/* The sum of a vertex's normals, and that of their lengths, -1 if it has no triangles. */
typedef struct normal {
    m5_vec sum;
    double total;
} normal;

static void add_normals(work *w, normal *normals)
{
    const m5_topology *s = w->mesh;
    for (uint32_t i = 0; i < s->num_verts; i++)
        normals[i] = (normal){{0, 0, 0}, -1};
    for (uint32_t i = 0; i < s->num_tris; i++) {
        bool flipped = w->patch != NULL && is_flipped(w, patch_of(w, i)); /* reported already */
        m5_vec own = m5_vec_times(across(s, s->tris[i]), flipped ? -1 : 1);
        double length = m5_vec_length(own);
        for (int k = 0; k < 3; k++) {
            normal *n = &normals[s->tris[i][k]];
            n->sum = m5_vec_add(n->sum, own);
            n->total = larger(n->total, 0) + length;
        }
    }
}

static bool check_normals(work *w, m5_arena *arena)
{
    size_t mark = arena->used;
    normal *normals = m5_arena_take(arena, w->mesh->num_verts, sizeof *normals);
    if (normals == NULL)
        return false;
    add_normals(w, normals);
    uint32_t first = 0, count = 0;
    for (uint32_t i = w->mesh->num_verts; i-- > 0;) {
        double total = normals[i].total, length = m5_vec_length(normals[i].sum);
        if (!(total >= 0) || length > CANCELLED * total)
            continue;
        first = i;
        count++;
    }
    tell(w, M5_TOPOLOGY_NO_NORMAL, first, count, false);
    m5_arena_release(arena, mark);
    return true;
}

/* ---- The whole mesh -------------------------------------------------------------------------- */

/* The full check of edges. */
static bool check_all_edges(work *w, m5_arena *arena)
{
    const m5_topology *s = w->mesh;
    w->corners = m5_arena_take(arena, 4 * (size_t)s->num_tris, sizeof *w->corners);
    w->edges = m5_arena_take(arena, 3 * (size_t)s->num_tris, sizeof *w->edges);
    if (w->corners == NULL || w->edges == NULL)
        return false;
    list_corners(w);
    return check_edges(w, arena);
}

bool m5_topology_find(const m5_topology *mesh, m5_arena *arena,
                      void (*found)(void *user, const m5_topology_fact *fact), void *user)
{
    size_t mark = arena->used;
    work w = {.mesh = mesh,
              .found = found,
              .user = user,
              .point = m5_arena_take(arena, mesh->num_verts, sizeof *w.point),
              .left_out = m5_arena_take(arena, mesh->num_tris, 1)};
    bool room = w.point != NULL && w.left_out != NULL &&
                m5_weld(mesh->pos, mesh->num_verts, arena, w.point);
    bool sound = room && !mesh->plain && has_sound_edges(&w, arena);
    if (room && (!sound || is_wanted(&w, M5_TOPOLOGY_ZERO_AREA)))
        check_areas(&w);
    room = room && (sound || check_all_edges(&w, arena));
    room = room && (!is_wanted(&w, M5_TOPOLOGY_NO_NORMAL) || check_normals(&w, arena));
    m5_arena_release(arena, mark);
    return room;
}
