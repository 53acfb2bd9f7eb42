/* What the models of md5mesh and md5anim have in common. */
#ifndef M5_MD5_H
#define M5_MD5_H

#include "../core/arena.h"
#include "../core/diag.h"
#include "../core/status.h"

M5_BEGIN_C

/* In a flawed model, an index or a count that could not be read or is out of range. */
#define M5_BROKEN UINT32_MAX

/* A joint as both formats name it: in a mesh's skeleton or an animation's hierarchy. */
typedef struct m5_md5_joint {
    m5_name name;    /* in the source's bytes, without quotes; not terminated */
    int32_t parent;  /* below the joint's own index, or -1 for a root */
    uint32_t offset; /* of its record */
} m5_md5_joint;

/* Where a joint is: `orient` is x y z of a unit quaternion with w = -sqrt(1 - x2 - y2 - z2).
 * In a mesh's skeleton both are in object space, in a baseframe relative to the parent. */
typedef struct m5_md5_pose {
    uint32_t offset; /* of its record */
    float pos[3], orient[3];
} m5_md5_pose;

M5_END_C

#endif
