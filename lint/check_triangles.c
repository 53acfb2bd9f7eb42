/* Triangles, as far as their indices tell. */
#include "check.h"

#include <string.h>

static void say_degenerate(m5_lint_file *f, uint32_t mesh, uint32_t i, uint32_t corner)
{
    const m5_md5mesh_tri *t = &f->model.md5mesh->meshes[mesh].tris[i];
    m5_diag d = check_at(f, M5_LINT_ROW(md5mesh_tri_degenerate), t->offset, 2 + corner);
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

/* Corner `k` of a triangle turned so that its smallest vertex comes first. */
static uint32_t turned(const m5_md5mesh_tri *t, unsigned k)
{
    const uint32_t *v = t->vert;
    unsigned first = v[0] <= v[1] && v[0] <= v[2] ? 0 : v[1] <= v[2] ? 1 : 2;
    return v[(first + k) % 3];
}

/* One pass of a radix sort: `out` is `in` ordered by corner `k`, stable. `start` has room for
 * all vertices and one more. */
static void sort_by_corner(const m5_md5mesh_mesh *m, unsigned k, const uint32_t *in, uint32_t *out,
                           uint32_t *start)
{
    memset(start, 0, ((size_t)m->num_verts + 1) * sizeof *start);
    for (uint32_t i = 0; i < m->num_tris; i++)
        start[turned(&m->tris[i], k) + 1]++;
    for (uint32_t i = 0; i < m->num_verts; i++)
        start[i + 1] += start[i];
    for (uint32_t i = 0; i < m->num_tris; i++)
        out[start[turned(&m->tris[in[i]], k)]++] = in[i];
}

static bool same_triangle(const m5_md5mesh_tri *a, const m5_md5mesh_tri *b)
{
    return turned(a, 0) == turned(b, 0) && turned(a, 1) == turned(b, 1) &&
           turned(a, 2) == turned(b, 2);
}

/* Equal triangles are neighbours in `order`, the first of them first. */
static void say_duplicates(m5_lint_file *f, uint32_t mesh, const uint32_t *order)
{
    const m5_md5mesh_mesh *m = &f->model.md5mesh->meshes[mesh];
    uint32_t first = 0;
    for (uint32_t i = 1; i < m->num_tris; i++) {
        const m5_md5mesh_tri *a = &m->tris[order[first]], *b = &m->tris[order[i]];
        if (!same_triangle(a, b)) {
            first = i;
            continue;
        }
        m5_diag d = check_at_record(f, M5_LINT_ROW(md5mesh_tri_duplicate), b->offset, 4);
        d.path = m5_path2("mesh", mesh, "tri", order[i]);
        m5_relate(&d, &f->source, m5_md5_word_at(&f->source, a->offset), "the first one");
        m5_emit(&f->report, &d, 0, "triangle %u is the same as triangle %u", order[i],
                order[first]);
    }
}

static void check_duplicates(m5_lint_file *f, uint32_t mesh)
{
    const m5_md5mesh_mesh *m = &f->model.md5mesh->meshes[mesh];
    size_t mark = f->arena.used;
    uint32_t *a = check_scratch(f, m->num_tris, sizeof *a);
    uint32_t *b = check_scratch(f, m->num_tris, sizeof *b);
    uint32_t *start = check_scratch(f, (size_t)m->num_verts + 1, sizeof *start);
    if (a != NULL && b != NULL && start != NULL) {
        for (uint32_t i = 0; i < m->num_tris; i++)
            a[i] = i;
        sort_by_corner(m, 2, a, b, start);
        sort_by_corner(m, 1, b, a, start);
        sort_by_corner(m, 0, a, b, start);
        say_duplicates(f, mesh, b);
    }
    m5_arena_release(&f->arena, mark);
}

void check_md5mesh_triangles(m5_lint_file *f)
{
    const m5_md5mesh *m = f->model.md5mesh;
    bool want_duplicates = check_wanted(f, M5_LINT_ROW(md5mesh_tri_duplicate));
    for (uint32_t i = 0; i < m->num_meshes; i++) {
        check_degenerate(f, i);
        if (want_duplicates && m->meshes[i].whole)
            check_duplicates(f, i);
    }
}
