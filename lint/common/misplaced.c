/* Finds the joint of an md5mesh whose position or orientation is wrong, or of a few of them.
 * Each weight gives its vertex a position, and in the bind pose all weights of a vertex should
 * agree. If one joint disagrees with the others wherever it shares vertices with them, and the
 * others agree among themselves, that joint is wrong, and not the weights. */
#include "misplaced.h"
#include "shared_verts.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/core/number.h"
#include "parsers/play/algebra.h"

#include <string.h>

enum { LEAST_SHARED = 2, JOINT_LAST = 12 };
/* Near its pivot, a rotated joint moves nothing: in this share of its vertices it must disagree. */
static const double MOST_OWN = 0.7;
/* And this share of all that disagrees must be due to it. */
static const double MOST_ALL = 0.9;

/* What is wrong with a joint: where its vertices are, compared with the other joints. */
typedef struct error {
    uint32_t mesh, vert; /* where it is worst */
    double worst;
    m5_vec shift;     /* the sum of the differences */
    double turn;      /* the sum of the differences in distance from the joint */
    double turn_most; /* the largest of these */
    double position;  /* the sum of the lengths of all differences */
    double squares;   /* the sum of their squares */
} error;

static bool disagrees(const m5_shared_joint *j)
{
    return j->shared >= LEAST_SHARED && j->apart >= MOST_OWN * j->shared;
}

static bool explains_all(const m5_shared *s, const m5_shared_joint *j)
{
    return disagrees(j) && j->apart >= MOST_ALL * s->apart && j->sum >= MOST_ALL * s->sum;
}

/* How far a joint is from the middle of all joints. Of two joints that share their vertices only
 * with each other, the one that is farther away is more likely the one that was moved. */
static double away(const m5_shared *s, m5_vec middle, uint32_t joint)
{
    return m5_vec_distance(m5_matrix_translation(&s->bind[joint]), middle);
}

/* The joint that disagrees most, if it explains all; else M5_NO_INDEX. `*twin`: another that does
 * so just as much. */
static uint32_t choose(const m5_shared *s, uint32_t *twin)
{
    static const double alike = 0.999;
    uint32_t count = s->f->model.md5mesh->num_joints, best = M5_NO_INDEX;
    m5_vec middle = {0, 0, 0};
    double most = 0;
    for (uint32_t i = 0; i < count; i++)
        middle = m5_vec_add(middle, m5_vec_times(m5_matrix_translation(&s->bind[i]), 1.0 / count));
    *twin = M5_NO_INDEX;
    for (uint32_t i = 0; i < count; i++) {
        if (!explains_all(s, &s->joints[i]))
            continue;
        double mean = s->joints[i].sum / s->joints[i].shared;
        bool same = best != M5_NO_INDEX && mean >= alike * most && most >= alike * mean;
        *twin = same ? best : mean > most ? M5_NO_INDEX : *twin;
        if (!same && !(mean > most))
            continue;
        most = fmax(mean, most);
        if (same && away(s, middle, i) < away(s, middle, best))
            *twin = i;
        else
            best = i;
    }
    return best;
}

static void add_error(const m5_shared *s, error *e, uint32_t mesh, uint32_t vert, uint32_t joint)
{
    const m5_md5mesh_mesh *m = &s->f->model.md5mesh->meshes[mesh];
    m5_places p = m5_places_of(s, m, &m->verts[vert]);
    for (uint32_t i = 0; i < p.count; i++) {
        double here;
        uint32_t other = p.joint[i] == joint ? m5_places_nearest(&p, i, &here) : p.count;
        if (other == p.count)
            continue;
        m5_vec from = m5_matrix_translation(&s->bind[joint]);
        double turn = m5_vec_distance(p.at[i], from) - m5_vec_distance(p.at[other], from);
        e->shift = m5_vec_add(e->shift, m5_vec_sub(p.at[i], p.at[other]));
        e->turn += fabs(turn);
        e->turn_most = fmax(e->turn_most, fabs(turn));
        e->position += here;
        e->squares += here * here;
        if (here > e->worst) {
            e->worst = here;
            e->mesh = mesh;
            e->vert = vert;
        }
    }
}

