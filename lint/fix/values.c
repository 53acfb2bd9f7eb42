/* Fixes of numbers: corners of boxes, orientations. */
#include "numbers.h"
#include "lint/core/check.h"
#include "parsers/core/emit.h"
#include "parsers/md5/lex.h"

#include <math.h>

static const double rounding = 1e-3; /* how far a sum of rounded numbers is from 1 at most */

/* ---- Corners --------------------------------------------------------------------------------- */

/* Exchanges the corners along each axis where the minimum is above. */
static void turn_box(m5_fixing *x, uint32_t box)
{
    const m5_md5anim_bounds *b = &x->f->model.md5anim->bounds[box];
    m5_span at[6];
    m5_fix_corners(x, box, at);
    for (unsigned k = 0; k < 6; k++)
        if (b->min[k % 3] > b->max[k % 3])
            m5_fix_copy(x, at[k], at[(k + 3) % 6]);
}

/* Boxes that were never computed, and still have what they began with, say nothing. */
static bool is_computed(const m5_md5anim_bounds *b)
{
    static const float most = 10000;
    for (unsigned k = 0; k < 3; k++)
        if (!(b->min[k] - b->max[k] < most))
            return false;
    return true;
}

/* Whether two corners of a box are where those of another box are, give or take half of its size.
 */
static bool is_near(const m5_md5anim_bounds *box, const m5_md5anim_bounds *other, unsigned k)
{
    double most = ((double)other->max[k] - other->min[k]) / 2;
    return fabs((double)box->max[k] - other->min[k]) <= most &&
           fabs((double)box->min[k] - other->max[k]) <= most;
}

/* Whether the corners of a box were exchanged by the nearest box that is not inverted along that
 * axis, or where there is none, along all axes; else a sign may be lost. */
static bool are_exchanged(const m5_md5anim *m, uint32_t box, unsigned k)
{
    enum { NEAR = 8 };
    for (uint32_t by = 1; by <= NEAR; by++)
        for (int side = 0; side < 2; side++) {
            uint32_t i = side == 0 ? box - by : box + by;
            const m5_md5anim_bounds *other = i < m->num_bounds ? &m->bounds[i] : NULL;
            if (other != NULL && other->min[k] < other->max[k])
                return is_near(&m->bounds[box], other, k);
        }
    const m5_md5anim_bounds *b = &m->bounds[box];
    return b->min[0] > b->max[0] && b->min[1] > b->max[1] && b->min[2] > b->max[2];
}

/* The finding is about one axis of a box, or about all boxes. */
bool m5_fix_inverted(m5_fixing *x)
{
    const m5_md5anim *m = x->f->model.md5anim;
    uint32_t box = x->diag->path.step[0].index;
    bool all = x->diag->num_related == 0;
    for (uint32_t i = all ? 0 : box; i < (all ? m->num_bounds : box + 1); i++) {
        if (!is_computed(&m->bounds[i]))
            return false;
        for (unsigned k = 0; k < 3; k++)
            x->unsafe |= m->bounds[i].min[k] > m->bounds[i].max[k] && !are_exchanged(m, i, k);
        turn_box(x, i);
    }
    return true;
}

/* ---- Orientations ---------------------------------------------------------------------------- */

enum { LEAST_DECIMALS = 6, MOST_DECIMALS = 9 };

/* Whether the finding stays if the quaternion is rounded to so many decimals. */
static bool is_still_long(const m5_fixing *x, const double q[3], const unsigned decimals[3])
{
    double square = 0;
    float new[3];
    for (unsigned k = 0; k < 3; k++) {
        double unit = 1;
        for (unsigned i = 0; i < decimals[k] && i < MOST_DECIMALS; i++)
            unit *= 10;
        new[k] = (float)(floor(q[k] * unit + 0.5) / unit);
        square += (double)new[k] * (double)new[k];
    }
    return m5_would_say(&x->f->report, x->diag->rule, square - 1 - m5_check_rounding(new)) !=
           M5_SILENT;
}

/* Shortens a quaternion that is a little too long. Its numbers begin with the n-th token. */
static bool shorten(m5_fixing *x, const float q[3], uint32_t offset, uint32_t n)
{
    static const double most = 0.1;
    double square = (double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2], new[3];
    unsigned decimals[3];
    if (!(square > 1) || square - 1 > most)
        return false;
    x->unsafe |= square - 1 > rounding;
    for (unsigned k = 0; k < 3; k++) {
        unsigned own = m5_fix_decimals(&x->f->source, m5_lex_nth(&x->f->source, offset, n + k));
        decimals[k] = own < LEAST_DECIMALS ? LEAST_DECIMALS : own;
        new[k] = (double)q[k] / sqrt(square);
    }
    m5_fix_rounding how = is_still_long(x, new, decimals) ? M5_ROUND_TO_ZERO : M5_ROUND_NEAREST;
    for (unsigned k = 0; k < 3; k++)
        if (q[k] != 0)
            m5_fix_number(x, m5_lex_nth(&x->f->source, offset, n + k), new[k], decimals[k], how);
    return true;
}

/* Exchanges what two places have: the finding's, and the related one, which is behind it. Not where
 * it is unknown what was exchanged. */
bool m5_fix_exchange(m5_fixing *x)
{
    if (x->diag->knows != M5_KNOWS_EXCHANGE)
        return false;
    m5_span one = x->diag->at, other = x->diag->related[0].at;
    m5_fix_copy(x, one, other);
    m5_fix_copy(x, other, one);
    return true;
}

/* Tokens of  "name" parent ( x y z ) ( x y z ) */
bool m5_fix_joint_orientation(m5_fixing *x)
{
    const m5_md5mesh *m = x->f->model.md5mesh;
    uint32_t joint = x->diag->path.step[0].index;
    return m != NULL && joint < m->num_joints &&
           shorten(x, m->bind[joint].orient, m->joints[joint].offset, 8);
}

bool m5_fix_base_orientation(m5_fixing *x)
{
    const m5_md5anim *m = x->f->model.md5anim;
    uint32_t joint = x->diag->path.step[0].index;
    bool base = x->diag->path.step[1].name == NULL; /* baseframe[i] and not frame[i].value[k] */
    return base && joint < m->num_base &&
           shorten(x, m->base[joint].orient, m->base[joint].offset, 6);
}
