/* How the generated biped walks, in place: poses of its joints, frame by frame. */
#ifndef GENERATE_WALK_H
#define GENERATE_WALK_H

#include "generate_rig.h"

enum { FRAME_RATE = 24, COMPONENTS = 6, MAX_MOTIONS = 128 };

/* A joint in the space of its parent, as printed. */
typedef struct pose {
    vec at;
    quat turn;
} pose;

/* A swing of one joint: mean + reach * sin(2 pi (rate * cycle + phase)). */
typedef struct motion {
    int joint;
    bool turns; /* an angle in radians about the axis; if not, a way along it */
    vec axis;   /* in the joint's own space when it turns, in its parent's when not */
    double mean, reach;
    int rate; /* times in one cycle, which is a step of each foot */
    double phase;
} motion;

typedef struct walk {
    const rig *rig;
    int frames, cycles;
    pose rest[MAX_JOINTS]; /* the bind pose */
    int count;
    motion motions[MAX_MOTIONS];
} walk;

/* The rig must outlive the walk. */
void walk_build(walk *w, const rig *r, int frames);

/* Poses of all joints. The last frame is the first one again. */
void walk_pose(const walk *w, int frame, pose out[MAX_JOINTS]);

/* What a frame can hold of a pose, in the order of the format's flags: Tx Ty Tz Qx Qy Qz. */
double pose_component(const pose *p, int which);

#endif