static error measure(const m5_shared *s, uint32_t joint)
{
    const m5_md5mesh *model = s->f->model.md5mesh;
    error e = {.worst = 0};
    for (uint32_t i = 0; i < model->num_meshes; i++)
        for (uint32_t k = 0; model->meshes[i].skin_whole && k < model->meshes[i].num_verts; k++)
            if (m5_shared_is_blended(&model->meshes[i], &model->meshes[i].verts[k]))
                add_error(s, &e, i, k, joint);
    return e;
}

/* Whether all differences are the same, so that another position would mend the joint. */
static bool is_shifted(const error *e)
{
    return m5_vec_length(e->shift) >= 0.99 * e->position;
}

/* Whether all distances from the joint are right, so that another orientation would mend it. */
static bool is_turned(const error *e)
{
    return e->turn <= 0.05 * e->position;
}

/* What would mend the joint. */
static void print_cure(const m5_shared *s, const error *e, uint32_t joint, char *out, size_t size)
{
    m5_vec mean = m5_vec_times(e->shift, 1.0 / s->joints[joint].shared);
    m5_vec at = m5_vec_sub(m5_matrix_translation(&s->bind[joint]), mean);
    double none = 1e-6 * m5_shared_size(s, joint); /* less is rounding */
    out[0] = '\0';
    if (is_shifted(e))
        m5_check_print(out, size, "; expected position ( %.6g %.6g %.6g )",
                       fabs(at.x) < none ? 0 : at.x, fabs(at.y) < none ? 0 : at.y,
                       fabs(at.z) < none ? 0 : at.z);
    else if (is_turned(e))
        m5_check_print(out, size, "; its orientation is wrong, its position fits");
}

/* Whether the orientation of the joint is too long, which is reported, and its position fits. */
static bool is_overlong(const m5_shared *s, uint32_t joint, const error *e)
{
    const float *q = s->f->model.md5mesh->bind[joint].orient;
    double over = (double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2] - 1;
    return over > 0 && !is_shifted(e) &&
           m5_would_say(&s->f->report, M5_LINT_ROW(md5_quat_overlength),
                        over - m5_check_rounding(q)) >= M5_WARNING;
}

/* Whether the joint or the one before it is its own parent. That is reported: the lines of a joint
 * and its parent were exchanged, so that each has the weights of the other. */
static bool are_lines_exchanged(const m5_shared *s, uint32_t joint)
{
    const m5_md5mesh *m = s->f->model.md5mesh;
    for (uint32_t i = joint != 0 ? joint - 1 : 0; i <= joint; i++) {
        m5_span at = m5_check_at(s->f, NULL, m->joints[i].offset, 1).at;
        int32_t parent = -1;
        if (m->joints[i].parent == M5_BROKEN_PARENT &&
            m5_read_int(s->f->source.bytes + at.offset, at.length, &parent) < M5_NUMBER_IS_FLOAT &&
            parent == (int64_t)i)
            return true;
    }
    return false;
}

