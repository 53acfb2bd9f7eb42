/* Compares an animation's skeleton with the mesh's bind pose: one scale, one space, lengths of
 * bones, axes of the root. Joints and parents are known to be the same. Inverted orientations are
 * in inverted.c, a single bone of another length is in one_bone.c. */
#include "bind.h"
#include "cross.h"
#include "md5_posed.h"
#include "lint/common/misplaced.h"
#include "lint/core/check.h"
#include "lint/core/sort.h"
#include "lint/geometry/units.h"
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
/* Bones have the same scale, but for rounding, if their ratios vary by at most this factor. */
static const double SAME = 1.02;
enum { LEAST_BONES = 3 };

typedef struct bind {
    m5_bind_pair p;
    uint32_t *bones; /* joints with a bone to their parent that is long enough */
    uint32_t count;
    double *ratio; /* of a joint's bone, in some pose */
    uint32_t *order;
} bind;

static void choose_bones(bind *b)
{
    m5_box box = m5_box_empty();
    for (uint32_t i = 0; i < b->p.mesh->num_joints; i++)
        m5_box_add(&box, m5_vec_of(b->p.mesh->bind[i].pos));
    double least = SHORT * m5_box_diagonal(&box);
    for (uint32_t i = 0; i < b->p.mesh->num_joints; i++)
        if (b->p.mesh->joints[i].parent >= 0 && m5_bone_length(b->p.mesh, i) > least)
            b->bones[b->count++] = i;
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

/* A scale, and where it shows: in a frame, at a joint whose bone has it. */
typedef struct bone_scale {
    double by;      /* NaN: there is none */
    bool all;       /* all bones have it in that frame, and not only most of them */
    uint32_t bones; /* how many were compared */
    m5_pose_place at;
} bone_scale;

static const bone_scale NO_SCALE = {NAN, false, 0, {M5_NO_INDEX, 0}};

/* How many times as long as in the mesh the bones are, if the ratios of the middle half of them are
 * on the same side of 1 and alike. */
static bone_scale common_ratio(const bind *b, uint32_t frame)
{
    for (uint32_t i = 0; i < b->count; i++)
        b->order[i] = i;
    m5_check_sort(b->order, b->count, ratio_less, b->ratio);
    double low = b->ratio[b->order[b->count / 4]],
           high = b->ratio[b->order[b->count - 1 - b->count / 4]];
    bool one_side = is_other(low) && is_other(high) && (low > 1) == (high > 1);
    if (!one_side || !(high <= ALIKE * low))
        return NO_SCALE;
    uint32_t median = b->order[b->count / 2];
    bool all = b->ratio[b->order[b->count - 1]] <= SAME * b->ratio[b->order[0]];
    return (bone_scale){b->ratio[median], all, b->count, {b->bones[all ? 0 : median], frame}};
}

/* The scale in a frame. Almost no length counts as none, if it is not a length in another unit. */
static bone_scale find_scale_in(bind *b, uint32_t frame)
{
    static const double none = 0.03;
    for (uint32_t i = 0; i < b->count; i++) {
        double length = m5_vec_length(m5_md5anim_local(b->p.anim, frame, b->bones[i]).pos);
        b->ratio[i] = length / m5_bone_length(b->p.mesh, b->bones[i]);
    }
    bone_scale scale = common_ratio(b, frame);
    if (scale.by >= none || (scale.by > 0 && m5_is_unit(scale.by)))
        return scale;
    for (uint32_t i = 0; i < b->count; i++)
        b->ratio[i] = b->ratio[i] < none ? 0 : b->ratio[i];
    return common_ratio(b, frame);
}

/* Whether the bones have the lengths of the mesh in another order, as parts that change places
 * have: sum and sum of squares are the same, which no scale keeps. */
static bool are_exchanged(const bind *b, uint32_t frame)
{
    static const double same = 0.01;
    double sum[2] = {0, 0}, squares[2] = {0, 0};
    for (uint32_t i = 0; i < b->count; i++) {
        m5_vec at = m5_md5anim_local(b->p.anim, frame, b->bones[i]).pos;
        const double length[2] = {m5_bone_length(b->p.mesh, b->bones[i]), m5_vec_length(at)};
        for (int k = 0; k < 2; k++) {
            sum[k] += length[k];
            squares[k] += length[k] * length[k];
        }
    }
    return fabs(sum[1] - sum[0]) <= same * sum[0] &&
           fabs(squares[1] - squares[0]) <= same * squares[0];
}

/* The scale that holds in the first, the middle and the last frame, as it is in the first. */
static bone_scale find_scale(bind *b)
{
    bone_scale scale = NO_SCALE;
    for (int i = 0; i < M5_SAMPLES; i++) {
        bone_scale here = find_scale_in(b, b->p.frames[i]);
        scale = i == 0 ? here : scale;
        if (!(here.by <= STEADY * scale.by && scale.by <= STEADY * here.by))
            return NO_SCALE;
    }
    return are_exchanged(b, b->p.frames[0]) ? NO_SCALE : scale;
}

/* Whether all bones are longer by this factor in these frames. A model that grows or is hidden has
 * another scale in each. */
static bool is_steady(const bind *b, double scale)
{
    for (uint32_t i = 0; i < b->count; i++) {
        double length = scale * m5_bone_length(b->p.mesh, b->bones[i]);
        for (int k = 0; k < M5_SAMPLES; k++) {
            m5_vec pos = m5_md5anim_local(b->p.anim, b->p.frames[k], b->bones[i]).pos;
            if (!(fabs(m5_vec_length(pos) - length) <= OTHER * length))
                return false;
        }
    }
    return true;
}

/* Whether each bone is longer than in the mesh in every frame, or in evenly spread frames if there
 * are very many. Then no frame has the mesh's scale, although parts may slide: the leaves of a
 * door. */
static bool are_always_longer(const bind *b)
{
    uint32_t frames = b->p.anim->num_frames;
    uint64_t budget = m5_check_budget(b->p.f, b->p.f->source.size);
    uint64_t step = (uint64_t)frames * b->count / budget + 1;
    for (uint64_t frame = 0; frame < frames; frame += step) {
        bool odd = m5_check_is_odd_frame(b->p.f, (uint32_t)frame);
        for (uint32_t i = 0; !odd && i < b->count; i++) {
            m5_vec pos = m5_md5anim_local(b->p.anim, (uint32_t)frame, b->bones[i]).pos;
            if (!(m5_vec_length(pos) > (1 + OTHER) * m5_bone_length(b->p.mesh, b->bones[i])))
                return false;
        }
    }
    return true;
}

/* The scale of a rig with few bones, or with bones that slide: a ratio of two units by which all of
 * the bind pose is scaled in one of these frames. */
static bone_scale find_unit(const bind *b)
{
    for (unsigned i = 0; i < 2 * M5_UNITS_OF_LENGTH; i++) {
        double by = i % 2 == 0 ? m5_units[i / 2] : 1 / m5_units[i / 2];
        m5_pose_place at = m5_bind_same_pose(&b->p, M5_READ_AS_IS, by);
        if (at.joint != M5_NO_INDEX && (is_steady(b, by) || (by > 1 && are_always_longer(b))))
            return (bone_scale){by, true, b->count, at};
    }
    return NO_SCALE;
}

/* Whether the frames are what is added to another animation: as good as no rotation at all, in a
 * rig whose bones are rotated. Frames that lost their positions have rotations like those of the
 * rig. */
static bool is_additive(const bind *b)
{
    static const m5_quat none = {0, 0, 0, 1};
    double turned = 0, from_bind = 0;
    for (uint32_t i = 0; i < b->p.anim->num_joints; i++)
        for (int k = 0; k < M5_SAMPLES && b->p.anim->joints[i].parent >= 0; k++) {
            m5_quat here = m5_md5anim_local(b->p.anim, b->p.frames[k], i).rotation;
            turned += m5_quat_angle(here, none);
            from_bind += m5_quat_angle(here, m5_bind_turn(b->p.mesh, i, M5_READ_AS_IS));
        }
    return turned < from_bind / 2;
}

/* An error if the model is surely unusable: many bones are at least twice or at most half as long.
 * An animation without positions may be for an engine that takes them from the mesh. */
static double gravity_of_scale(double scale, uint32_t bones)
{
    enum { MANY = 6 };
    static const double twice = 2 * 0.995; /* rounded numbers */
    if (bones >= MANY && scale != 0 && (scale >= twice || scale <= 1 / twice))
        return M5_BEYOND;
    return m5_is_other_scale(scale, bones) ? M5_GRAVE : M5_MILD;
}

static void say_scale(const bind *b, const bone_scale *s, bool additive, double measure)
{
    m5_diag d = m5_bind_at(&b->p, M5_LINT_ROW(cross_bind_scale), s->at, false);
    if (additive)
        m5_emit(&b->p.f->report, &d, measure,
                "bones have almost no length and no rotation here, unlike in the mesh's bind pose: "
                "the animation seems to be made to be added to others");
    else if (s->by == 0)
        m5_emit(&b->p.f->report, &d, measure,
                "most of %u bones have almost no length here, but not in the mesh's bind pose: "
                "positions were not written, or flags are wrong",
                s->bones);
    else if (s->all)
        m5_emit(&b->p.f->report, &d, measure,
                "in frame %u, all bones are %.4g times as long as in the mesh's bind pose",
                s->at.frame, s->by);
    else
        m5_emit(&b->p.f->report, &d, measure,
                "in frame %u, bones are %.4g times as long as in the mesh's bind pose (median of "
                "%u bones)",
                s->at.frame, s->by, s->bones);
}

/* Whether so many bones begin or end at a joint of the mesh that is not where it should be that the
 * others tell no scale. */
static bool is_by_misplaced(const bind *b)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < b->count; i++)
        at += m5_check_is_misplaced(b->p.mesh_file, b->bones[i]) ||
              m5_check_is_misplaced(b->p.mesh_file, b->p.mesh->joints[b->bones[i]].parent);
    return at != 0 && 4 * (uint64_t)at >= b->count;
}

