/* Finds a mesh whose bone indices are all one too high or too low, as if bones were counted from 1,
 * or the skeleton had got another first bone. A part of a limb runs from its bone's joint to the
 * next joint, so that either joint is near it; but its vertices are around the middle between the
 * two. In 13 real models, the middles of bones are 2% to 29% of the model's size from those of
 * their vertices, and never much nearer to those of the bone before or after. In models of four
 * parts or more, indices that are one too high make that 1.2 to 8 times as far. */
#include "shift.h"
#include "skin.h"
#include "lint/core/check.h"
#include "lint/geometry/compare.h"
#include "parsers/core/allocate.h"

/* In a shifted mesh, joints are this far from their parts, as a share of the model's size, ... */
static const double FAR = 0.03;
/* ... and undoing it reduces that to less than this share, ... */
static const double NEARER = 0.7;
/* ... and the distance of the middles, too. */
static const double MIDDLE_NEARER = 0.5;

enum { LEAST_BONES = 3 };

/* A mean of points. */
typedef struct middle {
    m5_vec sum;
    uint32_t count;
} middle;

typedef struct search {
    const m5_illskel *s;
    const m5_matrix *pose;
    const m5_moved_part *parts;
    const uint32_t *bone;
    uint32_t count;
    double size;
    middle *verts;    /* of each bone */
    middle *children; /* the joints of each bone's children */
} search;

static void add_point(middle *m, m5_vec p)
{
    m->sum = m5_vec_add(m->sum, p);
    m->count++;
}

static m5_vec mean_of(const middle *m)
{
    return m5_vec_times(m->sum, 1.0 / m->count);
}

static void find_middles(const search *s, const m5_illmesh *m)
{
    uint32_t bones = s->s->num_bones;
    for (uint32_t i = 0; i < bones; i++)
        s->verts[i] = s->children[i] = (middle){{0, 0, 0}, 0};
    for (uint64_t n = 0; n < (uint64_t)4 * m->num_verts; n++) {
        uint32_t i = (uint32_t)(n / 4), k = (uint32_t)(n % 4);
        uint32_t bone = m5_ill_main_bone(m, i, k, bones);
        const float *at = m->verts + (size_t)i * m->stride + m->at[M5_ILL_POSITION];
        if (bone != M5_NO_INDEX)
            add_point(&s->verts[bone], m5_vec_of(at));
    }
    for (uint32_t i = 0; i < bones; i++)
        if (s->s->bones[i].parent >= 0)
            add_point(&s->children[s->s->bones[i].parent], m5_matrix_translation(&s->pose[i]));
}

/* Between a bone's joint and the next ones. */
static m5_vec middle_of(const search *s, uint32_t bone)
{
    m5_vec joint = m5_matrix_translation(&s->pose[bone]);
    if (s->children[bone].count == 0)
        return joint;
    return m5_vec_times(m5_vec_add(joint, mean_of(&s->children[bone])), 0.5);
}

/* How far bones are from their vertices if all indices are `by` too high, as a share of the model's
 * size. */
typedef struct fit {
    double joints, middles;
    uint32_t nearer; /* bones whose middle is nearer than as it is */
} fit;

static fit measure(const search *s, int by)
{
    fit out = {0, 0, 0};
    uint32_t bones = s->s->num_bones;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t own = s->bone[i], meant = (own + bones - (uint32_t)by) % bones;
        m5_vec verts = mean_of(&s->verts[own]);
        double there = m5_vec_distance(middle_of(s, meant), verts);
        out.nearer += there < m5_vec_distance(middle_of(s, own), verts);
        out.middles += there / (s->count * s->size);
        out.joints += m5_box_distance(&s->parts[i].box, m5_matrix_translation(&s->pose[meant])) /
                      (s->count * s->size);
    }
    return out;
}

static bool mends(const search *s, const fit *as_is, const fit *shifted)
{
    return shifted->joints <= NEARER * as_is->joints &&
           shifted->middles <= MIDDLE_NEARER * as_is->middles &&
           5 * (uint64_t)shifted->nearer >= 4 * (uint64_t)s->count;
}

static m5_shift find(const search *s)
{
    fit as_is = measure(s, 0);
    if (!(as_is.joints >= FAR) || !isfinite(as_is.middles))
        return (m5_shift){0, 0};
    for (int by = 1; by >= -1; by -= 2) {
        fit shifted = measure(s, by);
        if (mends(s, &as_is, &shifted))
            return (m5_shift){by, shifted.nearer};
    }
    return (m5_shift){0, 0};
}

static double size_of(const search *s)
{
    m5_box all = m5_box_empty();
    for (uint32_t i = 0; i < s->count; i++)
        m5_box_join(&all, &s->parts[i].box);
    return m5_box_diagonal(&all);
}

m5_shift m5_shift_find(const m5_illskel *skel, m5_lint_file *mesh, const m5_matrix *pose,
                       const m5_moved_part *parts, const uint32_t *bone, uint32_t count)
{
    m5_shift out = {0, 0};
    size_t mark = mesh->arena.used;
    search s = {skel,
                pose,
                parts,
                bone,
                count,
                0,
                m5_check_scratch(mesh, skel->num_bones, sizeof *s.verts),
                m5_check_scratch(mesh, skel->num_bones, sizeof *s.children)};
    if (s.verts != NULL && s.children != NULL && count >= LEAST_BONES) {
        find_middles(&s, mesh->model.illmesh);
        s.size = size_of(&s);
        out = find(&s);
    }
    m5_arena_release(&mesh->arena, mark);
    return out;
}
