/* An animation beside the bind pose of the rig that it moves: finds the one bone that has another
 * length, and a root that has other axes. Many bones differ in sound pairs: tags, attachments,
 * animations for another body. In 103 real pairs of MD5, those that move vertices are 0.77 to 1.30
 * times as long as in the bind pose; the others, up to 4.2 times. */
#include "posed.h"
#include "parsers/core/diag.h"
#include "parsers/play/algebra.h"

#include <string.h>

/* ---- Marks ----------------------------------------------------------------------------------- */

static uint32_t nth(const m5_posed *p, uint32_t i)
{
    return p->order != NULL ? p->order[i] : i;
}

void m5_posed_mark_parents(const m5_posed *p, uint8_t *marks)
{
    for (uint32_t i = p->num_joints; i-- > 0;) {
        uint32_t joint = nth(p, i);
        int32_t parent = p->parent(p->context, joint);
        if (marks[joint] && parent >= 0)
            marks[parent] = 1;
    }
}

void m5_posed_mark_below(const m5_posed *p, uint32_t joint, uint8_t *marks)
{
    memset(marks, 0, p->num_joints);
    marks[joint] = 1;
    for (uint32_t i = 0; i < p->num_joints; i++) {
        int32_t parent = p->parent(p->context, nth(p, i));
        if (parent >= 0 && marks[parent])
            marks[nth(p, i)] = 1;
    }
}

/* ---- Lengths --------------------------------------------------------------------------------- */

enum { LEAST_BONES = 5 };
/* The bone's length differs by this factor or more, and far more than any other's: its logarithm is
 * so many times as large. */
static const double ODD = 1.75, MORE = 2.5;
static const double STEADY = 1.25; /* from frame to frame */

double m5_posed_ratio(const m5_posed *p, uint32_t joint)
{
    double bind = m5_vec_length(p->bind(p->context, joint).pos), ratio = 0;
    for (int i = 0; i < M5_SAMPLES; i++) {
        double here = m5_vec_length(p->at(p->context, p->frames[i], joint).pos) / bind;
        ratio = i == 0 ? here : ratio;
        if (!(here <= STEADY * ratio && ratio <= STEADY * here))
            return NAN;
    }
    return ratio;
}

bool m5_posed_is_odd(double most, double second)
{
    return most >= log(ODD) && most >= MORE * second;
}

static bool has_length(const m5_posed *p, uint32_t joint, double least)
{
    return p->parent(p->context, joint) >= 0 &&
           m5_vec_length(p->bind(p->context, joint).pos) > least;
}

bool m5_posed_has_odd_bone(const m5_posed *p, double least)
{
    for (uint32_t i = 0; i < p->num_joints; i++)
        if (has_length(p, i, least) && fabs(log(m5_posed_ratio(p, i))) >= log(ODD))
            return true;
    return false;
}

static m5_vec placed(m5_transform outer, m5_vec at)
{
    return m5_vec_add(outer.pos, m5_quat_rotate(outer.rotation, at));
}

/* Whether a joint is nevertheless where it is in the bind pose, since the root was moved: one rig
 * has its root on the ground, another one at the hips. */
static bool is_in_place(const m5_posed *p, uint32_t joint)
{
    static const double near = 0.05;
    uint32_t root = (uint32_t)p->parent(p->context, joint), frame = p->frames[0];
    if (p->parent(p->context, root) >= 0)
        return false;
    m5_vec bind = p->bind(p->context, joint).pos, at = p->at(p->context, frame, joint).pos;
    double off = m5_vec_distance(placed(p->bind(p->context, root), bind),
                                 placed(p->at(p->context, frame, root), at));
    return off <= near * fmax(m5_vec_length(bind), m5_vec_length(at));
}

/* Bones whose length is not steady say nothing. */
uint32_t m5_posed_find_odd_bone(const m5_posed *p, const uint8_t *marks, double least,
                                double *ratio)
{
    uint32_t odd = M5_NO_INDEX, bones = 0;
    double most = 0, second = 0;
    for (uint32_t i = 0; i < p->num_joints; i++) {
        if (!marks[i] || !has_length(p, i, least))
            continue;
        double here = m5_posed_ratio(p, i), off = fabs(log(here));
        bones += isnan(here) ? 0 : 1;
        if (off > most) {
            second = most;
            most = off;
            odd = i;
            *ratio = here;
        } else if (off > second) {
            second = off;
        }
    }
    bool alone = bones > LEAST_BONES && m5_posed_is_odd(most, second);
    return alone && !is_in_place(p, odd) ? odd : M5_NO_INDEX;
}

bool m5_posed_is_parallel(const m5_posed *p, uint32_t joint)
{
    static const double cosine = 0.999;
    m5_vec bind = p->bind(p->context, joint).pos, at = p->at(p->context, p->frames[0], joint).pos;
    return m5_vec_dot(bind, at) >= cosine * m5_vec_length(bind) * m5_vec_length(at);
}

/* ---- Axes ------------------------------------------------------------------------------------ */

static int quarter_turns(const m5_posed *p, uint32_t root, int *axis)
{
    m5_quat from = p->bind(p->context, root).rotation;
    m5_quat to = p->at(p->context, p->frames[0], root).rotation;
    m5_quat by = m5_quat_times(to, m5_quat_inverse(from));
    const double part[3] = {fabs(by.x), fabs(by.y), fabs(by.z)};
    *axis = part[0] >= part[1] && part[0] >= part[2] ? 0 : part[1] >= part[2] ? 1 : 2;
    double angle = 2 * M5_DEGREES * atan2(part[*axis], fabs(by.w));
    double aside = sqrt(fmax(0, m5_quat_dot(by, by) - by.w * by.w - part[*axis] * part[*axis]));
    if (!(aside <= 0.02))
        return 0;
    return fabs(angle - 90) < 2 ? 1 : fabs(angle - 180) < 2 ? 2 : 0;
}

/* Whether all animated joints but roots are in the bind pose in the first frame, and they are
 * enough. */
static bool is_in_bind_pose(const m5_posed *p)
{
    enum { LEAST_JOINTS = 3 };
    static const double degrees = 5;
    uint32_t joints = 0;
    for (uint32_t i = 0; i < p->num_joints; i++) {
        m5_quat bind = p->bind(p->context, i).rotation;
        m5_quat at = p->at(p->context, p->frames[0], i).rotation;
        if (p->parent(p->context, i) < 0 || isnan(at.w))
            continue;
        if (!(M5_DEGREES * m5_quat_angle(bind, at) < degrees))
            return false;
        joints++;
    }
    return joints >= LEAST_JOINTS;
}

int m5_posed_find_quarters(const m5_posed *p, uint32_t *root, int *axis)
{
    uint32_t roots = 0;
    for (uint32_t i = 0; i < p->num_joints; i++) {
        if (p->parent(p->context, i) >= 0)
            continue;
        *root = i;
        roots++;
    }
    if (roots != 1)
        return 0; /* which of the roots is the model's? */
    int quarters = quarter_turns(p, *root, axis);
    return quarters != 0 && is_in_bind_pose(p) ? quarters : 0;
}
