/* Finds an MD4 whose weights disagree. Each weight gives its vertex a position in the space of its
 * bone, and in any pose all weights of a vertex should place it at nearly the same position. A pose
 * far from the bind pose tears sound vertices, too. So the model counts as torn only if it would be
 * whole with matrices or offsets read in another way that exporters are known to use by mistake. */
#include "checks.h"
#include "lint/common/checks.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/play/algebra.h"
#include "parsers/play/pose.h"

/* How to read the matrices. NOT_NEEDED: the offsets are positions in model space, and the matrices
 * are not used. */
typedef enum meaning { WRITTEN, TRANSPOSED, IN_PARENT, INVERTED, NOT_NEEDED } meaning;

/* A reading to try if half of the vertices are torn by at least `limit`, a share of the model's
 * size. */
typedef struct reading {
    meaning meaning;
    double limit;
    bool of_own; /* also tried against the vertices' own positions */
    const char *says;
} reading;

#define LITTLE 0.03

static const reading READINGS[] = {
    {TRANSPOSED, LITTLE, true, "the matrices seem to be transposed"},
    {IN_PARENT, LITTLE, true, "the matrices seem to be in parent space"},
    {INVERTED, LITTLE, true, "the matrices seem to be inverted"},
    /* more: a model may be bound with all bones at the origin and be far from that in frame 0 */
    {NOT_NEEDED, 0.1, false, "the offsets seem to be in model space"},
};
enum { COUNT = sizeof READINGS / sizeof READINGS[0] };

/* How far vertices are torn apart: the sum, and how many by more than a limit. */
typedef struct tear {
    uint32_t seen, torn;
    uint32_t surf, vert; /* the first torn vertex */
    double sum;
} tear;

typedef struct model {
    m5_lint_file *f;
    const m5_md4 *m;
    m5_matrix *bones, *read; /* as written in frame 0; as understood by a reading */
    bool by_own; /* compare with the vertices' own positions, as too few have several weights */
} model;

static m5_matrix transposed(const m5_matrix *m)
{
    m5_matrix out = *m;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            out.row[i][k] = m->row[k][i];
    return out;
}

static m5_matrix in_parent(const model *p, uint32_t bone)
{
    int32_t parent = m5_md4_bone_at(p->m, bone).parent;
    bool is_root = parent < 0 || parent >= (int64_t)bone;
    return is_root ? p->bones[bone] : m5_matrix_times(&p->read[parent], &p->bones[bone]);
}

