/* Views of a camera that jump without a cut, and cuts beside the jump that they are for.
 *
 * A cut is the last frame of a shot in Doom 3, so that the jump is in the step from it to the next
 * frame. Some exporters write the first frame of the next shot, or the one after: jumps in the two
 * steps before and the two after a cut belong to it, and a shot is what is between the frames next
 * to two cuts. */
#include "checks.h"
#include "lint/core/check.h"
#include "lint/geometry/compare.h"
#include "lint/geometry/motion.h"
#include "parsers/core/emit.h"
#include "parsers/play/algebra.h"
#include "parsers/play/pose.h"

#include <math.h>

/* The words of a frame: ( x y z ) ( qx qy qz ) fov */
enum { POS = 1, ORIENT = 6, FOV = 10 };

/* Below this many frames a second a single view may be intended. */
enum { SLOW = 15 };

/* A part of the frames without a cut. */
typedef struct shot {
    const m5_md5camera *camera;
    uint32_t first, count;
} shot;

/* What is found of one kind, mostly by one cause: if there are more than FEW, only the first is
 * reported. */
enum { FEW = 2 };
typedef enum jump_kind { ELSEWHERE, STAYS, ZOOMS } jump_kind;
typedef struct view_jump {
    jump_kind kind;
    uint32_t frame;
    m5_jump jump;      /* ELSEWHERE */
    bool end;          /* ... in the first or the last frame of a shot */
    double turn, move; /* STAYS: in degrees and units */
} view_jump;
typedef struct bucket {
    view_jump first[FEW];
    uint32_t count;
} bucket;

typedef struct search {
    m5_lint_file *f;
    const m5_md5camera *camera;
    shot shot;
    bucket mild, grave;
} search;

/* NaN in a frame that could not be read, of which only the position is marked. */
static m5_transform view_at(const m5_md5camera *m, uint32_t frame)
{
    m5_transform view = m5_motion_or_none(m5_md5_transform(&m->frames[frame].pose));
    if (isnan(view.pos.x))
        view.rotation = (m5_quat){NAN, NAN, NAN, NAN};
    return view;
}

static double turn_between(const m5_md5camera *m, uint32_t a, uint32_t b)
{
    return M5_DEGREES * m5_quat_angle(view_at(m, a).rotation, view_at(m, b).rotation);
}

static double move_between(const m5_md5camera *m, uint32_t a, uint32_t b)
{
    return m5_vec_distance(view_at(m, a).pos, view_at(m, b).pos);
}

static void add(bucket *b, const view_jump *jump)
{
    if (b->count < FEW)
        b->first[b->count] = *jump;
    b->count++;
}

/* ---- Reports --------------------------------------------------------------------------------- */

static m5_diag at_frame(const search *s, const m5_rule *rule, uint32_t frame, uint32_t word)
{
    m5_diag d = m5_check_at(s->f, rule, s->camera->frames[frame].pose.offset, word);
    d.path = m5_path1("frame", frame);
    return d;
}

/* The coordinate that differs most from that of another frame. */
static uint32_t moved_axis(const m5_md5camera *m, uint32_t frame, uint32_t other)
{
    const float *a = m->frames[frame].pose.pos, *b = m->frames[other].pose.pos;
    uint32_t most = 0;
    for (uint32_t k = 1; k < 3; k++)
        if (fabsf(a[k] - b[k]) > fabsf(a[most] - b[most]))
            most = k;
    return most;
}

static void say_elsewhere(search *s, const view_jump *j, double measure, const char *more)
{
    bool move = j->jump.kind == M5_JUMP_MOVE;
    uint32_t other = j->jump.frame == 0 ? j->frame + 1 : j->frame - 1;
    uint32_t word = move ? POS + moved_axis(s->camera, j->frame, other) : ORIENT;
    m5_diag d = at_frame(s, M5_LINT_ROW(md5camera_jump), j->frame, word);
    const char *why = !j->jump.explained ? ""
                      : move             ? ": a decimal point seems to be lost"
                             : ": the sign of one of the quaternion's numbers seems to be wrong";
    m5_emit(&s->f->report, &d, measure,
            "frame %u: the camera %s %.4g %s %s (at most %.3g in nearby frames)%s%s", j->frame,
            move ? "moves" : "rotates", j->jump.by, move ? "units" : "degrees",
            j->end ? "in one step" : "for one frame", j->jump.around, why, more);
}

static void say_stays(search *s, const view_jump *j, double measure, const char *more)
{
    m5_diag d = m5_check_at_record(s->f, M5_LINT_ROW(md5camera_jump),
                                   s->camera->frames[j->frame].pose.offset, FOV);
    d.path = m5_path1("frame", j->frame);
    m5_relate(&d, &s->f->source, s->camera->num_cuts_at, "the number of cuts");
    m5_emit(&s->f->report, &d, measure,
            "frame %u: the camera moves %.4g units and rotates %.4g degrees in one step and stays "
            "there, without a cut%s",
            j->frame, j->move, j->turn, more);
}

