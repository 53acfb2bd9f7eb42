/* Compares an animation's skeleton with the mesh's bind pose: bone lengths, axes of the root,
 * inverted orientations. Joints and parents are known to be the same. */
#include "cross.h"
#include "lint/core/check.h"
#include "lint/core/sort.h"
#include "lint/geometry/compare.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/play/pose.h"

/* Shorter bones, as a share of the model's size, are not compared. */
static const double SHORT = 0.01;
/* Bone lengths differ if they differ by more than this share. */
static const double OTHER = 0.05;
/* Bones have one scale if their ratios vary by at most this factor, since some joints move ... */
static const double ALIKE = 1.3;
/* ... and by at most this factor from frame to frame. */
static const double STEADY = 1.1;
enum { LEAST_BONES = 3 };

typedef struct bind {
    const m5_lint_file *mesh_file;
    m5_lint_file *f;
    const m5_md5mesh *mesh;
    const m5_md5anim *anim;
    uint32_t *bones; /* joints with a bone to their parent that is long enough */
    uint32_t count;
    double *ratio; /* of a joint's bone, in some pose */
    uint32_t *order;
    uint32_t frames[M5_SAMPLES]; /* frame 0, and others that are not marked */
} bind;

static double bone_length(const m5_md5mesh *m, uint32_t joint)
{
    uint32_t parent = (uint32_t)m->joints[joint].parent;
    return m5_vec_distance(m5_vec_of(m->bind[joint].pos), m5_vec_of(m->bind[parent].pos));
}

static double bind_length(const bind *b, uint32_t joint)
{
    return bone_length(b->mesh, joint);
}

static void choose_bones(bind *b)
{
    m5_box box = m5_box_empty();
    for (uint32_t i = 0; i < b->mesh->num_joints; i++)
        m5_box_add(&box, m5_vec_of(b->mesh->bind[i].pos));
    double least = SHORT * m5_box_diagonal(&box);
    for (uint32_t i = 0; i < b->mesh->num_joints; i++)
        if (b->mesh->joints[i].parent >= 0 && bind_length(b, i) > least)
            b->bones[b->count++] = i;
}

/* A joint that shows that in the first, the middle or the last frame the bind pose is the same, but
 * for a way to read it and a scale; M5_NO_INDEX if it is not. */
static uint32_t find_same_pose(const bind *b, m5_reading reading, double scale)
{
    uint32_t joint = M5_NO_INDEX;
    for (int i = 0; i < M5_SAMPLES && joint == M5_NO_INDEX; i++) {
        m5_same_pose pose = {b->mesh, b->anim, b->frames[i]};
        joint = m5_check_same_pose(&pose, reading, scale);
    }
    return joint;
}

/* ---- One scale for all ----------------------------------------------------------------------- */

static bool ratio_less(const void *context, uint32_t a, uint32_t c)
{
    const double *ratio = context;
    return ratio[a] < ratio[c];
}

static bool is_other(double ratio)
{
    return fabs(ratio - 1) > OTHER;
}

/* How many times as long as in the mesh the bones are, if the ratios of the middle half of them are
 * on the same side of 1 and alike; else NaN. */
static double common_ratio(const bind *b)
{
    for (uint32_t i = 0; i < b->count; i++)
        b->order[i] = i;
    m5_check_sort(b->order, b->count, ratio_less, b->ratio);
    double low = b->ratio[b->order[b->count / 4]],
           high = b->ratio[b->order[b->count - 1 - b->count / 4]];
    bool one_side = is_other(low) && is_other(high) && (low > 1) == (high > 1);
    return one_side && high <= ALIKE * low ? b->ratio[b->order[b->count / 2]] : NAN;
}

/* Almost no length counts as none. */
static void measure_frame(bind *b, uint32_t frame)
{
    static const double none = 0.03;
    for (uint32_t i = 0; i < b->count; i++) {
        double length = m5_vec_length(m5_md5anim_local(b->anim, frame, b->bones[i]).pos);
        double ratio = length / bind_length(b, b->bones[i]);
        b->ratio[i] = ratio < none ? 0 : ratio;
    }
}

/* The scale that holds in the first, the middle and the last frame; NaN if there is none. */
static double find_scale(bind *b)
{
    double scale = 0;
    for (int i = 0; i < M5_SAMPLES; i++) {
        measure_frame(b, b->frames[i]);
        double here = common_ratio(b);
        scale = i == 0 ? here : scale;
        if (!(here <= STEADY * scale && scale <= STEADY * here))
            return NAN;
    }
    return scale;
}

