/* The first keys of an illanim against the bind pose of its illskel. Poses differ, but not by more than
 * half as much as they would if the numbers were read in another way. */
#include "check.h"
#include "pose.h"

#include "../parsers/words.h"

static const double DEGREES = 57.29577951308232;
enum { LEAST_BONES = 3, ROTATION_WORD = 3 };

/* How far bones are turned from the bind pose in the first frame, in degrees, summed up: read as it is
 * said, with w first, and with the skeleton's matrices transposed. */
typedef struct turns {
    double as_is, w_first, transposed;
    uint32_t bones, first_bone, first_track;
} turns;

/* Whether a bone's matrix is a rotation and an offset, as it should be. */
static bool is_rigid(const m5_illskel_bone *b)
{
    const float *last = b->matrix[3];
    return last[0] == 0 && last[1] == 0 && last[2] == 0 && last[3] == 1;
}

static void add_bone(turns *t, const m5_lint_file *skel, uint32_t bone, const m5_lint_file *anim,
                     uint32_t track)
{
    const m5_illskel *s = skel->model.illskel;
    const float *q = anim->model.illanim->bones[track].keys[0].rotation;
    m5_quat said = {(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
    m5_quat w_first = {(double)q[1], (double)q[2], (double)q[3], (double)q[0]};
    m5_matrix matrix = m5_illskel_matrix(s, bone);
    m5_quat bind = m5_transform_of(&matrix, 1e-2).turn;
    double turned = m5_quat_angle(bind, m5_quat_unit(said));
    if (isnan(turned) || s->bones[bone].parent < 0 || !is_rigid(&s->bones[bone]))
        return;
    t->as_is += DEGREES * turned;
    t->w_first += DEGREES * m5_quat_angle(bind, m5_quat_unit(w_first));
    t->transposed += DEGREES * m5_quat_angle(m5_quat_inverse(bind), m5_quat_unit(said));
    if (t->bones++ != 0 && track >= t->first_track)
        return;
    t->first_bone = bone;
    t->first_track = track;
}

/* Both lists of names are sorted. */
static turns measure(const m5_lint_file *skel, const m5_lint_file *anim)
{
    turns t = {0, 0, 0, 0, 0, 0};
    uint32_t a_count = check_name_count(&skel->model), b_count = check_name_count(&anim->model);
    for (uint32_t a = 0, b = 0; a < a_count && b < b_count;) {
        int order = check_compare_names(&skel->source, check_name_at(&skel->model, skel->names[a]),
                                        &anim->source, check_name_at(&anim->model, anim->names[b]));
        if (order == 0)
            add_bone(&t, skel, skel->names[a], anim, anim->names[b]);
        a += order <= 0;
        b += order >= 0;
    }
    return t;
}

void check_cross_ill_bind(const m5_lint_file *skel, m5_lint_file *anim)
{
    turns t = measure(skel, anim);
    double mean = t.as_is / t.bones, w_first = t.w_first / t.bones,
           transposed = t.transposed / t.bones;
    if (t.bones < LEAST_BONES)
        return;
    bool is_w_first = mean > 90 && w_first < mean / 2 && !check_is_w_first(anim->model.illanim);
    bool is_transposed = mean > 20 && transposed < mean / 2 && !is_w_first;
    if (!is_w_first && !is_transposed)
        return;
    m5_span at = m5_words_nth(
        &anim->source, anim->model.illanim->bones[t.first_track].keys[0].offset, ROTATION_WORD);
    m5_diag d = m5_found(M5_LINT_ROW(cross_ill_bind_vs_anim), at);
    d.path = m5_path2("bone", t.first_track, "key", 0);
    m5_relate(&d, &skel->source,
              m5_words_nth(&skel->source, skel->model.illskel->bones[t.first_bone].matrix_at, 0),
              "the bind pose");
    m5_emit(&anim->report, &d, 0,
            "in the first frame, %u bones are turned by %.3g degrees on average from the bind "
            "pose, but only by %.3g if %s",
            t.bones, mean, is_w_first ? w_first : transposed,
            is_w_first ? "quaternions are read with w first"
                       : "the skeleton's matrices are transposed");
}
