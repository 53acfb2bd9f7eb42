/* Compares the keys of an illanim with the bind pose of its illskel. Poses differ from it, but if
 * they are always more than twice as far from it as they would be with the numbers read in another
 * way, the file was written in that way. */
#include "checks.h"
#include "pair.h"
#include "lint/core/check.h"
#include "lint/geometry/units.h"
#include "lint/ill/checks.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/play/algebra.h"
#include "parsers/play/pose.h"

enum { LEAST_BONES = 3 };

/* Ways to read the two files. */
enum { AS_IS, W_FIRST, INVERTED, MODEL_BIND, MODEL_INVERSE, MODEL_KEYS, FROM_BIND, READINGS };
static const struct {
    double from; /* the mean turn, in degrees, that makes another reading likely; in real files it
                    is below 47 */
    const char *says;
} readings[READINGS] = {
    [W_FIRST] = {90, "quaternions are read as w x y z"},
    [INVERTED] = {20, "the skeleton's matrices are transposed, or the quaternions inverted"},
    [MODEL_BIND] = {20, "the skeleton's matrices are in model space, not parent space"},
    [MODEL_INVERSE] = {20,
                       "the skeleton's matrices are inverted and in model space, not parent space"},
    [MODEL_KEYS] = {20, "the animation's keys are in model space, not parent space"},
    [FROM_BIND] = {50, "the animation's keys are relative to the bind pose, not parent space"},
};

/* How many times as long as in the bind pose bones are in a frame: the sum of the logarithms, and
 * of their squares. Poses may move a joint, but not all of them alike. */
typedef struct lengths {
    double sum, squares;
    uint32_t bones;
    uint32_t only_bind, only_anim; /* bones that have a length in one of the two only */
    uint32_t in_place;             /* bones that have the same offset in both */
} lengths;

/* How far bones are turned from the bind pose in a frame, in degrees, added up. */
typedef struct turns {
    double sum[READINGS];
    uint32_t bones;
    m5_axes axes; /* about which bones are turned in the bind pose */
    bool chained; /* a bone and its parent are both turned there */
    lengths stretch;
} turns;

typedef struct pair {
    m5_ill_pair files;
    const m5_illskel *s;
    const m5_illanim *m;
    turns turns[M5_SAMPLES];
} pair;

/* Whether a bone's matrix is a rotation and an offset, as it should be. */
static bool is_rigid(const m5_illskel_bone *b)
{
    const float *last = b->matrix[3];
    return last[0] == 0 && last[1] == 0 && last[2] == 0 && last[3] == 1;
}

/* The rotation from one matrix to the other; NaN if there is none. */
static m5_quat turn_between(const m5_matrix *from, const m5_matrix *to)
{
    m5_matrix back, own = *to;
    if (m5_matrix_inverse(from, &back))
        own = m5_matrix_times(&back, to);
    return m5_transform_of(&own, 1e-2).rotation;
}

static void add_length(lengths *l, m5_vec bind, const float pos[3])
{
    static const double same = 0.01;
    double is = m5_vec_length(m5_vec_of(pos)), was = m5_vec_length(bind), by = is / was;
    l->in_place += was > 0 && m5_vec_distance(m5_vec_of(pos), bind) <= same * was;
    l->only_bind += was > 0 && is == 0;
    l->only_anim += is > 0 && was == 0;
    if (!(by > 0) || isinf(by))
        return;
    l->sum += log(by);
    l->squares += log(by) * log(by);
    l->bones++;
}

static m5_quat key_turn(const pair *p, uint32_t bone, uint32_t frame)
{
    const float *n = p->m->bones[p->files.track[bone]].keys[frame].rotation;
    return m5_quat_unit((m5_quat){(double)n[0], (double)n[1], (double)n[2], (double)n[3]});
}