/* Whether all bones are so many times as long in these frames. A model that grows or is hidden has
 * another scale in each. */
static bool is_steady(const bind *b, double scale)
{
    for (uint32_t i = 0; i < b->count; i++) {
        double length = scale * bind_length(b, b->bones[i]);
        for (int k = 0; k < M5_SAMPLES; k++) {
            m5_vec pos = m5_md5anim_local(b->anim, b->frames[k], b->bones[i]).pos;
            if (!(fabs(m5_vec_length(pos) - length) <= OTHER * length))
                return false;
        }
    }
    return true;
}

/* The scale of a rig with few bones: a ratio of two units by which all of the bind pose is scaled
 * in one of these frames. */
static double find_unit(const bind *b)
{
    static const double units[] = {2.54, 3.281, 25.4, 30.48, 39.37, 100, 1000};
    for (unsigned i = 0; i < sizeof units / sizeof *units; i++) {
        if (is_steady(b, units[i]) && find_same_pose(b, M5_READ_AS_IS, units[i]) != M5_NO_INDEX)
            return units[i];
        if (is_steady(b, 1 / units[i]) &&
            find_same_pose(b, M5_READ_AS_IS, 1 / units[i]) != M5_NO_INDEX)
            return 1 / units[i];
    }
    return NAN;
}

static m5_diag at_pose(const bind *b, const m5_rule *rule, uint32_t joint, bool turn)
{
    return m5_check_at_pose(b->mesh_file, b->f, rule, joint, turn);
}

bool m5_check_is_other_scale(double scale, uint32_t bones)
{
    enum { MANY = 6 }; /* a telescope has fewer */
    static const double units[] = {2,     2.54, 3.281, 10, 12,  16,  25.4,
                                   30.48, 32,   39.37, 64, 100, 1000};
    static const double near = 0.03; /* and 40 is taken for 39.37 */
    double by = scale < 1 ? 1 / scale : scale;
    if (bones >= MANY || scale == 0)
        return true;
    for (unsigned i = 0; i < sizeof units / sizeof *units; i++)
        if (fabs(by / units[i] - 1) <= near)
            return true;
    return false;
}

/* An error if the model is surely unusable: many bones are at least twice or at most half as long.
 * An animation without positions may be for an engine that takes them from the mesh. */
static double gravity_of_scale(double scale, uint32_t bones)
{
    enum { MANY = 6 };
    static const double twice = 2 * 0.995; /* rounded numbers */
    if (bones >= MANY && scale != 0 && (scale >= twice || scale <= 1 / twice))
        return M5_BEYOND;
    return m5_check_is_other_scale(scale, bones) ? M5_GRAVE : M5_MILD;
}

/* Returns whether lengths and boxes may be compared one by one. If there are few bones and the
 * scale is not a ratio of units, it may be a pose: a telescope pushed in, an engine in an exploded
 * view. */
static bool check_scale(bind *b)
{
    const m5_rule *rule = M5_LINT_ROW(cross_bind_scale);
    bool wanted = m5_check_wanted(b->f, rule);
    double scale = b->count >= LEAST_BONES && wanted ? find_scale(b) : NAN;
    if (isnan(scale) && b->count != 0 && wanted)
        scale = find_unit(b);
    if (isnan(scale))
        return true;
    double measure = gravity_of_scale(scale, b->count);
    m5_diag d = at_pose(b, rule, b->bones[0], false);
    if (scale == 0)
        m5_emit(&b->f->report, &d, measure,
                "most of %u bones have almost no length here, but not in the mesh's bind pose: "
                "positions were not written, or flags are wrong",
                b->count);
    else
        m5_emit(&b->f->report, &d, measure,
                "bones are %.4g times as long as in the mesh's bind pose (median of %u bones)",
                scale, b->count);
    return m5_would_say(&b->f->report, rule, measure) < M5_WARNING;
}

/* ---- Model space or parent space ------------------------------------------------------------- */

/* Whether a bone in a frame is as long as in the mesh: read in parent space, as it should be, or in
 * model space, as the mesh is. */
static bool is_alike(const bind *b, uint32_t frame, uint32_t joint, bool one_space)
{
    m5_vec at = m5_md5anim_local(b->anim, frame, joint).pos;
    uint32_t parent = (uint32_t)b->mesh->joints[joint].parent;
    if (one_space)
        at = m5_vec_sub(at, m5_md5anim_local(b->anim, frame, parent).pos);
    return !is_other(m5_vec_length(at) / bind_length(b, joint));
}

