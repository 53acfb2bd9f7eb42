/* A clean model of each format as members of the JSON object that is open: see json_out.h. Names
 * are those of the model's fields where these are not obvious. */
#ifndef DUMP_H
#define DUMP_H

#include "json_out.h"

void dump_md5mesh(const m5_md5mesh *m);
void dump_md5anim(const m5_md5anim *m);
void dump_md5camera(const m5_md5camera *m);
void dump_md4(const m5_md4 *m);
void dump_illmesh(const m5_illmesh *m);
void dump_illskel(const m5_illskel *m);
void dump_illanim(const m5_illanim *m);
void dump_def(const m5_def *m);
void dump_pack(const m5_pack *m);

#endif
