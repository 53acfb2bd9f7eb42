/* How the generated biped walks, in place: poses of its joints, frame by frame. */
#ifndef GENERATE_WALK_H
#define GENERATE_WALK_H

#include "generate_rig.h"

enum { FRAME_RATE = 24, COMPONENTS = 6, MAX_MOTIONS = 128 };

/* A joint in parent space, as printed. */
typedef struct pose {
    vec at;
    quat turn;
} pose;

/* A swing of one joint: mean + reach * sin(2 pi (rate * cycle + phase)). */
typedef struct motion {
    int joint;
    bool turns; /* an angle in radians about the axis; otherwise a distance along it */
    vec axis;   /* in joint space if it turns, otherwise in parent space */
    double mean, reach;
    int rate; /* how often in one cycle, which is a step of each foot */
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

/* The poses of all joints in a frame. The last frame repeats the first. */
void walk_pose(const walk *w, int frame, pose out[MAX_JOINTS]);

/* The components of a pose, in the order of the format's flags: Tx Ty Tz Qx Qy Qz. */
double pose_component(const pose *p, int which);

#endif
