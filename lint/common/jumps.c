/* Chooses which of an animation's jumps to report, and how: the same for each format. */
#include "jumps.h"
#include "lint/core/check.h"
#include "lint/core/names.h"
#include "parsers/core/emit.h"

/* The worst jump of a frame, and how many joints jump there. */
typedef struct frame_jumps {
    m5_jump worst;
    uint32_t count;
} frame_jumps;

/* What has been found so far. Mostly, one cause makes several joints jump in a frame: only the
 * worst is reported. Grave jumps wait until it is clear that there are only a FEW of them. */
enum { FEW = 2 };
typedef struct report {
    m5_lint_file *f;
    const m5_tracks_format *format;
    const uint32_t *joints; /* for each joint of the motion, its number; NULL if it is the same */
    double size;
    uint32_t last_frame;
    frame_jumps here, grave[FEW];
    uint32_t num_grave;
    m5_jump far; /* the first place far away, or the first that is grave */
    uint32_t num_far;
    uint32_t odd_frame; /* the last frame with a place far away reported as a warning */
} report;

static uint32_t joint_of(const report *r, uint32_t track)
{
    return r->joints != NULL ? r->joints[track] : track;
}

/* A jump is grave if it stands out from nearby frames and cannot be intended. Intended jumps: an
 * eye blinks for one frame, a muzzle flash is shown for one frame and hidden in all others, a lever
 * is thrown, or all joints step where one animation ends and the next begins. */
static bool is_grave(const report *r, const m5_jump *j)
{
    static const double rounding = 0.5;
    if (j->explained)
        return true;
    if (j->kind == M5_JUMP_ROTATION)
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
    static const char *const way[] = {[M5_JUMP_ROTATION] = "degrees for one frame",
                                      [M5_JUMP_MOVE] = "units for one frame",
                                      [M5_JUMP_STEP] = "degrees in one step and stays there"};
    const m5_jump *w = &here->worst;
    uint32_t joint = joint_of(r, w->joint);
    bool move = w->kind == M5_JUMP_MOVE, end = w->frame == 0 || w->frame == r->last_frame;
    char others[32] = "";
    if (here->count > 1)
        m5_check_print(others, sizeof others, "; so do other %ss", r->format->joint);
    m5_name name = m5_check_name_at(&r->f->model, joint);
    m5_diag d = r->format->place(r->f, r->format->jump, w->frame, joint, move);
    m5_relate(&d, &r->f->source, name, "its name");
    m5_check_mark_frame(r->f, w->frame, r->format->jump, measure);
    if (w->kind != M5_JUMP_STEP)
        m5_check_mark_jump(r->f, w->frame, (m5_jump_mark){joint, d.at});
    m5_emit(&r->f->report, &d, measure,
            "frame %u: %s %u '%.*s' %s %.4g %s (at most %.3g in nearby frames)%s%s", w->frame,
            r->format->joint, joint, M5_CHECK_NAME(r->f, name), move ? "moves" : "rotates", w->by,
            move && end ? "units in one step" : way[w->kind],
            move ? w->around : floor(w->around * 100) / 100, others,
            !w->explained ? ""
            : move        ? ": a decimal point seems to be lost"
                          : r->format->mistake);
}

static void say_grave(report *r, double measure)
{
    for (uint32_t i = 0; i < r->num_grave && i < FEW; i++)
        say_jump(r, &r->grave[i], measure);
}

/* Whether the frame may be a single pose, such as sitting or dead, in which several joints are
 * rotated, or the first frame of the next animation. */
static bool may_be_pose(const report *r)
{
    return r->format->sequences && !r->here.worst.explained &&
           (r->here.count > 1 || r->here.worst.kind == M5_JUMP_STEP);
}

/* If many frames have grave jumps, they are intended: the file is a collection of poses, or has
 * keyframes without frames between them. */
static void end_frame(report *r)
{
    enum { POSE = 3 }; /* so many joints jump in a frame from elsewhere, not by a wrong number */
    if (r->here.count == 0)
        return;
    if (r->here.count >= POSE)
        r->here.worst.explained = false;
    if (!is_grave(r, &r->here.worst) || may_be_pose(r)) {
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

/* A part may be hidden far away, and a path may be long, but not farther than this. */
static double gravity_of_far(const m5_jump *far)
{
    static const double most = 1e6;
    return far->by > most ? M5_GRAVE : M5_MILD;
}

static void say_far(const report *r)
{
    uint32_t joint = joint_of(r, r->far.joint);
    m5_name name = m5_check_name_at(&r->f->model, joint);
    m5_diag d = r->format->place(r->f, r->format->far, r->far.frame, joint, true);
    char more[48] = "";
    if (r->num_far > 1)
        m5_check_print(more, sizeof more, " (%u places)", r->num_far);
    m5_emit(&r->f->report, &d, gravity_of_far(&r->far),
            "frame %u: %s %u '%.*s' is %.3g units from its parent, %.3g times the model's size%s",
            r->far.frame, r->format->joint, joint, M5_CHECK_NAME(r->f, name), r->far.by,
            r->far.times, more);
}

static void take(void *user, const m5_jump *jump)
{
    report *r = user;
    if (jump->kind == M5_JUMP_FAR) {
        double gravity = gravity_of_far(jump);
        if (r->num_far++ == 0 || gravity > gravity_of_far(&r->far))
            r->far = *jump;
        m5_check_mark_frame(r->f, jump->frame, r->format->far, gravity);
        if (m5_would_say(&r->f->report, r->format->far, gravity) >= M5_WARNING)
            r->odd_frame = jump->frame;
        return;
    }
    if (m5_check_is_odd_frame(r->f, jump->frame) || jump->frame == r->odd_frame)
        return;
    if (r->here.count != 0 && jump->frame != r->here.worst.frame)
        end_frame(r);
    if (r->here.count++ == 0 || weight(r, jump) > weight(r, &r->here.worst))
        r->here.worst = *jump;
}

static void say_flips(const report *r, const m5_flips *flips)
{
    uint32_t joint = joint_of(r, flips->joint);
    m5_name name = m5_check_name_at(&r->f->model, joint);
    m5_diag d = r->format->place(r->f, r->format->flip, flips->frame, joint, false);
    m5_relate(&d, &r->f->source, name, "its name");
    char all[48] = "";
    if (flips->count > 1)
        m5_check_print(all, sizeof all, " (first of %llu)", (unsigned long long)flips->count);
    m5_emit(&r->f->report, &d, 0,
            "frame %u: %s %u '%.*s': quaternion changes sign from the previous frame%s",
            flips->frame, r->format->joint, joint, M5_CHECK_NAME(r->f, name), all);
}

void m5_motion_say(m5_lint_file *f, const m5_tracks_format *format, const m5_motion *motion,
                   const uint32_t *joints, double rate)
{
    static const double SLOW = 15;
    report r = {.f = f,
                .format = format,
                .joints = joints,
                .size = motion->size,
                .last_frame = motion->num_frames - 1,
                .odd_frame = M5_NO_INDEX};
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