/* Returns whether the joint is reported, here or by another rule. */
static bool say(const m5_shared *s, uint32_t joint, uint32_t twin)
{
    enum { VERT_LAST = 7 };
    const m5_rule *rule = M5_LINT_ROW(md5mesh_joint_misplaced);
    const m5_md5mesh *m = s->f->model.md5mesh;
    const m5_shared_joint *j = &s->joints[joint];
    double mean = j->sum / j->shared;
    error e = measure(s, joint);
    char cure[96];
    if (is_overlong(s, joint, &e) || are_lines_exchanged(s, joint))
        return true;
    print_cure(s, &e, joint, cure, sizeof cure);
    m5_diag d = m5_check_at_record(s->f, rule, m->joints[joint].offset, JOINT_LAST);
    d.path = m5_path1("joint", joint);
    m5_relate(&d, &s->f->source,
              m5_check_at_record(s->f, NULL, m->meshes[e.mesh].verts[e.vert].offset, VERT_LAST).at,
              "the vertex where they are farthest apart");
    if (twin != M5_NO_INDEX)
        m5_relate(&d, &s->f->source, m->joints[twin].name,
                  "the only other joint of these vertices, which may be wrong instead");
    m5_emit(&s->f->report, &d, mean / s->size,
            "in the bind pose, joint %u '%.*s' places %u vertices %.4g units (at most %.4g) from "
            "where their other joints place them%s",
            joint, M5_CHECK_NAME(s->f, m->joints[joint].name), j->shared, mean, e.worst, cure);
    return m5_would_say(&s->f->report, rule, mean / s->size) >= M5_WARNING;
}

/* Whether there are vertices about which other joints agree. If all shared vertices are this
 * joint's, all joints may be wrong in the same way; but that is unlikely if most of the model is
 * rigid, and has other joints. */
static bool is_alone(const m5_shared *s, uint32_t joint)
{
    enum { SEVERAL = 3 };
    return s->shared >= s->joints[joint].shared + LEAST_SHARED ||
           (s->used >= SEVERAL && 2 * (uint64_t)s->shared <= s->verts);
}

/* The joint that explains what the others do not which are skipped; or M5_NO_INDEX. */
static uint32_t find_one(const m5_shared *s, uint32_t *twin)
{
    uint32_t joint = s->apart != 0 ? choose(s, twin) : M5_NO_INDEX;
    bool by_weights = joint != M5_NO_INDEX && 2 * (uint64_t)s->split >= s->joints[joint].apart;
    return by_weights ? M5_NO_INDEX : joint;
}

static void add(m5_misplaced *out, uint32_t joint, bool reported)
{
    if (reported)
        out->joints[out->count++] = joint;
}

/* Whether a change of its line would mend a joint: another position, if all differences are the
 * same, or another orientation, if all distances from it are right. Of several joints, each must be
 * mended so: else it is the numbers of joints that are wrong, or other joints. */
static bool is_mendable(const m5_shared *s, uint32_t joint)
{
    enum { ENOUGH = 4 };
    error e = measure(s, joint);
    uint32_t count = s->joints[joint].shared;
    m5_vec mean = m5_vec_times(e.shift, 1.0 / count);
    double spread = sqrt(fmax(0, e.squares / count - m5_vec_dot(mean, mean)));
    return m5_shared_agree(s, spread) || (count >= ENOUGH && m5_shared_agree(s, e.turn_most)) ||
           is_overlong(s, joint, &e);
}

/* ---- Two joints that are exchanged ----------------------------------------------------------- */

enum { SUSPECTS = 8 };

/* Lists joints that disagree wherever they share vertices: those with the largest distances, the
 * largest first. */
static uint32_t list_suspects(const m5_shared *s, uint32_t list[SUSPECTS])
{
    const m5_shared_joint *j = s->joints;
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->f->model.md5mesh->num_joints; i++) {
        bool full = count == SUSPECTS;
        if (!disagrees(&j[i]) || (full && j[i].sum <= j[list[SUSPECTS - 1]].sum))
            continue;
        uint32_t at = full ? SUSPECTS - 1 : count++;
        for (; at > 0 && j[i].sum > j[list[at - 1]].sum; at--)
            list[at] = list[at - 1];
        list[at] = i;
    }
    return count;
}

/* Whether all joints agree if two of them have each other's place, or only each other's position.
 */
