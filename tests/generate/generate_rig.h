/* The skeleton of the generated biped: 40 joints in their bind pose. */
#ifndef GENERATE_RIG_H
#define GENERATE_RIG_H

#include "generate_space.h"

enum { MAX_JOINTS = 64, NAME_ROOM = 32 };

/* The half of the body that something belongs to. The right half is the left, mirrored at y = 0. */
typedef enum side { CENTRE, LEFT, RIGHT } side;

typedef struct joint {
    char name[NAME_ROOM];
    int parent; /* -1 at the root */
    bool aims;  /* its x axis points at the next joint; otherwise it has its parent's orientation */
    vec at;     /* in model space, as printed */
    quat turn;
} joint;

typedef struct rig {
    digits digits;
    int count;
    joint joints[MAX_JOINTS];
} rig;

void rig_build(rig *r, digits d);

/* The joint `name` on that side, or else in the centre. It must exist. */
int rig_find(const rig *r, const char *name, side s);

/* Mirrors a position or direction, given for the left side, if the side is the right. */
vec mirrored(vec v, side s);

#endif
