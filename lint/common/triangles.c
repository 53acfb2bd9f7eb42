/* Checks the shape that triangles and vertices make in space, in any format. */
#include "bind_shape.h"
#include "checks.h"
#include "far_joint.h"
#include "misfit.h"
#include "misplaced.h"
#include "parts.h"
#include "torn.h"
#include "lint/core/check.h"
#include "lint/core/materials.h"
#include "lint/geometry/compare.h"
#include "lint/geometry/facing.h"
#include "lint/geometry/frame_boxes.h"
#include "lint/geometry/topology.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/play/pose.h"
#include "parsers/play/skin.h"
#include "parsers/play/skin_weight.h"

#include "parsers/ill/words.h"

#include <math.h>
#include <string.h>

enum { KINDS = M5_TOPOLOGY_NO_NORMAL + 1 };

/* How a format shows the parts of one of its meshes. */
typedef struct shape_format {
    const m5_rule *rules[KINDS]; /* by m5_topology_kind; NULL if the format has no rule for it */
    m5_diag (*tri)(const m5_lint_file *f, const m5_rule *rule, uint32_t mesh, uint32_t tri);
    m5_diag (*vert)(const m5_lint_file *f, const m5_rule *rule, uint32_t mesh, uint32_t vert);
} shape_format;

typedef struct report {
    m5_lint_file *f;
    const shape_format *format;
    uint32_t mesh;
    bool unseen;  /* its material is never drawn */
    bool flipped; /* whether triangles with the opposite winding were reported */
} report;

/* How bad it is that triangles have the opposite winding. */
static double flip_measure(const report *r, const m5_topology_fact *fact)
{
    return fact->surrounded && !r->unseen ? M5_GRAVE : M5_MILD;
}

static void say(const report *r, m5_diag *d, const m5_topology_fact *fact)
{
    m5_report *to = &r->f->report;
    uint32_t first = fact->first, count = fact->count;
    switch (fact->kind) {
    case M5_TOPOLOGY_ZERO_AREA:
        m5_emit(to, d, 0, "triangle %u has no area: its corners are on one line or at one point",
                first);
        break;
    case M5_TOPOLOGY_FLIPPED:
        if (count == 1)
            m5_emit(to, d, flip_measure(r, fact),
                    "triangle %u has the opposite winding to its neighbours", first);
        else
            m5_emit(to, d, flip_measure(r, fact),
                    "%u triangles have the opposite winding to their neighbours; the first is "
                    "triangle %u",
                    count, first);
        break;
    case M5_TOPOLOGY_CROWDED:
        m5_emit(
            to, d, 0,
            "more than two triangles share the edge between vertices %u and %u (%u such edge%s)",
            fact->edge[0], fact->edge[1], count, count == 1 ? "" : "s");
        break;
    case M5_TOPOLOGY_OPEN:
        m5_emit(to, d, 0,
                "open edge between vertices %u and %u: only one triangle uses it (%u open edge%s)",
                fact->edge[0], fact->edge[1], count, count == 1 ? "" : "s");
        break;
    case M5_TOPOLOGY_NO_NORMAL:
        m5_emit(
            to, d, 0,
            "vertex %u has no normal: the normals of its triangles are 0 or cancel out (%u such %s)",
            first, count, count == 1 ? "vertex" : "vertices");
        break;
    }
}

static void take(void *user, const m5_topology_fact *fact)
{
    report *r = user;
    const m5_rule *rule = r->format->rules[fact->kind];
    if (rule == NULL)
        return;
    bool vert = fact->kind == M5_TOPOLOGY_NO_NORMAL;
    m5_diag d = (vert ? r->format->vert : r->format->tri)(r->f, rule, r->mesh, fact->first);
    say(r, &d, fact);
    r->flipped |= fact->kind == M5_TOPOLOGY_FLIPPED &&
                  m5_would_say(&r->f->report, rule, flip_measure(r, fact)) != M5_SILENT;
}

