/* The first keys of an illanim against the bind pose of its illskel. Poses differ, but not by
 * more than twice as much as they would if the numbers were read in another way. */
#include "check.h"
#include "pose.h"

#include "../parsers/words.h"

static const double DEGREES = 57.29577951308232;
enum { LEAST_BONES = 3, ROTATION_WORD = 3 };

/* Ways to read the two files. */
enum { AS_IS, W_FIRST, TRANSPOSED, ABSOLUTE, READINGS };
static const struct {
    double from; /* a mean turn, in degrees, that makes another reading likely; real ones are below 47 */
    const char *says;
} readings[READINGS] = {
    [W_FIRST] = {90, "quaternions are read with w first"},
    [TRANSPOSED] = {20, "the skeleton's matrices are transposed"},
    [ABSOLUTE] = {20, "the skeleton's matrices are those of the model, not relative to parents"},
};

/* By what bones are longer in the first frame than in the bind pose: logarithms, added up, and their
 * squares. Poses may move a joint, but not all of them alike. */
typedef struct lengths {
    double sum, squares;
    uint32_t bones;
    uint32_t only_bind, only_anim; /* bones that have a length in the one only */
} lengths;

/* How far bones are turned from the bind pose in the first frame, in degrees, added up. */
typedef struct turns {
    double sum[READINGS];
    uint32_t bones, first_bone, first_track;
    lengths stretch;
} turns;

/* Whether a bone's matrix is a rotation and an offset, as it should be. */
static bool is_rigid(const m5_illskel_bone *b)
{
    const float *last = b->matrix[3];
    return last[0] == 0 && last[1] == 0 && last[2] == 0 && last[3] == 1;
}

/* A bone's turn against its parent, were the matrices those of the model; NaN if that makes no
 * sense. */
static m5_quat against_parent(const m5_illskel *s, uint32_t bone)
{
    m5_matrix own = m5_illskel_matrix(s, bone);
    m5_matrix outer = m5_illskel_matrix(s, (uint32_t)s->bones[bone].parent), back;
    if (m5_matrix_inverse(&outer, &back))
        own = m5_matrix_times(&back, &own);
    return m5_transform_of(&own, 1e-2).turn;
}

static void add_length(lengths *l, m5_vec bind, const float pos[3])
{
    double is = m5_vec_length(m5_vec_of(pos)), was = m5_vec_length(bind), by = is / was;
    l->only_bind += was > 0 && is == 0;
    l->only_anim += is > 0 && was == 0;
    if (!(by > 0) || isinf(by))
        return;
    l->sum += log(by);
    l->squares += log(by) * log(by);
    l->bones++;
}

static void add_bone(turns *t, const m5_illskel *s, uint32_t bone, const m5_lint_file *anim,
                     uint32_t track)
{
    const float *n = anim->model.illanim->bones[track].keys[0].rotation;
    if (s->bones[bone].parent < 0 || !is_rigid(&s->bones[bone]))
        return;
    m5_quat said = m5_quat_unit((m5_quat){(double)n[0], (double)n[1], (double)n[2], (double)n[3]});
    m5_quat w_first = {said.y, said.z, said.w, said.x};
    m5_matrix matrix = m5_illskel_matrix(s, bone);
    m5_quat bind = m5_transform_of(&matrix, 1e-2).turn;
    const double turn[READINGS] = {m5_quat_angle(bind, said), m5_quat_angle(bind, w_first),
                                   m5_quat_angle(m5_quat_inverse(bind), said),
                                   m5_quat_angle(against_parent(s, bone), said)};
    if (isnan(turn[AS_IS]) || isnan(turn[ABSOLUTE]))
        return;
    for (int i = 0; i < READINGS; i++)
        t->sum[i] += DEGREES * turn[i];
    add_length(&t->stretch, m5_transform_of(&matrix, 1e-2).pos,
               anim->model.illanim->bones[track].keys[0].pos);
    if (t->bones++ != 0 && track >= t->first_track)
        return;
    t->first_bone = bone;
    t->first_track = track;
}