static bool holds_one_space(const bind *b, uint32_t frame)
{
    uint32_t as_is = 0, in_one = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        as_is += is_alike(b, frame, b->bones[i], false);
        in_one += is_alike(b, frame, b->bones[i], true);
    }
    return b->count >= LEAST_BONES && 2 * as_is < b->count && 4 * in_one >= 3 * b->count;
}

/* A joint that shows that both files are in the same space; M5_NO_INDEX if they are not. A few
 * bones are not enough to compare their lengths, but their numbers may be the same. */
static uint32_t find_one_space(const bind *b)
{
    uint32_t first = 0, frames = 0;
    for (int i = 0; i < M5_SAMPLES; i++)
        frames += holds_one_space(b, b->frames[i]);
    if (frames < M5_SAMPLES)
        return find_same_pose(b, M5_READ_ONE_SPACE, 1);
    while (is_alike(b, 0, b->bones[first], false))
        first++;
    return b->bones[first];
}

/* Returns whether the animation is in parent space, as expected. */
static bool check_space(const bind *b)
{
    uint32_t first = m5_check_wanted(b->f, M5_LINT_ROW(cross_bind_space)) ? find_one_space(b)
                                                                          : M5_NO_INDEX;
    if (first == M5_NO_INDEX)
        return true;
    m5_diag d = at_pose(b, M5_LINT_ROW(cross_bind_space), first, false);
    m5_emit(&b->f->report, &d, 0,
            "both files have their joints in the same space, expected model space in the mesh and "
            "parent space in the animation");
    return false;
}

/* ---- Single bones ---------------------------------------------------------------------------- */

/* The smallest difference, among the sampled frames, of a bone's length from that in the bind pose;
 * signed, as a share. */
static double least_off(const bind *b, uint32_t joint)
{
    double length = bind_length(b, joint), least = HUGE_VAL;
    for (int i = 0; i < M5_SAMPLES; i++) {
        m5_vec pos = m5_md5anim_local(b->anim, b->frames[i], joint).pos;
        double off = m5_vec_length(pos) / length - 1;
        least = fabs(off) < fabs(least) ? off : least;
    }
    return least;
}

static void check_lengths(const bind *b)
{
    uint32_t others = 0, worst = 0;
    double most = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        double off = least_off(b, b->bones[i]);
        others += fabs(off) > OTHER;
        if (fabs(off) > fabs(most)) {
            most = off;
            worst = b->bones[i];
        }
    }
    if (others == 0)
        return;
    m5_diag d = at_pose(b, M5_LINT_ROW(cross_bind_bone_length), worst, false);
    m5_emit(&b->f->report, &d, 0,
            "joint %u '%.*s' is %.4g times as far from its parent as in the mesh's bind pose "
            "(over 5%% difference in %u of %u bones)",
            worst, M5_CHECK_NAME(b->f, b->anim->joints[worst].name), most + 1, others, b->count);
}

/* ---- Axes ------------------------------------------------------------------------------------ */

/* The angle between a joint's orientation in a frame, `turn`, and that in the bind pose, in
 * degrees.
 */
static double turned(const bind *b, uint32_t joint, m5_quat turn)
{
    m5_quat own = m5_md5_transform(&b->mesh->bind[joint]).rotation;
    int32_t parent = b->mesh->joints[joint].parent;
    if (parent >= 0)
        own = m5_quat_times(m5_quat_inverse(m5_md5_transform(&b->mesh->bind[parent]).rotation),
                            own);
    return M5_DEGREES * m5_quat_angle(own, turn);
}

/* How many quarter turns about one axis, 1 or 2, take the root from the mesh's axes to the
 * animation's; 0 if none do. */
static int quarter_turns(const bind *b, uint32_t root, int *axis)
{
    m5_quat from = m5_md5_transform(&b->mesh->bind[root]).rotation;
    m5_quat by = m5_quat_times(m5_md5anim_local(b->anim, 0, root).rotation, m5_quat_inverse(from));
    const double part[3] = {fabs(by.x), fabs(by.y), fabs(by.z)};
    *axis = part[0] >= part[1] && part[0] >= part[2] ? 0 : part[1] >= part[2] ? 1 : 2;
    double angle = 2 * M5_DEGREES * atan2(part[*axis], fabs(by.w));
    double aside = sqrt(fmax(0, m5_quat_dot(by, by) - by.w * by.w - part[*axis] * part[*axis]));
    if (aside > 0.02)
        return 0;
    return fabs(angle - 90) < 2 ? 1 : fabs(angle - 180) < 2 ? 2 : 0;
}