/* Returns whether it reported triangles with the opposite winding. */
static bool check(m5_lint_file *f, const shape_format *format, uint32_t mesh, m5_topology shape)
{
    const m5_md5mesh *md5 = f->model.md5mesh;
    bool unseen = md5 != NULL && m5_check_is_unseen(&f->source, md5->meshes[mesh].shader);
    report r = {f, format, mesh, unseen, false};
    for (unsigned kind = 0; kind < KINDS; kind++)
        if (format->rules[kind] == NULL || !m5_check_wanted(f, format->rules[kind]))
            shape.unwanted |= 1U << kind;
    m5_topology_find(&shape, &f->arena, take, &r);
    return r.flipped;
}

/* ---- md5mesh --------------------------------------------------------------------------------- */

enum { TRI_LAST = 4, VERT_LAST = 7 };

static m5_diag md5_tri(const m5_lint_file *f, const m5_rule *rule, uint32_t mesh, uint32_t tri)
{
    m5_diag d = m5_check_at_record(f, rule, f->model.md5mesh->meshes[mesh].tris[tri].offset,
                                   TRI_LAST);
    d.path = m5_path2("mesh", mesh, "tri", tri);
    return d;
}

static m5_diag md5_vert(const m5_lint_file *f, const m5_rule *rule, uint32_t mesh, uint32_t vert)
{
    m5_diag d = m5_check_at_record(f, rule, f->model.md5mesh->meshes[mesh].verts[vert].offset,
                                   VERT_LAST);
    d.path = m5_path2("mesh", mesh, "vert", vert);
    return d;
}

/* A triangle that could not be read is given three corners in one place, so that nothing is found
 * about it. */
static m5_topology md5_shape(m5_lint_file *f, uint32_t mesh, const m5_vec *pos)
{
    const m5_md5mesh_mesh *m = &f->model.md5mesh->meshes[mesh];
    uint32_t count = m->num_verts != 0 ? m->num_tris : 0;
    uint32_t(*tris)[3] = m5_check_scratch(f, count, sizeof *tris);
    for (uint32_t i = 0; i < count && tris != NULL; i++)
        if (m->whole || m->tris[i].vert[0] != M5_BROKEN)
            memcpy(tris[i], m->tris[i].vert, sizeof *tris);
        else
            memset(tris[i], 0, sizeof *tris);
    return (m5_topology){
        m->num_verts, count, pos, (const uint32_t(*)[3])tris, 0, m5_settings_of(&f->report)->plain};
}

/* Puts vertices with wrong biases, which are reported, where their first weight places them: in a
 * sound bind pose, all weights of a vertex agree. */
static void settle(const m5_skin *skin, const m5_matrix *bind, m5_vec *pos)
{
    for (uint32_t i = 0; i < skin->num_verts; i++)
        if (skin->verts[i].count != 0 && !m5_skin_biases_hold(skin, i))
            pos[i] = m5_skin_weight_position(&skin->weights[skin->verts[i].start], bind);
}

/* Adds this mesh to `parts`, the boxes of the meshes before; returns whether it could. Sets `odd`
 * if the mesh may face inwards. A torn mesh has no shape. */