/* Both lists of names are sorted. */
static turns measure(const m5_lint_file *skel, const m5_lint_file *anim)
{
    turns t = {.bones = 0};
    uint32_t a_count = check_name_count(&skel->model), b_count = check_name_count(&anim->model);
    for (uint32_t a = 0, b = 0; a < a_count && b < b_count;) {
        int order = check_compare_names(
            &skel->source, check_name_at(&skel->model, skel->names[a]), &anim->source,
            check_name_at(&anim->model, anim->names[b]));
        if (order == 0)
            add_bone(&t, skel->model.illskel, skel->names[a], anim, anim->names[b]);
        a += order <= 0;
        b += order >= 0;
    }
    return t;
}

/* The reading that comes nearest to the bind pose, if it is far nearer. */
static int best_reading(const turns *t, const m5_lint_file *anim)
{
    int best = AS_IS;
    for (int i = AS_IS + 1; i < READINGS; i++)
        if (t->sum[AS_IS] > readings[i].from * t->bones && t->sum[i] < t->sum[AS_IS] / 2 &&
            t->sum[i] < t->sum[best])
            best = i;
    bool told = best == W_FIRST && check_is_w_first(anim->model.illanim);
    return told ? AS_IS : best;
}

/* At a word of the first bone's first key. */
static m5_diag at_first(const turns *t, const m5_rule *rule, const m5_lint_file *skel,
                        const m5_lint_file *anim, uint32_t word)
{
    uint32_t key_at = anim->model.illanim->bones[t->first_track].keys[0].offset;
    uint32_t bind_at = skel->model.illskel->bones[t->first_bone].matrix_at;
    m5_diag d = m5_found(rule, m5_words_nth(&anim->source, key_at, word));
    d.path = m5_path2("bone", t->first_track, "key", 0);
    m5_relate(&d, &skel->source, m5_words_nth(&skel->source, bind_at, 0), "the bind pose");
    return d;
}

/* Keys can scale, too: what the lengths are then is not known. */
static bool is_scaled(const m5_illanim *m)
{
    for (uint32_t i = 0; i < m->num_bones; i++)
        for (int k = 0; k < 3; k++)
            if (!(fabsf(m->bones[i].keys[0].scale[k] - 1) <= 0.01F))
                return true;
    return false;
}

static void check_lengths(const turns *t, const m5_lint_file *skel, m5_lint_file *anim)
{
    static const double other = 0.4, alike = 0.2; /* by a half, within a fifth */
    const lengths *l = &t->stretch;
    if (l->bones == 0 && (l->only_bind >= LEAST_BONES || l->only_anim >= LEAST_BONES)) {
        m5_diag d = at_first(t, M5_LINT_ROW(cross_ill_bind_scale), skel, anim, 0);
        m5_emit(&anim->report, &d, 0, "%s, all bones are where their parents are; %s, they are not",
                l->only_anim != 0 ? "in the skeleton" : "in the first frame",
                l->only_anim != 0 ? "in the first frame" : "in the skeleton");
        return;
    }
    double mean = l->sum / l->bones, spread = l->squares / l->bones - mean * mean;
    if (l->bones < LEAST_BONES || fabs(mean) < other || spread > alike * alike ||
        is_scaled(anim->model.illanim))
        return;
    m5_diag d = at_first(t, M5_LINT_ROW(cross_ill_bind_scale), skel, anim, 0);
    m5_emit(&anim->report, &d, 0,
            "in the first frame, %u bones are %.4g times as long as in the bind pose, on average",
            l->bones, exp(mean));
}

void check_cross_ill_bind(const m5_lint_file *skel, m5_lint_file *anim)
{
    turns t = measure(skel, anim);
    int best = t.bones >= LEAST_BONES ? best_reading(&t, anim) : AS_IS;
    if (best == AS_IS) {
        check_lengths(&t, skel, anim);
        return;
    }
    m5_diag d = at_first(&t, M5_LINT_ROW(cross_ill_bind_vs_anim), skel, anim, ROTATION_WORD);
    m5_emit(&anim->report, &d, 0,
            "in the first frame, %u bones are turned by %.3g degrees on average from the bind "
            "pose, but only by %.3g if %s",
            t.bones, t.sum[AS_IS] / t.bones, floor(t.sum[best] / t.bones * 100) / 100,
            readings[best].says);
}
