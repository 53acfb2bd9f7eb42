/* Jumps, and quaternions that change their sign, in whatever format: from each the same measure. */
#include "check_md4_body.h"
#include "motion.h"
#include "pose.h"

#include "../parsers/words.h"

#include <string.h>

/* How a format shows and names a joint in a frame. */
typedef struct tracks_format {
    const m5_rule *jump, *flip, *far; /* flip NULL: there are no quaternions in it */
    const char *joint;
    m5_diag (*place)(const m5_lint_file *f, const m5_rule *rule, uint32_t frame, uint32_t joint,
                     bool move);
} tracks_format;

/* The worst jump of a frame, and how many joints jump there. */
typedef struct frame_jumps {
    m5_jump worst;
    uint32_t count;
} frame_jumps;

/* A report at work. One cause mostly makes several joints jump in a frame: the worst is told. Grave ones
 * wait until it is clear that there are only a FEW of them. */
enum { FEW = 2 };
typedef struct report {
    m5_lint_file *f;
    const tracks_format *format;
    const uint32_t *joints; /* of each that is looked at, which it is; NULL: all are */
    double size;
    uint32_t last_frame;
    frame_jumps here, grave[FEW];
    uint32_t num_grave;
    m5_jump far; /* the first place far away, of so many */
    uint32_t num_far;
} report;

static uint32_t joint_of(const report *r, uint32_t track)
{
    return r->joints != NULL ? r->joints[track] : track;
}

/* A joint may blink for a frame, a flash be shown for one and be out of sight else; a lever is thrown,
 * and where one animation ends and the next begins all joints step: what cannot be that, and stands out
 * from what is around, is grave. */
static bool is_grave(const report *r, const m5_jump *j)
{
    static const double rounding = 0.5;
    if (j->kind == M5_JUMP_TURN)
        return j->by >= 90 - rounding && j->times >= 3;
    if (j->kind == M5_JUMP_MOVE)
        return j->away && j->by >= 5 * r->size && j->times >= 6;
    return j->by >= 150 - rounding && j->times >= 6 && j->frame == r->last_frame;
}

static double weight(const report *r, const m5_jump *j)
{
    return is_grave(r, j) + (j->kind == M5_JUMP_MOVE ? j->by / r->size : j->by / 180);
}

static void say_jump(report *r, const frame_jumps *here, double measure)
{
    const m5_jump *w = &here->worst;
    uint32_t joint = joint_of(r, w->joint);
    bool move = w->kind == M5_JUMP_MOVE;
    m5_name name = check_name_at(&r->f->model, joint);
    m5_diag d = r->format->place(r->f, r->format->jump, w->frame, joint, move);
    m5_relate(&d, &r->f->source, name, "its name");
    char more[48] = "";
    m5_text text = {more, sizeof more, 0, false};
    if (here->count > 1)
        m5_text_add(&text, "; others do so, too", 19);
    check_mark_frame(r->f, w->frame, r->format->jump, measure);
    m5_emit(&r->f->report, &d, measure,
            "frame %u: %s %u '%.*s' %s %.4g%s%s, against at most %.3g in the frames around%s",
            w->frame, r->format->joint, joint, CHECK_NAME(r->f, name),
            move ? "moves by" : "turns by", w->by, move ? "" : " degrees",
            w->kind == M5_JUMP_STEP ? " at once" : " and back at once",
            move ? w->around : floor(w->around * 100) / 100, more);
}

static void say_grave(report *r, double measure)
{
    for (uint32_t i = 0; i < r->num_grave && i < FEW; i++)
        say_jump(r, &r->grave[i], measure);
}

/* A file in which that happens again and again is meant so: a collection of poses, or keys without
 * anything between them. */
static void end_frame(report *r)
{
    if (r->here.count == 0)
        return;
    if (!is_grave(r, &r->here.worst)) {
        say_jump(r, &r->here, M5_MILD);
    } else if (r->num_grave++ < FEW) {
        r->grave[r->num_grave - 1] = r->here;
    } else {
        if (r->num_grave == FEW + 1)
            say_grave(r, M5_MILD);
        say_jump(r, &r->here, M5_MILD);
    }
    r->here.count = 0;
}