/* Whether the animation has the scale of the mesh's weights: the mesh's joints are at fault. */
static bool is_by_mesh(const bind *b, double scale)
{
    double other = b->p.mesh_file->scaled_by;
    return other != 0 && fabs(scale - other) <= OTHER * other;
}

/* Returns whether lengths and boxes may be compared one by one. If there are few bones and the
 * scale is not a ratio of units, it may be a pose: a telescope pushed in, an engine in an exploded
 * view. */
static bool check_scale(bind *b)
{
    const m5_rule *rule = M5_LINT_ROW(cross_bind_scale);
    bool wanted = m5_check_wanted(b->p.f, rule);
    bone_scale scale = b->count >= LEAST_BONES && wanted ? find_scale(b) : NO_SCALE;
    if (isnan(scale.by) && b->count != 0 && wanted)
        scale = find_unit(b);
    if (isnan(scale.by))
        return true;
    if (is_by_misplaced(b) || is_by_mesh(b, scale.by))
        return false;
    bool additive = scale.by == 0 && is_additive(b);
    double measure = additive ? M5_MILD : gravity_of_scale(scale.by, b->count);
    say_scale(b, &scale, additive, measure);
    return !additive && m5_would_say(&b->p.f->report, rule, measure) < M5_WARNING;
}

