/* Reports vertices that are far away from all others, in any format. */
#include "lint/geometry/outliers.h"
#include "checks.h"
#include "parts.h"
#include "lint/core/check.h"
#include "parsers/core/emit.h"
#include "parsers/play/algebra.h"

#include "parsers/ill/words.h"

enum { NAME_SHOWN = 160 };

/* Whether a position is large enough to be the cause of the distance. */
static bool is_large(const float pos[3], double distance)
{
    return m5_vec_length(m5_vec_of(pos)) > distance / 2;
}

/* If this is reported as a warning or more, bounding boxes are not checked: the vertex is wrong,
 * not the boxes. */
static void say(m5_lint_file *f, m5_diag *d, const m5_outliers *far, const char *joint)
{
    char more[48] = "";
    if (far->count > 1)
        m5_check_print(more, sizeof more, " (first of %u)", far->count);
    m5_emit(&f->report, d, 0,
            "vertex %u is %.3g times farther from the model's centre than the median vertex%s%s",
            far->first, far->times, more, joint);
    f->far |= m5_would_say(&f->report, d->rule, 0) >= M5_WARNING;
}

/* The joint that all outliers hang on, if there are several; else M5_NO_INDEX. */
static uint32_t common_joint(const m5_md5mesh_mesh *m, const m5_vec *pos, const m5_outliers *far)
{
    uint32_t joint = m5_check_joint_of(m, far->first);
    for (uint32_t i = far->first; i < m->num_verts && far->count > 1; i++)
        if (m5_vec_distance(pos[i], far->middle) > far->limit && m5_check_joint_of(m, i) != joint)
            return M5_NO_INDEX;
    return far->count > 1 ? joint : M5_NO_INDEX;
}

void m5_check_md5mesh_outliers(m5_lint_file *f, uint32_t mesh, const m5_vec *pos)
{
    enum { VERT_LAST = 7, WEIGHT_LAST = 8 };
    const m5_rule *rule = M5_LINT_ROW(md5mesh_vert_far);
    const m5_md5mesh_mesh *m = &f->model.md5mesh->meshes[mesh];
    m5_outliers far = m5_outliers_find(pos, m->num_verts, true);
    if (far.count == 0)
        return;
    const m5_md5mesh_vert *v = &m->verts[far.first];
    m5_diag d = m5_check_at_record(f, rule, v->offset, VERT_LAST);
    d.path = m5_path2("mesh", mesh, "vert", far.first);
    for (uint32_t i = v->start; i < v->start + v->count; i++)
        if (is_large(m->weights[i].pos, far.distance)) {
            d = m5_check_at_record(f, rule, m->weights[i].offset, WEIGHT_LAST);
            d.path = m5_path2("mesh", mesh, "weight", i);
            break;
        }
    char more[NAME_SHOWN] = "";
    uint32_t joint = common_joint(m, pos, &far);
    if (joint != M5_NO_INDEX) {
        m5_name name = f->model.md5mesh->joints[joint].name;
        m5_check_print(more, sizeof more, ", all on joint %u '%.*s'", joint,
                       M5_CHECK_NAME(f, name));
        m5_relate(&d, &f->source, name, "the joint of these vertices");
    }
    say(f, &d, &far, more);
}

m5_outliers m5_check_illmesh_outliers(m5_lint_file *f, const m5_vec *pos)
{
    const m5_illmesh *m = f->model.illmesh;
    m5_outliers far = m5_outliers_find(pos, m->num_verts, false), none = {.count = 0};
    if (far.count == 0 || !m5_check_wanted(f, M5_LINT_ROW(illmesh_vert_far)))
        return none;
    m5_diag d = m5_found(
        M5_LINT_ROW(illmesh_vert_far),
        m5_words_nth(&f->source, m->vert_offsets[far.first], (uint32_t)m->at[M5_ILL_POSITION]));
    d.path = m5_path2("vertex", far.first, "position", M5_NO_INDEX);
    say(f, &d, &far, "");
    return far;
}

void m5_check_md4_outliers(m5_lint_file *f, const m5_md4_body *body)
{
    enum { WEIGHT_POS = 8, POS = 12 };
    const m5_md4 *m = f->model.md4;
    m5_outliers far = m5_outliers_find(body->pos, body->surface->num_verts, true);
    if (far.count == 0)
        return;
    uint32_t at = body->surface->verts[far.first];
    m5_diag d = m5_found(M5_LINT_ROW(md4_vertex_far), (m5_span){at, M5_MD4_VERTEX});
    for (uint32_t k = 0; k < m5_md4_vertex_at(m, body->surface, far.first).num_weights; k++) {
        m5_md4_weight weight = m5_md4_weight_at(m, body->surface, far.first, k);
        if (is_large(weight.pos, far.distance)) {
            d.at = (m5_span){at + M5_MD4_VERTEX + M5_MD4_WEIGHT * k + WEIGHT_POS, POS};
            break;
        }
    }
    d.path = m5_path2("surface", body->index, "vertex", far.first);
    say(f, &d, &far, "");
}
