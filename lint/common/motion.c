/* Gives geometry/motion.h the motion of joints in each format, to find jumps. */
#include "checks.h"
#include "jumps.h"
#include "lint/core/check.h"
#include "lint/core/frame_values.h"
#include "lint/geometry/compare.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/play/algebra.h"
#include "parsers/play/pose.h"

#include "parsers/ill/words.h"

/* The size of a model, judged by its joints. */
static double size_of(const m5_vec *positions, uint32_t count)
{
    m5_box box = m5_box_empty();
    for (uint32_t i = 0; i < count; i++)
        m5_box_add(&box, positions[i]);
    return count != 0 ? m5_box_diagonal(&box) : 0;
}

static const m5_quat NO_QUAT = {NAN, NAN, NAN, NAN};

static const char other_sign[] = ": the sign of one of the quaternion's numbers seems to be wrong";

/* ---- md5anim --------------------------------------------------------------------------------- */

/* Where the frames have a joint's components: those of its position, then of its quaternion. */
typedef struct md5_track {
    uint32_t start, moving, turning;
    double rest; /* the sum of squares of quaternion components that only the baseframe has */
} md5_track;

typedef struct md5_tracks {
    const m5_md5anim *anim;
    uint32_t *joints;
    md5_track *tracks;
    uint32_t count;
} md5_tracks;

static m5_transform md5_at(const void *context, uint32_t frame, uint32_t track)
{
    const md5_tracks *t = context;
    return m5_motion_or_none(m5_md5anim_local(t->anim, frame, t->joints[track]));
}

static m5_quat md5_otherwise(const void *context, uint32_t frame, uint32_t track, int way)
{
    return m5_motion_other_sign(md5_at(context, frame, track).rotation, way);
}

/* The fourth components have the same sign and are the roots of what is left of 1. The product of
 * both quaternions is at least M5_STILL if the product of the fourth components is at least what is
 * missing without it. Squares are compared, so that no root is needed. */
static bool md5_turns(const md5_track *t, const float *last, const float *now)
{
    double missing = M5_STILL - t->rest, left_last = 1 - t->rest, left_now = 1 - t->rest;
    for (uint32_t k = 0; k < t->turning; k++) {
        double a = (double)last[k], b = (double)now[k];
        missing -= a * b;
        left_last -= a * a;
        left_now -= b * b;
    }
    bool made_up = left_last > 0 && left_now > 0 && left_last * left_now >= missing * missing;
    return !(missing <= 0 || made_up);
}

static bool moves(const float *last, const float *now, uint32_t components, double square)
{
    double way = 0;
    for (uint32_t k = 0; k < components; k++) {
        double by = (double)now[k] - (double)last[k];
        way += by * by;
    }
    return !(way <= square);
}

static void md5_stirs(const void *context, uint32_t frame, double square, uint8_t *marks)
{
    const md5_tracks *all = context;
    const float *now = all->anim->components + (size_t)frame * all->anim->num_components;
    const float *last = now - all->anim->num_components;
    for (uint32_t i = 0; i < all->count; i++) {
        const md5_track *t = &all->tracks[i];
        uint32_t turn = t->start + t->moving;
        marks[i] = moves(last + t->start, now + t->start, t->moving, square) ||
                   md5_turns(t, last + turn, now + turn);
    }
}

static m5_diag md5_place(const m5_lint_file *f, const m5_rule *rule, uint32_t frame, uint32_t joint,
                         bool move)
{
    const m5_md5anim_channel *c = &f->model.md5anim->channels[joint];
    uint32_t component = c->start +
                         (move || c->flags < 8 ? 0 : m5_md5anim_count_flags(c->flags & 7));
    m5_diag d = m5_found(rule, m5_check_value_at(f, frame, component));
    d.path = m5_path2("frame", frame, "value", component);
    return d;
}

static double pose_size(const m5_transform *pose, uint32_t count, m5_vec *positions)
{
    for (uint32_t i = 0; i < count; i++)
        positions[i] = pose[i].pos;
    return size_of(positions, count);
}

/* The size of the first bounding box that is valid and not a point. */
static double box_size(const m5_md5anim *m)
{
    for (uint32_t i = 0; i < m->num_bounds; i++) {
        const m5_md5anim_bounds *b = &m->bounds[i];
        if (!(b->min[0] <= b->max[0] && b->min[1] <= b->max[1] && b->min[2] <= b->max[2]) ||
            m5_check_is_point(b))
            continue;
        return m5_vec_distance(m5_vec_of(b->min), m5_vec_of(b->max));
    }
    return 0;
}