static bool are_exchanged(m5_shared *s, uint32_t a, uint32_t b)
{
    bool fits = false;
    for (int positions = 0; positions < 2 && !fits; positions++) {
        s->elsewhere[0] = s->bind[positions ? a : b];
        s->elsewhere[1] = s->bind[positions ? b : a];
        for (int k = 0; k < 3; k++) {
            s->elsewhere[0].row[k][3] = s->bind[b].row[k][3];
            s->elsewhere[1].row[k][3] = s->bind[a].row[k][3];
        }
        s->tried[0] = a;
        s->tried[1] = b;
        fits = !m5_shared_disagree(s);
    }
    s->tried[0] = s->tried[1] = M5_NO_INDEX;
    return fits;
}

/* `others`: two that might be meant instead, or the same. */
static bool say_exchanged(const m5_shared *s, const uint32_t pair[2], const uint32_t others[2])
{
    uint32_t a = pair[0], b = pair[1];
    const m5_md5mesh *m = s->f->model.md5mesh;
    const m5_rule *rule = M5_LINT_ROW(md5mesh_joint_misplaced);
    double measure = s->sum / s->apart / s->size;
    m5_diag d = m5_check_at_record(s->f, rule, m->joints[a].offset, JOINT_LAST);
    d.path = m5_path1("joint", a);
    d.fix = "swap the positions of the two, or their lines, if whole lines were exchanged";
    m5_relate(&d, &s->f->source, m->joints[b].name, "the other joint");
    for (int i = 0; i < 2; i++)
        if (others[i] != a && others[i] != b)
            m5_relate(&d, &s->f->source, m->joints[others[i]].name,
                      "a joint that may be one of the two instead");
    m5_emit(&s->f->report, &d, measure,
            "in the bind pose, joint %u '%.*s' and joint %u '%.*s' seem to have each other's "
            "place: %u vertices are placed %.4g units apart, and none if these are exchanged",
            a, M5_CHECK_NAME(s->f, m->joints[a].name), b, M5_CHECK_NAME(s->f, m->joints[b].name),
            s->apart, s->sum / s->apart);
    return m5_would_say(&s->f->report, rule, measure) >= M5_WARNING;
}

/* Reports two joints that have each other's place. Others that might be as well are named. */
static bool find_exchanged(m5_shared *s, m5_misplaced *out)
{
    uint32_t list[SUSPECTS], found[2][2], count = 0, suspects = list_suspects(s, list);
    for (uint32_t i = 1; i < suspects; i++)
        for (uint32_t k = 0; k < i && count < 2; k++) {
            uint32_t a = list[i] < list[k] ? list[i] : list[k], b = list[i] + list[k] - a;
            if (!are_exchanged(s, a, b))
                continue;
            found[count][0] = a;
            found[count++][1] = b;
        }
    if (count == 0)
        return false;
    out->exchanged = are_lines_exchanged(s, found[0][0]) || are_lines_exchanged(s, found[0][1]) ||
                     say_exchanged(s, found[0], found[count - 1]);
    add(out, found[0][0], out->exchanged);
    add(out, found[0][1], out->exchanged);
    return true;
}

/* ---- Several joints -------------------------------------------------------------------------- */

/* Takes one joint after another away until the next one explains all the rest. Fills in
 * s->skipped, and returns how many joints there are; 0 if they are too many. */
static uint32_t gather(m5_shared *s)
{
    enum { OF_EACH = 3 }; /* of so many joints, one may be wrong */
    uint32_t suspects[SUSPECTS], twin, some = s->used / OF_EACH;
    uint32_t most = some < M5_MISPLACED_MOST ? some : M5_MISPLACED_MOST;
    while (s->num_skipped + 1 < most) {
        if (list_suspects(s, suspects) == 0)
            return 0;
        s->skipped[s->num_skipped++] = suspects[0];
        m5_shared_count(s);
        uint32_t next = find_one(s, &twin);
        if (next != M5_NO_INDEX) {
            s->skipped[s->num_skipped++] = next;
            return s->num_skipped;
        }
    }
    return 0;
}