/* By how much a bone is turned from the bind pose in each reading; NaN if that is not known. */
static void measure_bone(const pair *p, uint32_t bone, uint32_t frame, double turn[READINGS])
{
    uint32_t parent = (uint32_t)p->s->bones[bone].parent;
    m5_matrix own = m5_illskel_matrix(p->s, bone), outer = m5_illskel_matrix(p->s, parent), inverse;
    m5_quat bind = m5_transform_of(&own, 1e-2).rotation, said = key_turn(p, bone, frame);
    m5_quat beside = said;
    if (p->files.track[parent] != M5_NO_INDEX)
        beside = m5_quat_times(m5_quat_inverse(key_turn(p, parent, frame)), said);
    turn[AS_IS] = m5_quat_angle(bind, said);
    turn[W_FIRST] = m5_quat_angle(bind, (m5_quat){said.y, said.z, said.w, said.x});
    turn[INVERTED] = m5_quat_angle(m5_quat_inverse(bind), said);
    turn[MODEL_BIND] = m5_quat_angle(turn_between(&outer, &own), said);
    turn[MODEL_INVERSE] = NAN;
    if (m5_matrix_inverse(&own, &inverse)) {
        m5_matrix relative = m5_matrix_times(&outer, &inverse);
        turn[MODEL_INVERSE] = m5_quat_angle(m5_transform_of(&relative, 1e-2).rotation, said);
    }
    turn[MODEL_KEYS] = m5_quat_angle(bind, beside);
    turn[FROM_BIND] = m5_quat_angle((m5_quat){0, 0, 0, 1}, said);
}

/* Whether a bone that is not a root is turned in the bind pose. */
static bool is_turned_below(const m5_illskel *s, uint32_t bone)
{
    m5_matrix matrix = m5_illskel_matrix(s, bone);
    return s->bones[bone].parent >= 0 && m5_quat_rotates(m5_transform_of(&matrix, 1e-2).rotation);
}

static void add_bone(const pair *p, turns *t, uint32_t bone, uint32_t frame)
{
    double turn[READINGS];
    measure_bone(p, bone, frame, turn);
    for (int i = 0; i < READINGS; i++)
        if (isnan(turn[i]))
            return;
    for (int i = 0; i < READINGS; i++)
        t->sum[i] += M5_DEGREES * turn[i];
    m5_matrix matrix = m5_illskel_matrix(p->s, bone);
    m5_transform bind = m5_transform_of(&matrix, 1e-2);
    m5_axes_add(&t->axes, bind.rotation);
    t->chained |= m5_quat_rotates(bind.rotation) &&
                  is_turned_below(p->s, (uint32_t)p->s->bones[bone].parent);
    add_length(&t->stretch, bind.pos, p->m->bones[p->files.track[bone]].keys[frame].pos);
    t->bones++;
}

static turns measure(const pair *p, uint32_t frame)
{
    turns t = {.bones = 0};
    for (uint32_t i = 0; i < p->s->num_bones; i++)
        if (p->files.track[i] != M5_NO_INDEX && p->s->bones[i].parent >= 0 &&
            is_rigid(&p->s->bones[i]))
            add_bone(p, &t, i, frame);
    return t;
}

/* ---- Turns ----------------------------------------------------------------------------------- */

/* Whether a real pose may be that far from the bind pose. It may look inverted if all bones turn
 * about one axis, as hinges do, or if no turned bone has a turned parent, as with legs on one body.
 * And if most offsets are the same, both files are in parent space: a tail is curled, a box
 * unfolded. */
static bool may_be_pose(const turns *t, int reading)
{
    if (reading == W_FIRST)
        return false;
    if (!t->axes.several || (reading == INVERTED && !t->chained))
        return true;
    return reading != INVERTED && 2 * t->stretch.in_place > t->bones;
}

