/* Reports a model whose vertices were scaled or rotated without the joints that move them, such as
 * by a transform of the object that the exporter used for one of the two. The weights of a vertex
 * then still agree with each other; what shows it is that joints are far from what they move. */
#include "misfit.h"
#include "lint/core/check.h"
#include "lint/geometry/compare.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"

enum { TEXT_MAX = 96 };

const m5_rule *m5_check_misfit_rule(const m5_misfit *m, const m5_rule *size, const m5_rule *turned)
{
    return m->scale == 1 ? turned : size;
}

/* Prints `scaled by 100 and rotated by 90 degrees about x`. */
static void print_change(const m5_misfit *m, char out[TEXT_MAX])
{
    char turn[TEXT_MAX] = "";
    if (m->degrees != 0)
        m5_check_print(turn, sizeof turn, "rotated by %d degrees about %c", m->degrees,
                       "xyz"[m->axis]);
    if (m->scale == 1)
        m5_check_print(out, TEXT_MAX, "%s", turn);
    else
        m5_check_print(out, TEXT_MAX, "scaled by %.4g%s%s", m->scale, turn[0] ? " and " : "", turn);
}

void m5_check_say_misfit(m5_lint_file *f, m5_diag *d, const m5_misfit *m, uint32_t count,
                         const char *joint)
{
    char change[TEXT_MAX];
    print_change(m, change);
    if (m->scale == 0)
        m5_emit(&f->report, d, 0,
                "the mesh is %.3g times as large as the box around the %u %ss that move it, "
                "expected %.7g to %.7g times; %u %ss are far from the vertices weighted to them",
                m->ratio, count, joint, M5_MISFIT_SMALLER, M5_MISFIT_LARGER, m->outside, joint);
    else
        m5_emit(&f->report, d, 0,
                "the vertices seem to be %s, but the %ss are not: %u of %u %ss are far from the "
                "vertices weighted to them; without that, %u would be",
                change, joint, m->outside, count, joint, m->mended);
    f->misfit = m5_would_say(&f->report, d->rule, 0) >= M5_WARNING;
}

/* ---- md5mesh --------------------------------------------------------------------------------- */

/* Where a part's first weight is. */
typedef struct place {
    uint32_t joint, mesh, weight;
} place;

typedef struct body {
    m5_lint_file *f;
    const m5_matrix *bind;
    m5_moved_part *parts; /* first one for each joint, then only those with vertices */
    place *places;
} body;

static bool is_empty(const m5_box *box)
{
    return !(box->min[0] <= box->max[0]);
}

/* A vertex belongs to the joint that has at least half of it. */
static void add_mesh(const body *b, uint32_t mesh)
{
    const m5_md5mesh_mesh *m = &b->f->model.md5mesh->meshes[mesh];
    for (uint32_t i = 0; i < m->num_weights; i++) {
        const m5_md5mesh_weight *w = &m->weights[i];
        if (!(w->bias >= 0.5F))
            continue;
        m5_moved_part *part = &b->parts[w->joint];
        if (is_empty(&part->box))
            b->places[w->joint] = (place){w->joint, mesh, i};
        m5_box_add(&part->box, m5_matrix_apply(&b->bind[w->joint], m5_vec_of(w->pos)));
    }
}

static uint32_t find_parts(const body *b)
{
    const m5_md5mesh *m = b->f->model.md5mesh;
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->num_joints; i++)
        b->parts[i] = (m5_moved_part){m5_matrix_translation(&b->bind[i]), m5_box_empty()};
    for (uint32_t i = 0; i < m->num_meshes; i++)
        if (m->meshes[i].skin_whole)
            add_mesh(b, i);
    for (uint32_t i = 0; i < m->num_joints; i++) {
        if (is_empty(&b->parts[i].box))
            continue;
        b->parts[count] = b->parts[i];
        b->places[count++] = b->places[i];
    }
    return count;
}

void m5_check_md5mesh_misfit(m5_lint_file *f, const m5_matrix *bind)
{
    enum { WEIGHT_LAST = 8 };
    const m5_md5mesh *m = f->model.md5mesh;
    size_t mark = f->arena.used;
    body b = {f, bind, m5_check_scratch(f, m->num_joints, sizeof *b.parts),
              m5_check_scratch(f, m->num_joints, sizeof *b.places)};
    if (b.parts != NULL && b.places != NULL) {
        uint32_t count = find_parts(&b);
        m5_misfit found = m5_misfit_find(b.parts, count);
        if (found.found) {
            place at = b.places[found.worst];
            m5_diag d = m5_check_at_record(
                f,
                m5_check_misfit_rule(&found, M5_LINT_ROW(md5mesh_mesh_size),
                                     M5_LINT_ROW(md5mesh_mesh_turned)),
                m->meshes[at.mesh].weights[at.weight].offset, WEIGHT_LAST);
            d.path = m5_path2("mesh", at.mesh, "weight", at.weight);
            m5_relate(&d, &f->source, m->joints[at.joint].name, "its joint");
            f->scaled_by = found.scale != 1 ? found.scale : 0;
            m5_check_say_misfit(f, &d, &found, count, "joint");
        }
    }
    m5_arena_release(&f->arena, mark);
}

/* ---- MD4 ------------------------------------------------------------------------------------- */

/* The first weight on a bone. */
static m5_diag at_weight(const m5_lint_file *f, const m5_rule *rule, uint32_t bone)
{
    enum { WEIGHT_POS = 8, POS = 12 };
    const m5_md4 *m = f->model.md4;
    for (uint32_t i = 0; i < m->num_surfs; i++)
        for (uint32_t v = 0; v < m->surfs[i].num_verts; v++) {
            uint32_t count = m5_md4_vertex_at(m, &m->surfs[i], v).num_weights;
            for (uint32_t k = 0; k < count; k++) {
                if (m5_md4_weight_at(m, &m->surfs[i], v, k).bone != bone)
                    continue;
                uint32_t at = m->surfs[i].verts[v] + M5_MD4_VERTEX + M5_MD4_WEIGHT * k;
                m5_diag d = m5_found(rule, (m5_span){at + WEIGHT_POS, POS});
                d.path = m5_path2("surface", i, "vertex", v);
                return d;
            }
        }
    return m5_found(rule, (m5_span){0, 0});
}

void m5_check_md4_misfit(m5_lint_file *f, const m5_matrix *bones, const m5_box *parts)
{
    const m5_md4 *m = f->model.md4;
    size_t mark = f->arena.used;
    m5_moved_part *moved = m5_check_scratch(f, m->num_bones, sizeof *moved);
    uint32_t *bone = m5_check_scratch(f, m->num_bones, sizeof *bone), count = 0;
    for (uint32_t i = 0; moved != NULL && bone != NULL && i < m->num_bones; i++) {
        if (is_empty(&parts[i]))
            continue;
        moved[count] = (m5_moved_part){m5_matrix_translation(&bones[i]),
                                       m5_box_moved(&parts[i], &bones[i])};
        bone[count++] = i;
    }
    m5_misfit found = m5_misfit_find(moved, count);
    if (found.found) {
        m5_diag d = at_weight(
            f,
            m5_check_misfit_rule(&found, M5_LINT_ROW(md4_mesh_size), M5_LINT_ROW(md4_mesh_turned)),
            bone[found.worst]);
        m5_check_say_misfit(f, &d, &found, count, "bone");
    }
    m5_arena_release(&f->arena, mark);
}