/* Whether all joints but the root are in the bind pose in frame 0: then the root's turn is not a
 * pose, but comes from other axes. */
static bool is_in_bind_pose(const bind *b)
{
    for (uint32_t i = 0; i < b->anim->num_joints; i++)
        if (b->anim->joints[i].parent >= 0 &&
            !(turned(b, i, m5_md5anim_local(b->anim, 0, i).rotation) < 5))
            return false;
    return b->anim->num_joints > LEAST_BONES;
}

static void check_axes(const bind *b)
{
    int axis, quarters;
    for (uint32_t i = 1; i < b->anim->num_joints; i++)
        if (b->anim->joints[i].parent < 0)
            return; /* which of the roots is the model's? */
    if (b->anim->num_joints == 0 || (quarters = quarter_turns(b, 0, &axis)) == 0 ||
        !is_in_bind_pose(b))
        return;
    m5_diag d = at_pose(b, M5_LINT_ROW(cross_bind_axes), 0, true);
    m5_emit(&b->f->report, &d, 0,
            "frame 0 is the mesh's bind pose, but the root is rotated by %d degrees about %c: the "
            "files seem to use different axes",
            90 * quarters, "xyz"[axis]);
}

/* Ways to read the two files: as they are, or with the orientations of one of them inverted. */
enum { AS_IS, ANIM_INVERTED, MESH_INVERTED, READINGS };

static m5_quat bind_turn(const bind *b, uint32_t joint, int reading)
{
    uint32_t parent = (uint32_t)b->mesh->joints[joint].parent;
    m5_quat own = m5_md5_transform(&b->mesh->bind[joint]).rotation;
    m5_quat outer = m5_md5_transform(&b->mesh->bind[parent]).rotation;
    if (reading == MESH_INVERTED)
        return m5_quat_times(outer, m5_quat_inverse(own));
    return m5_quat_times(m5_quat_inverse(outer), own);
}

/* How far joints are turned from the bind pose in a frame, on average, in degrees. */
static void measure_turns(const bind *b, uint32_t frame, double mean[READINGS])
{
    uint32_t joints = 0;
    for (int r = 0; r < READINGS; r++)
        mean[r] = 0;
    for (uint32_t i = 0; i < b->anim->num_joints; i++) {
        if (b->anim->joints[i].parent < 0)
            continue;
        m5_quat said = m5_md5anim_local(b->anim, frame, i).rotation;
        for (int r = 0; r < READINGS; r++)
            mean[r] += M5_DEGREES * m5_quat_angle(bind_turn(b, i, r), r == ANIM_INVERTED
                                                                          ? m5_quat_inverse(said)
                                                                          : said);
        joints++;
    }
    for (int r = 0; r < READINGS; r++)
        mean[r] = joints >= LEAST_BONES ? mean[r] / joints : NAN;
}

/* Whether a real pose cannot look inverted. It can if all joints turn about one axis, as hinges do,
 * or if no turned joint has a turned parent, as with legs on one body. */
static bool is_tangle(const bind *b)
{
    m5_axes axes = {.any = false};
    bool chained = false;
    for (uint32_t i = 0; i < b->anim->num_joints; i++) {
        int32_t parent = b->anim->joints[i].parent;
        if (parent < 0)
            continue;
        m5_quat turn = bind_turn(b, i, AS_IS);
        m5_axes_add(&axes, turn);
        chained |= m5_quat_rotates(turn) && b->anim->joints[parent].parent >= 0 &&
                   m5_quat_rotates(bind_turn(b, (uint32_t)parent, AS_IS));
    }
    return axes.several && chained;
}

/* The reading that is much nearer to the bind pose in the first, the middle and the last frame. */
static int find_inverted(const bind *b, double mean[READINGS])
{
    static const double far = 20;
    int inverted = AS_IS;
    if (!is_tangle(b))
        return AS_IS;
    for (int i = M5_SAMPLES - 1; i >= 0; i--) {
        measure_turns(b, b->frames[i], mean);
        int best = mean[MESH_INVERTED] < mean[ANIM_INVERTED] ? MESH_INVERTED : ANIM_INVERTED;
        if (!(mean[AS_IS] > far) || !(mean[best] < mean[AS_IS] / 2) ||
            (inverted != AS_IS && best != inverted))
            return AS_IS;
        inverted = best;
    }
    return inverted;
}

/* The same for a rig in which a pose may look inverted. If the mesh is, joints are in other
 * directions from their parents, which no pose explains. */