static m5_matrix read_as(const model *p, uint32_t bone, meaning as)
{
    m5_matrix out = p->bones[bone];
    if (as == TRANSPOSED)
        return transposed(&out);
    if (as == IN_PARENT)
        return in_parent(p, bone);
    if (as == INVERTED)
        (void)m5_matrix_inverse(&p->bones[bone], &out); /* if it fails, `out` stays as it is */
    if (as == NOT_NEEDED)
        return (m5_matrix){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    return out;
}

/* The distance between the positions that its weights give a vertex, or between them and its own
 * position; less than 0 if it cannot be judged. */
static double spread_of(const model *p, const m5_md4_surface *s, uint32_t vert)
{
    static const float least_weight = 0.05F;
    m5_md4_vertex v = m5_md4_vertex_at(p->m, s, vert);
    uint32_t used = p->by_own ? 1 : 0;
    m5_vec first = m5_vec_of(v.pos);
    double most = 0;
    for (uint32_t k = 0; k < v.num_weights; k++) {
        m5_md4_weight w = m5_md4_weight_at(p->m, s, vert, k);
        if (!(w.weight >= least_weight))
            continue;
        m5_vec at = m5_matrix_apply(&p->read[w.bone], m5_vec_of(w.pos));
        first = used++ == 0 ? at : first;
        double off = m5_vec_distance(first, at);
        most = off > most ? off : most;
    }
    return used < 2 || (p->by_own && m5_vec_length(first) == 0) ? -1 : most;
}

static void add_surface(const model *p, uint32_t surf, uint32_t step, double limit, tear *t)
{
    const m5_md4_surface *s = &p->m->surfs[surf];
    for (uint32_t i = 0; i < s->num_verts; i += step) {
        double apart = spread_of(p, s, i);
        if (!(apart >= 0))
            continue;
        t->seen++;
        t->sum += apart;
        if (!(apart > limit) || t->torn++ != 0)
            continue;
        t->surf = surf;
        t->vert = i;
    }
}

/* Measures the tear by one reading, on a few hundred vertices. */
static tear look(const model *p, meaning as, double limit)
{
    enum { ENOUGH = 256 };
    uint64_t verts = 0;
    tear t = {0};
    for (uint32_t i = 0; i < p->m->num_bones; i++)
        p->read[i] = read_as(p, i, as);
    for (uint32_t i = 0; i < p->m->num_surfs; i++)
        verts += p->m->surfs[i].num_verts;
    for (uint32_t i = 0; i < p->m->num_surfs; i++)
        add_surface(p, i, (uint32_t)(verts / ENOUGH) + 1, limit, &t);
    return t;
}

static void say(const model *p, const tear *t, const char *says)
{
    const m5_md4_surface *s = &p->m->surfs[t->surf];
    m5_md4_vertex v = m5_md4_vertex_at(p->m, s, t->vert);
    m5_diag d = m5_found(M5_LINT_ROW(md4_weights_torn),
                         (m5_span){v.offset, M5_MD4_VERTEX + v.num_weights * M5_MD4_WEIGHT});
    d.path = m5_path2("surface", t->surf, "vertex", t->vert);
    uint32_t bone = m5_md4_weight_at(p->m, s, t->vert, 0).bone;
    float matrix[3][4];
    m5_relate(&d, &p->f->source, (m5_span){m5_md4_matrix_at(p->m, 0, bone, matrix), M5_MD4_MATRIX},
              "the matrix of its first bone");
    m5_emit(&p->f->report, &d, 0,
            p->by_own ? "in frame 0, this vertex and most others are far from their own "
                        "positions: %s"
                      : "in frame 0, the weights of this vertex place it at positions far apart, "
                        "and so it is for most vertices: %s",
            says);
}

static bool are_torn(const tear *t)
{
    enum { FEW = 8 };
    return t->torn >= FEW && 2 * (uint64_t)t->torn >= t->seen;
}

/* Whether half of the vertices are torn, but almost whole by another reading. */
static bool check_readings(const model *p, double size)
{
    static const double whole = 0.2;
    tear little = look(p, WRITTEN, LITTLE * size);
    for (int i = 0; are_torn(&little) && i < COUNT; i++) {
        tear as_is = look(p, WRITTEN, READINGS[i].limit * size);
        if (!are_torn(&as_is) || (p->by_own && !READINGS[i].of_own) ||
            look(p, READINGS[i].meaning, 0).sum > whole * as_is.sum)
            continue;
        say(p, &as_is, READINGS[i].says);
        return true;
    }
    return false;
}

bool m5_check_md4_torn(m5_lint_file *f, double size)
{
    const m5_md4 *m = f->model.md4;
    size_t mark = f->arena.used;
    model p = {f, m, m5_check_scratch(f, m->num_bones, sizeof *p.bones),
               m5_check_scratch(f, m->num_bones, sizeof *p.read), false};
    bool torn = false;
    if (size > 0 && !m5_check_is_odd_frame(f, 0) && p.bones != NULL && p.read != NULL) {
        for (uint32_t i = 0; i < m->num_bones; i++)
            p.bones[i] = m5_md4_matrix(m, 0, i);
        torn = check_readings(&p, size);
        p.by_own = !torn;
        torn = torn || check_readings(&p, size);
    }
    m5_arena_release(&f->arena, mark);
    return torn && m5_would_say(&f->report, M5_LINT_ROW(md4_weights_torn), 0) >= M5_WARNING;
}
