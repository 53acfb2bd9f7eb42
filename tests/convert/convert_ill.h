/* Writes an MD5 pair as illmesh, illskel and illanim: one field on each line, as in real files. */
#ifndef CONVERT_ILL_H
#define CONVERT_ILL_H

#include "convert_pose.h"

/* Writes all meshes as one, in the bind pose. The texture coordinates come before the bones and
 * weights, as in the format text; with `engine_order` they come after them, as in its author's
 * engine. */
void put_illmesh(bytes *out, const pair *p, bool engine_order);

/* Writes the skeleton. The second and later copies are children of the first copy's first bone.
 * Copies are for tests that need a skeleton of 100 KB, which no real one has. */
void put_illskel(bytes *out, const pair *p);

void put_illanim(bytes *out, const pair *p);

#endif
