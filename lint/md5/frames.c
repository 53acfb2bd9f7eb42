/* The values of frames, as far as they can be checked without building a skeleton. */
#include "checks.h"
#include "lint/core/check.h"
#include "lint/core/frame_values.h"
#include "lint/core/sort.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"

#include <math.h>
#include <string.h>

/* ---- Orientations ---------------------------------------------------------------------------- */

static double square(const float q[3])
{
    return (double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2];
}

static void check_base(m5_lint_file *f, const m5_md5anim *m)
{
    for (uint32_t i = 0; i < m->num_base; i++) {
        double s = isnan(m->base[i].pos[0]) ? 0 : square(m->base[i].orient);
        if (!(s > 1))
            continue;
        m5_diag d = m5_check_at(f, M5_LINT_ROW(md5anim_quat_overlength), m->base[i].offset, 6);
        d.path = m5_path1("baseframe", i);
        double over = s - 1 - m5_check_rounding(m->base[i].orient);
        m5_emit(&f->report, &d, over,
                "joint %u: x*x + y*y + z*z of the orientation is %.8g, expected at most 1", i, s);
    }
}

/* A joint whose orientation frames change, in whole or in part: `start` is the first component of
 * its orientation. */
typedef struct turning_joint {
    uint32_t joint, start;
    uint8_t flags; /* of x, y and z */
} turning_joint;

static bool component_less(const void *context, uint32_t a, uint32_t b)
{
    const m5_md5anim *m = context;
    uint32_t x = m->channels[a].start, y = m->channels[b].start;
    return x != y ? x < y : a < b;
}

/* Whether x, y and z that no frame replaces are too long: that is reported for the baseframe. */
static bool is_base_overlength(const m5_lint_file *f, uint32_t i)
{
    const m5_md5anim *m = f->model.md5anim;
    float q[3];
    for (int k = 0; k < 3; k++)
        q[k] = m->channels[i].flags >> (k + 3) & 1 ? 0 : m->base[i].orient[k];
    return square(q) > 1 && m5_would_say(&f->report, M5_LINT_ROW(md5anim_quat_overlength),
                                         square(q) - 1 - m5_check_rounding(q)) >= M5_WARNING;
}

/* Fills `joints` in the order of their components; `index` is scratch for sorting. */
static uint32_t turning_joints(const m5_lint_file *f, turning_joint *joints, uint32_t *index)
{
    const m5_md5anim *m = f->model.md5anim;
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->num_joints; i++)
        if (m->channels[i].flags >> 3 != 0 && !isnan(m->base[i].pos[0]) &&
            !is_base_overlength(f, i))
            index[n++] = i;
    m5_check_sort(index, n, component_less, m);
    for (uint32_t i = 0; i < n; i++) {
        const m5_md5anim_channel *ch = &m->channels[index[i]];
        joints[i].joint = index[i];
        joints[i].start = ch->start + m5_md5anim_count_flags(ch->flags & 7);
        joints[i].flags = (uint8_t)(ch->flags >> 3);
    }
    return n;
}

/* A joint's x y z in a frame: those of the baseframe, with what the frame replaces. */
static void orient_in_frame(const m5_md5anim *m, const turning_joint *t, const float *values,
                            float q[3])
{
    const float *v = values + t->start;
    for (int k = 0; k < 3; k++)
        q[k] = t->flags >> k & 1 ? *v++ : m->base[t->joint].orient[k];
}

/* By how much x*x + y*y + z*z is above 1 in a frame, less what rounding explains; else -1. */
static double over_in_frame(const m5_md5anim *m, const turning_joint *t, const float *values)
{
    float copy[3];
    const float *q = values + t->start;
    if (t->flags != 7) {
        orient_in_frame(m, t, values, copy);
        q = copy;
    }
    double s = square(q);
    return s > 1 ? s - 1 - m5_check_rounding(q) : -1;
}

