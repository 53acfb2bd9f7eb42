/* Checks where the bind pose puts the vertices of a mesh: weights of a vertex that disagree, meshes
 * of which nothing can be seen, and vertices far away. */
#include "bind_shape.h"
#include "checks.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/core/sort.h"
#include "parsers/play/algebra.h"
#include "parsers/play/skin_weight.h"

#include <math.h>

enum { LOOK_AT_MOST = 32 }; /* of a vertex's weights: a hostile file lets all vertices share all */

static m5_diag at_vert(const m5_lint_file *f, const m5_rule *rule, uint32_t mesh, uint32_t vert)
{
    enum { VERT_LAST = 7 };
    m5_diag d = m5_check_at_record(f, rule, f->model.md5mesh->meshes[mesh].verts[vert].offset,
                                   VERT_LAST);
    d.path = m5_path2("mesh", mesh, "vert", vert);
    return d;
}

/* The largest distance between a vertex's first weight and its other weights, in the bind pose. */
static double spread_of(const m5_skin *skin, const m5_matrix *bind, uint32_t vert)
{
    const m5_skin_weight *w = skin->weights + skin->verts[vert].start;
    double most = 0;
    for (uint32_t k = 1; k < skin->verts[vert].count && k < LOOK_AT_MOST; k++)
        most = fmax(most, m5_vec_distance(m5_skin_weight_position(w, bind),
                                          m5_skin_weight_position(w + k, bind)));
    return most;
}

static void check_divergence(m5_lint_file *f, const m5_skin *skin, const m5_matrix *bind,
                             uint32_t mesh, const m5_box *box)
{
    double limit = 0.01 * m5_box_diagonal(box);
    for (uint32_t i = 0; i < skin->num_verts; i++) {
        double apart = spread_of(skin, bind, i);
        if (!(apart > limit))
            continue;
        m5_diag d = at_vert(f, M5_LINT_ROW(md5mesh_weight_bind_divergence), mesh, i);
        m5_emit(&f->report, &d, 0,
                "vertex %u: its weights place it at positions up to %.4g units apart in the bind "
                "pose",
                i, apart);
    }
}

static bool are_weights_zero(const m5_skin *skin)
{
    static const float zero[3];
    for (uint32_t i = 0; i < skin->num_weights; i++)
        if (!m5_check_are_equal(skin->weights[i].pos, zero, 3))
            return false;
    return true;
}

/* Whether there are more than twice as many vertices as joints that they are weighted to. Cloth may
 * have one joint for each vertex, and its seams have some vertices twice. */
static bool is_crowded(m5_lint_file *f, const m5_skin *skin)
{
    size_t mark = f->arena.used;
    uint32_t *bone = m5_check_scratch(f, skin->num_weights, sizeof *bone), bones = 0;
    for (uint32_t i = 0; i < skin->num_weights && bone != NULL; i++)
        bone[i] = skin->weights[i].bone;
    if (bone != NULL)
        m5_sort(bone, skin->num_weights, m5_is_less, NULL);
    for (uint32_t i = 0; i < skin->num_weights && bone != NULL; i++)
        bones += i == 0 || bone[i] != bone[i - 1];
    m5_arena_release(&f->arena, mark);
    return 2 * (uint64_t)bones < skin->num_verts;
}

/* Whether two vertices have weights on other joints. Then an animation may move them apart. */
static bool hang_apart(const m5_skin *skin)
{
    const m5_skin_vertex *a = &skin->verts[0];
    for (uint32_t i = 1; i < skin->num_verts; i++) {
        const m5_skin_vertex *v = &skin->verts[i];
        bool same = v->count == a->count;
        for (uint32_t k = 0; same && k < v->count && k < LOOK_AT_MOST; k++)
            same = skin->weights[v->start + k].bone == skin->weights[a->start + k].bone;
        if (!same)
            return true;
    }
    return false;
}

/* Reports a mesh of which nothing can be seen; returns whether it has no shape in the bind pose. A
 * single triangle may mark a place. A muzzle flash may be closed in the bind pose, with each corner
 * on a joint of its own. */
static bool check_collapsed(m5_lint_file *f, const m5_skin *skin, uint32_t mesh, const m5_box *box)
{
    enum { MARK = 3 };
    bool at_point = m5_box_diagonal(box) == 0;
    bool at_joints = !at_point && are_weights_zero(skin) && is_crowded(f, skin);
    if (skin->num_verts <= MARK || (!at_joints && !at_point))
        return false;
    m5_diag d = at_vert(f, M5_LINT_ROW(md5mesh_collapsed), mesh, 0);
    if (at_joints)
        m5_emit(
            &f->report, &d, 0,
            "mesh %u: the positions of all weights (%u) are ( 0 0 0 ), which puts each vertex at "
            "its joints",
            mesh, skin->num_weights);
    else if (!hang_apart(skin))
        m5_emit(&f->report, &d, 0, "mesh %u: all %u vertices are at the same position", mesh,
                skin->num_verts);
    return true;
}

bool m5_check_md5mesh_bind(m5_lint_file *f, uint32_t mesh, const m5_skin *skin,
                           const m5_matrix *bind, const m5_vec *pos)
{
    m5_box box = m5_box_empty();
    for (uint32_t i = 0; i < skin->num_verts; i++)
        m5_box_add(&box, pos[i]);
    if (m5_check_wanted(f, M5_LINT_ROW(md5mesh_weight_bind_divergence)))
        check_divergence(f, skin, bind, mesh, &box);
    if (check_collapsed(f, skin, mesh, &box))
        return false;
    m5_check_md5mesh_outliers(f, mesh, pos);
    return true;
}
