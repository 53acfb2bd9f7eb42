/* The skeleton of the generated biped: 40 joints in their bind pose. */
#ifndef GENERATE_RIG_H
#define GENERATE_RIG_H

#include "generate_space.h"

enum { MAX_JOINTS = 64, NAME_ROOM = 32 };

/* Which half of the body a thing belongs to. The right is the left, mirrored at y = 0. */
typedef enum side { CENTRE, LEFT, RIGHT } side;

typedef struct joint {
    char name[NAME_ROOM];
    int parent; /* -1 at the root */
    bool aims;  /* its x axis points at the joint that follows; if not, it is its parent's */
    vec at;     /* in the space of the model, as printed */
    quat turn;
} joint;

typedef struct rig {
    digits digits;
    int count;
    joint joints[MAX_JOINTS];
} rig;

void rig_build(rig *r, digits d);

/* The joint `name` on that side, or else the one in the centre. It has to exist. */
int rig_find(const rig *r, const char *name, side s);

/* A place or direction given for the left side. */
vec mirrored(vec v, side s);

#endif
