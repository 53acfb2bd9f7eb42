/* How an animation assigns the components of a frame to its joints. */
#include "checks.h"
#include "lint/core/check.h"
#include "lint/core/names.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/md5/lex.h"
#include "parsers/play/algebra.h"
#include "parsers/play/pose.h"

#include <math.h>
#include <string.h>

/* Tokens of  "name" parent flags startIndex */
enum { JOINT_FLAGS = 2, JOINT_START = 3 };

static uint32_t width(const m5_md5anim_channel *ch)
{
    return ch->flags == M5_BROKEN ? 0 : m5_md5anim_count_flags(ch->flags);
}

/* A joint whose flags leave a gap to the next one's components. */
typedef struct gap {
    uint32_t joint; /* M5_NO_INDEX: there is none */
    uint32_t next;  /* the joint after the gap */
    int64_t room;   /* how many components `joint` must have to close the gap */
} gap;

/* The first gap: its joint is the likely culprit. */
static gap find_gap(const m5_md5anim *m)
{
    uint32_t next = 0, last = M5_NO_INDEX;
    for (uint32_t i = 0; i < m->num_joints; i++) {
        const m5_md5anim_channel *ch = &m->channels[i];
        if (width(ch) == 0)
            continue;
        if (ch->start != next && last != M5_NO_INDEX)
            return (gap){last, i, (int64_t)ch->start - m->channels[last].start};
        if (ch->start != next)
            break;
        next += width(ch);
        last = i;
    }
    return (gap){.joint = M5_NO_INDEX};
}

/* A joint in the gap that has no flags and whose startIndex is where the gap begins. The model does
 * not keep startIndex for such joints, so it is read from the file. M5_NO_INDEX if there is none;
 * the gap's own joint if there are several. */
static uint32_t static_in_gap(const m5_lint_file *f, const m5_md5anim *m, const gap *g)
{
    const m5_md5anim_channel *before = &m->channels[g->joint];
    uint32_t found = M5_NO_INDEX, begin = before->start + width(before);
    for (uint32_t i = g->joint + 1; i < g->next; i++) {
        m5_span at = m5_lex_nth(&f->source, m->joints[i].offset, JOINT_START);
        int32_t start = 0;
        m5_read_int(f->source.bytes + at.offset, at.length, &start);
        if ((uint32_t)start == begin)
            found = found == M5_NO_INDEX ? i : g->joint;
    }
    return found;
}

static uint64_t sum_of_flags(const m5_md5anim *m)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < m->num_joints; i++)
        sum += width(&m->channels[i]);
    return sum;
}

/* Whether everything would be right if one joint had other flags; `g` gets that joint. */
static bool is_by_flags(const m5_lint_file *f, const m5_md5anim *m, gap *g, uint64_t sum)
{
    uint32_t own = width(&m->channels[g->joint]), quiet = static_in_gap(f, m, g);
    bool right = (int64_t)sum - own + g->room == m->num_components;
    bool several = quiet == g->joint;
    if (right && !several && quiet != M5_NO_INDEX) {
        g->joint = quiet;
        g->room -= own;
    }
    return right && !several && g->room >= 1 && g->room <= 6;
}

static void say_flags(m5_lint_file *f, const m5_md5anim *m, const gap *g, uint64_t sum)
{
    m5_diag d = m5_check_at(f, M5_LINT_ROW(md5anim_num_components_sum), m->joints[g->joint].offset,
                            JOINT_FLAGS);
    uint32_t own = width(&m->channels[g->joint]);
    d.path = m5_path1("joint", g->joint);
    m5_relate(&d, &f->source, m->num_components_at, "numAnimatedComponents");
    m5_emit(
        &f->report, &d, 0,
        "joint %u '%.*s' has flags for %u component%s, expected %u: joint %u's startIndex is %u "
        "higher; all flags add up to %u, expected %u",
        g->joint, M5_CHECK_NAME(f, m->joints[g->joint].name), own, own == 1 ? "" : "s",
        (uint32_t)g->room, g->next, (uint32_t)g->room, (uint32_t)sum, m->num_components);
}