static void say_far(const report *r)
{
    uint32_t joint = joint_of(r, r->far.joint);
    m5_name name = check_name_at(&r->f->model, joint);
    m5_diag d = r->format->place(r->f, r->format->far, r->far.frame, joint, true);
    char more[48] = "";
    m5_text text = {more, sizeof more, 0, false};
    if (r->num_far > 1) {
        m5_text_add(&text, "; there are ", 12);
        m5_text_int(&text, r->num_far);
        m5_text_add(&text, " such places", 12);
    }
    m5_emit(&r->f->report, &d, 0,
            "frame %u: %s %u '%.*s' is %.3g away from its parent, %.3g times the model's size%s",
            r->far.frame, r->format->joint, joint, CHECK_NAME(r->f, name), r->far.by, r->far.times, more);
}

static void take(void *user, const m5_jump *jump)
{
    report *r = user;
    if (jump->kind == M5_JUMP_FAR) {
        r->far = r->num_far++ == 0 ? *jump : r->far;
        check_mark_frame(r->f, jump->frame, r->format->far, 0);
        return;
    }
    if (check_is_odd_frame(r->f, jump->frame))
        return;
    if (r->here.count != 0 && jump->frame != r->here.worst.frame)
        end_frame(r);
    if (r->here.count++ == 0 || weight(r, jump) > weight(r, &r->here.worst))
        r->here.worst = *jump;
}

static void say_flips(const report *r, const m5_flips *flips)
{
    uint32_t joint = joint_of(r, flips->joint);
    m5_name name = check_name_at(&r->f->model, joint);
    m5_diag d = r->format->place(r->f, r->format->flip, flips->frame, joint, false);
    m5_relate(&d, &r->f->source, name, "its name");
    char all[48] = "";
    m5_text text = {all, sizeof all, 0, false};
    if (flips->count > 1) {
        m5_text_add(&text, ", the first of ", 15);
        m5_text_int(&text, (int64_t)flips->count);
    }
    m5_emit(&r->f->report, &d, 0,
            "frame %u: %s %u '%.*s' has a quaternion that is nearer to the opposite of "
            "the one before%s",
            flips->frame, r->format->joint, joint, CHECK_NAME(r->f, name), all);
}

/* `rate`: frames a second. Where these are few, a pose may be meant to be seen by itself. */
static void check(m5_lint_file *f, const tracks_format *format, const m5_motion *motion,
                  const uint32_t *joints, double rate)
{
    static const double SLOW = 15;
    report r = {.f = f, .format = format, .joints = joints, .size = motion->size,
                .last_frame = motion->num_frames - 1};
    m5_flips flips;
    if (!m5_motion_find(motion, &f->arena, take, &r, &flips))
        return;
    end_frame(&r);
    if (r.num_grave <= FEW)
        say_grave(&r, rate < SLOW ? M5_MILD : M5_GRAVE);
    if (r.num_far != 0)
        say_far(&r);
    if (format->flip != NULL && flips.count != 0)
        say_flips(&r, &flips);
}

/* The size of a model, as far as its joints tell. */
static double size_of(const m5_vec *positions, uint32_t count)
{
    m5_box box = m5_box_empty();
    for (uint32_t i = 0; i < count; i++)
        m5_box_add(&box, positions[i]);
    return count != 0 ? m5_box_diagonal(&box) : 0;
}

static bool is_unit(m5_quat q)
{
    return fabs(m5_quat_dot(q, q) - 1) < 2e-3;
}

/* ---- md5anim --------------------------------------------------------------------------------- */

/* What the frames have of a joint: components of its position, then of its quaternion. */
typedef struct md5_track {
    uint32_t start, moving, turning;
    double rest; /* the squares of the baseframe's components, where these stay */
} md5_track;

typedef struct md5_tracks {
    const m5_md5anim *anim;
    uint32_t *joints;
    md5_track *tracks;
    uint32_t count;
} md5_tracks;

static m5_transform or_none(m5_transform at)
{
    if (!is_unit(at.turn)) /* told by a rule of its own */
        at.turn = (m5_quat){NAN, NAN, NAN, NAN};
    return at;
}

static m5_transform md5_at(const void *context, uint32_t frame, uint32_t track)
{
    const md5_tracks *t = context;
    return or_none(m5_md5anim_local(t->anim, frame, t->joints[track]));
}