/* ---- Model space or parent space ------------------------------------------------------------- */

/* Whether a bone in a frame is as long as in the mesh: read in parent space, as it should be, or in
 * model space, as the mesh is. */
static bool is_alike(const bind *b, uint32_t frame, uint32_t joint, bool one_space)
{
    m5_vec at = m5_md5anim_local(b->p.anim, frame, joint).pos;
    uint32_t parent = (uint32_t)b->p.mesh->joints[joint].parent;
    if (one_space)
        at = m5_vec_sub(at, m5_md5anim_local(b->p.anim, frame, parent).pos);
    return !is_other(m5_vec_length(at) / m5_bone_length(b->p.mesh, joint));
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

/* A joint that shows that both files are in the same space. A few bones are not enough to compare
 * their lengths, but their numbers may be the same. */
static m5_pose_place find_one_space(const bind *b)
{
    uint32_t first = 0, frames = 0;
    for (int i = 0; i < M5_SAMPLES; i++)
        frames += holds_one_space(b, b->p.frames[i]);
    if (frames < M5_SAMPLES)
        return m5_bind_same_pose(&b->p, M5_READ_ONE_SPACE, 1);
    while (is_alike(b, 0, b->bones[first], false))
        first++;
    return (m5_pose_place){b->bones[first], 0};
}

/* Returns whether the animation is in parent space, as expected. */
static bool check_space(const bind *b)
{
    const m5_rule *rule = M5_LINT_ROW(cross_bind_space);
    m5_pose_place at = {M5_NO_INDEX, 0};
    if (m5_check_wanted(b->p.f, rule))
        at = find_one_space(b);
    if (at.joint == M5_NO_INDEX)
        return true;
    m5_diag d = m5_bind_at(&b->p, rule, at, false);
    m5_emit(&b->p.f->report, &d, 0,
            "both files have their joints in the same space, expected model space in the mesh and "
            "parent space in the animation");
    return false;
}

/* ---- Single bones ---------------------------------------------------------------------------- */

/* The smallest difference, among the sampled frames, of a bone's length from that in the bind pose;
 * signed, as a share. */
static double least_off(const bind *b, uint32_t joint)
{
    double length = m5_bone_length(b->p.mesh, joint), least = HUGE_VAL;
    for (int i = 0; i < M5_SAMPLES; i++) {
        m5_vec pos = m5_md5anim_local(b->p.anim, b->p.frames[i], joint).pos;
        double off = m5_vec_length(pos) / length - 1;
        least = fabs(off) < fabs(least) ? off : least;
    }
    return least;
}

static void check_lengths(const bind *b)
{
    uint32_t others = 0;
    double most = 0;
    m5_pose_place worst = {0, 0};
    for (uint32_t i = 0; i < b->count; i++) {
        double off = least_off(b, b->bones[i]);
        others += fabs(off) > OTHER;
        if (fabs(off) > fabs(most)) {
            most = off;
            worst.joint = b->bones[i];
        }
    }
    if (others == 0)
        return;
    m5_diag d = m5_bind_at(&b->p, M5_LINT_ROW(cross_bind_bone_length), worst, false);
    m5_emit(&b->p.f->report, &d, 0,
            "joint %u '%.*s' is %.4g times as far from its parent as in the mesh's bind pose "
            "(over 5%% difference in %u of %u bones)",
            worst.joint, M5_CHECK_NAME(b->p.f, b->p.anim->joints[worst.joint].name), most + 1,
            others, b->count);
}

/* ---- Axes ------------------------------------------------------------------------------------ */

static void check_axes(const bind *b)
{
    m5_pose_place root = {0, b->p.frames[0]};
    int axis;
    m5_posed posed = m5_posed_md5(&b->p);
    int quarters = m5_posed_find_quarters(&posed, &root.joint, &axis);
    if (quarters == 0)
        return;
    m5_diag d = m5_bind_at(&b->p, M5_LINT_ROW(cross_bind_axes), root, true);
    m5_emit(&b->p.f->report, &d, 0,
            "frame %u is the mesh's bind pose, but the root is rotated by %d degrees about %c: the "
            "files seem to use different axes",
            root.frame, 90 * quarters, "xyz"[axis]);
}

bool m5_check_cross_bind(const m5_lint_file *mesh, m5_lint_file *f, m5_arena *scratch)
{
    if (m5_check_is_odd_frame(f, 0) || mesh->in_parents)
        return true; /* one of the poses is known to be wrong, and was reported */
    uint32_t joints = mesh->model.md5mesh->num_joints;
    size_t mark = scratch->used;
    bind b = {.p = m5_bind_pair_of(mesh, f),
              .bones = m5_arena_take(scratch, joints, sizeof *b.bones),
              .ratio = m5_arena_take(scratch, joints, sizeof *b.ratio),
              .order = m5_arena_take(scratch, joints, sizeof *b.order)};
    bool comparable = true;
    if (b.bones != NULL && b.ratio != NULL && b.order != NULL) {
        choose_bones(&b);
        comparable = check_space(&b) && check_scale(&b);
        bool exchanged = comparable && m5_check_cross_exchanged(&b.p, scratch);
        bool moved = exchanged || (comparable && m5_check_cross_one_number(&b.p, scratch));
        if (comparable && !moved && !m5_check_cross_one_bone(&b.p, scratch, &moved))
            check_lengths(&b);
        comparable &= !moved;
        if (!exchanged)
            check_axes(&b);
        if (m5_check_wanted(f, M5_LINT_ROW(cross_bind_inverted)))
            comparable &= !m5_check_cross_inverted(&b.p);
    }
    m5_arena_release(scratch, mark);
    return comparable;
}