static void say_sum(m5_lint_file *f, const m5_md5anim *m, uint64_t sum)
{
    m5_diag d = m5_found(M5_LINT_ROW(md5anim_num_components_sum), m->num_components_at);
    gap g = find_gap(m);
    if (g.joint != M5_NO_INDEX && is_by_flags(f, m, &g, sum)) {
        say_flags(f, m, &g, sum);
        return;
    }
    if (g.joint != M5_NO_INDEX)
        m5_relate(&d, &f->source, m->joints[g.joint].name,
                  "the first joint whose components do not end where the next joint's begin");
    m5_emit(&f->report, &d, 0,
            "numAnimatedComponents is %u, but the flags of all joints add up to %u",
            m->num_components, (uint32_t)sum);
}

static void say_overlap(m5_lint_file *f, const m5_md5anim *m, uint32_t i, uint32_t other,
                        uint32_t component)
{
    m5_diag d = m5_check_at(f, M5_LINT_ROW(md5anim_start_index_overlap), m->joints[i].offset,
                            JOINT_START);
    d.path = m5_path1("joint", i);
    m5_relate(&d, &f->source, m->joints[other].name, "the other joint");
    m5_emit(&f->report, &d, 0, "joint %u '%.*s' uses component %u, which belongs to joint %u", i,
            M5_CHECK_NAME(f, m->joints[i].name), component, other);
}

/* Which of two joints that share a component does not begin where the joints before it end. */
static uint32_t culprit_of(const m5_md5anim *m, uint32_t first, uint32_t second)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < first; i++)
        sum += width(&m->channels[i]);
    bool first_fits = m->channels[first].start == sum;
    for (uint32_t i = first; i < second; i++)
        sum += width(&m->channels[i]);
    return m->channels[second].start == sum && !first_fits ? first : second;
}

/* `owner` of a component is the first joint that uses it, plus one. Returns whether no two joints
 * share a component; reports the first two that do. */
static bool check_owners(m5_lint_file *f, const m5_md5anim *m, uint32_t *owner)
{
    memset(owner, 0, m->num_components * sizeof *owner);
    for (uint32_t i = 0; i < m->num_joints; i++) {
        const m5_md5anim_channel *ch = &m->channels[i];
        for (uint32_t k = ch->start; k < ch->start + width(ch); k++) {
            if (owner[k] != 0) {
                uint32_t other = owner[k] - 1, culprit = culprit_of(m, other, i);
                say_overlap(f, m, culprit, culprit == i ? other : i, k);
                return false;
            }
            owner[k] = i + 1;
        }
    }
    return true;
}

/* The first joint that does not use the components in the order of the joints, or M5_NO_INDEX;
 * `next` is where its components would begin. */
static uint32_t first_out_of_order(const m5_md5anim *m, uint32_t *next)
{
    *next = 0;
    for (uint32_t i = 0; i < m->num_joints; i++) {
        if (width(&m->channels[i]) != 0 && m->channels[i].start != *next)
            return i;
        *next += width(&m->channels[i]);
    }
    return M5_NO_INDEX;
}

/* ---- Two joints exchanged -------------------------------------------------------------------- */

/* Two joints; M5_NO_INDEX: there are none. */
typedef struct two_joints {
    uint32_t first, second;
} two_joints;

static uint32_t other_of(two_joints two, uint32_t joint)
{
    return joint == two.first ? two.second : joint == two.second ? two.first : joint;
}

/* Whether two joints each have, in frame 0, the position that the baseframe gives the other one,
 * and not their own. Positions are mostly the same in all frames, and in the baseframe: in real
 * animations, for 97% of neighbours that could be exchanged. */
static bool have_each_others_place(const m5_md5anim *m, two_joints two)
{
    static const double same = 0.02, other = 0.1; /* of the longer bone */
    m5_vec base[2] = {m5_vec_of(m->base[two.first].pos), m5_vec_of(m->base[two.second].pos)};
    m5_vec here[2] = {m5_md5anim_local(m, 0, two.first).pos,
                      m5_md5anim_local(m, 0, two.second).pos};
    double length = fmax(m5_vec_length(base[0]), m5_vec_length(base[1]));
    for (uint32_t k = 0; k < 2; k++)
        if (!(m5_vec_distance(here[k], base[1 - k]) <= same * length) ||
            !(m5_vec_distance(here[k], base[k]) > other * length))
            return false;
    return true;
}

