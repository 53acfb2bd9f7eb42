/* Each frame of a camera by itself: orientations, fields of view, positions. */
#include "checks.h"
#include "lint/core/check.h"
#include "parsers/core/emit.h"

#include <math.h>

/* The words of a frame: ( x y z ) ( qx qy qz ) fov */
enum { POS = 1, ORIENT = 6, FOV = 10 };

/* If more frames than these have the same mistake, only the first is reported. */
enum { FEW = 2 };

static bool is_read(const m5_md5camera_frame *frame)
{
    return !isnan(frame->pose.pos[0]);
}

/* What a rule measures of a frame; -1 if there is nothing to report. */
typedef double (*measure_of)(const m5_md5camera_frame *frame);

static m5_severity judge(const m5_lint_file *f, const m5_rule *rule, measure_of measure, uint32_t i)
{
    const m5_md5camera_frame *frame = &f->model.md5camera->frames[i];
    return is_read(frame) ? m5_would_say(&f->report, rule, measure(frame)) : M5_SILENT;
}

static uint32_t count_from(const m5_lint_file *f, const m5_rule *rule, measure_of measure,
                           m5_severity least)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->model.md5camera->num_frames; i++)
        count += judge(f, rule, measure, i) >= least;
    return count;
}

/* ` (first of 12 frames)` */
static const char *first_of(char *out, size_t size, uint32_t count)
{
    *out = '\0';
    if (count > 1)
        m5_check_print(out, size, " (first of %u frames)", count);
    return out;
}

/* Calls `say` for each frame with a warning or an error, or for the first if there are many. */
static void say_frames(m5_lint_file *f, const m5_rule *rule, measure_of measure,
                       void (*say)(m5_lint_file *f, uint32_t i, const char *more))
{
    char more[48];
    uint32_t count = count_from(f, rule, measure, M5_WARNING), said = 0;
    first_of(more, sizeof more, count > FEW ? count : 1);
    for (uint32_t i = 0; i < f->model.md5camera->num_frames && count != 0; i++) {
        if (judge(f, rule, measure, i) < M5_WARNING)
            continue;
        if (said == 0 || count <= FEW)
            say(f, i, more);
        said++;
        m5_check_leave_out_frame(f, i);
    }
}

static m5_diag at_word(const m5_lint_file *f, const m5_rule *rule, uint32_t i, uint32_t word)
{
    m5_diag d = m5_check_at(f, rule, f->model.md5camera->frames[i].pose.offset, word);
    d.path = m5_path1("frame", i);
    return d;
}

/* ---- Orientations ---------------------------------------------------------------------------- */

static double square(const float q[3])
{
    return (double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2];
}

static double over(const m5_md5camera_frame *frame)
{
    double s = square(frame->pose.orient);
    return s > 1 ? s - 1 - m5_check_rounding(frame->pose.orient) : -1;
}

static void say_overlength(m5_lint_file *f, uint32_t i, const char *more)
{
    const m5_md5camera_frame *frame = &f->model.md5camera->frames[i];
    m5_diag d = at_word(f, M5_LINT_ROW(md5camera_quat_overlength), i, ORIENT);
    m5_emit(&f->report, &d, over(frame),
            "frame %u: x*x + y*y + z*z of the orientation is %.8g, expected at most 1%s", i,
            square(frame->pose.orient), more);
}

/* What is only a note is reported once a file, at the worst frame: it comes from an exporter that
 * computes with floats. */
static void check_orientations(m5_lint_file *f)
{
    const m5_md5camera *m = f->model.md5camera;
    const m5_rule *rule = M5_LINT_ROW(md5camera_quat_overlength);
    char more[48] = "";
    uint32_t slight = 0, worst = 0;
    say_frames(f, rule, over, say_overlength);
    for (uint32_t i = 0; i < m->num_frames; i++) {
        if (judge(f, rule, over, i) != M5_NOTE)
            continue;
        worst = slight == 0 || over(&m->frames[i]) > over(&m->frames[worst]) ? i : worst;
        slight++;
    }
    if (slight > 1)
        m5_check_print(more, sizeof more, " (slightly above 1 in %u frames)", slight);
    if (slight != 0)
        say_overlength(f, worst, more);
}

