/* Writes an MD5 pair as MD4, version 4. */
#ifndef CONVERT_MD4_H
#define CONVERT_MD4_H

#include "convert_surface.h"

/* `name` is the model's name in the file. Ends the program if a limit of the format is exceeded. */
void put_md4(bytes *out, const pair *p, const char *name, cut most);

#endif
