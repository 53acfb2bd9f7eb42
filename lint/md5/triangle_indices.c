/* Triangles: what can be checked from their indices alone. */
#include "checks.h"
#include "lint/core/check.h"
#include "lint/core/sort.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/md5/lex.h"

#include <string.h>

static void say_degenerate(m5_lint_file *f, uint32_t mesh, uint32_t i, uint32_t corner)
{
    const m5_md5mesh_tri *t = &f->model.md5mesh->meshes[mesh].tris[i];
    m5_diag d = m5_check_at(f, M5_LINT_ROW(md5mesh_tri_degenerate), t->offset, 2 + corner);
    d.path = m5_path2("mesh", mesh, "tri", i);
    m5_emit(&f->report, &d, 0, "triangle %u uses vertex %u twice", i, t->vert[corner]);
}

static void check_degenerate(m5_lint_file *f, uint32_t mesh)
{
    const m5_md5mesh_mesh *m = &f->model.md5mesh->meshes[mesh];
    for (uint32_t i = 0; i < m->num_tris; i++) {
        const uint32_t *v = m->tris[i].vert;
        if (v[0] == M5_BROKEN || (v[0] != v[1] && v[1] != v[2] && v[0] != v[2]))
            continue;
        say_degenerate(f, mesh, i, v[0] == v[1] ? 1 : 2);
    }
}

/* ---- The same triangle twice ----------------------------------------------------------------- */

/* The corner with the smallest vertex. */
static unsigned first_corner(const m5_md5mesh_tri *t)
{
    const uint32_t *v = t->vert;
    return v[0] <= v[1] && v[0] <= v[2] ? 0 : v[1] <= v[2] ? 1 : 2;
}

/* Corner `k` of a triangle turned so that its smallest vertex comes first. */
static uint32_t turned(const m5_md5mesh_tri *t, unsigned k)
{
    return t->vert[(first_corner(t) + k) % 3];
}

bool m5_check_same_triangle(const m5_md5mesh_tri *a, const m5_md5mesh_tri *b)
{
    return turned(a, 0) == turned(b, 0) && turned(a, 1) == turned(b, 1) &&
           turned(a, 2) == turned(b, 2);
}

static void say_duplicate(m5_lint_file *f, uint32_t mesh, uint32_t tri, uint32_t first)
{
    const m5_md5mesh_tri *tris = f->model.md5mesh->meshes[mesh].tris;
    m5_diag d = m5_check_at_record(f, M5_LINT_ROW(md5mesh_tri_duplicate), tris[tri].offset, 4);
    d.path = m5_path2("mesh", mesh, "tri", tri);
    m5_relate(&d, &f->source, m5_lex_word_at(&f->source, tris[first].offset), "first occurrence");
    m5_emit(&f->report, &d, 0, "triangle %u is the same as triangle %u", tri, first);
}

bool m5_check_triangle_less(const void *context, uint32_t a, uint32_t b)
{
    const m5_md5mesh_tri *tris = context, *s = &tris[a], *t = &tris[b];
    for (unsigned k = 0; k < 3; k++)
        if (turned(s, k) != turned(t, k))
            return turned(s, k) < turned(t, k);
    return a < b;
}

/* Sorted by the other corners, equal triangles are neighbours, the first of them first. */
static void find_by_sorting(m5_lint_file *f, uint32_t mesh, uint32_t *tri, uint32_t count)
{
    const m5_md5mesh_tri *tris = f->model.md5mesh->meshes[mesh].tris;
    m5_check_sort(tri, count, m5_check_triangle_less, tris);
    for (uint32_t i = 1, first = 0; i < count; i++)
        if (m5_check_same_triangle(&tris[tri[first]], &tris[tri[i]]))
            say_duplicate(f, mesh, tri[i], tri[first]);
        else
            first = i;
}

static void find_by_comparing(m5_lint_file *f, uint32_t mesh, const uint32_t *tri,
                              const uint32_t *second, uint32_t count)
{
    const m5_md5mesh_tri *tris = f->model.md5mesh->meshes[mesh].tris;
    for (uint32_t i = 1; i < count; i++) {
        uint32_t k = 0;
        while (k < i &&
               (second[k] != second[i] || !m5_check_same_triangle(&tris[tri[k]], &tris[tri[i]])))
            k++;
        if (k < i)
            say_duplicate(f, mesh, tri[i], tri[k]);
    }
}

/* Triangles by their smallest vertex: `end` of each vertex is where its triangles end in `tri`;
 * `second` is each one's next corner. */
static void gather(const m5_md5mesh_mesh *m, uint32_t *tri, uint32_t *second, uint32_t *end)
{
    memset(end, 0, (size_t)m->num_verts * sizeof *end);
    for (uint32_t i = 0; i < m->num_tris; i++)
        end[turned(&m->tris[i], 0)]++;
    for (uint32_t i = 0, sum = 0, count; i < m->num_verts; i++, sum += count) {
        count = end[i];
        end[i] = sum;
    }
    for (uint32_t i = 0; i < m->num_tris; i++) {
        const uint32_t *v = m->tris[i].vert;
        unsigned first = first_corner(&m->tris[i]);
        uint32_t at = end[v[first]]++;
        tri[at] = i;
        second[at] = v[first == 2 ? 0 : first + 1];
    }
}

enum { FEW = 32 }; /* only the hubs of fans have more triangles */

static void check_duplicates(m5_lint_file *f, uint32_t mesh)
{
    const m5_md5mesh_mesh *m = &f->model.md5mesh->meshes[mesh];
    size_t mark = f->arena.used;
    uint32_t *tri = m5_check_scratch(f, m->num_tris, sizeof *tri);
    uint32_t *second = m5_check_scratch(f, m->num_tris, sizeof *second);
    uint32_t *end = m5_check_scratch(f, m->num_verts, sizeof *end);
    bool room = tri != NULL && second != NULL && end != NULL;
    if (room)
        gather(m, tri, second, end);
    for (uint32_t i = 0, begin = 0; room && i < m->num_verts; begin = end[i++])
        if (end[i] - begin > FEW)
            find_by_sorting(f, mesh, tri + begin, end[i] - begin);
        else
            find_by_comparing(f, mesh, tri + begin, second + begin, end[i] - begin);
    m5_arena_release(&f->arena, mark);
}

void m5_check_md5mesh_triangles(m5_lint_file *f)
{
    const m5_md5mesh *m = f->model.md5mesh;
    bool want_duplicates = m5_check_wanted(f, M5_LINT_ROW(md5mesh_tri_duplicate));
    for (uint32_t i = 0; i < m->num_meshes; i++) {
        check_degenerate(f, i);
        if (want_duplicates && m->meshes[i].whole)
            check_duplicates(f, i);
    }
}