static bool check_md5_shape(m5_lint_file *f, const m5_matrix *bind, uint32_t mesh, m5_box *parts,
                            uint8_t *odd, bool torn)
{
    static const shape_format md5 = {
        {M5_LINT_ROW(md5mesh_tri_zero_area), M5_LINT_ROW(md5mesh_tri_winding),
         M5_LINT_ROW(md5mesh_tri_nonmanifold), M5_LINT_ROW(md5mesh_tri_open_edge),
         M5_LINT_ROW(md5mesh_vert_normal)},
        md5_tri,
        md5_vert};
    const m5_md5mesh_mesh *m = &f->model.md5mesh->meshes[mesh];
    m5_vec *pos = m5_check_scratch(f, m->num_verts, sizeof *pos);
    size_t mark = f->arena.used;
    m5_skin skin;
    if (pos == NULL || !m5_skin_md5mesh(&f->arena, f->model.md5mesh, mesh, 1, &skin) ||
        !m5_skin_positions(&skin, bind, &f->arena, pos))
        return false;
    settle(&skin, bind, pos);
    bool has_shape = !torn && m5_check_md5mesh_bind(f, mesh, &skin, bind, pos);
    bool added = m5_check_add_parts(f, mesh, &skin, parts);
    m5_arena_release(&f->arena, mark);
    m5_topology shape = md5_shape(f, mesh, pos);
    if (shape.tris == NULL)
        return false;
    if (!has_shape)
        return added;
    if (!m->whole) /* there is a hole where a triangle could not be read */
        shape.unwanted |= 1U << M5_TOPOLOGY_OPEN | 1U << M5_TOPOLOGY_NO_NORMAL;
    check(f, &md5, mesh, shape);
    *odd = m->whole && m5_facing_is_odd(&shape);
    return added;
}

/* ---- Inside and outside ---------------------------------------------------------------------- */

static m5_facing volume_of(m5_lint_file *f, const m5_matrix *bind, uint32_t mesh)
{
    size_t mark = f->arena.used;
    m5_vec *pos = m5_check_scratch(f, f->model.md5mesh->meshes[mesh].num_verts, sizeof *pos);
    size_t inner = f->arena.used;
    m5_facing v = {.side = M5_SIDE_UNKNOWN};
    m5_skin skin;
    if (pos != NULL && m5_skin_md5mesh(&f->arena, f->model.md5mesh, mesh, 1, &skin) &&
        m5_skin_positions(&skin, bind, &f->arena, pos)) {
        settle(&skin, bind, pos);
        m5_arena_release(&f->arena, inner);
        m5_topology shape = md5_shape(f, mesh, pos);
        v = shape.tris != NULL ? m5_facing_find(&shape, &f->arena) : v;
    }
    m5_arena_release(&f->arena, mark);
    return v;
}

/* The boxes of meshes that face outwards, or of the first 64 of them. */
enum { MOST_OUTSIDES = 64 };
typedef struct outsides {
    m5_box box[MOST_OUTSIDES];
    uint32_t count;
} outsides;

static void find_outsides(m5_lint_file *f, const m5_matrix *bind, const uint8_t *odd, outsides *out)
{
    const m5_md5mesh *m = f->model.md5mesh;
    for (uint32_t i = 0; i < m->num_meshes && out->count < MOST_OUTSIDES; i++) {
        if (!m->meshes[i].whole || odd[i])
            continue;
        m5_facing v = volume_of(f, bind, i);
        if (v.side == M5_SIDE_OUTWARDS)
            out->box[out->count++] = v.box;
    }
}

/* Whether two boxes are nearly the same. */
static bool are_twins(const m5_box *a, const m5_box *b)
{
    static const double alike = 0.8;
    double size = m5_box_diagonal(a), other = m5_box_diagonal(b);
    return size >= alike * other && other >= alike * size && m5_box_is_mostly_in(a, b);
}

/* Whether a mesh elsewhere faces outwards, while the mesh in the box `inside` faces inwards. An
 * outline, a lining or a sky is intended to face inwards: it is around other meshes or closely
 * inside one, and if several parts have outlines, each part has its own. If no mesh faces outwards,
 * the whole model may be intended to face inwards. */
static bool has_outside(const outsides *out, const m5_box *inside)
{
    bool outside = false;
    for (uint32_t i = 0; i < out->count; i++) {
        if (are_twins(&out->box[i], inside))
            return false;
        outside |= !m5_box_is_mostly_in(&out->box[i], inside);
    }
    return outside;
}

