/* Writes the generated biped as the common exporters do. */
#ifndef GENERATE_PRINT_H
#define GENERATE_PRINT_H

#include "generate_body.h"
#include "generate_walk.h"

#include <stdio.h>

/* With `broken`, the file has each of some mistakes once that exporters make, or people who edit by
 * hand. */
void print_mesh(FILE *file, const body *b, bool broken);
void print_anim(FILE *file, const body *b, const walk *w, bool broken);

#endif