/* The size of the joints in the baseframe, or in frame 0 if the baseframe has all joints in one
 * place; or of the bounding box, which is larger if there are few joints. */
static double md5_size(m5_lint_file *f, const m5_md5anim *m)
{
    size_t mark = f->arena.used;
    m5_transform *pose = m5_check_scratch(f, m->num_joints, sizeof *pose);
    m5_vec *positions = m5_check_scratch(f, m->num_joints, sizeof *positions);
    double size = 0;
    if (pose != NULL && positions != NULL) {
        if (m->base_in_place)
            m5_md5anim_base_pose(m, pose);
        if (m->base_in_place)
            size = pose_size(pose, m->num_joints, positions);
        if (!(size > 0)) {
            m5_md5anim_pose(m, 0, pose);
            size = pose_size(pose, m->num_joints, positions);
        }
    }
    m5_arena_release(&f->arena, mark);
    return fmax(size, box_size(m));
}

static md5_track make_track(const m5_md5anim *m, uint32_t joint)
{
    const m5_md5anim_channel *c = &m->channels[joint];
    md5_track t = {c->start, m5_md5anim_count_flags(c->flags & 7),
                   m5_md5anim_count_flags(c->flags >> 3), 0};
    for (uint32_t k = 0; k < 3; k++) {
        bool moves = (c->flags >> (3 + k) & 1) != 0;
        double base = moves ? 0 : (double)m->base[joint].orient[k];
        t.rest += base * base;
    }
    return t;
}

void m5_check_md5anim_motion(m5_lint_file *f)
{
    static const m5_tracks_format md5 = {M5_LINT_ROW(md5anim_jump),
                                         M5_LINT_ROW(md5anim_quat_flip),
                                         M5_LINT_ROW(md5anim_place_far),
                                         "joint",
                                         other_sign,
                                         false,
                                         md5_place};
    const m5_md5anim *m = f->model.md5anim;
    size_t mark = f->arena.used;
    md5_tracks all = {m, m5_check_scratch(f, m->num_joints, sizeof *all.joints),
                      m5_check_scratch(f, m->num_joints, sizeof *all.tracks), 0};
    bool room = all.joints != NULL && all.tracks != NULL;
    for (uint32_t i = 0; i < m->num_joints && room; i++)
        if (m->channels[i].flags != 0) {
            all.tracks[all.count] = make_track(m, i);
            all.joints[all.count++] = i;
        }
    m5_motion motion = {
        &all,      m->num_frames, all.count,      md5_at,
        md5_stirs, md5_otherwise, md5_size(f, m), m5_settings_of(&f->report)->plain};
    if (room)
        m5_motion_say(f, &md5, &motion, all.joints, m->frame_rate);
    m5_arena_release(&f->arena, mark);
}

/* ---- illanim --------------------------------------------------------------------------------- */