static void check_sides(m5_lint_file *f, const m5_matrix *bind, const uint8_t *odd)
{
    outsides out = {.count = 0};
    bool looked = false;
    for (uint32_t i = 0; i < f->model.md5mesh->num_meshes; i++) {
        m5_facing v = {.side = M5_SIDE_UNKNOWN};
        if (odd[i])
            v = volume_of(f, bind, i);
        if (v.side != M5_SIDE_INWARDS)
            continue;
        if (!looked)
            find_outsides(f, bind, odd, &out);
        looked = true;
        bool outside = has_outside(&out, &v.box);
        m5_diag d = md5_tri(f, M5_LINT_ROW(md5mesh_inside_out), i, v.first);
        m5_emit(&f->report, &d, outside ? M5_GRAVE : M5_MILD,
                "mesh %u is inside out: %u triangles face inwards, the first is triangle %u%s", i,
                v.count, v.first, outside ? "; another mesh faces outwards" : "");
    }
}

/* The joints' matrices in the bind pose; NULL if the bind pose is not completely known. */
static m5_matrix *bind_matrices(m5_lint_file *f)
{
    const m5_md5mesh *m = f->model.md5mesh;
    m5_matrix *out = m5_check_scratch(f, m->num_joints, sizeof *out);
    for (uint32_t i = 0; i < m->num_joints && out != NULL; i++) {
        if (isnan(m->bind[i].pos[0]))
            return NULL;
        m5_transform at = m5_md5_transform(&m->bind[i]);
        out[i] = m5_matrix_of(&at);
    }
    return out;
}

/* Whether the weights can say anything about the joints. Then a hostile file cannot have so many
 * joints that there is no memory to look at each. */
static bool has_enough_weights(const m5_md5mesh *m)
{
    enum { FEW = 256 };
    uint64_t weights = FEW;
    for (uint32_t i = 0; i < m->num_meshes; i++)
        weights += m->meshes[i].num_weights;
    return m->num_joints <= weights;
}

/* Which checks of meshes are left out. */
static void note_skipped(m5_lint_file *f, bool bound)
{
    const m5_md5mesh *m = f->model.md5mesh;
    for (uint32_t i = 0; i < m->num_meshes; i++)
        if (!bound || !m->meshes[i].skin_whole)
            m5_check_skip(f, M5_SKIPPED_PLACES);
        else if (!m->meshes[i].whole)
            m5_check_skip(f, M5_SKIPPED_EDGES);
}

/* Reports joints that are not where they should be, and keeps in f->misplaced which these are. */
static void find_misplaced(m5_lint_file *f, const m5_matrix *bind, bool enough, m5_misplaced *out)
{
    *out = (m5_misplaced){.suspects = {M5_NO_INDEX, M5_NO_INDEX}};
    if (enough && m5_check_wanted(f, M5_LINT_ROW(md5mesh_joint_misplaced)))
        *out = m5_check_md5mesh_misplaced(f, bind);
    uint32_t far = enough && out->count == 0 ? m5_check_md5mesh_far_joint(f, bind) : M5_NO_INDEX;
    if (far != M5_NO_INDEX)
        out->joints[out->count++] = far;
    f->misplaced = out->count != 0 ? out : NULL;
}