static void say_overlength(m5_lint_file *f, m5_check_value_finder *v, uint32_t frame,
                           const turning_joint *t, double over, const char *others)
{
    const m5_md5anim *m = f->model.md5anim;
    m5_name name = m->joints[t->joint].name;
    m5_diag d = m5_found(M5_LINT_ROW(md5anim_quat_overlength),
                         m5_check_find_value(v, frame, t->start));
    float q[3];
    orient_in_frame(m, t, m->components + (size_t)frame * m->num_components, q);
    d.path = m5_path2("frame", frame, "value", t->start);
    m5_relate(&d, &f->source, name, "the joint");
    m5_emit(
        &f->report, &d, over,
        "frame %u, joint %u '%.*s': x*x + y*y + z*z of the orientation is %.8g, expected at most 1%s",
        frame, t->joint, M5_CHECK_NAME(f, name), square(q), others);
    m5_check_mark_frame(f, frame, M5_LINT_ROW(md5anim_quat_overlength), over);
}

/* The orientations of a frame that are too long: how many would be reported, and the worst. */
typedef struct too_long {
    uint32_t frame, count, worst; /* an index into the list of turning joints */
    double most;
} too_long;

static too_long find_too_long(const m5_lint_file *f, const turning_joint *joints, uint32_t n,
                              uint32_t frame)
{
    const m5_md5anim *m = f->model.md5anim;
    const float *values = m->components + (size_t)frame * m->num_components;
    too_long found = {frame, 0, 0, -1};
    for (uint32_t i = 0; i < n; i++) {
        double over = over_in_frame(m, &joints[i], values);
        if (over <= -1 ||
            m5_would_say(&f->report, M5_LINT_ROW(md5anim_quat_overlength), over) == M5_SILENT)
            continue;
        found.count++;
        found.worst = over > found.most ? i : found.worst;
        found.most = over > found.most ? over : found.most;
    }
    return found;
}

/* What is only a note is reported once a file, at the worst frame: it comes from an exporter that
 * computes with floats, and is in many frames. */
static void say_slight(m5_lint_file *f, m5_check_value_finder *v, const turning_joint *joints,
                       const too_long *slight, uint32_t frames)
{
    char more[48] = "";
    if (frames > 1)
        m5_check_print(more, sizeof more, " (slightly above 1 in %u frames)", frames);
    if (frames != 0)
        say_overlength(f, v, slight->frame, &joints[slight->worst], slight->most, more);
}

/* If several orientations of a frame are no quaternions at all, only the first frame is reported.
 */
static void check_frames(m5_lint_file *f, const turning_joint *joints, uint32_t n)
{
    static const double no_quaternion = 2; /* or more, in several joints of a frame */
    const m5_rule *rule = M5_LINT_ROW(md5anim_quat_overlength);
    m5_check_value_finder finder = m5_check_start_finding(f);
    too_long slight = {0, 0, 0, -1};
    uint32_t frames = 0;
    bool junk = false;
    for (uint32_t frame = 0; frame < f->model.md5anim->num_frames; frame++) {
        too_long here = find_too_long(f, joints, n, frame);
        bool no_pose = here.count > 1 && here.most >= no_quaternion;
        if (here.count == 0)
            continue;
        if (m5_would_say(&f->report, rule, here.most) == M5_NOTE) {
            frames++;
            slight = here.most > slight.most ? here : slight;
        } else if (no_pose && junk) {
            m5_check_mark_frame(f, frame, rule, here.most);
        } else {
            say_overlength(f, &finder, frame, &joints[here.worst], here.most,
                           no_pose
                               ? "; other joints of this frame are above 1, too: the numbers may "
                                 "be degrees or positions"
                           : here.count > 1 ? "; other joints of this frame are above 1, too"
                                            : "");
        }
        junk |= no_pose;
    }
    say_slight(f, &finder, joints, &slight, frames);
}

static void check_orientations(m5_lint_file *f, const m5_md5anim *m)
{
    size_t mark = f->arena.used;
    turning_joint *joints = m5_check_scratch(f, m->num_joints, sizeof *joints);
    uint32_t *index = m5_check_scratch(f, m->num_joints, sizeof *index);
    if (joints != NULL && index != NULL)
        check_frames(f, joints, turning_joints(f, joints, index));
    m5_arena_release(&f->arena, mark);
}

/* ---- Frames never filled in ------------------------------------------------------------------ */

static bool is_zero(const m5_md5anim *m, uint32_t frame)
{
    const float *values = m->components + (size_t)frame * m->num_components;
    for (uint32_t i = 0; i < m->num_components; i++)
        if (values[i] != 0)
            return false;
    return true;
}

