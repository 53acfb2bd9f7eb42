/* Checks what an MD4's collapse map does to the triangles. Format text, section "collapseMap": the
 * last vertex is removed first, the vertex that it collapses to takes its place, and each step
 * removes two triangles. */

#include "checks.h"
#include "lint/common/checks.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/play/algebra.h"

#include <string.h>

/* How a vertex is removed. UNSEEN: no remaining triangle has it. APART: no remaining triangle
 * connects it to the vertex that it collapses to. JOINED: a triangle does. */
enum { UNSEEN, APART, JOINED };

/* A surface being collapsed. A step has the number of the vertex that it removes. */
typedef struct collapse {
    m5_lint_file *f;
    const m5_md4_surface *s;
    uint32_t index;    /* of the surface */
    uint32_t last;     /* vertices below this one stay */
    uint64_t *budget;  /* vertices that may be replaced; when it is spent, nothing is reported */
    uint32_t *into;    /* for each vertex, the vertex that it collapses to */
    uint32_t *taken;   /* triangles that each step removes */
    const m5_vec *pos; /* in frame 0 */
    const uint32_t (*tris)[3];
    double near;       /* vertices this near are one: texture coordinates may split them */
    uint8_t *corner;   /* whether a triangle has the vertex at full detail */
    uint8_t *how;      /* ... and how it is removed */
    uint32_t left;     /* triangles in the end */
    bool in_order;     /* the triangles that remain longest come first */
    uint32_t disorder; /* the first triangle that is out of order */
} collapse;

static m5_diag at(const collapse *c, const m5_rule *rule, uint32_t offset, uint32_t length,
                  const char *name, uint32_t index)
{
    m5_diag d = m5_found(rule, (m5_span){offset, length});
    d.path = m5_path2("surface", c->index, name, index);
    return d;
}

/* ---- Collapsing ------------------------------------------------------------------------------ */

static int highest(const uint32_t t[3])
{
    return t[0] >= t[1] && t[0] >= t[2] ? 0 : t[1] >= t[2] ? 1 : 2;
}

static bool in_one_place(const collapse *c, uint32_t a, uint32_t b)
{
    return m5_vec_distance(c->pos[a], c->pos[b]) <= c->near;
}

/* Whether a triangle connects its corner `k` to the vertex that it collapses to, or to one in the
 * same place. */
static bool joins(const collapse *c, const uint32_t t[3], int k)
{
    uint32_t into = c->into[t[k]];
    return in_one_place(c, t[0], into) || in_one_place(c, t[1], into) ||
           in_one_place(c, t[2], into);
}

/* The step that removes a triangle: the first after which two corners are one. 0 if none does. */
static uint32_t end_of(collapse *c, uint32_t tri)
{
    uint32_t t[3] = {c->tris[tri][0], c->tris[tri][1], c->tris[tri][2]};
    if (t[0] == t[1] || t[1] == t[2] || t[0] == t[2])
        return 0; /* does not count, and another rule reports it */
    c->corner[t[0]] = c->corner[t[1]] = c->corner[t[2]] = 1;
    for (int k; t[k = highest(t)] >= c->last && *c->budget != 0; --*c->budget) {
        uint32_t goes = t[k];
        if (c->how[goes] != JOINED)
            c->how[goes] = joins(c, t, k) ? JOINED : APART;
        t[k] = c->into[goes];
        if (t[0] == t[1] || t[1] == t[2] || t[0] == t[2]) {
            c->taken[goes]++;
            return goes;
        }
    }
    c->left++;
    return 0;
}

static void collapse_all(collapse *c)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < c->s->num_tris && *c->budget != 0; i++) {
        uint32_t end = end_of(c, i);
        if (end < before && c->in_order) {
            c->in_order = false;
            c->disorder = i;
        }
        before = end;
    }
}

/* ---- Findings -------------------------------------------------------------------------------- */

static void say_empty(const collapse *c)
{
    m5_diag d = at(c, M5_LINT_ROW(md4_collapse_empty), c->s->offset + M5_CHECK_MD4_MIN_LOD, 4,
                   "minLod", M5_NO_INDEX);
    m5_emit(&c->f->report, &d, 0, "at minLod %d the collapse map leaves none of the %u triangles",
            c->s->min_lod, c->s->num_tris);
}

/* Whether all vertices collapse to vertex 0, as in a map that was never filled. */
static bool is_map_zero(const collapse *c)
{
    for (uint32_t i = 0; i < c->s->num_verts; i++)
        if (c->into[i] != 0)
            return false;
    return true;
}