/* Whether all joints use the components in their order if two of them change places. */
static bool are_in_order_without(const m5_md5anim *m, two_joints two)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < m->num_joints; i++) {
        const m5_md5anim_channel *c = &m->channels[other_of(two, i)];
        if (width(c) != 0 && c->start != next)
            return false;
        next += width(c);
    }
    return true;
}

/* The first joint whose components are not where they would be in the order of the joints, and the
 * one that has them there; if all others are in order, and if these two have each other's
 * positions. Components alone may be in any order. */
static two_joints find_exchanged(const m5_lint_file *f)
{
    const two_joints none = {M5_NO_INDEX, M5_NO_INDEX};
    const m5_md5anim *m = f->model.md5anim;
    uint32_t next, first = first_out_of_order(m, &next);
    if (first == M5_NO_INDEX || !m->base_in_place || !m5_check_can_pose(m) ||
        !m5_check_is_read(m, 0) || m5_check_is_odd_frame(f, 0))
        return none;
    two_joints two = {first, first + 1};
    while (two.second < m->num_joints &&
           (width(&m->channels[two.second]) == 0 || m->channels[two.second].start != next))
        two.second++;
    bool found = two.second < m->num_joints && are_in_order_without(m, two) &&
                 have_each_others_place(m, two);
    return found ? two : none;
}

/* Whether a joint has another name in the mesh. */
static bool is_other_name(const m5_lint_file *f, const m5_lint_file *mesh, uint32_t joint)
{
    const m5_md5mesh *m = mesh != NULL ? mesh->model.md5mesh : NULL;
    return m != NULL && joint < m->num_joints &&
           m5_check_compare_names(&mesh->source, m->joints[joint].name, &f->source,
                                  f->model.md5anim->joints[joint].name) != 0;
}

bool m5_check_md5anim_exchanged(m5_lint_file *f, const m5_lint_file *mesh)
{
    const m5_md5anim *m = f->model.md5anim;
    two_joints two = {M5_NO_INDEX, M5_NO_INDEX};
    if (f->values_known)
        two = find_exchanged(f);
    if (two.first == M5_NO_INDEX || is_other_name(f, mesh, two.first) ||
        is_other_name(f, mesh, two.second))
        return false;
    const m5_md5_joint *a = &m->joints[two.first], *b = &m->joints[two.second];
    m5_diag d = m5_check_at(f, M5_LINT_ROW(md5anim_joints_exchanged), a->offset, JOINT_START);
    d.path = m5_path1("joint", two.first);
    m5_relate(&d, &f->source, b->name, "the other joint");
    m5_emit(&f->report, &d, 0,
            "joints %u '%.*s' and %u '%.*s' seem to be exchanged: their startIndex are, and in "
            "frame 0 each is where the baseframe has the other",
            two.first, M5_CHECK_NAME(f, a->name), two.second, M5_CHECK_NAME(f, b->name));
    return m5_would_say(&f->report, d.rule, 0) >= M5_WARNING;
}

/* ---- Order and use --------------------------------------------------------------------------- */

/* Reported once per file. */
static void check_gaps(m5_lint_file *f, const m5_md5anim *m)
{
    uint32_t next, i = first_out_of_order(m, &next);
    if (i == M5_NO_INDEX || find_exchanged(f).first != M5_NO_INDEX)
        return;
    m5_diag d = m5_check_at(f, M5_LINT_ROW(md5anim_start_index_gap), m->joints[i].offset,
                            JOINT_START);
    d.path = m5_path1("joint", i);
    m5_emit(&f->report, &d, 0,
            "joint %u '%.*s' has startIndex %u, expected %u: the number of components of all "
            "joints before it",
            i, M5_CHECK_NAME(f, m->joints[i].name), m->channels[i].start, next);
}

