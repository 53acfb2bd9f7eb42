/* Fixes of MD4: numbers that follow from others. */
#include "md4.h"
#include "lint/core/check.h"
#include "lint/md4/checks.h"
#include "parsers/core/cursor.h"
#include "parsers/core/emit.h"
#include "parsers/core/exact.h"

#include <math.h>
#include <string.h>

static const double tolerance = 1e-3; /* as the checks have it */

void m5_fix_word(m5_fixing *x, uint32_t at, uint32_t word)
{
    const char bytes[4] = {(char)(word & 0xff), (char)(word >> 8 & 0xff), (char)(word >> 16 & 0xff),
                           (char)(word >> 24)};
    if (memcmp(bytes, x->f->source.bytes + at, 4) != 0)
        m5_fix_replace(x, (m5_span){at, 4}, bytes, 4);
}

static void put_float(m5_fixing *x, uint32_t at, double value)
{
    float number = (float)value;
    uint32_t word;
    memcpy(&word, &number, sizeof word);
    m5_fix_word(x, at, word);
}

/* The number that the finding knows of; two offsets that are swapped change places. */
bool m5_fix_md4_field(m5_fixing *x)
{
    const m5_diag *d = x->diag;
    uint32_t at = d->at.offset, other = d->related[0].at.offset;
    uint32_t own = m5_cursor_bits(&x->f->source, at);
    x->unsafe = d->knows == M5_KNOWS_GUESS;
    if (d->knows != M5_KNOWS_NOTHING)
        m5_fix_word(x, at, d->number);
    if (d->knows == M5_KNOWS_EXCHANGE)
        m5_fix_word(x, other, own);
    return d->knows != M5_KNOWS_NOTHING;
}

/* The surface is one, or nothing of it would be whole. */
bool m5_fix_md4_surf_ident(m5_fixing *x)
{
    const m5_md4_surface *s = &x->f->model.md4->surfs[x->diag->path.step[0].index];
    m5_fix_replace(x, (m5_span){s->offset, 4}, "IDP4", 4);
    return s->verts_whole && s->tris_whole && s->collapse_whole;
}

/* The finding is about one surface, or about all. */
bool m5_fix_md4_header(m5_fixing *x)
{
    const m5_md4 *m = x->f->model.md4;
    uint32_t own = x->diag->path.step[0].index;
    uint32_t field = x->diag->at.offset - m->surfs[own].offset;
    for (uint32_t i = own; i < m->num_surfs; i++)
        m5_fix_word(x, m->surfs[i].offset + field, 0U - m->surfs[i].offset);
    return true;
}

/* ---- Frames ---------------------------------------------------------------------------------- */

enum { ORIGIN = 24, RADIUS = 36 };

/* Writes the centre of the box and the distance to its corners, where they are not that. False if
 * the box is inside out. */
static bool fix_sphere(m5_fixing *x, const m5_md4_frame *f)
{
    double square = 0, middle[3];
    for (int k = 0; k < 3; k++) {
        if (!(f->min[k] <= f->max[k]))
            return false;
        middle[k] = ((double)f->min[k] + (double)f->max[k]) / 2;
        square += ((double)f->max[k] - middle[k]) * ((double)f->max[k] - middle[k]);
    }
    double radius = sqrt(square);
    for (uint32_t k = 0; k < 3; k++)
        if (fabs((double)f->origin[k] - middle[k]) > tolerance * radius)
            put_float(x, f->offset + ORIGIN + 4 * k, middle[k]);
    if (fabs((double)f->radius - radius) > tolerance * radius)
        put_float(x, f->offset + RADIUS, radius);
    return true;
}

/* Where several frames have it, the finding is at the first. Those with a wrong corner are left,
 * and those whose box is wrong. */
bool m5_fix_md4_sphere(m5_fixing *x)
{
    const m5_md4 *m = x->f->model.md4;
    uint32_t first = x->diag->path.step[0].index;
    x->unsafe = (x->f->skipped & 1U << M5_SKIPPED_MD4_SHAPE) != 0 ||
                m5_settings_of(&x->f->report)->no_geometry;
    for (uint32_t i = first; i < m->num_frames; i++) {
        m5_md4_frame frame = m5_md4_frame_at(m, i);
        bool box = m5_check_md4_wrong_corner(&frame) >= 0 || m5_check_is_odd_box(x->f, i);
        if ((box || !fix_sphere(x, &frame)) && i == first)
            return false;
    }
    return true;
}

/* ---- Weights --------------------------------------------------------------------------------- */

/* Scales the weights of a vertex to the sum 1; one that is nearly 1 only changes the largest. */
bool m5_fix_md4_weight_sum(m5_fixing *x)
{
    static const double rounding = 1e-3, least = 0.01; /* a weight below that is reported */
    const m5_md4 *m = x->f->model.md4;
    const m5_md4_surface *s = &m->surfs[x->diag->path.step[0].index];
    uint32_t vert = x->diag->path.step[1].index, largest = 0;
    uint32_t count = m5_md4_vertex_at(m, s, vert).num_weights;
    m5_md4_weight w[M5_MD4_MAX_WEIGHTS];
    double sum = 0, left = 1;
    for (uint32_t i = 0; i < count; i++) {
        w[i] = m5_md4_weight_at(m, s, vert, i);
        sum += (double)w[i].weight;
        largest = w[i].weight > w[largest].weight ? i : largest;
    }
    x->unsafe = fabs(sum - 1) > rounding;
    for (uint32_t i = 0; i < count; i++) {
        double new = x->unsafe ? (double)w[i].weight / sum : (double)w[i].weight;
        if (!(new >= least) && x->unsafe)
            return false;
        w[i].weight = (float)new;
        left -= i != largest ? (double)w[i].weight : 0;
    }
    w[largest].weight = (float)left;
    for (uint32_t i = 0; i < count; i++)
        put_float(x, w[i].offset + 4, (double)w[i].weight);
    return left >= least && left <= 1;
}