static void check_mesh_inverted(const bind *b)
{
    uint32_t joint = b->mesh_file->inverted ? M5_NO_INDEX
                                            : find_same_pose(b, M5_READ_MESH_INVERTED, 1);
    if (joint == M5_NO_INDEX)
        return;
    m5_diag d = at_pose(b, M5_LINT_ROW(cross_bind_inverted), joint, true);
    m5_emit(
        &b->f->report, &d, 0,
        "the mesh's orientations seem to be inverted: after inverting them, a frame is the bind "
        "pose, in all joints but the root");
}

/* Returns whether the animation is inverted. That the mesh is may have been reported with it. */
static bool check_inverted(const bind *b)
{
    double mean[READINGS];
    uint32_t first = 0;
    int inverted = find_inverted(b, mean);
    if (inverted == AS_IS)
        check_mesh_inverted(b);
    if (inverted == AS_IS || (inverted == MESH_INVERTED && b->mesh_file->inverted))
        return false;
    while (b->anim->joints[first].parent < 0)
        first++;
    m5_diag d = at_pose(b, M5_LINT_ROW(cross_bind_inverted), first, true);
    m5_emit(
        &b->f->report, &d, 0,
        "the %s's orientations seem to be inverted: in frame 0, joints are rotated by %.3g degrees "
        "on average from the mesh's bind pose, and by %.3g after inverting them",
        inverted == MESH_INVERTED ? "mesh" : "animation", mean[AS_IS], mean[inverted]);
    return inverted == ANIM_INVERTED;
}

/* Samples frames; instead of one that is marked, the next. Frame 0 is not marked. */
static void sample_frames(bind *b)
{
    uint32_t count = b->anim->num_frames;
    for (int i = 0; i < M5_SAMPLES; i++) {
        uint32_t frame = m5_sample_frame(count, i);
        while (m5_check_is_odd_frame(b->f, frame))
            frame = (frame + 1) % count;
        b->frames[i] = frame;
    }
}

bool m5_check_cross_bind(const m5_lint_file *mesh, m5_lint_file *f, m5_arena *scratch)
{
    if (m5_check_is_odd_frame(f, 0) || mesh->in_parents)
        return true; /* one of the poses is known to be wrong, and was reported */
    uint32_t joints = mesh->model.md5mesh->num_joints;
    size_t mark = scratch->used;
    bind b = {.mesh_file = mesh,
              .f = f,
              .mesh = mesh->model.md5mesh,
              .anim = f->model.md5anim,
              .bones = m5_arena_take(scratch, joints, sizeof *b.bones),
              .ratio = m5_arena_take(scratch, joints, sizeof *b.ratio),
              .order = m5_arena_take(scratch, joints, sizeof *b.order)};
    bool comparable = true;
    if (b.bones != NULL && b.ratio != NULL && b.order != NULL) {
        choose_bones(&b);
        sample_frames(&b);
        comparable = check_space(&b) && check_scale(&b);
        bool moved = false;
        if (comparable && !m5_check_cross_one_bone(mesh, f, b.frames, scratch, &moved))
            check_lengths(&b);
        comparable &= !moved;
        check_axes(&b);
        if (m5_check_wanted(f, M5_LINT_ROW(cross_bind_inverted)))
            comparable &= !check_inverted(&b);
    }
    m5_arena_release(scratch, mark);
    return comparable;
}

/* ---- Which mesh ------------------------------------------------------------------------------ */

uint32_t m5_check_bones_alike(const m5_md5mesh *mesh, const m5_md5anim *anim)
{
    uint32_t alike = 0;
    for (uint32_t i = 0; i < mesh->num_joints; i++) {
        if (mesh->joints[i].parent < 0)
            continue;
        double length = bone_length(mesh, i);
        alike += fabs(m5_vec_length(m5_md5anim_local(anim, 0, i).pos) - length) <= OTHER * length;
    }
    return alike;
}

bool m5_check_same_bind(const m5_md5mesh *a, const m5_md5mesh *b)
{
    m5_box box = m5_box_empty();
    double most = 0;
    for (uint32_t i = 0; i < a->num_joints; i++) {
        m5_box_add(&box, m5_vec_of(a->bind[i].pos));
        most = fmax(most, m5_vec_distance(m5_vec_of(a->bind[i].pos), m5_vec_of(b->bind[i].pos)));
    }
    double size = m5_box_diagonal(&box);
    /* joints that are all in one place, as in props, say nothing */
    return size > 0 && most <= OTHER * size;
}