static void say_zooms(search *s, const view_jump *j, double measure, const char *more)
{
    const m5_md5camera_frame *frame = &s->camera->frames[j->frame];
    m5_diag d = at_frame(s, M5_LINT_ROW(md5camera_jump), j->frame, FOV);
    m5_emit(&s->f->report, &d, measure,
            "frame %u: the field of view is %.4g degrees for one frame, and %.4g in the frame "
            "before%s",
            j->frame, (double)frame->fov, (double)frame[-1].fov, more);
}

static void say_jump(search *s, const view_jump *j, double measure, const char *more)
{
    if (j->kind == ELSEWHERE)
        say_elsewhere(s, j, measure, more);
    else if (j->kind == STAYS)
        say_stays(s, j, measure, more);
    else
        say_zooms(s, j, measure, more);
}

static void say_bucket(search *s, bucket *b, double measure)
{
    char more[48] = "";
    if (b->count > FEW)
        m5_check_print(more, sizeof more, " (first of %u)", b->count);
    for (uint32_t i = 0; i < b->count && i < (b->count > FEW ? 1U : FEW); i++)
        say_jump(s, &b->first[i], measure, more);
    b->count = 0;
}

static void say_found(search *s)
{
    say_bucket(s, &s->grave, M5_GRAVE);
    say_bucket(s, &s->mild, M5_MILD);
}

/* ---- Shots ----------------------------------------------------------------------------------- */

/* Calls `look` for each shot. */
static void each_shot(search *s, void (*look)(search *s))
{
    const m5_md5camera *m = s->camera;
    uint32_t begin = 0;
    for (uint32_t i = 0; i <= m->num_cuts; i++) {
        uint32_t end = i < m->num_cuts ? m->cuts[i].frame - 1 : m->num_frames;
        s->shot = (shot){m, begin, begin < end ? end - begin : 0};
        if (s->shot.count >= M5_MOTION_FRAMES)
            look(s);
        begin = i < m->num_cuts ? m->cuts[i].frame + 2 : begin;
    }
}

/* ---- Elsewhere for one frame ----------------------------------------------------------------- */

static m5_transform at(const void *context, uint32_t frame, uint32_t joint)
{
    const shot *s = context;
    (void)joint;
    return view_at(s->camera, s->first + frame);
}

static m5_quat otherwise(const void *context, uint32_t frame, uint32_t joint, int way)
{
    return m5_motion_other_sign(at(context, frame, joint).rotation, way);
}

static bool is_grave(const search *s, const m5_jump *j)
{
    static const double rounding = 0.5;
    if (j->explained)
        return true;
    if (s->camera->frame_rate < SLOW)
        return false;
    if (j->kind == M5_JUMP_MOVE)
        return j->by >= 320 && j->times >= 6;
    return (j->by >= 90 - rounding && j->times >= 3) || (j->by >= 45 - rounding && j->times >= 6);
}

static void take(void *user, const m5_jump *jump)
{
    search *s = user;
    view_jump found = {.kind = ELSEWHERE,
                       .frame = s->shot.first + jump->frame,
                       .jump = *jump,
                       .end = jump->frame == 0 || jump->frame == s->shot.count - 1};
    bool other = jump->kind == M5_JUMP_STEP || jump->kind == M5_JUMP_FAR; /* found below */
    if (other || m5_check_is_odd_frame(s->f, found.frame))
        return;
    add(is_grave(s, jump) ? &s->grave : &s->mild, &found);
    m5_check_leave_out_frame(s->f, found.frame);
}

static void find_elsewhere(search *s)
{
    static const double scene = 200; /* units: the size of a room */
    m5_motion motion = {&s->shot, s->shot.count, 1, at, NULL, otherwise, scene, true};
    m5_flips flips;
    m5_motion_find(&motion, &s->f->arena, take, s, &flips);
}

/* ---- In one step, to stay -------------------------------------------------------------------- */

/* The largest of up to four steps on either side of the one that ends in `frame`. */
static double around(const shot *s, uint32_t frame,
                     double (*between)(const m5_md5camera *m, uint32_t a, uint32_t b))
{
    enum { AROUND = 4 };
    double most = 0;
    uint32_t last = s->first + s->count - 1;
    for (uint32_t i = frame > s->first + AROUND ? frame - AROUND : s->first + 1;
         i <= last && i <= frame + AROUND; i++)
        if (i != frame)
            most = fmax(most, between(s->camera, i - 1, i));
    return most;
}

static void judge_step(search *s, view_jump *j)
{
    static const double times = 6, degrees = 1, units = 2;
    const m5_md5camera *m = s->camera;
    bool turns = j->turn >= 30 &&
                 j->turn >= times * (around(&s->shot, j->frame, turn_between) + degrees);
    bool moves = j->move >= 64 &&
                 j->move >= times * (around(&s->shot, j->frame, move_between) + units);
    if (!turns && !moves)
        return;
    bool end = j->frame == 1 || j->frame == m->num_frames - 1; /* maybe a rest pose */
    bool far = (turns && j->turn >= 90) || (moves && j->move >= 512) ||
               (turns && moves && j->turn >= 45);
    add(far && !end && m->frame_rate >= SLOW ? &s->grave : &s->mild, j);
}

