/* What the models of md5mesh, md5anim and md5camera share.
 *
 * The format text is "MD5Mesh and MD5Anim files formats (Doom 3's models)" by David Henry, 2005. */
#ifndef M5_MD5_H
#define M5_MD5_H

#include "../core/arena.h"
#include "../core/diag.h"
#include "../core/status.h"

M5_BEGIN_C

/* In a flawed model: an index or count that could not be read or is out of range. */
#define M5_BROKEN UINT32_MAX

/* A joint's name and parent, in a mesh's skeleton or an animation's hierarchy. */
typedef struct m5_md5_joint {
    m5_name name;
    int32_t parent;  /* a lower index than the joint's own, or -1 for a root */
    uint32_t offset; /* of its record in the source */
} m5_md5_joint;

/* Where a joint or a camera is, in the file's units: in model space in a mesh's skeleton, relative
 * to the parent in a baseframe, in the world in a camera's frame. */
typedef struct m5_md5_pose {
    uint32_t offset; /* of its record in the source */
    float pos[3];
    float orient[3]; /* x, y, z of a unit quaternion with w = -sqrt(1 - x2 - y2 - z2) */
} m5_md5_pose;

M5_END_C

#endif