/* The same; but if few of the shared vertices are left, and agree, all joints may be wrong. */
static uint32_t cover(m5_shared *s)
{
    enum { OF_EACH = 3 }; /* of so many vertices, one must be left */
    uint32_t all = s->shared, count = gather(s);
    m5_shared_count(s);
    return OF_EACH * (uint64_t)(s->shared - s->apart) >= all ? count : 0;
}

/* Looks at the first of `count` joints without the vertices of the others, and moves it behind
 * them; or one that explains more, in its place. False if none explains all the rest. */
static bool look_at_next(m5_shared *s, uint32_t count, uint32_t *twin)
{
    uint32_t first = s->skipped[0];
    s->num_skipped = count - 1;
    memmove(s->skipped, s->skipped + 1, s->num_skipped * sizeof *s->skipped);
    m5_shared_count(s);
    uint32_t joint = find_one(s, twin);
    s->skipped[count - 1] = joint != M5_NO_INDEX ? joint : first;
    return joint != M5_NO_INDEX;
}

static void find_several(m5_shared *s, m5_misplaced *out)
{
    uint32_t twin, count = cover(s);
    for (uint32_t i = 0; i < count; i++)
        if (!look_at_next(s, count, &twin) || !is_mendable(s, s->skipped[count - 1]))
            return;
    for (uint32_t i = 0; i < count; i++) {
        if (!look_at_next(s, count, &twin))
            continue;
        uint32_t joint = s->skipped[count - 1];
        add(out, joint, say(s, joint, twin));
    }
}

static void find(m5_shared *s, m5_misplaced *out)
{
    uint32_t twin;
    s->size = m5_shared_size(s, M5_NO_INDEX);
    if (!(s->size > 0) || !m5_shared_disagree(s))
        return;
    m5_shared_count(s);
    uint32_t joint = find_one(s, &twin);
    bool mendable = joint != M5_NO_INDEX && is_mendable(s, joint);
    if (!mendable && find_exchanged(s, out))
        return;
    if (joint == M5_NO_INDEX) {
        find_several(s, out);
    } else if (!is_alone(s, joint)) {
        out->suspects[0] = joint;
        out->suspects[1] = twin;
    } else {
        add(out, joint, say(s, joint, twin));
    }
}

m5_misplaced m5_check_md5mesh_misplaced(m5_lint_file *f, const m5_matrix *bind)
{
    m5_misplaced out = {.suspects = {M5_NO_INDEX, M5_NO_INDEX}};
    size_t mark = f->arena.used;
    m5_shared s = {.f = f,
                   .bind = bind,
                   .joints = m5_check_scratch(f, f->model.md5mesh->num_joints, sizeof *s.joints),
                   .tried = {M5_NO_INDEX, M5_NO_INDEX}};
    if (s.joints != NULL)
        find(&s, &out);
    m5_arena_release(&f->arena, mark);
    return out;
}

bool m5_check_is_misplaced(const m5_lint_file *f, int64_t joint)
{
    bool any = false;
    for (uint32_t i = 0; f->misplaced != NULL && i < f->misplaced->count; i++)
        any |= f->misplaced->joints[i] == joint;
    return any;
}

bool m5_check_are_exchanged(const m5_lint_file *f, uint32_t joint, uint32_t *other)
{
    const m5_misplaced *by = f->misplaced;
    if (by == NULL || !by->exchanged || (joint != by->joints[0] && joint != by->joints[1]))
        return false;
    *other = by->joints[joint == by->joints[0]];
    return true;
}

bool m5_check_is_moved_by(const m5_md5mesh_mesh *m, const m5_misplaced *by)
{
    for (uint32_t k = 0; k < by->count; k++)
        for (uint32_t i = 0; i < m->num_weights; i++)
            if (m->weights[i].joint == by->joints[k])
                return true;
    return false;
}