/* The reading that comes nearest to the bind pose, if it is much nearer than AS_IS. */
static int best_reading(const turns *t)
{
    int best = AS_IS;
    for (int i = AS_IS + 1; i < READINGS; i++)
        if (t->bones >= LEAST_BONES && t->sum[AS_IS] > readings[i].from * t->bones &&
            t->sum[i] < t->sum[AS_IS] / 2 && t->sum[i] < t->sum[best] && !may_be_pose(t, i))
            best = i;
    return best;
}

/* ---- Inverted, exactly ----------------------------------------------------------------------- */

/* What shows that no pose explains it: bones that have exactly the inverse of the bind pose. */
typedef struct inverses {
    uint32_t bones;
    m5_axes axes;
    bool chained;       /* a bone and its parent */
    double least, most; /* the angles by which they are turned in the bind pose */
} inverses;

/* How far a bone is turned from the bind pose in a frame, as it is and inverted, in degrees. False
 * if that is not known. */
static bool find_inverse(const m5_posed *posed, uint32_t frame, uint32_t bone, double *as_is,
                         double *inverted)
{
    m5_quat bind = posed->bind(posed->context, bone).rotation;
    m5_quat key = posed->at(posed->context, frame, bone).rotation;
    *as_is = M5_DEGREES * m5_quat_angle(bind, key);
    *inverted = M5_DEGREES * m5_quat_angle(m5_quat_inverse(bind), key);
    return !isnan(*as_is);
}

static const double EXACT = 0.5, DIFFERS = 5;

static bool is_inverse(const m5_posed *posed, uint32_t frame, uint32_t bone)
{
    double as_is, inverted;
    return find_inverse(posed, frame, bone, &as_is, &inverted) && inverted <= EXACT &&
           as_is >= DIFFERS;
}

static void add_inverse(const m5_posed *posed, uint32_t frame, uint32_t bone, inverses *out)
{
    m5_quat bind = posed->bind(posed->context, bone).rotation;
    double angle = M5_DEGREES * m5_quat_angle((m5_quat){0, 0, 0, 1}, bind);
    int32_t parent = posed->parent(posed->context, bone);
    out->least = out->bones == 0 ? angle : fmin(out->least, angle);
    out->most = fmax(out->most, angle);
    out->chained |= parent >= 0 && is_inverse(posed, frame, (uint32_t)parent);
    m5_axes_add(&out->axes, bind);
    out->bones++;
}

/* Whether all bones, roots too, have exactly the inverse of the bind pose in a frame, and so many
 * of them, in such ways, that it is no pose: bones that turn about their parents' wrong axes, or at
 * least many different angles about different axes. */
static bool is_inverse_pose(const m5_posed *posed, uint32_t frame)
{
    enum { MANY_BONES = 5 };
    static const double varied = 15;
    inverses found = {.bones = 0};
    for (uint32_t i = 0; i < posed->num_joints; i++) {
        double as_is, inverted;
        if (!find_inverse(posed, frame, i, &as_is, &inverted))
            continue;
        if (!(inverted <= EXACT))
            return false;
        if (as_is >= DIFFERS)
            add_inverse(posed, frame, i, &found);
    }
    bool many = found.bones >= MANY_BONES && found.most - found.least >= varied;
    return found.bones >= LEAST_BONES && found.axes.several && (found.chained || many);
}

/* Whether bones are inverted in a rig in which a pose may look so: one of the frames is the bind
 * pose, inverted, and all are nearer to that. */
static bool is_exactly_inverted(const pair *p)
{
    m5_posed posed = m5_posed_ill(&p->files);
    bool exact = false;
    for (int i = 0; i < M5_SAMPLES; i++) {
        const turns *t = &p->turns[i];
        if (!(t->sum[AS_IS] > readings[INVERTED].from * t->bones) ||
            !(t->sum[INVERTED] < t->sum[AS_IS] / 2))
            return false;
        exact = exact || is_inverse_pose(&posed, posed.frames[i]);
    }
    return exact;
}