/* The next frame in a direction, 1 or -1, that is not all 0; M5_NO_INDEX if there is none. */
static uint32_t next_full(const m5_md5anim *m, uint32_t frame, uint32_t by)
{
    do
        frame += by;
    while (frame < m->num_frames && is_zero(m, frame));
    return frame < m->num_frames ? frame : M5_NO_INDEX;
}

/* Whether a joint's position is about the same in two frames, and not 0. */
static bool is_any_place_steady(const m5_md5anim *m, const float *a, const float *b)
{
    const double change = 3; /* at most a third of the position */
    for (uint32_t i = 0; i < m->num_joints; i++)
        for (uint32_t k = 0; k < m5_md5anim_count_flags(m->channels[i].flags & 7); k++) {
            uint32_t at = m->channels[i].start + k;
            if (a[at] != 0 && fabs((double)a[at] - (double)b[at]) * change <= fabs((double)a[at]))
                return true;
        }
    return false;
}

/* Whether a frame that is all 0 cannot be a pose: some joint stays away from its parent in the
 * frames around it, or in the two frames nearest to the first or the last. A model that grows from
 * a point, or whose parts fly together, has no such joint. */
static bool is_out_of_line(const m5_md5anim *m, uint32_t frame)
{
    enum { MANY = 6 };
    uint32_t before = next_full(m, frame, UINT32_MAX), after = next_full(m, frame, 1), values = 0;
    if (before == M5_NO_INDEX)
        before = next_full(m, after, 1);
    if (after == M5_NO_INDEX)
        after = next_full(m, before, UINT32_MAX);
    if (before == M5_NO_INDEX || after == M5_NO_INDEX)
        return false;
    const float *a = m->components + (size_t)before * m->num_components;
    const float *b = m->components + (size_t)after * m->num_components;
    for (uint32_t i = 0; i < m->num_components; i++)
        values += a[i] != 0;
    return values >= MANY && is_any_place_steady(m, a, b);
}

/* How many of the values that frames can change are not 0 in the baseframe: of the first
 * `components` of each joint. */
static uint32_t count_base(const m5_md5anim *m, int components)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->num_joints; i++)
        for (int k = 0; k < components; k++) {
            float base = k < 3 ? m->base[i].pos[k] : m->base[i].orient[k - 3];
            count += (m->channels[i].flags >> k & 1) != 0 && base != 0;
        }
    return count;
}

/* A pose may have all orientations 0, but not all joints at their parents' positions, unless the
 * baseframe has them there. */
static void check_zero_frames(m5_lint_file *f, const m5_md5anim *m)
{
    enum { SOME = 3, PLACE = 3, ALL = 6 };
    const m5_rule *rule = M5_LINT_ROW(md5anim_frame_zero);
    bool all = is_zero(m, 0) && next_full(m, 0, 1) == M5_NO_INDEX, is_shown = all;
    if (all ? count_base(m, PLACE) < SOME : count_base(m, ALL) == 0)
        return;
    m5_check_value_finder finder = m5_check_start_finding(f);
    for (uint32_t frame = 0; frame < m->num_frames; frame++) {
        if (!is_zero(m, frame))
            continue;
        if (!all && (frame == 0 || !is_zero(m, frame - 1)))
            is_shown = is_out_of_line(m, frame);
        if (!is_shown)
            continue;
        m5_diag d = m5_found(rule, m5_check_find_value(&finder, frame, 0));
        d.path = m5_path1("frame", frame);
        m5_check_mark_frame(f, frame, rule, 0);
        if (!all)
            m5_emit(&f->report, &d, 0,
                    "all %u values of frame %u are 0: the frame was probably never written",
                    m->num_components, frame);
        else if (frame == 0)
            m5_emit(&f->report, &d, 0,
                    "all values of all frames are 0: the frames were probably never written");
    }
}

/* ---- First frame, last frame ----------------------------------------------------------------- */

static const double SAME = 1e-4; /* six decimals, twice rounded, and some */