/* ---- Fields of view -------------------------------------------------------------------------- */

static double is_no_angle(const m5_md5camera_frame *frame)
{
    return frame->fov > 0 && frame->fov < 180 ? -1 : 0;
}

static double is_odd_angle(const m5_md5camera_frame *frame)
{
    bool odd = frame->fov > 0 && frame->fov < 180 && (frame->fov < 3 || frame->fov > 160);
    return odd ? M5_MILD : -1;
}

static void say_no_angle(m5_lint_file *f, uint32_t i, const char *more)
{
    m5_diag d = at_word(f, M5_LINT_ROW(md5camera_fov_range), i, FOV);
    m5_emit(&f->report, &d, 0,
            "frame %u: the field of view is %.6g degrees, expected more than 0 and less than 180%s",
            i, (double)f->model.md5camera->frames[i].fov, more);
}

/* Whether no angle of the file is larger than half a circle in radians. */
static bool are_radians(const m5_md5camera *m)
{
    static const float half = 3.15F;
    for (uint32_t i = 0; i < m->num_frames; i++)
        if (!(is_read(&m->frames[i]) && m->frames[i].fov > 0 && m->frames[i].fov < half))
            return false;
    return m->num_frames != 0;
}

static void check_angles(m5_lint_file *f)
{
    const m5_md5camera *m = f->model.md5camera;
    const m5_rule *rule = M5_LINT_ROW(md5camera_fov_odd);
    char more[48];
    say_frames(f, M5_LINT_ROW(md5camera_fov_range), is_no_angle, say_no_angle);
    if (are_radians(m)) {
        m5_diag d = at_word(f, rule, 0, FOV);
        m5_emit(&f->report, &d, M5_GRAVE,
                "no field of view is above %.6g degrees: the angles seem to be in radians", 3.15);
        return;
    }
    uint32_t count = count_from(f, rule, is_odd_angle, M5_NOTE), i = 0;
    while (count != 0 && judge(f, rule, is_odd_angle, i) < M5_NOTE)
        i++;
    if (count == 0)
        return;
    m5_diag d = at_word(f, rule, i, FOV);
    m5_emit(&f->report, &d, M5_MILD,
            "frame %u: the field of view is %.6g degrees, expected 3 to 160%s", i,
            (double)m->frames[i].fov, first_of(more, sizeof more, count));
}

void m5_check_md5camera_frames(m5_lint_file *f)
{
    check_orientations(f);
    check_angles(f);
}

/* ---- Positions ------------------------------------------------------------------------------- */

static uint32_t farthest(const m5_md5camera_frame *frame)
{
    uint32_t most = 0;
    for (uint32_t k = 1; k < 3; k++)
        if (fabsf(frame->pose.pos[k]) > fabsf(frame->pose.pos[most]))
            most = k;
    return most;
}

static double reach(const m5_md5camera_frame *frame)
{
    return fabs((double)frame->pose.pos[farthest(frame)]);
}

void m5_check_md5camera_far(m5_lint_file *f, m5_severity least)
{
    const m5_md5camera *m = f->model.md5camera;
    const m5_rule *rule = M5_LINT_ROW(md5camera_place_far);
    char more[48];
    uint32_t first = 0, count = 0;
    for (uint32_t i = m->num_frames; i-- > 0;) {
        if (judge(f, rule, reach, i) < least || m5_check_is_odd_frame(f, i))
            continue;
        first = i;
        count++;
        m5_check_leave_out_frame(f, i);
    }
    if (count == 0)
        return;
    uint32_t axis = farthest(&m->frames[first]);
    m5_diag d = at_word(f, rule, first, POS + axis);
    m5_emit(&f->report, &d, reach(&m->frames[first]),
            "frame %u: %c of the camera's position is %.9g, expected at most 131072%s", first,
            "xyz"[axis], (double)m -> frames[first].pose.pos[axis],
            first_of(more, sizeof more, count));
}