/* The reading that all samples agree on; AS_IS if they do not, or if another rule reports it. */
static int find_reading(const pair *p)
{
    int best = best_reading(&p->turns[0]);
    for (int i = 1; i < M5_SAMPLES; i++)
        if (best_reading(&p->turns[i]) != best)
            best = AS_IS;
    if (best == AS_IS)
        return is_exactly_inverted(p) ? INVERTED : AS_IS;
    bool reported = m5_check_wanted(p->files.anim, M5_LINT_ROW(illanim_quat_order_suspect)) &&
                    m5_check_is_w_first(p->m);
    return best == W_FIRST && reported ? AS_IS : best;
}

/* A finding at a word of the first key of the first bone that both files have. */
static m5_diag at_first(const pair *p, const m5_rule *rule, uint32_t word)
{
    uint32_t bone = 0, track = M5_NO_INDEX;
    for (uint32_t i = 0; i < p->s->num_bones; i++)
        if (p->files.track[i] < track && p->s->bones[i].parent >= 0) {
            bone = i;
            track = p->files.track[i];
        }
    return m5_ill_at_key(&p->files, rule, bone, word);
}

static void say_turns(const pair *p, int best)
{
    const turns *t = &p->turns[0];
    m5_diag d = at_first(p, M5_LINT_ROW(cross_ill_bind_vs_anim), M5_ILL_KEY_ROTATION);
    m5_emit(
        &p->files.anim->report, &d, 0,
        "in frame 0, %u bones are rotated by %.3g degrees on average from the bind pose; it would "
        "be %.3g if %s",
        t->bones, t->sum[AS_IS] / t->bones, floor(t->sum[best] / t->bones * 100) / 100,
        readings[best].says);
}

/* ---- Lengths --------------------------------------------------------------------------------- */

/* How many times as long all bones are in a frame, as a logarithm; 0 if they are about as long as
 * in the bind pose, or not all alike. */
static double stretch_in(const pair *p, int i)
{
    static const double other = 0.4, alike = 0.2; /* by a half, within a fifth */
    const lengths *l = &p->turns[i].stretch;
    double mean = l->sum / l->bones, spread = l->squares / l->bones - mean * mean;
    bool stretched = l->bones >= LEAST_BONES && fabs(mean) >= other && spread <= alike * alike;
    return stretched && !m5_ill_is_scaled(p->m, m5_sample_frame(p->m->num_frames, i)) ? mean : 0;
}

static bool is_in_one_place(const lengths *l)
{
    return l->bones == 0 && (l->only_bind >= LEAST_BONES || l->only_anim >= LEAST_BONES);
}

/* How many times as long all bones are in frame 0, as a logarithm; 0 if they are not stretched in
 * the same direction in all samples. */
static double find_stretch(const pair *p)
{
    double mean = stretch_in(p, 0);
    for (int i = 1; i < M5_SAMPLES; i++)
        if (!(stretch_in(p, i) * mean > 0))
            return 0;
    return mean;
}

static double gravity_of_scale(const pair *p, double mean)
{
    return m5_is_other_scale(exp(mean), p->turns[0].stretch.bones) ? M5_GRAVE : M5_MILD;
}

/* Returns whether lengths of all bones were reported. */
static bool check_lengths(const pair *p)
{
    const lengths *l = &p->turns[0].stretch;
    double mean = find_stretch(p);
    bool one_place = true;
    for (int i = 0; i < M5_SAMPLES; i++)
        one_place &= is_in_one_place(&p->turns[i].stretch);
    if (!one_place && mean == 0)
        return false;
    m5_diag d = at_first(p, M5_LINT_ROW(cross_ill_bind_scale), M5_ILL_KEY_POSITION);
    if (one_place)
        m5_emit(&p->files.anim->report, &d, M5_GRAVE,
                "in %s every bone is at the position of its parent, in %s they are apart",
                l->only_anim != 0 ? "the skeleton" : "frame 0",
                l->only_anim != 0 ? "frame 0" : "the skeleton");
    else
        m5_emit(&p->files.anim->report, &d, gravity_of_scale(p, mean),
                "in frame 0, %u bones are %.4g times as long as in the bind pose on average",
                l->bones, exp(mean));
    return true;
}