static m5_transform ill_at(const void *context, uint32_t frame, uint32_t bone)
{
    const m5_illanim *m = context;
    const m5_illanim_key *key = &m->bones[bone].keys[frame];
    const float *q = key->rotation;
    m5_quat turn = {(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
    return m5_motion_or_none((m5_transform){m5_vec_of(key->pos), turn});
}

static m5_quat ill_otherwise(const void *context, uint32_t frame, uint32_t bone, int way)
{
    return m5_motion_other_sign(ill_at(context, frame, bone).rotation, way);
}

static void ill_stirs(const void *context, uint32_t frame, double square, uint8_t *marks)
{
    const m5_illanim *m = context;
    for (uint32_t i = 0; i < m->num_bones; i++) {
        const m5_illanim_key *a = &m->bones[i].keys[frame - 1], *b = a + 1;
        double product = 0;
        for (int k = 0; k < 4; k++)
            product += (double)a->rotation[k] * (double)b->rotation[k];
        marks[i] = !(product >= M5_STILL) || moves(a->pos, b->pos, 3, square);
    }
}

static m5_diag ill_place(const m5_lint_file *f, const m5_rule *rule, uint32_t frame, uint32_t bone,
                         bool move)
{
    enum { ROTATION_WORD = 3 };
    uint32_t at = f->model.illanim->bones[bone].keys[frame].offset;
    m5_diag d = m5_found(rule, m5_words_nth(&f->source, at, move ? 0 : ROTATION_WORD));
    d.path = m5_path2("bone", bone, "key", frame);
    return d;
}

static double ill_extent(const m5_illanim *m, uint32_t frame, m5_vec *positions)
{
    for (uint32_t i = 0; i < m->num_bones; i++)
        positions[i] = m5_vec_of(m->bones[i].keys[frame].pos);
    return size_of(positions, m->num_bones);
}

/* Bones are relative to parents that only the skeleton knows, so this is the extent of their
 * offsets, which is not much smaller than the model. The smaller one of the first and the last
 * frame, since a bone may be far away in one of them by mistake. */
static double ill_size(m5_lint_file *f, const m5_illanim *m)
{
    m5_vec *positions = m5_check_scratch(f, m->num_bones, sizeof *positions);
    if (positions == NULL)
        return 0;
    double first = ill_extent(m, 0, positions), last = ill_extent(m, m->num_frames - 1, positions);
    return first > 0 && last > 0 ? fmin(first, last) : fmax(first, last);
}

void m5_check_illanim_motion(m5_lint_file *f)
{
    static const m5_tracks_format ill = {M5_LINT_ROW(illanim_jump),
                                         M5_LINT_ROW(illanim_quat_flip),
                                         M5_LINT_ROW(illanim_place_far),
                                         "bone",
                                         other_sign,
                                         false,
                                         ill_place};
    const m5_illanim *m = f->model.illanim;
    size_t mark = f->arena.used;
    m5_motion motion = {
        m,         m->num_frames, m->num_bones,   ill_at,
        ill_stirs, ill_otherwise, ill_size(f, m), m5_settings_of(&f->report)->plain};
    m5_motion_say(f, &ill, &motion, NULL, (double)m->frame_rate);
    m5_arena_release(&f->arena, mark);
}

/* ---- MD4 ------------------------------------------------------------------------------------- */

/* A matrix as it is in the file. */
typedef struct md4_matrix {
    float row[3][4];
} md4_matrix;

typedef struct md4_tracks {
    const m5_md4 *m;
    int32_t *parents;
    float *turned;        /* how much each bone rotated: the sum of squared differences */
    md4_matrix *bones[2]; /* matrices of this frame and the one before, by even and odd frames */
} md4_tracks;

/* Relative to the parent, so that a jump is not reported for all children of a bone. */
static m5_transform md4_at(const void *context, uint32_t frame, uint32_t bone)
{
    const md4_tracks *t = context;
    int32_t parent = t->parents[bone];
    m5_matrix own = m5_md4_matrix(t->m, frame, bone), inverse;
    if (parent >= 0) {
        m5_matrix outer = m5_md4_matrix(t->m, frame, (uint32_t)parent);
        if (m5_matrix_inverse(&outer, &inverse))
            own = m5_matrix_times(&inverse, &own);
    }
    return m5_transform_of(&own, 1e-2);
}

/* The matrix transposed: its rotation inverted in model space. A plain turn to the other side, of a
 * door in the model or of a joint against its parent, does not need that. */
static m5_quat md4_otherwise(const void *context, uint32_t frame, uint32_t bone, int way)
{
    static const double apart = 20 / M5_DEGREES;
    const md4_tracks *t = context;
    int32_t parent = t->parents[bone];
    m5_matrix matrix = m5_md4_matrix(t->m, frame, bone);
    m5_quat own = m5_transform_of(&matrix, 1e-2).rotation, turned = m5_quat_inverse(own);
    if (way != 0 || m5_motion_is_plain(own))
        return NO_QUAT;
    if (parent < 0)
        return turned;
    m5_matrix outer = m5_md4_matrix(t->m, frame, (uint32_t)parent);
    m5_quat back = m5_quat_inverse(m5_transform_of(&outer, 1e-2).rotation);
    own = m5_quat_times(back, own);
    turned = m5_quat_times(back, turned);
    bool to_other_side = m5_motion_is_plain(turned) &&
                         m5_quat_angle(own, m5_quat_inverse(turned)) < apart;
    return to_other_side ? NO_QUAT : turned;
}

static double difference(const md4_matrix *a, const md4_matrix *b)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            double by = (double)b->row[i][k] - (double)a->row[i][k];
            sum += by * by;
        }
    return sum;
}

