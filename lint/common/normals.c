/* Compares an illmesh's normals with the faces of its triangles. */
#include "checks.h"
#include "lint/core/check.h"
#include "lint/geometry/weld.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/play/algebra.h"

#include "parsers/ill/words.h"

#include <string.h>

/* The faces of the triangles around a vertex. */
typedef struct faces {
    m5_vec sum;  /* of their normals, each as long as twice its triangle's area */
    double area; /* the sum of these lengths */
} faces;

/* Whether a corner of a triangle is far from the rest of the mesh: then its face is wrong. */
static bool has_far_corner(const uint32_t *tri, const m5_vec *pos, const m5_outliers *far)
{
    for (int k = 0; k < 3 && far->count != 0; k++)
        if (m5_vec_distance(pos[tri[k]], far->middle) > far->limit)
            return true;
    return false;
}

static void add_triangles(const m5_illmesh *m, const m5_vec *pos, const m5_outliers *far, faces *of)
{
    for (uint32_t i = 0; i + 2 < m->num_indices; i += 3) {
        const uint32_t *t = m->indices + i;
        if (has_far_corner(t, pos, far))
            continue;
        m5_vec face = m5_vec_cross(m5_vec_sub(pos[t[1]], pos[t[0]]),
                                   m5_vec_sub(pos[t[2]], pos[t[0]]));
        double area = m5_vec_length(face);
        for (int k = 0; k < 3; k++) {
            of[t[k]].sum = m5_vec_add(of[t[k]].sum, face);
            of[t[k]].area += area;
        }
    }
}

/* 1 if a vertex's normal points to the side from which its triangles are counterclockwise, -1 if it
 * points to the other side, 0 if neither is clear. */
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

/* How many normals of a connected piece are on each side of their triangles. */
typedef struct sides {
    uint32_t back, front;
} sides;

/* Whether only a few normals of its piece are on this normal's side. Only the majority of a piece
 * counts, because the winding is the exporter's choice, and so are the normals of a leaf, or of a
 * hull that is drawn from inside, which are pieces of their own. */
static bool is_one_of_few(const sides *of, int side)
{
    enum { MANY = 8, SHARE = 4 };
    uint32_t all = of->back + of->front, own = side > 0 ? of->front : of->back;
    return side != 0 && all >= MANY && own <= all / SHARE;
}

static void say(m5_lint_file *f, uint32_t first, uint32_t count, uint32_t all)
{
    const m5_illmesh *m = f->model.illmesh;
    m5_diag d = m5_found(
        M5_LINT_ROW(illmesh_normal_side),
        m5_words_nth(&f->source, m->vert_offsets[first], (uint32_t)m->at[M5_ILL_NORMAL]));
    d.path = m5_path2("vertex", first, "normal", 0);
    m5_emit(
        &f->report, &d, 0,
        "vertex %u: the normal seems flipped: it points to the other side of its triangles than "
        "most normals (%u of %u seem flipped)",
        first, count, all);
}

/* `piece` is the piece of each vertex. */
static void judge(m5_lint_file *f, const int8_t *side, const uint32_t *piece, sides *of)
{
    uint32_t verts = f->model.illmesh->num_verts, first = 0, count = 0, all = 0;
    memset(of, 0, verts * sizeof *of);
    for (uint32_t i = 0; i < verts; i++) {
        of[piece[i]].back += side[i] < 0;
        of[piece[i]].front += side[i] > 0;
        all += side[i] != 0;
    }
    for (uint32_t i = verts; i-- > 0;) {
        if (!is_one_of_few(&of[piece[i]], side[i]))
            continue;
        first = i;
        count++;
    }
    if (count != 0)
        say(f, first, count, all);
}

static void check_pieces(m5_lint_file *f, const m5_vec *pos, const int8_t *side)
{
    const m5_illmesh *m = f->model.illmesh;
    uint32_t *point = m5_check_scratch(f, m->num_verts, sizeof *point);
    uint32_t *piece = m5_check_scratch(f, m->num_verts, sizeof *piece);
    sides *of = m5_check_scratch(f, m->num_verts, sizeof *of);
    if (point == NULL || piece == NULL || of == NULL ||
        !m5_weld(pos, m->num_verts, &f->arena, point))
        return;
    m5_weld_pieces(point, m->num_verts, (const uint32_t(*)[3])m->indices, m->num_indices / 3,
                   piece);
    for (uint32_t i = 0; i < m->num_verts; i++)
        point[i] = piece[point[i]];
    judge(f, side, point, of);
}

/* Returns whether there are normals on both sides. */
static bool find_sides(const m5_illmesh *m, const faces *of, int8_t *side)
{
    bool front = false, back = false;
    for (uint32_t i = 0; i < m->num_verts; i++) {
        side[i] = (int8_t)side_of(m, i, &of[i]);
        front |= side[i] > 0;
        back |= side[i] < 0;
    }
    return front && back;
}

void m5_check_illmesh_normals(m5_lint_file *f, const m5_vec *pos, const m5_outliers *far)
{
    const m5_illmesh *m = f->model.illmesh;
    size_t mark = f->arena.used;
    if (m->at[M5_ILL_NORMAL] < 0 || !m5_check_wanted(f, M5_LINT_ROW(illmesh_normal_side)))
        return;
    int8_t *side = m5_check_scratch(f, m->num_verts, sizeof *side);
    size_t inner = f->arena.used;
    faces *of = m5_check_scratch(f, m->num_verts, sizeof *of);
    if (side != NULL && of != NULL) {
        memset(of, 0, m->num_verts * sizeof *of);
        add_triangles(m, pos, far, of);
        bool both = find_sides(m, of, side);
        m5_arena_release(&f->arena, inner);
        if (both)
            check_pieces(f, pos, side);
    }
    m5_arena_release(&f->arena, mark);
}
