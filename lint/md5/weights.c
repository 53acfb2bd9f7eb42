/* Weights: each bias by itself, and the biases of each vertex together. Which weights a vertex uses
 * is in weight_use.c. */
#include "weights.h"
#include "checks.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/md5/lex.h"

#include <math.h>

/* Tokens of  weight number joint bias ( x y z )  and  vert number ( s t ) startWeight countWeight
 */
enum { WEIGHT_BIAS = 3, VERT_START = 6, VERT_COUNT = 7 };

typedef struct running_sums {
    double *sum;      /* of the biases before weight i; num_weights + 1 of them */
    uint32_t *broken; /* unreadable weights before weight i */
} running_sums;

static m5_severity level_of(const m5_lint_file *f, double bias)
{
    return m5_would_say(&f->report, M5_LINT_ROW(md5mesh_bias_range), m5_weight_beyond(bias));
}

static m5_weight_range range_of(const m5_lint_file *f, const m5_md5mesh_mesh *m)
{
    m5_weight_range range = {0};
    for (uint32_t i = 0; i < m->num_weights; i++)
        m5_weight_range_add(&range, &f->report, M5_LINT_ROW(md5mesh_bias_range),
                            m->weights[i].bias);
    return range;
}

/* The sum of the first vertex's biases; NaN if it has none, or too many. */
static double first_sum(const m5_md5mesh_mesh *m)
{
    bool any = m->num_verts != 0 && m->verts[0].count <= M5_WEIGHTS_ADDED;
    return any ? m5_weights_sum(m, &m->verts[0]) : NAN;
}

static void say_range(m5_lint_file *f, uint32_t mesh, uint32_t i, const m5_weight_range *range)
{
    const m5_md5mesh_mesh *m = &f->model.md5mesh->meshes[mesh];
    double bias = m->weights[i].bias;
    char more[M5_WEIGHT_RANGE_TEXT] = "";
    if (m5_weight_range_is_one(range))
        m5_weight_range_print(range, first_sum(m), more);
    m5_diag d = m5_check_at(f, M5_LINT_ROW(md5mesh_bias_range), m->weights[i].offset, WEIGHT_BIAS);
    d.path = m5_path2("mesh", mesh, "weight", i);
    m5_emit(&f->report, &d, m5_weight_beyond(bias), "weight %u has bias %.7g, expected 0 to 1%s", i,
            bias, more);
}

static void say_zero(m5_lint_file *f, uint32_t mesh, uint32_t i)
{
    m5_diag d = m5_check_at(f, M5_LINT_ROW(md5mesh_bias_zero),
                            f->model.md5mesh->meshes[mesh].weights[i].offset, WEIGHT_BIAS);
    d.path = m5_path2("mesh", mesh, "weight", i);
    m5_emit(&f->report, &d, 0, "weight %u has bias 0, so it has no effect", i);
}

static void check_biases(m5_lint_file *f, uint32_t mesh)
{
    const m5_md5mesh_mesh *m = &f->model.md5mesh->meshes[mesh];
    m5_weight_range range = {0};
    bool reported = false;
    for (uint32_t i = 0; i < m->num_weights; i++) {
        double bias = m->weights[i].bias;
        if ((bias > 0 && bias <= 1) || isnan(bias))
            continue;
        if (bias == 0)
            say_zero(f, mesh, i);
        m5_severity level = level_of(f, bias);
        if (level == M5_SILENT)
            continue;
        if (range.all == 0)
            range = range_of(f, m);
        if (m5_weight_range_is_one(&range) && (reported || level < range.worst))
            continue;
        say_range(f, mesh, i, &range);
        reported = true;
    }
}

/* ---- The sum of a vertex's biases ------------------------------------------------------------ */

static bool build_sums(m5_lint_file *f, const m5_md5mesh_mesh *m, running_sums *r)
{
    r->sum = m5_check_scratch(f, (size_t)m->num_weights + 1, sizeof *r->sum);
    r->broken = m5_check_scratch(f, (size_t)m->num_weights + 1, sizeof *r->broken);
    if (r->sum == NULL || r->broken == NULL)
        return false;
    r->sum[0] = 0;
    r->broken[0] = 0;
    for (uint32_t i = 0; i < m->num_weights; i++) {
        bool broken = isnan(m->weights[i].bias);
        r->sum[i + 1] = r->sum[i] + (broken ? 0 : (double)m->weights[i].bias);
        r->broken[i + 1] = r->broken[i] + broken;
    }
    return true;
}

/* NaN if one of the weights could not be read. */
static double sum_of_many(const running_sums *r, const m5_md5mesh_vert *v)
{
    uint32_t end = v->start + v->count;
    if (r->broken[end] != r->broken[v->start])
        return NAN;
    return r->sum[end] - r->sum[v->start];
}

