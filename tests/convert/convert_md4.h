/* Writes an MD5 pair as MD4, version 4. */
#ifndef CONVERT_MD4_H
#define CONVERT_MD4_H

#include "convert_surface.h"

/* `name` is what the model calls itself. Ends the program where a limit of the format is in the
 * way. */
void put_md4(bytes *out, const pair *p, const char *name, cut most);

#endif