static m5_vec md4_offset(const md4_matrix *m)
{
    return (m5_vec){(double)m->row[0][3], (double)m->row[1][3], (double)m->row[2][3]};
}

/* The sum of squared differences of two rotations is 4 - 4 cos of the angle between them: here, of
 * 8 degrees. */
static const double MD4_STILL = 0.038;

/* A bone rotates against its parent by at most the rotations of both. Its offset from the parent
 * changes by itself and by the rotation of the parent's axes, exact but for a tolerance. */
static bool md4_stirs_beside(const md4_tracks *t, const md4_matrix *last, const md4_matrix *now,
                             uint32_t bone, double square)
{
    static const double rotation = 1e-4;
    uint32_t parent = (uint32_t)t->parents[bone];
    m5_vec from = m5_vec_sub(md4_offset(&last[bone]), md4_offset(&last[parent]));
    m5_vec to = m5_vec_sub(md4_offset(&now[bone]), md4_offset(&now[parent]));
    m5_vec way = m5_vec_sub(to, from);
    double turn = ((double)t->turned[parent] + rotation) * m5_vec_dot(to, to);
    return !((double)t->turned[bone] <= MD4_STILL && (double)t->turned[parent] <= MD4_STILL &&
             3 * (m5_vec_dot(way, way) + turn) <= square);
}

/* Requires that all matrices are rotations. */
static void md4_stirs(const void *context, uint32_t frame, double square, uint8_t *marks)
{
    const md4_tracks *t = context;
    md4_matrix *last = t->bones[(frame - 1) % 2], *now = t->bones[frame % 2];
    uint32_t bones = t->m->num_bones;
    for (uint32_t i = 0; i < bones; i++) {
        if (frame == 1)
            m5_md4_matrix_at(t->m, 0, i, last[i].row);
        m5_md4_matrix_at(t->m, frame, i, now[i].row);
        t->turned[i] = (float)difference(&last[i], &now[i]);
    }
    for (uint32_t i = 0; i < bones; i++) {
        m5_vec way = m5_vec_sub(md4_offset(&now[i]), md4_offset(&last[i]));
        bool still = (double)t->turned[i] <= MD4_STILL && m5_vec_dot(way, way) <= square;
        marks[i] = t->parents[i] >= 0 ? md4_stirs_beside(t, last, now, i, square) : !still;
    }
}

static bool prepare_md4(m5_lint_file *f, md4_tracks *t)
{
    uint32_t bones = t->m->num_bones;
    t->parents = m5_check_scratch(f, bones, sizeof *t->parents);
    t->turned = m5_check_scratch(f, bones, sizeof *t->turned);
    t->bones[0] = m5_check_scratch(f, bones, sizeof *t->bones[0]);
    t->bones[1] = m5_check_scratch(f, bones, sizeof *t->bones[1]);
    if (t->parents == NULL || t->turned == NULL || t->bones[0] == NULL || t->bones[1] == NULL)
        return false;
    for (uint32_t i = 0; i < bones; i++)
        t->parents[i] = m5_md4_bone_at(t->m, i).parent;
    return true;
}

static m5_diag md4_place(const m5_lint_file *f, const m5_rule *rule, uint32_t frame, uint32_t bone,
                         bool move)
{
    (void)move;
    float matrix[3][4];
    uint32_t at = m5_md4_matrix_at(f->model.md4, frame, bone, matrix);
    m5_diag d = m5_found(rule, (m5_span){at, M5_MD4_MATRIX});
    d.path = m5_path2("frame", frame, "bone", bone);
    return d;
}

void m5_check_md4_motion(m5_lint_file *f, double size)
{
    static const m5_tracks_format md4 = {M5_LINT_ROW(md4_frame_jump),
                                         NULL,
                                         M5_LINT_ROW(md4_frame_far),
                                         "bone",
                                         ": its matrix seems to be transposed",
                                         true,
                                         md4_place};
    const m5_md4 *m = f->model.md4;
    size_t mark = f->arena.used;
    md4_tracks tracks = {.m = m};
    m5_motion motion = {&tracks,   m->num_frames, m->num_bones, md4_at,
                        md4_stirs, md4_otherwise, size,         m5_settings_of(&f->report)->plain};
    if (prepare_md4(f, &tracks))
        m5_motion_say(f, &md4, &motion, NULL, HUGE_VAL);
    m5_arena_release(&f->arena, mark);
}
