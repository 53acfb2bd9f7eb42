/* Fixes weights: biases that do not add up to 1, and vertices with more weights than an engine has
 * room for. */
#include "lint/md5/weights.h"
#include "numbers.h"
#include "lint/targets/targets.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/md5/lex.h"

#include <math.h>

enum { NUMBER = 1, BIAS = 3, LAST = 8 };    /* tokens of  weight number joint bias ( x y z ) */
enum { START = 6, COUNT = 7 };              /* ... and of  vert number ( s t ) start count */
enum { MOST_WEIGHTS = 64, MOST_CUT = 512 }; /* of a vertex: as it should be, and before */

static const m5_md5mesh_mesh *mesh_of(const m5_fixing *x)
{
    return &x->f->model.md5mesh->meshes[x->diag->path.step[0].index];
}

static m5_span token(const m5_fixing *x, uint32_t offset, uint32_t n)
{
    return m5_lex_nth(&x->f->source, offset, n);
}

/* Whether no two vertices share a weight, none has more than `most`, and all biases can be scaled.
 */
static bool are_apart(const m5_md5mesh_mesh *m, uint32_t most)
{
    uint32_t end = 0;
    for (uint32_t i = 0; i < m->num_verts; i++) {
        const m5_md5mesh_vert *v = &m->verts[i];
        if (v->start < end || v->count > most)
            return false;
        end = v->start + v->count;
    }
    for (uint32_t i = 0; i < m->num_weights; i++)
        if (!(m->weights[i].bias >= 0))
            return false;
    return m->skin_whole;
}

/* Some weights of a vertex, and the biases that they should have, with so many decimals. */
typedef struct share {
    uint32_t weight[MOST_WEIGHTS], count;
    double bias[MOST_WEIGHTS];
    unsigned decimals, largest; /* `largest`: which of them */
} share;

static void add_weight(share *s, const m5_fixing *x, const m5_md5mesh_mesh *m, uint32_t weight)
{
    unsigned own = m5_fix_decimals(&x->f->source, token(x, m->weights[weight].offset, BIAS));
    s->decimals = own > s->decimals ? own : s->decimals;
    s->weight[s->count] = weight;
    s->bias[s->count] = (double)m->weights[weight].bias;
    if (s->bias[s->count] > s->bias[s->largest])
        s->largest = s->count;
    s->count++;
}

static double sum_of(const share *s)
{
    double sum = 0;
    for (uint32_t i = 0; i < s->count; i++)
        sum += s->bias[i];
    return sum;
}

/* Scales the biases so that their decimals add up to 1: the largest takes what rounding leaves.
 * False if nothing is left of it. */
static bool scale(share *s)
{
    static const double least = 1e-6;
    double unit = 1, left = 1, sum = sum_of(s);
    for (unsigned i = 0; i < s->decimals && i < 9; i++)
        unit *= 10;
    for (uint32_t i = 0; i < s->count && sum > least; i++) {
        s->bias[i] = floor(s->bias[i] / sum * unit + 0.5) / unit;
        left -= s->bias[i];
    }
    s->bias[s->largest] += left;
    return sum > least && s->bias[s->largest] > 0;
}

static void put_bias(m5_fixing *x, const m5_md5mesh_mesh *m, const share *s, uint32_t i)
{
    m5_fix_number(x, token(x, m->weights[s->weight[i]].offset, BIAS), s->bias[i], s->decimals,
                  M5_ROUND_NEAREST);
}

/* ---- Sums ------------------------------------------------------------------------------------ */

/* A sum that is nearly 1 only changes the largest bias. */
static bool fix_sum(m5_fixing *x, const m5_md5mesh_mesh *m, const m5_md5mesh_vert *v)
{
    static const double rounding = 1e-3; /* how far a sum of rounded numbers is from 1 at most */
    share s = {.decimals = 6};
    for (uint32_t i = 0; i < v->count; i++)
        add_weight(&s, x, m, v->start + i);
    double off = sum_of(&s) - 1;
    if (fabs(off) <= rounding) {
        s.bias[s.largest] -= off;
        put_bias(x, m, &s, s.largest);
        return s.bias[s.largest] > 0;
    }
    x->unsafe = true;
    if (!scale(&s))
        return false;
    for (uint32_t i = 0; i < s.count; i++)
        put_bias(x, m, &s, i);
    return true;
}

static double distance(const m5_md5mesh_mesh *m, uint32_t vert)
{
    return fabs(m5_weights_sum(m, &m->verts[vert]) - 1);
}

/* Whether the rule is about a vertex. */
static bool is_off(const m5_fixing *x, const m5_md5mesh_mesh *m, uint32_t vert)
{
    double off = distance(m, vert) - M5_BIAS_ROUNDING;
    return m5_would_say(&x->f->report, x->diag->rule, off) != M5_SILENT;
}