/* The fourth components, of one sign, are the roots of what is left of 1: without taking these, the
 * product of both quaternions is M5_STILL at least if what is missing is no more than theirs. */
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
    m5_diag d = m5_found(rule, check_value_at(f, frame, component));
    d.path = m5_path2("frame", frame, "value", component);
    return d;
}

static double pose_size(const m5_transform *pose, uint32_t count, m5_vec *positions)
{
    for (uint32_t i = 0; i < count; i++)
        positions[i] = pose[i].pos;
    return size_of(positions, count);
}

/* Of the first box that says something. */
static double box_size(const m5_md5anim *m)
{
    for (uint32_t i = 0; i < m->num_bounds; i++) {
        const m5_md5anim_bounds *b = &m->bounds[i];
        if (!(b->min[0] <= b->max[0] && b->min[1] <= b->max[1] && b->min[2] <= b->max[2]) ||
            check_is_point(b))
            continue;
        return m5_vec_distance(m5_vec_of(b->min), m5_vec_of(b->max));
    }
    return 0;
}

/* Of the joints in the baseframe, or, if these are all in one place, in frame 0; or of the box,
 * which is larger where joints are few. */
static double md5_size(m5_lint_file *f, const m5_md5anim *m)
{
    size_t mark = f->arena.used;
    m5_transform *pose = check_scratch(f, m->num_joints, sizeof *pose);
    m5_vec *positions = check_scratch(f, m->num_joints, sizeof *positions);
    double size = 0;
    if (pose != NULL && positions != NULL) {
        m5_md5anim_base_pose(m, pose);
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
        double base = (double)m->base[joint].orient[k];
        t.rest += (c->flags >> (3 + k) & 1) != 0 ? 0 : base * base;
    }
    return t;
}

void check_md5anim_motion(m5_lint_file *f)
{
    static const tracks_format md5 = {M5_LINT_ROW(md5anim_jump), M5_LINT_ROW(md5anim_quat_flip),
                                      M5_LINT_ROW(md5anim_place_far), "joint", md5_place};
    const m5_md5anim *m = f->model.md5anim;
    size_t mark = f->arena.used;
    md5_tracks all = {m, check_scratch(f, m->num_joints, sizeof *all.joints),
                      check_scratch(f, m->num_joints, sizeof *all.tracks), 0};
    bool room = all.joints != NULL && all.tracks != NULL;
    for (uint32_t i = 0; i < m->num_joints && room; i++)
        if (m->channels[i].flags != 0) {
            all.tracks[all.count] = make_track(m, i);
            all.joints[all.count++] = i;
        }
    m5_motion motion = {&all, m->num_frames, all.count, md5_at, md5_stirs, md5_size(f, m),
                        f->report.plain};
    if (room)
        check(f, &md5, &motion, all.joints, m->frame_rate);
    m5_arena_release(&f->arena, mark);
}

/* ---- illanim --------------------------------------------------------------------------------- */

