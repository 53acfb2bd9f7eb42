/* Writes an MD5 pair as illmesh, illskel and illanim: one field a line, as real files have it. */
#ifndef CONVERT_ILL_H
#define CONVERT_ILL_H

#include "convert_pose.h"

/* All meshes in one, in the bind pose. The format text has the texture coordinates before the
 * blend data; with `engine_order` they come behind, as its author's engine has it. */
void put_illmesh(bytes *out, const pair *p, bool engine_order);

/* The skeleton. Of several copies the second and later ones hang on the first one's first bone:
 * no skeleton in real use takes 100 KB, but a test may want one that does. */
void put_illskel(bytes *out, const pair *p);

void put_illanim(bytes *out, const pair *p);

#endif
