/* An illmesh's normals against the faces of its triangles. */
#include "check.h"
#include "space.h"

#include "../parsers/words.h"

#include <string.h>

/* What the triangles of a vertex say of its normal. */
typedef struct faces {
    m5_vec sum;  /* of their normals, each as long as twice its triangle's area */
    double area; /* and of these lengths */
} faces;

static void add_triangles(const m5_illmesh *m, const m5_vec *pos, faces *of)
{
    for (uint32_t i = 0; i + 2 < m->num_indices; i += 3) {
        const uint32_t *t = m->indices + i;
        m5_vec face = m5_vec_cross(m5_vec_sub(pos[t[1]], pos[t[0]]), m5_vec_sub(pos[t[2]], pos[t[0]]));
        double area = m5_vec_length(face);
        for (int k = 0; k < 3; k++) {
            of[t[k]].sum = m5_vec_add(of[t[k]].sum, face);
            of[t[k]].area += area;
        }
    }
}

/* 1 where a vertex's normal points to where its triangles face with their corners counterclockwise, -1
 * where it points the other way; 0 if neither is clear. */
static int side_of(const m5_illmesh *m, uint32_t vertex, const faces *of)
{
    const double agree = 0.5, clear = 0.7; /* cosines */
    double length = m5_vec_length(of->sum);
    m5_vec normal = m5_vec_of(m->verts + (size_t)vertex * m->stride + m->at[M5_ILL_NORMAL]);
    double cosine = m5_vec_dot(of->sum, normal) / (length * m5_vec_length(normal));
    if (!(length > agree * of->area))
        return 0;
    return (cosine > clear) - (cosine < -clear);
}

/* Which way round triangles are wound is the exporter's choice, and so is what normals a handful of
 * vertices have: it is the few among many that are told. */
static void check_sides(m5_lint_file *f, const faces *of)
{
    enum { MANY = 8, SHARE = 4 };
    const m5_illmesh *m = f->model.illmesh;
    uint32_t count[2] = {0, 0}, first[2] = {0, 0};
    for (uint32_t i = 0; i < m->num_verts; i++) {
        int side = side_of(m, i, &of[i]);
        if (side != 0 && count[side > 0]++ == 0)
            first[side > 0] = i;
    }
    uint32_t all = count[0] + count[1];
    int few = count[1] < count[0];
    if (all < MANY || count[few] == 0 || count[few] > all / SHARE)
        return;
    m5_diag d = m5_found(M5_LINT_ROW(illmesh_normal_side),
                         m5_words_nth(&f->source, m->vert_offsets[first[few]],
                                      (uint32_t)m->at[M5_ILL_NORMAL]));
    d.path = m5_path2("vertex", first[few], "normal", 0);
    m5_emit(&f->report, &d, 0,
            "vertex %u: the normal points to the other side of its triangles than most do; %u of %u do so",
            first[few], count[few], all);
}

void check_illmesh_normals(m5_lint_file *f, const m5_vec *pos)
{
    const m5_illmesh *m = f->model.illmesh;
    size_t mark = f->arena.used;
    if (m->at[M5_ILL_NORMAL] < 0 || !check_wanted(f, M5_LINT_ROW(illmesh_normal_side)))
        return;
    faces *of = check_scratch(f, m->num_verts, sizeof *of);
    if (of != NULL) {
        memset(of, 0, m->num_verts * sizeof *of);
        add_triangles(m, pos, of);
        check_sides(f, of);
    }
    m5_arena_release(&f->arena, mark);
}