static void find_steps(search *s)
{
    const m5_md5camera *m = s->camera;
    for (uint32_t i = s->shot.first + 1; i < s->shot.first + s->shot.count; i++) {
        view_jump j = {.kind = STAYS, .frame = i};
        if (m5_check_is_odd_frame(s->f, i - 1) || m5_check_is_odd_frame(s->f, i))
            continue;
        j.turn = turn_between(m, i - 1, i);
        j.move = move_between(m, i - 1, i);
        if (j.turn >= 30 || j.move >= 64)
            judge_step(s, &j);
    }
}

/* ---- Zooms for one frame --------------------------------------------------------------------- */

/* By how much the field of view differs in two frames: the logarithm of its factor. NaN if one of
 * them could not be read or has none. */
static double zoom_between(const m5_md5camera *m, uint32_t a, uint32_t b)
{
    bool known = !isnan(m->frames[a].pose.pos[0]) && !isnan(m->frames[b].pose.pos[0]) &&
                 m->frames[a].fov > 0 && m->frames[b].fov > 0;
    return known ? fabs(log((double)m->frames[a].fov / (double)m->frames[b].fov)) : NAN;
}

static void find_zooms(search *s)
{
    static const double least = 0.405, grave = 1.098, times = 6; /* factors of 1.5 and 3 */
    const m5_md5camera *m = s->camera;
    for (uint32_t i = s->shot.first + 1; i + 1 < s->shot.first + s->shot.count; i++) {
        double there = zoom_between(m, i - 1, i), back = zoom_between(m, i, i + 1);
        double direct = zoom_between(m, i - 1, i + 1);
        view_jump j = {.kind = ZOOMS, .frame = i};
        if (!(there >= least && back >= least && there >= times * direct &&
              back >= times * direct) ||
            m5_check_is_odd_frame(s->f, i))
            continue;
        add(there >= grave && back >= grave && m->frame_rate >= SLOW ? &s->grave : &s->mild, &j);
    }
}

/* ---- Cuts beside their jumps ----------------------------------------------------------------- */

/* How much the view changes in the step that ends in a frame; 0 if there is no such step,
 * or something was reported about one of its frames. */
static double change(const search *s, uint32_t frame)
{
    static const double degrees = 20, units = 32;
    const m5_md5camera *m = s->camera;
    if (frame < 1 || frame >= m->num_frames || m5_check_is_odd_frame(s->f, frame - 1) ||
        m5_check_is_odd_frame(s->f, frame))
        return 0;
    double by = turn_between(m, frame - 1, frame) / degrees +
                move_between(m, frame - 1, frame) / units;
    return by >= 0 ? by : 0; /* not of NaN */
}

/* The frame before the jump, if it is not that of the cut; else M5_NO_INDEX. */
static uint32_t misplaced(const search *s, uint32_t cut)
{
    static const double least = 2, times = 4;
    double here = change(s, cut + 1), most = 0;
    uint32_t frame = cut;
    for (uint32_t end = cut < 3 ? 2 : cut - 1; end <= cut + 2; end++) /* frame 0 cannot be a cut */
        if (change(s, end) > most) {
            most = change(s, end);
            frame = end - 1;
        }
    return frame != cut && most >= least && most >= times * here ? frame : M5_NO_INDEX;
}

static void check_cuts(const search *s)
{
    const m5_md5camera *m = s->camera;
    char more[48] = "";
    uint32_t count = 0, first = 0;
    for (uint32_t i = 0; i < m->num_cuts; i++) {
        if (misplaced(s, m->cuts[i].frame) == M5_NO_INDEX)
            continue;
        first = count == 0 ? i : first;
        count++;
    }
    if (count == 0)
        return;
    if (count > 1)
        m5_check_print(more, sizeof more, " (first of %u cuts)", count);
    m5_diag d = m5_check_at(s->f, M5_LINT_ROW(md5camera_cut_place), m->cuts[first].offset, 0);
    uint32_t before = misplaced(s, m->cuts[first].frame);
    d.path = m5_path1("cut", first);
    m5_relate(&d, &s->f->source,
              m5_check_at_record(s->f, NULL, m->frames[before].pose.offset, FOV).at,
              "the last frame before the jump");
    m5_emit(&s->f->report, &d, 0,
            "cut %u is frame %u, but the view jumps after frame %u, which should be the cut%s",
            first, m->cuts[first].frame, before, more);
}

/* Jumps for one frame are reported before others are looked for, so that none is reported twice. */
void m5_check_md5camera_jumps(m5_lint_file *f)
{
    search s = {.f = f, .camera = f->model.md5camera};
    each_shot(&s, find_elsewhere);
    say_found(&s);
    each_shot(&s, find_steps);
    say_found(&s);
    each_shot(&s, find_zooms);
    say_found(&s);
    check_cuts(&s);
}
