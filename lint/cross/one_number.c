/* Finds the one number of a baseframe that was that of the bind pose and is damaged: a coordinate
 * of a joint that has lost its sign or its decimal point, or has other zeros. All else of the
 * position is as in the bind pose, and so are nearly all other positions; and the boxes were made
 * for it. A door may be open to the other side, and a part be hidden far away. */
#include "md5_posed.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/md5/lex.h"
#include "parsers/play/algebra.h"
#include "parsers/play/pose.h"

enum { LEAST_OTHERS = 5, ZEROS = 7 };
/* Coordinates are the same, or positions elsewhere, if they differ by this share of the bone's
 * length. A bone that is shorter than a share of the model's size counts as that long. */
static const double SAME = 0.01, ELSEWHERE = 0.05, SHORT = 0.04;
/* Rounding, as a share. */
static const double ROUNDED = 2e-3;

typedef struct search {
    const m5_bind_pair *p;
    m5_posed posed;
    double size; /* of the model */
} search;

/* A joint's position in the baseframe and in the bind pose, and which difference is none. */
typedef struct positions {
    double base[3], bind[3], same;
    bool elsewhere;
} positions;

static positions positions_of(const search *s, uint32_t joint)
{
    m5_vec base = m5_vec_of(s->p->anim->base[joint].pos),
           bind = s->posed.bind(s->posed.context, joint).pos;
    double length = fmax(m5_vec_length(bind), SHORT * s->size);
    return (positions){{base.x, base.y, base.z},
                       {bind.x, bind.y, bind.z},
                       SAME * length,
                       m5_vec_distance(base, bind) > ELSEWHERE * length};
}

static bool is_same(const positions *n, int k)
{
    return fabs(n->base[k] - n->bind[k]) <= n->same;
}

/* What a number was if it is another one with another sign or other zeros; else NaN. */
static double undamaged(double number, double from)
{
    double ratio = number / from, zeros = 1;
    if (fabs(ratio + 1) <= ROUNDED)
        return -number;
    for (int i = 0; i < ZEROS; i++) {
        zeros *= 10;
        if (fabs(ratio / zeros - 1) <= ROUNDED)
            return number / zeros;
        if (fabs(ratio * zeros - 1) <= ROUNDED)
            return number * zeros;
    }
    return NAN;
}

static m5_span number_at(const search *s, uint32_t joint, uint32_t k)
{
    enum { FIRST = 1 }; /* ( x y z ) */
    return m5_lex_nth(&s->p->f->source, s->p->anim->base[joint].offset, FIRST + k);
}

/* Whether a number has a zero before its digits, as after the loss of a decimal point. That is
 * reported by itself. */
static bool has_zero(const search *s, uint32_t joint, uint32_t k)
{
    m5_span at = number_at(s, joint, k);
    const uint8_t *p = s->p->f->source.bytes + at.offset;
    uint32_t sign = *p == '-' || *p == '+';
    return at.length > sign + 1 && p[sign] == '0' && p[sign + 1] >= '0' && p[sign + 1] <= '9';
}

/* Which coordinate of a joint is damaged, if only one is: 0 to 2; else 3. */
static uint32_t damaged_in(const search *s, uint32_t joint, const positions *n)
{
    uint32_t which = 3, others = 0;
    for (uint32_t k = 0; k < 3 && n->elsewhere; k++) {
        if (is_same(n, (int)k))
            continue;
        others++;
        if (!isnan(undamaged(n->base[k], n->bind[k])) || has_zero(s, joint, k))
            which = k;
    }
    return others == 1 ? which : 3;
}

/* A coordinate, of a joint or of M5_NO_INDEX. */
typedef struct damage {
    uint32_t joint, k;
} damage;

static damage find(const search *s)
{
    damage d = {.joint = M5_NO_INDEX};
    uint32_t damaged = 0, same = 0, others = 0;
    for (uint32_t i = 0; i < s->p->mesh->num_joints; i++) {
        if (!m5_bind_is_placed_by_base(s->p, i) || s->p->mesh->joints[i].parent < 0)
            continue;
        positions n = positions_of(s, i);
        uint32_t k = damaged_in(s, i, &n);
        if (k < 3) {
            d.joint = i;
            d.k = k;
            damaged++;
        } else {
            same += is_same(&n, 0) && is_same(&n, 1) && is_same(&n, 2);
            others++;
        }
    }
    if (damaged != 1 || same < LEAST_OTHERS || 10 * (uint64_t)same < 9 * (uint64_t)others)
        d.joint = M5_NO_INDEX;
    return d;
}

static void say(const search *s, const damage *d, double measure)
{
    m5_lint_file *f = s->p->f;
    positions n = positions_of(s, d->joint);
    m5_diag diag = m5_found(M5_LINT_ROW(cross_bind_one_bone), number_at(s, d->joint, d->k));
    diag.path = m5_path1("baseframe", d->joint);
    m5_relate(&diag, &s->p->mesh_file->source,
              m5_check_at(s->p->mesh_file, NULL, s->p->mesh->bind[d->joint].offset, 0).at,
              "the mesh's joint");
    m5_emit(
        &f->report, &diag, measure,
        "%c of joint %u '%.*s' is %.7g, expected %.7g as in the mesh's bind pose: with that the "
        "mesh would fill the bounding boxes",
        "xyz"[d->k], d -> joint, M5_CHECK_NAME(f, s->p->anim->joints[d->joint].name), n.base[d->k],
        undamaged(n.base[d->k], n.bind[d->k]));
}

bool m5_check_cross_one_number(const m5_bind_pair *p, m5_arena *scratch)
{
    const m5_rule *rule = M5_LINT_ROW(cross_bind_one_bone);
    if (p->mesh_file->misplaced != NULL || !m5_check_wanted(p->f, rule))
        return false;
    search s = {p, m5_posed_md5(p), m5_bind_size(p)};
    damage d = find(&s);
    if (d.joint == M5_NO_INDEX)
        return false;
    m5_moved_joint back = {d.joint, s.posed.bind(s.posed.context, d.joint), false};
    m5_fit fit = m5_bind_boxes_fit_with(p, &back, 1, scratch);
    if (fit < M5_FIT_BETTER)
        return false;
    if (!has_zero(&s, d.joint, d.k))
        say(&s, &d, fit == M5_FIT_ONLY ? M5_GRAVE : M5_MILD);
    return true;
}