static void say_apart(const collapse *c, uint32_t first, uint32_t count)
{
    enum { FEW = 3 };
    m5_diag d = at(c, M5_LINT_ROW(md4_collapse_apart), c->s->collapse_at + 4 * first, 4,
                   "collapseMap", first);
    if (count > FEW && is_map_zero(c))
        m5_emit(&c->f->report, &d, 0,
                "all %u entries are 0, as if never written; no triangle connects "
                "vertex %u to vertex 0 (%u vertices with this fault)",
                c->s->num_verts, first, count);
    else
        m5_emit(&c->f->report, &d, 0,
                "vertex %u collapses to %u, but at that level of detail no triangle "
                "connects them (%u %s with this fault)",
                first, c->into[first], count, count == 1 ? "vertex" : "vertices");
}

static void say_rate(const collapse *c, uint32_t steps, uint32_t taken)
{
    double rate = (double)taken / steps;
    m5_diag d = at(c, M5_LINT_ROW(md4_collapse_two_tris), c->s->collapse_at, 4 * c->s->num_verts,
                   "collapseMap", M5_NO_INDEX);
    m5_emit(&c->f->report, &d, rate > 2 ? rate / 2 : 2 / rate,
            "%u of %u triangles are removed in %u collapse%s, %.2g per collapse; expected 2", taken,
            c->s->num_tris, steps, steps == 1 ? "" : "s", rate);
}

static void say_order(const collapse *c)
{
    m5_diag d = at(c, M5_LINT_ROW(md4_tri_collapse_order),
                   c->s->tris_at + c->disorder * M5_MD4_TRIANGLE, M5_MD4_TRIANGLE, "triangle",
                   c->disorder);
    m5_emit(&c->f->report, &d, 0,
            "triangle %u is removed after triangle %u by collapsing, expected before it",
            c->disorder, c->disorder - 1);
}

static void judge(const collapse *c)
{
    uint32_t steps = 0, taken = 0, apart = 0, first = 0;
    for (uint32_t i = c->s->num_verts; i-- > c->last;) {
        steps += c->corner[i];
        taken += c->taken[i];
        if (c->how[i] != APART)
            continue;
        apart++;
        first = i;
    }
    if (apart != 0)
        say_apart(c, first, apart);
    if (c->left == 0 && c->s->min_lod >= 3)
        say_empty(c);
    else if (steps != 0 && taken != 0)
        say_rate(c, steps, taken);
    if (!c->in_order)
        say_order(c);
}

/* False for maps with loops and for invalid counts, which other rules report. */
static bool read_map(const collapse *c)
{
    for (uint32_t i = 0; i < c->s->num_verts; i++) {
        c->into[i] = m5_md4_collapse_at(c->f->model.md4, c->s, i);
        if (i >= c->last && c->into[i] >= i)
            return false;
    }
    return true;
}

static double nearness(const m5_vec *pos, uint32_t count)
{
    m5_box box = m5_box_empty();
    for (uint32_t i = 0; i < count; i++)
        m5_box_add(&box, pos[i]);
    return 1e-6 * m5_box_diagonal(&box);
}

/* Takes scratch memory, which the caller gives back. */
static void check_surface(collapse *c)
{
    uint32_t verts = c->s->num_verts;
    c->last = (uint32_t)c->s->min_lod;
    c->near = nearness(c->pos, verts);
    c->into = m5_check_scratch(c->f, verts, sizeof *c->into);
    c->taken = m5_check_scratch(c->f, verts, sizeof *c->taken);
    c->corner = m5_check_scratch(c->f, verts, 1);
    c->how = m5_check_scratch(c->f, verts, 1);
    if (c->into == NULL || c->taken == NULL || c->corner == NULL || c->how == NULL || !read_map(c))
        return;
    memset(c->taken, 0, verts * sizeof *c->taken);
    memset(c->corner, 0, verts);
    memset(c->how, UNSEEN, verts);
    collapse_all(c);
    if (*c->budget != 0)
        judge(c);
}

static bool can_collapse(const m5_md4_surface *s)
{
    return s->min_lod >= 1 && (uint32_t)s->min_lod < s->num_verts && s->num_tris != 0;
}

void m5_check_md4_collapse(m5_lint_file *f, const m5_md4_body *body, uint64_t *budget)
{
    size_t mark = f->arena.used;
    if (can_collapse(body->surface))
        check_surface(&(collapse){.f = f,
                                  .s = body->surface,
                                  .index = body->index,
                                  .budget = budget,
                                  .pos = body->pos,
                                  .tris = body->tris,
                                  .in_order = true});
    m5_arena_release(&f->arena, mark);
}