static m5_transform ill_at(const void *context, uint32_t frame, uint32_t bone)
{
    const m5_illanim *m = context;
    const m5_illanim_key *key = &m->bones[bone].keys[frame];
    const float *q = key->rotation;
    m5_quat turn = {(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
    return or_none((m5_transform){m5_vec_of(key->pos), turn});
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

/* Bones are relative to parents that only the skeleton knows. Their offsets are smaller than the
 * model, but not by much. */
static double ill_size(m5_lint_file *f, const m5_illanim *m)
{
    m5_vec *positions = check_scratch(f, m->num_bones, sizeof *positions);
    for (uint32_t i = 0; i < m->num_bones && positions != NULL; i++)
        positions[i] = m5_vec_of(m->bones[i].keys[0].pos);
    return positions != NULL ? size_of(positions, m->num_bones) : 0;
}

void check_illanim_motion(m5_lint_file *f)
{
    static const tracks_format ill = {M5_LINT_ROW(illanim_jump), M5_LINT_ROW(illanim_quat_flip),
                                      M5_LINT_ROW(illanim_place_far), "bone", ill_place};
    const m5_illanim *m = f->model.illanim;
    size_t mark = f->arena.used;
    m5_motion motion = {m, m->num_frames, m->num_bones, ill_at, ill_stirs, ill_size(f, m),
                        f->report.plain};
    check(f, &ill, &motion, NULL, (double)m->frame_rate);
    m5_arena_release(&f->arena, mark);
}

/* ---- MD4 ------------------------------------------------------------------------------------- */

/* As the file has it. */
typedef struct md4_matrix {
    float row[3][4];
} md4_matrix;

typedef struct md4_tracks {
    const m5_md4 *m;
    int32_t *parents;
    float *turned;        /* by how much each bone did, as the squares of the differences */
    md4_matrix *bones[2]; /* in the frame at hand and the one before: of even and odd ones */
} md4_tracks;

/* Relative to the parent, so that what a joint does is not told of all its children. */
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

static float difference(const md4_matrix *a, const md4_matrix *b)
{
    float sum = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            float by = b->row[i][k] - a->row[i][k];
            sum += by * by;
        }
    return sum;
}

static m5_vec md4_offset(const md4_matrix *m)
{
    return (m5_vec){(double)m->row[0][3], (double)m->row[1][3], (double)m->row[2][3]};
}

/* The difference of two rotations is 4 - 4 cos of the turn between them: of 8 degrees, here. */
static const float MD4_STILL = 0.038F;

/* What a bone does beside its parent is at most what both do, and its offset from the parent changes
 * by itself and as the parent's axes turn, which are rotations but for a tolerance. */
static bool md4_stirs_beside(const md4_tracks *t, const md4_matrix *last, const md4_matrix *now,
                             uint32_t bone, double square)
{
    static const double rotation = 1e-4;
    uint32_t parent = (uint32_t)t->parents[bone];
    m5_vec from = m5_vec_sub(md4_offset(&last[bone]), md4_offset(&last[parent]));
    m5_vec to = m5_vec_sub(md4_offset(&now[bone]), md4_offset(&now[parent]));
    m5_vec way = m5_vec_sub(to, from);
    double turn = ((double)t->turned[parent] + rotation) * m5_vec_dot(to, to);
    return !(t->turned[bone] <= MD4_STILL && t->turned[parent] <= MD4_STILL &&
             3 * (m5_vec_dot(way, way) + turn) <= square);
}

/* All matrices are rotations. */
static void md4_stirs(const void *context, uint32_t frame, double square, uint8_t *marks)
{
    const md4_tracks *t = context;
    md4_matrix *last = t->bones[(frame - 1) % 2], *now = t->bones[frame % 2];
    uint32_t bones = t->m->num_bones;
    for (uint32_t i = 0; i < bones; i++) {
        if (frame == 1)
            m5_md4_matrix_at(t->m, 0, i, last[i].row);
        m5_md4_matrix_at(t->m, frame, i, now[i].row);
        t->turned[i] = difference(&last[i], &now[i]);
    }
    for (uint32_t i = 0; i < bones; i++) {
        m5_vec way = m5_vec_sub(md4_offset(&now[i]), md4_offset(&last[i]));
        bool still = t->turned[i] <= MD4_STILL && m5_vec_dot(way, way) <= square;
        marks[i] = t->parents[i] >= 0 ? md4_stirs_beside(t, last, now, i, square) : !still;
    }
}

static bool prepare_md4(m5_lint_file *f, md4_tracks *t)
{
    uint32_t bones = t->m->num_bones;
    t->parents = check_scratch(f, bones, sizeof *t->parents);
    t->turned = check_scratch(f, bones, sizeof *t->turned);
    t->bones[0] = check_scratch(f, bones, sizeof *t->bones[0]);
    t->bones[1] = check_scratch(f, bones, sizeof *t->bones[1]);
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

void check_md4_motion(m5_lint_file *f, double size)
{
    static const tracks_format md4 = {M5_LINT_ROW(md4_frame_jump), NULL,
                                      M5_LINT_ROW(md4_frame_far), "bone", md4_place};
    const m5_md4 *m = f->model.md4;
    size_t mark = f->arena.used;
    md4_tracks tracks = {.m = m};
    m5_motion motion = {&tracks, m->num_frames, m->num_bones, md4_at, md4_stirs, size,
                        f->report.plain};
    if (prepare_md4(f, &tracks))
        check(f, &md4, &motion, NULL, HUGE_VAL);
    m5_arena_release(&f->arena, mark);
}
