/* Fixes triangles: deletes those that show nothing, and turns those that face the wrong way. */
#include "fixes.h"
#include "shape.h"
#include "lint/core/sort.h"
#include "lint/md5/checks.h"
#include "parsers/core/allocate.h"

enum { NUMBER = 1, LAST = 4 }; /* tokens of  tri number vert vert vert */

static const m5_md5mesh_mesh *mesh_of(const m5_fixing *x)
{
    return &x->f->model.md5mesh->meshes[x->diag->path.step[0].index];
}

/* ---- Deleting -------------------------------------------------------------------------------- */

/* Whether the triangles are there as declared, each on lines of its own. */
static bool are_as_declared(const m5_fixing *x, const m5_md5mesh_mesh *m)
{
    m5_mesh_shape s;
    int32_t declared = 0;
    m5_span count = m5_lex_nth(&x->f->source, m->num_tris_at, 0);
    m5_number_flaw flaw = m5_read_int(x->f->source.bytes + count.offset, count.length, &declared);
    return m->whole && flaw == M5_NUMBER_FINE && declared == (int32_t)m->num_tris &&
           m5_shape_of_mesh(&x->f->source, m->offset, &s) && s.count[M5_SHAPE_TRIS] == m->num_tris;
}

/* Those after them get new numbers. One must be left: a mesh without triangles is an error. */
static bool delete_tris(m5_fixing *x, const m5_md5mesh_mesh *m, const bool *gone)
{
    const m5_source *source = &x->f->source;
    uint32_t left = 0, next = 0;
    for (uint32_t i = 0; i < m->num_tris; i++)
        left += !gone[i];
    if (left == 0 || left == m->num_tris || !are_as_declared(x, m))
        return false;
    m5_fix_print(x, m5_lex_nth(source, m->num_tris_at, 0), "%u", left);
    for (uint32_t i = 0; i < m->num_tris; i++) {
        uint32_t at = m->tris[i].offset;
        if (gone[i])
            m5_fix_delete_lines(x, at, m5_lex_nth(source, at, LAST));
        else if (i != next++)
            m5_fix_print(x, m5_lex_nth(source, at, NUMBER), "%u", next - 1);
    }
    return true;
}

bool m5_fix_degenerate(m5_fixing *x)
{
    const m5_md5mesh_mesh *m = mesh_of(x);
    size_t mark = x->arena->used;
    bool *gone = m5_arena_take(x->arena, m->num_tris, sizeof *gone), fixed = false;
    for (uint32_t i = 0; i < m->num_tris && gone != NULL; i++) {
        const uint32_t *v = m->tris[i].vert;
        gone[i] = v[0] == v[1] || v[1] == v[2] || v[0] == v[2];
    }
    if (gone != NULL)
        fixed = delete_tris(x, m, gone);
    m5_arena_release(x->arena, mark);
    return fixed;
}

/* Of triangles that are the same, the first stays. */
bool m5_fix_duplicate(m5_fixing *x)
{
    const m5_md5mesh_mesh *m = mesh_of(x);
    size_t mark = x->arena->used;
    bool *gone = m5_arena_take(x->arena, m->num_tris, sizeof *gone), fixed = false;
    uint32_t *order = m5_arena_take(x->arena, m->num_tris, sizeof *order);
    if (gone != NULL && order != NULL) {
        for (uint32_t i = 0; i < m->num_tris; i++) {
            order[i] = i;
            gone[i] = false;
        }
        m5_check_sort(order, m->num_tris, m5_check_triangle_less, m->tris);
        for (uint32_t i = 1; i < m->num_tris; i++)
            gone[order[i]] = m5_check_same_triangle(&m->tris[order[i - 1]], &m->tris[order[i]]);
        fixed = delete_tris(x, m, gone);
    }
    m5_arena_release(x->arena, mark);
    return fixed;
}

/* ---- Turning --------------------------------------------------------------------------------- */

static bool has_edge(const m5_md5mesh_tri *t, uint32_t from, uint32_t to)
{
    for (unsigned k = 0; k < 3; k++)
        if (t->vert[k] == from && t->vert[(k + 1) % 3] == to)
            return true;
    return false;
}

/* Whether two triangles run along an edge in opposite directions, as neighbours should. */
static bool agree(const m5_md5mesh_tri *a, const m5_md5mesh_tri *b)
{
    for (unsigned k = 0; k < 3; k++)
        if (has_edge(b, a->vert[(k + 1) % 3], a->vert[k]))
            return true;
    return false;
}

static bool is_listed(const uint32_t *list, uint32_t count, uint32_t tri)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == tri)
            return true;
    return false;
}

/* The finding is at the first of a few triangles, which agree with each other and not with those
 * around them. */
bool m5_fix_winding(m5_fixing *x)
{
    enum { MOST = 16 };
    const m5_md5mesh_mesh *m = mesh_of(x);
    uint32_t list[MOST] = {x->diag->path.step[1].index}, count = 1;
    if (!m->whole)
        return false;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < m->num_tris; k++) {
            if (!agree(&m->tris[list[i]], &m->tris[k]) || is_listed(list, count, k))
                continue;
            if (count == MOST)
                return false;
            list[count++] = k;
        }
    for (uint32_t i = 0; i < m->num_tris; i++) {
        if (!is_listed(list, count, i))
            continue;
        m5_span second = m5_lex_nth(&x->f->source, m->tris[i].offset, LAST - 1);
        m5_span third = m5_lex_nth(&x->f->source, m->tris[i].offset, LAST);
        m5_fix_copy(x, second, third);
        m5_fix_copy(x, third, second);
    }
    return true;
}