/* The joint and component in which frame 0 and the baseframe differ most. */
static void check_first(m5_lint_file *f, const m5_md5anim *m)
{
    double most = 0;
    uint32_t joint = 0, component = 0;
    for (uint32_t i = 0; i < m->num_joints; i++) {
        uint32_t at = m->channels[i].start;
        for (uint32_t k = 0; k < 6 && !isnan(m->base[i].pos[0]); k++) {
            if ((m->channels[i].flags >> k & 1) == 0)
                continue;
            float base = k < 3 ? m->base[i].pos[k] : m->base[i].orient[k - 3];
            double off = fabs((double)m->components[at] - base);
            if (off > most) {
                most = off;
                joint = i;
                component = at;
            }
            at++;
        }
    }
    if (!(most > SAME))
        return;
    m5_diag d = m5_found(M5_LINT_ROW(md5anim_baseframe_frame0), m5_check_value_at(f, 0, component));
    d.path = m5_path2("frame", 0, "value", component);
    m5_relate(&d, &f->source, m5_check_at_record(f, NULL, m->base[joint].offset, 9).at,
              "the joint in the baseframe");
    m5_emit(&f->report, &d, 0,
            "frame 0 is not the baseframe: a value of joint %u '%.*s' differs by %g, the most",
            joint, M5_CHECK_NAME(f, m->joints[joint].name), most);
}

static void check_seam(m5_lint_file *f, const m5_md5anim *m)
{
    uint32_t last = m->num_frames - 1, n = m->num_components;
    const float *a = m->components, *b = m->components + (size_t)last * n;
    for (uint32_t i = 0; i < n; i++) {
        if (!(fabs((double)a[i] - b[i]) > SAME))
            continue;
        m5_diag d = m5_found(M5_LINT_ROW(md5anim_loop_seam), m5_check_value_at(f, last, i));
        d.path = m5_path2("frame", last, "value", i);
        m5_emit(&f->report, &d, 0, "the last frame differs from the first: %g here, %g in frame 0",
                (double)b[i], (double)a[i]);
        return;
    }
}

/* ---- Layout: one line for each animated joint ------------------------------------------------ */

/* A value that begins a line where it should not, or the reverse. */
static void say_line(m5_lint_file *f, m5_span at, uint32_t frame, uint32_t value, uint32_t joint,
                     bool first)
{
    m5_diag d = m5_found(M5_LINT_ROW(md5anim_frame_line_layout), at);
    d.path = m5_path2("frame", frame, "value", value);
    m5_emit(&f->report, &d, 0,
            first
                ? "the values of joint %u '%.*s' begin on another joint's line, expected a new line"
                : "the values of joint %u '%.*s' are on more than one line, expected one line",
            joint, M5_CHECK_NAME(f, f->model.md5anim->joints[joint].name));
}

static bool breaks_line(const uint8_t *gap, size_t length)
{
    return memchr(gap, '\n', length) != NULL || memchr(gap, '\r', length) != NULL;
}

/* Whether a frame has one line for each animated joint; reports the first value that is not on the
 * right line. Only while joints use the values in their order. */
static bool check_lines(m5_lint_file *f, const m5_md5anim *m, m5_check_value_finder *finder,
                        uint32_t frame)
{
    uint32_t next = 0, before = m->frames[frame];
    for (uint32_t i = 0; i < m->num_joints; i++) {
        uint32_t width = m5_md5anim_count_flags(m->channels[i].flags);
        if (width != 0 && m->channels[i].start != next)
            return true;
        for (uint32_t k = 0; k < width && next < m->num_components; k++, next++) {
            m5_span at = m5_check_find_value(finder, frame, next);
            bool breaks = next == 0 || breaks_line(f->source.bytes + before, at.offset - before);
            before = at.offset + at.length;
            if (breaks == (k == 0))
                continue;
            say_line(f, at, frame, next, i, k == 0);
            return false;
        }
    }
    return true;
}

/* Counts white space, eight bytes at a time: a byte above ' ' has the high bit set, or gets it. */
static uint32_t count_blanks(const uint8_t *p, const uint8_t *end)
{
    static const uint64_t ones = UINT64_MAX / 255, high = 0x80 * ones;
    uint64_t count = 0, eight;
    for (; end - p >= 8; p += 8) {
        memcpy(&eight, p, sizeof eight);
        uint64_t more = (eight | ((eight & ~high) + (0x7f - ' ') * ones)) & high;
        count += 8 - ((more >> 7) * ones >> 56);
    }
    for (; p < end; p++)
        count += *p <= ' ';
    return (uint32_t)count;
}

