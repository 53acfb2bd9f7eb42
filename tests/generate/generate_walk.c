/* Computes the biped's joints in each frame of its walk. */
#include "generate_walk.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

/* About 1.2 seconds for two steps. */
enum { CYCLE_FRAMES = 29 };

/* Axes are those of the model in its bind pose. A turn about y lowers a part that points forward
 * and moves a part that hangs down backward. Angles are in degrees, phases in cycles; at cycle 0
 * the left heel touches the ground. If a joint has several turns, the last row is applied first.
 * The right side is the mirror image, half a cycle later. */
typedef struct swing {
    const char *joint;
    bool sided, turns;
    vec axis;
    double mean, reach;
    int rate;
    double phase;
} swing;

#define MOVE false
#define TURN true
/* clang-format off */
#define FORWARD {1, 0, 0}
#define LATERAL {0, 1, 0}
#define UP {0, 0, 1}
#define ARM_HINGE {0, 0.7, 0.7}
#define THUMB_HINGE {0.6, 0.6, 0.5}
/* clang-format on */

static const swing swings[] = {
    {"pelvis", false, MOVE, UP, -0.9, 0.9, 2, 0.75},
    {"pelvis", false, MOVE, LATERAL, 0, 0.8, 1, 0},
    {"pelvis", false, MOVE, FORWARD, 0, 0.25, 2, 0.5},
    {"pelvis", false, TURN, UP, 0, -5, 1, 0.25},
    {"pelvis", false, TURN, FORWARD, 0, 2.5, 1, 0},
    {"pelvis", false, TURN, LATERAL, 3, 0.8, 2, 0.1},
    {"spine1", false, TURN, UP, 0, 3, 1, 0.25},
    {"spine1", false, TURN, FORWARD, 0, -2, 1, 0},
    {"spine2", false, TURN, UP, 0, 3, 1, 0.24},
    {"chest", false, TURN, UP, 0, 4, 1, 0.22},
    {"chest", false, TURN, LATERAL, 1, 1, 2, 0.2},
    {"neck", false, TURN, UP, 0, -2.5, 1, 0.22},
    {"neck", false, TURN, LATERAL, -2, -1, 2, 0.2},
    {"head", false, TURN, UP, 0, -2, 1, 0.2},
    {"head", false, TURN, LATERAL, -2, 1, 2, 0.4},
    {"jaw", false, TURN, LATERAL, 2, 2, 1, 0.6},
    {"clavicle", true, TURN, FORWARD, 0, 2, 2, 0.3},
    {"clavicle", true, TURN, UP, 0, 3, 1, 0.25},
    {"upperArm", true, TURN, LATERAL, 2, 20, 1, 0.25},
    {"upperArm", true, TURN, FORWARD, -32, 2, 2, 0},
    {"lowerArm", true, TURN, ARM_HINGE, -24, 13, 1, 0.2},
    {"hand", true, TURN, FORWARD, -4, 3, 1, 0.3},
    {"hand", true, TURN, ARM_HINGE, -4, 4, 1, 0.1},
    {"middle1", true, TURN, FORWARD, -25, 4, 1, 0.4},
    {"middle2", true, TURN, FORWARD, -30, 0, 1, 0},
    {"index1", true, TURN, FORWARD, -20, 4, 1, 0.45},
    {"index2", true, TURN, FORWARD, -30, 0, 1, 0},
    {"thumb2", true, TURN, THUMB_HINGE, -10, 0, 1, 0},
    {"thigh", true, TURN, LATERAL, -5, -22, 1, 0.25},
    {"thigh", true, TURN, FORWARD, 0, 1.5, 1, 0},
    {"shin", true, TURN, LATERAL, 24, 22, 1, 0.55},
    {"shin", true, TURN, LATERAL, 0, 13, 2, 0.85},
    {"foot", true, TURN, LATERAL, -4, 10, 1, 0.65},
    {"toes", true, TURN, LATERAL, -10, 12, 1, 0.25},
};

enum { SWINGS = sizeof swings / sizeof *swings };

/* The axis of a mirrored turn is the negated mirror image of the axis. */
static vec mirrored_axis(vec axis, side s)
{
    return s == RIGHT ? vec_times(mirrored(axis, s), -1) : axis;
}

static void add_motion(walk *w, const swing *from, side s)
{
    assert(w->count < MAX_MOTIONS);
    double unit = from->turns ? turns(1.0 / 360) : 1;
    motion *m = &w->motions[w->count++];
    *m = (motion){.joint = rig_find(w->rig, from->joint, s),
                  .turns = from->turns,
                  .axis = from->axis,
                  .mean = from->mean * unit,
                  .reach = from->reach * unit,
                  .rate = from->rate,
                  .phase = from->phase + (s == RIGHT ? 0.5 * from->rate : 0)};
    const joint *j = &w->rig->joints[m->joint];
    if (m->turns)
        m->axis = quat_rotate(quat_inverse(j->turn), mirrored_axis(m->axis, s));
    else if (j->parent >= 0)
        m->axis = quat_rotate(quat_inverse(w->rig->joints[j->parent].turn), mirrored(m->axis, s));
}

static pose bind_pose(const rig *r, const joint *j)
{
    if (j->parent < 0)
        return (pose){j->at, j->turn};
    const joint *parent = &r->joints[j->parent];
    quat back = quat_inverse(parent->turn);
    return (pose){quat_rotate(back, vec_sub(j->at, parent->at)), quat_times(back, j->turn)};
}

void walk_build(walk *w, const rig *r, int frames)
{
    *w = (walk){.rig = r, .frames = frames};
    w->cycles = (frames - 1 + CYCLE_FRAMES / 2) / CYCLE_FRAMES;
    if (w->cycles == 0)
        w->cycles = 1;
    for (int i = 0; i < r->count; i++)
        w->rest[i] = bind_pose(r, &r->joints[i]);
    for (int i = 0; i < SWINGS; i++) {
        add_motion(w, &swings[i], swings[i].sided ? LEFT : CENTRE);
        if (swings[i].sided)
            add_motion(w, &swings[i], RIGHT);
    }
}

/* Reduced with integers, so that the last frame equals the first to the last digit. */
static double cycle_at(const walk *w, int frame)
{
    if (w->frames < 2)
        return 0;
    long long steps = w->frames - 1;
    return (double)((long long)frame * w->cycles % steps) / (double)steps;
}

void walk_pose(const walk *w, int frame, pose out[MAX_JOINTS])
{
    double cycle = cycle_at(w, frame);
    for (int i = 0; i < w->rig->count; i++)
        out[i] = w->rest[i];
    for (int i = 0; i < w->count; i++) {
        const motion *m = &w->motions[i];
        pose *p = &out[m->joint];
        double by = m->mean + m->reach * sin(turns(m->rate * cycle + m->phase));
        if (m->turns)
            p->turn = quat_times(p->turn, quat_about(m->axis, by));
        else
            p->at = vec_add(p->at, vec_times(m->axis, by));
    }
    for (int i = 0; i < w->rig->count; i++) {
        out[i].at = vec_as_printed(&w->rig->digits, out[i].at);
        out[i].turn = quat_as_printed(&w->rig->digits, out[i].turn);
    }
}

double pose_component(const pose *p, int which)
{
    const double all[COMPONENTS] = {p->at.x,     p->at.y,     p->at.z,
                                    p->turn.v.x, p->turn.v.y, p->turn.v.z};
    return all[which];
}