/* Whether a weight of the vertex is reported as out of range, at least as severely as the sum. */
static bool is_reported(m5_lint_file *f, const m5_md5mesh_mesh *m, const m5_md5mesh_vert *v,
                        double off)
{
    m5_severity level = m5_would_say(&f->report, M5_LINT_ROW(md5mesh_bias_sum), off);
    for (uint32_t i = 0; i < v->count && v->count <= M5_WEIGHTS_ADDED; i++)
        if (level_of(f, m->weights[v->start + i].bias) >= level)
            return true;
    return false;
}

m5_md5mesh_vert m5_weights_between(const m5_md5mesh_mesh *m, uint32_t i)
{
    static const double close = 1e-3;
    const m5_md5mesh_vert *v = &m->verts[i], none = {0};
    uint32_t start = i == 0 ? 0 : v[-1].start + v[-1].count;
    uint32_t end = i + 1 == m->num_verts ? m->num_weights : v[1].start;
    bool exchanged = start == v->count && end - start == v->start && start != v->start;
    if (start >= end || end - start > M5_WEIGHTS_ADDED ||
        (!exchanged && (start == v->start) == (end - start == v->count)))
        return none;
    m5_md5mesh_vert other = {.start = start, .count = end - start};
    return fabs(m5_weights_sum(m, &other) - 1) <= close ? other : none;
}

/* Whether a vertex with many weights is one whose countWeight is reported as wrong. */
bool m5_check_is_miscounted(const m5_lint_file *f, const m5_md5mesh_mesh *m, uint32_t i)
{
    const m5_md5mesh_vert *v = &m->verts[i];
    if (!m->skin_whole || !m->weights_in_place)
        return false;
    m5_md5mesh_vert other = m5_weights_between(m, i);
    double off = v->count > M5_WEIGHTS_ADDED ? 1 : fabs(m5_weights_sum(m, v) - 1);
    return other.count != 0 && other.count != v->count &&
           m5_would_say(&f->report, M5_LINT_ROW(md5mesh_vert_weight_miscount), off) >= M5_WARNING;
}

static void say_exchange(m5_lint_file *f, m5_diag *d, uint32_t i, const m5_md5mesh_vert *v,
                         double sum)
{
    m5_emit(&f->report, d, fabs(sum - 1) - M5_BIAS_ROUNDING,
            "vertex %u: startWeight is %u and countWeight is %u, expected the other way round: the "
            "sum of its biases is %.7g, but then it is 1",
            i, v->start, v->count, sum);
}

static void say_miscount(m5_lint_file *f, uint32_t mesh, uint32_t i, double sum,
                         const m5_md5mesh_vert *other)
{
    const m5_md5mesh_mesh *m = &f->model.md5mesh->meshes[mesh];
    const m5_md5mesh_vert *v = &m->verts[i];
    bool start = v->start != other->start;
    char range[40];
    m5_diag d = m5_check_at(f, M5_LINT_ROW(md5mesh_vert_weight_miscount), v->offset,
                            start ? VERT_START : VERT_COUNT);
    d.path = m5_path2("mesh", mesh, "vert", i);
    m5_relate(&d, &f->source, m5_lex_word_at(&f->source, m->weights[other->start].offset),
              "the first of the expected weights");
    if (other->count == 1)
        m5_check_print(range, sizeof range, "weight %u", other->start);
    else
        m5_check_print(range, sizeof range, "weights %u to %u", other->start,
                       other->start + other->count - 1);
    if (start && v->count != other->count) {
        say_exchange(f, &d, i, v, sum);
        return;
    }
    m5_emit(&f->report, &d, fabs(sum - 1) - M5_BIAS_ROUNDING,
            "vertex %u: %s is %u, expected %u: the sum of its biases is %.7g, but it is 1 for %s",
            i, start ? "startWeight" : "countWeight", start ? v->start : v->count,
            start ? other->start : other->count, sum, range);
}

/* `all`: how many sums are wrong if only this one, the worst, is reported; else 0. */
static void say_sum(m5_lint_file *f, uint32_t mesh, uint32_t i, double sum, uint32_t all)
{
    const m5_md5mesh_mesh *m = &f->model.md5mesh->meshes[mesh];
    char more[96] = "";
    if (all != 0)
        m5_check_print(more, sizeof more,
                       " (worst of %u; the mesh has %u vertices): weights are not normalised", all,
                       m->num_verts);
    m5_diag d = m5_check_at_record(f, M5_LINT_ROW(md5mesh_bias_sum), m->verts[i].offset,
                                   VERT_COUNT);
    d.path = m5_path2("mesh", mesh, "vert", i);
    m5_relate(&d, &f->source, m5_lex_word_at(&f->source, m->weights[m->verts[i].start].offset),
              "its first weight");
    m5_emit(&f->report, &d, fabs(sum - 1) - M5_BIAS_ROUNDING,
            "vertex %u: the biases of its %u weight%s sum to %.7g, expected 1%s", i,
            m->verts[i].count, m->verts[i].count == 1 ? "" : "s", sum, more);
}

static bool is_wanted(const m5_lint_file *f, double off)
{
    return m5_would_say(&f->report, M5_LINT_ROW(md5mesh_bias_sum), off) != M5_SILENT ||
           m5_would_say(&f->report, M5_LINT_ROW(md5mesh_vert_weight_miscount), off) != M5_SILENT;
}