/* Many wrong sums of a mesh are one finding, at the worst of them. */
bool m5_fix_bias_sum(m5_fixing *x)
{
    const m5_md5mesh_mesh *m = mesh_of(x);
    uint32_t vert = x->diag->path.step[1].index;
    bool worst = true;
    if (!are_apart(m, MOST_WEIGHTS))
        return false;
    for (uint32_t i = 0; i < m->num_verts && worst; i++)
        worst = distance(m, i) <= distance(m, vert);
    for (uint32_t i = 0; i < m->num_verts; i++) {
        if (i != vert && (!worst || !is_off(x, m, i)))
            continue;
        if (!fix_sum(x, m, &m->verts[i]))
            return false;
    }
    return true;
}

/* ---- Too many -------------------------------------------------------------------------------- */

/* The smallest number that the targets asked about have room for; 4 where none was asked about, or
 * it is unknown. */
static uint32_t most_influences(const m5_fixing *x)
{
    enum { USUAL = 4 };
    uint32_t most = UINT32_MAX;
    uint8_t outcome[M5_TARGETS];
    if (x->f->targets == NULL)
        return USUAL;
    m5_targets_effect(x->f->targets, &x->f->source, x->diag, outcome);
    for (unsigned i = 0; i < M5_TARGETS; i++)
        if ((x->f->targets->chosen >> i & 1) != 0 && outcome[i] == M5_UNKNOWN)
            most = USUAL;
    for (size_t i = 0; i < m5_num_limits; i++) {
        const m5_limit *l = &m5_limits[i];
        bool asked = (x->f->targets->chosen >> l->target & 1) != 0;
        if (asked && l->measure == M5_MEASURE_influences && l->value < most)
            most = l->value;
    }
    return most;
}

/* Lists the `most` largest weights of a vertex, in the order of the file; returns the sum of the
 * others. */
static double choose(share *s, const m5_fixing *x, const m5_md5mesh_mesh *m,
                     const m5_md5mesh_vert *v, uint32_t most)
{
    double cut = 0;
    *s = (share){.decimals = 6};
    for (uint32_t i = 0; i < v->count; i++) {
        float bias = m->weights[v->start + i].bias;
        uint32_t larger = 0;
        for (uint32_t k = 0; k < v->count; k++) {
            float other = m->weights[v->start + k].bias;
            larger += other > bias || (other == bias && k < i);
        }
        if (larger < most)
            add_weight(s, x, m, v->start + i);
        else
            cut += (double)bias;
    }
    return cut;
}

/* Deletes the weights of a vertex that are not in its share; `gone` were deleted before. */
static void put_weights(m5_fixing *x, const m5_md5mesh_mesh *m, const m5_md5mesh_vert *v,
                        const share *s, uint32_t gone)
{
    uint32_t k = 0;
    for (uint32_t i = v->start; i < v->start + v->count; i++) {
        uint32_t at = m->weights[i].offset;
        if (k == s->count || s->weight[k] != i) {
            m5_fix_delete_lines(x, at, token(x, at, LAST));
            gone++;
            continue;
        }
        if (gone != 0)
            m5_fix_print(x, token(x, at, NUMBER), "%u", i - gone);
        if (s->count != v->count)
            put_bias(x, m, s, k);
        k++;
    }
}

static void put_verts(m5_fixing *x, const m5_md5mesh_mesh *m, uint32_t most)
{
    uint32_t gone = 0;
    for (uint32_t i = 0; i < m->num_verts; i++) {
        const m5_md5mesh_vert *v = &m->verts[i];
        if (gone != 0)
            m5_fix_print(x, token(x, v->offset, START), "%u", v->start - gone);
        if (v->count > most) {
            m5_fix_print(x, token(x, v->offset, COUNT), "%u", most);
            gone += v->count - most;
        }
    }
    m5_fix_print(x, token(x, m->num_weights_at, 0), "%u", m->num_weights - gone);
}

/* Whether each weight is one of a vertex, in the order of the vertices, and lists follow as the
 * format has it. */
static bool are_in_order(const m5_md5mesh_mesh *m)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < m->num_verts && m->verts[i].start == next; i++)
        next += m->verts[i].count;
    return next == m->num_weights && m->weights_in_place && next != 0 &&
           m->verts[m->num_verts - 1].offset < m->num_weights_at &&
           m->num_weights_at < m->weights[0].offset;
}

/* Cuts all vertices of the mesh to the largest weights, scaled to a sum of 1. */
bool m5_fix_influences(m5_fixing *x)
{
    const m5_md5mesh_mesh *m = mesh_of(x);
    uint32_t most = most_influences(x), gone = 0;
    double worst = 0;
    share s;
    x->apart = m->verts[x->diag->path.step[1].index].count <= most;
    if (x->apart || most > MOST_WEIGHTS || !are_apart(m, MOST_CUT) || !are_in_order(m))
        return false;
    put_verts(x, m, most);
    for (uint32_t i = 0; i < m->num_verts; i++) {
        const m5_md5mesh_vert *v = &m->verts[i];
        double cut = choose(&s, x, m, v, most) / m5_weights_sum(m, v);
        worst = cut > worst ? cut : worst;
        if (v->count > most && !scale(&s))
            return false;
        put_weights(x, m, v, &s, gone);
        gone += v->count - s.count;
    }
    x->cut = worst;
    return true;
}