/* Works in the arena of `room`; returns whether there was enough, and something to measure. */
static bool measure_samples(pair *p, const m5_lint_file *skel, m5_lint_file *anim,
                            m5_lint_file *room)
{
    p->s = skel->model.illskel;
    p->m = anim->model.illanim;
    if (p->m->num_frames == 0 || !m5_ill_pair_make(&p->files, skel, anim, room))
        return false;
    for (int i = 0; i < M5_SAMPLES; i++)
        p->turns[i] = measure(p, m5_sample_frame(p->m->num_frames, i));
    return true;
}

bool m5_check_ill_warns_of_scale(const m5_lint_file *skel, m5_lint_file *anim, bool longer,
                                 m5_lint_file *room)
{
    size_t mark = room->arena.used;
    pair p;
    bool warns = anim->model.illanim->whole && measure_samples(&p, skel, anim, room) &&
                 find_reading(&p) == AS_IS;
    double mean = warns ? find_stretch(&p) : 0;
    warns = (longer ? mean > 0 : mean < 0) &&
            m5_would_say(&anim->report, M5_LINT_ROW(cross_ill_bind_scale),
                         gravity_of_scale(&p, mean)) >= M5_WARNING;
    m5_arena_release(&room->arena, mark);
    return warns;
}

bool m5_check_ill_warns_of_reading(const m5_lint_file *skel, m5_lint_file *anim, m5_lint_file *room)
{
    size_t mark = room->arena.used;
    pair p;
    bool warns = anim->model.illanim->whole && measure_samples(&p, skel, anim, room) &&
                 m5_would_say(&anim->report, M5_LINT_ROW(cross_ill_bind_vs_anim), 0) >= M5_WARNING;
    int best = warns ? find_reading(&p) : AS_IS;
    m5_arena_release(&room->arena, mark);
    return best == INVERTED || best == MODEL_BIND || best == MODEL_INVERSE;
}

void m5_check_cross_ill_bind(const m5_lint_file *skel, m5_lint_file *anim,
                             const m5_same_rig *meshes)
{
    size_t mark = anim->arena.used;
    pair p;
    if (measure_samples(&p, skel, anim, anim)) {
        int best = find_reading(&p);
        if (best != AS_IS)
            say_turns(&p, best);
        else if (!check_lengths(&p))
            m5_check_cross_ill_bones(&p.files, meshes);
    }
    m5_arena_release(&anim->arena, mark);
}

/* ---- Which skeleton -------------------------------------------------------------------------- */

uint32_t m5_check_ill_bones_alike(const m5_lint_file *skel, m5_lint_file *anim)
{
    static const double other = 0.05; /* a bone's length that differs */
    size_t mark = anim->arena.used;
    const m5_illskel *s = skel->model.illskel;
    const m5_illanim *m = anim->model.illanim;
    m5_ill_pair p;
    bool known = s->matrices_whole && m->whole && m->num_frames != 0 &&
                 !m5_settings_of(&anim->report)->no_geometry &&
                 m5_ill_pair_make(&p, skel, anim, anim);
    uint32_t alike = 0;
    for (uint32_t i = 0; known && i < s->num_bones; i++) {
        if (p.track[i] == M5_NO_INDEX)
            continue;
        m5_matrix bind = m5_illskel_matrix(s, i);
        double length = m5_vec_length(m5_matrix_translation(&bind));
        double now = m5_vec_length(m5_vec_of(m->bones[p.track[i]].keys[0].pos));
        alike += fabs(now - length) <= other * length;
    }
    m5_arena_release(&anim->arena, mark);
    return alike;
}