void m5_check_md5mesh_topology(m5_lint_file *f)
{
    const m5_md5mesh *m = f->model.md5mesh;
    bool enough = has_enough_weights(m);
    size_t outer = f->arena.used;
    m5_box *parts = m5_arena_keep(&f->arena, m->num_joints * sizeof *parts);
    uint8_t *odd = m5_check_scratch(f, m->num_meshes, sizeof *odd);
    uint8_t *torn = m5_check_scratch(f, m->num_meshes, sizeof *torn);
    m5_misplaced *by = m5_arena_keep(&f->arena, sizeof *by);
    bool room = parts != NULL && odd != NULL && torn != NULL && by != NULL;
    const m5_matrix *bind = room ? bind_matrices(f) : NULL;
    bool all = bind != NULL;
    note_skipped(f, bind != NULL);
    if (bind != NULL)
        find_misplaced(f, bind, enough, by);
    bool apart = bind != NULL && m5_check_md5mesh_torn(f, bind, by, torn);
    for (uint32_t i = 0; i < m->num_joints && bind != NULL; i++)
        parts[i] = m5_box_empty();
    for (uint32_t i = 0; i < m->num_meshes && bind != NULL; i++) {
        size_t mark = f->arena.used;
        odd[i] = 0;
        all &= m->meshes[i].skin_whole && check_md5_shape(f, bind, i, parts, &odd[i], torn[i]);
        m5_arena_release(&f->arena, mark);
    }
    if (bind != NULL && enough && !apart && !f->far && f->misplaced == NULL)
        m5_check_md5mesh_misfit(f, bind);
    if (bind != NULL && m5_check_wanted(f, M5_LINT_ROW(md5mesh_inside_out)))
        check_sides(f, bind, odd);
    f->parts = all ? parts : NULL;
    m5_arena_release(&f->arena, outer);
}

/* ---- illmesh --------------------------------------------------------------------------------- */

static m5_diag ill_tri(const m5_lint_file *f, const m5_rule *rule, uint32_t mesh, uint32_t tri)
{
    (void)mesh;
    uint32_t at = f->model.illmesh->triangle_offsets[tri];
    m5_span last = m5_words_nth(&f->source, at, 2);
    m5_diag d = m5_found(rule, (m5_span){at, last.offset + last.length - at});
    d.path = m5_path1("triangle", tri);
    return d;
}

void m5_check_illmesh_topology(m5_lint_file *f)
{
    static const shape_format ill = {
        {M5_LINT_ROW(illmesh_tri_zero_area), M5_LINT_ROW(illmesh_tri_winding),
         M5_LINT_ROW(illmesh_tri_nonmanifold), M5_LINT_ROW(illmesh_tri_open_edge), NULL},
        ill_tri,
        NULL};
    const m5_illmesh *m = f->model.illmesh;
    size_t mark = f->arena.used;
    m5_vec *pos = m->at[M5_ILL_POSITION] >= 0 ? m5_check_scratch(f, m->num_verts, sizeof *pos)
                                              : NULL;
    if (pos != NULL) {
        for (uint32_t i = 0; i < m->num_verts; i++)
            pos[i] = m5_vec_of(m->verts + (size_t)i * m->stride + m->at[M5_ILL_POSITION]);
        m5_topology shape = {m->num_verts,
                             m->num_indices / 3,
                             pos,
                             (const uint32_t(*)[3])m->indices,
                             0,
                             m5_settings_of(&f->report)->plain};
        m5_outliers far = m5_check_illmesh_outliers(f, pos);
        if (!check(f, &ill, 0, shape))
            m5_check_illmesh_normals(f, pos, &far);
    }
    m5_arena_release(&f->arena, mark);
}

/* ---- MD4 ------------------------------------------------------------------------------------- */

static m5_diag md4_tri(const m5_lint_file *f, const m5_rule *rule, uint32_t surf, uint32_t tri)
{
    uint32_t at = f->model.md4->surfs[surf].tris_at + tri * M5_MD4_TRIANGLE;
    m5_diag d = m5_found(rule, (m5_span){at, M5_MD4_TRIANGLE});
    d.path = m5_path2("surface", surf, "triangle", tri);
    return d;
}

void m5_check_md4_topology(m5_lint_file *f, const m5_md4_body *body)
{
    static const shape_format md4 = {{M5_LINT_ROW(md4_tri_zero_area), M5_LINT_ROW(md4_tri_winding),
                                      M5_LINT_ROW(md4_tri_nonmanifold),
                                      M5_LINT_ROW(md4_tri_open_edge), NULL},
                                     md4_tri,
                                     NULL};
    const m5_md4_surface *s = body->surface;
    check(f, &md4, body->index,
          (m5_topology){s->num_verts, s->num_tris, body->pos, body->tris, 0,
                        m5_settings_of(&f->report)->plain});
}