/* The end of the line that begins at `p`; NULL if it is not an LF or CR LF. */
static const uint8_t *end_of_line(const uint8_t *p, const uint8_t *end)
{
    const uint8_t *lf = memchr(p, '\n', (size_t)(end - p));
    const uint8_t *cr = lf != NULL ? memchr(p, '\r', (size_t)(lf - p)) : NULL;
    return cr == NULL || cr + 1 == lf ? lf : NULL;
}

static const uint8_t *skip_blanks(const uint8_t *p, const uint8_t *end)
{
    while (p < end && *p <= ' ')
        p++;
    return p;
}

static const uint8_t *trim_blanks(const uint8_t *p, const uint8_t *end)
{
    while (end > p && end[-1] <= ' ')
        end--;
    return end;
}

/* The end of the line at `p` if it has at most that many words, else NULL. */
static const uint8_t *pass_line(const uint8_t *p, const uint8_t *end, uint32_t words)
{
    const uint8_t *line = end_of_line(p, end);
    if (line == NULL)
        return NULL;
    p = skip_blanks(p, line);
    return count_blanks(p, trim_blanks(p, line)) < words ? line : NULL;
}

/* A quick test for one line for each animated joint: no comments, a line that ends in '{', then for
 * each animated joint a line with no more words than it has values, then '}'. As all values are
 * there, no line can have fewer. */
static bool has_plain_lines(const m5_lint_file *f, const m5_md5anim *m, uint32_t frame)
{
    bool last = frame + 1 == m->num_frames;
    const uint8_t *p = f->source.bytes + m->frames[frame];
    const uint8_t *end = f->source.bytes + (last ? f->source.size : m->frames[frame + 1]);
    const uint8_t *line = end_of_line(p, end), *brace;
    if (line == NULL || memchr(p, '/', (size_t)(end - p)) != NULL)
        return false;
    brace = trim_blanks(p, line);
    if (brace == p || brace[-1] != '{')
        return false;
    for (uint32_t i = 0; line != NULL && i < m->num_joints; i++) {
        uint32_t width = m5_md5anim_count_flags(m->channels[i].flags);
        if (width != 0)
            line = pass_line(line + 1, end, width);
    }
    brace = line != NULL ? skip_blanks(line, end) : end;
    return brace < end && *brace == '}';
}

static void check_layout(m5_lint_file *f, const m5_md5anim *m)
{
    m5_check_value_finder finder = m5_check_start_finding(f);
    for (uint32_t frame = 0; frame < m->num_frames; frame++)
        if ((m5_settings_of(&f->report)->plain || !has_plain_lines(f, m, frame)) &&
            !check_lines(f, m, &finder, frame))
            return;
}

static void leave_out_unread(m5_lint_file *f, const m5_md5anim *m)
{
    for (uint32_t i = 0; i < m->num_frames; i++)
        if (!m5_check_is_read(m, i)) {
            m5_check_leave_out_frame(f, i);
            m5_check_skip(f, M5_SKIPPED_FRAMES);
        }
}

void m5_check_md5anim_frames(m5_lint_file *f, bool components_known)
{
    const m5_md5anim *m = f->model.md5anim;
    m5_diag d = m5_found(M5_LINT_ROW(md5anim_frames_limit), m->num_frames_at);
    m5_emit(&f->report, &d, m->num_frames,
            "%u frames, expected at most 1024 for q2pro and 65535 for Daemon", m->num_frames);
    check_base(f, m);
    leave_out_unread(f, m);
    if (!components_known || !m->base_in_place || m->num_frames == 0)
        return;
    check_orientations(f, m);
    if (!m->frames_in_place)
        return;
    check_zero_frames(f, m);
    if (m5_check_wanted(f, M5_LINT_ROW(md5anim_baseframe_frame0)))
        check_first(f, m);
    if (m->frames_whole && m5_check_wanted(f, M5_LINT_ROW(md5anim_loop_seam)))
        check_seam(f, m);
    if (m->frames_whole && f->report.flaws == 0 &&
        m5_check_wanted(f, M5_LINT_ROW(md5anim_frame_line_layout)))
        check_layout(f, m);
}