static bool are_all_zero(const m5_md5mesh_mesh *m)
{
    for (uint32_t i = 0; i < m->num_weights; i++)
        if (m->weights[i].bias != 0)
            return false;
    return m->num_verts > 1;
}

static void say_all_zero(m5_lint_file *f, uint32_t mesh, uint32_t first)
{
    const m5_md5mesh_mesh *m = &f->model.md5mesh->meshes[mesh];
    m5_diag d = m5_check_at_record(f, M5_LINT_ROW(md5mesh_bias_sum), m->verts[first].offset,
                                   VERT_COUNT);
    d.path = m5_path2("mesh", mesh, "vert", first);
    m5_emit(&f->report, &d, 1,
            "mesh %u: the biases of all weights are 0, so no vertex has a position", mesh);
}

/* The sum of a vertex's biases, if it is wrong and not reported in another way; else 1. False
 * without memory. */
static bool wrong_sum(m5_lint_file *f, const m5_md5mesh_mesh *m, running_sums *sums, uint32_t i,
                      double *sum)
{
    const m5_md5mesh_vert *v = &m->verts[i];
    *sum = 1;
    if (v->count > M5_WEIGHTS_ADDED) {
        if (sums->sum == NULL && !build_sums(f, m, sums))
            return false;
        *sum = sum_of_many(sums, v);
    } else if (v->count > 0) {
        *sum = m5_weights_sum(m, v);
    }
    double off = fabs(*sum - 1) - M5_BIAS_ROUNDING;
    if (!(off > 0) || !is_wanted(f, off) || is_reported(f, m, v, off))
        *sum = 1;
    return true;
}

/* Whether startWeight or countWeight is wrong instead; `other` is what they should be. */
static bool is_miscount(const m5_lint_file *f, const m5_md5mesh_mesh *m, uint32_t i, double sum,
                        m5_md5mesh_vert *other)
{
    double off = fabs(sum - 1) - M5_BIAS_ROUNDING;
    *other = m5_weights_between(m, i);
    return other->count != 0 &&
           m5_would_say(&f->report, M5_LINT_ROW(md5mesh_vert_weight_miscount), off) >=
               m5_would_say(&f->report, M5_LINT_ROW(md5mesh_bias_sum), off);
}

/* Sums that are wrong for no reason of the vertex's own. */
typedef struct wrong_sums {
    uint32_t count, worst;
    double worst_sum;
} wrong_sums;

/* Reports miscounts, and looks at the rest. False if all is done. */
static bool look_at_sums(m5_lint_file *f, uint32_t mesh, running_sums *sums, wrong_sums *wrong)
{
    const m5_md5mesh_mesh *m = &f->model.md5mesh->meshes[mesh];
    uint32_t found = 0;
    double sum;
    for (uint32_t i = 0; i < m->num_verts; i++) {
        m5_md5mesh_vert other;
        if (m5_weights_are_right(m, &m->verts[i]))
            continue;
        if (!wrong_sum(f, m, sums, i, &sum))
            break;
        if (sum == 1)
            continue;
        if (found++ == 0 && are_all_zero(m)) {
            say_all_zero(f, mesh, i);
            return false;
        }
        if (is_miscount(f, m, i, sum, &other)) {
            say_miscount(f, mesh, i, sum, &other);
            continue;
        }
        if (wrong->count++ == 0 || fabs(sum - 1) > fabs(wrong->worst_sum - 1)) {
            wrong->worst = i;
            wrong->worst_sum = sum;
        }
    }
    return wrong->count != 0;
}

/* Many wrong sums have one cause, and are one finding. */
static void check_sums(m5_lint_file *f, uint32_t mesh)
{
    enum { FEW = 3, MANY = 20 };
    const m5_md5mesh_mesh *m = &f->model.md5mesh->meshes[mesh];
    size_t mark = f->arena.used;
    running_sums sums = {NULL, NULL};
    wrong_sums wrong = {0};
    double sum;
    bool any = look_at_sums(f, mesh, &sums, &wrong);
    bool one = wrong.count >= MANY || (wrong.count > FEW && wrong.count > m->num_verts / 2);
    if (any && one)
        say_sum(f, mesh, wrong.worst, wrong.worst_sum, wrong.count);
    for (uint32_t i = 0; any && !one && i < m->num_verts && wrong_sum(f, m, &sums, i, &sum); i++) {
        m5_md5mesh_vert other;
        if (sum != 1 && !is_miscount(f, m, i, sum, &other))
            say_sum(f, mesh, i, sum, 0);
    }
    m5_arena_release(&f->arena, mark);
}

void m5_check_md5mesh_weights(m5_lint_file *f)
{
    const m5_md5mesh *m = f->model.md5mesh;
    for (uint32_t i = 0; i < m->num_meshes; i++) {
        check_biases(f, i);
        if (m->meshes[i].weights_in_place)
            check_sums(f, i);
        else
            m5_check_skip(f, M5_SKIPPED_SUMS);
    }
}