/* The first component of a joint that has no flag and is not 0 in the baseframe; 6 if there is
 * none.
 */
static unsigned find_partial(const m5_md5anim *m, uint32_t joint)
{
    const m5_md5_pose *base = &m->base[joint];
    unsigned k = 0;
    if (isnan(base->pos[0]))
        return 6;
    while (k < 6 && ((m->channels[joint].flags >> k & 1) != 0 ||
                     (k < 3 ? base->pos[k] : base->orient[k - 3]) == 0))
        k++;
    return k;
}

static void say_partial(m5_lint_file *f, uint32_t i, unsigned k, uint32_t joints)
{
    const m5_md5anim *m = f->model.md5anim;
    const m5_md5_pose *base = &m->base[i];
    m5_diag d = m5_check_at(f, M5_LINT_ROW(md5anim_partial_flags_baseframe), m->joints[i].offset,
                            JOINT_FLAGS);
    char others[64] = "";
    d.path = m5_path1("joint", i);
    m5_relate(&d, &f->source, m5_check_at(f, NULL, base->offset, k < 3 ? k + 1 : k + 3).at,
              "the baseframe's value");
    if (joints > 1)
        m5_check_print(others, sizeof others, " (first of %u joints)", joints);
    m5_emit(&f->report, &d, 0,
            "joint %u '%.*s': %s %c has no flag, so it is always %g as in the baseframe; Ironwail "
            "uses 0 instead%s",
            i, M5_CHECK_NAME(f, m->joints[i].name), k < 3 ? "position" : "orientation", "xyzxyz"[k],
            (double)(k < 3 ? base->pos[k] : base->orient[k - 3]), others);
}

/* Ironwail uses 0 for a component that a frame does not replace, not the baseframe's value. Most
 * exporters leave out flags in many joints: then that is one finding. */
static void check_partial(m5_lint_file *f, const m5_md5anim *m)
{
    enum { FEW = 3 };
    uint32_t joints = 0;
    for (uint32_t i = 0; i < m->num_joints; i++)
        joints += find_partial(m, i) < 6;
    bool once = joints > FEW;
    for (uint32_t i = 0, said = 0; i < m->num_joints && !(once && said != 0); i++) {
        unsigned k = find_partial(m, i);
        if (k < 6) {
            say_partial(f, i, k, once ? joints : 1);
            said++;
        }
    }
}

static void check_moves(m5_lint_file *f, const m5_md5anim *m)
{
    m5_diag d = m5_found(M5_LINT_ROW(md5anim_static), m->num_components_at);
    if (m->num_components == 0)
        m5_emit(&f->report, &d, 0, "numAnimatedComponents is 0: nothing moves");
}

/* Whether each component of a frame belongs to exactly one joint. If not, it is not known whose
 * component it is. */
static bool check_shares(m5_lint_file *f, const m5_md5anim *m)
{
    uint64_t sum = sum_of_flags(m);
    size_t mark = f->arena.used;
    uint32_t *owner = m5_check_scratch(f, m->num_components, sizeof *owner);
    bool apart = false;
    if (sum != m->num_components)
        say_sum(f, m, sum);
    else if (owner != NULL)
        apart = check_owners(f, m, owner);
    m5_arena_release(&f->arena, mark);
    return apart;
}

/* Whether the number of values in some frame confirms numAnimatedComponents. */
static bool is_any_read(const m5_md5anim *m)
{
    bool any = false;
    for (uint32_t i = 0; i < m->num_frames && !any; i++)
        any = m5_check_is_read(m, i);
    return any && (m->num_components != 0 || m->frames_whole);
}

bool m5_check_md5anim_components(m5_lint_file *f)
{
    const m5_md5anim *m = f->model.md5anim;
    if (!m->channels_whole)
        return false;
    check_moves(f, m);
    bool apart = is_any_read(m) && check_shares(f, m);
    if (apart)
        check_gaps(f, m);
    if (m->base_in_place && m5_check_wanted(f, M5_LINT_ROW(md5anim_partial_flags_baseframe)))
        check_partial(f, m);
    return apart;
}
