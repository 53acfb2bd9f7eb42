/* Writes the generated biped the way that the common exporters do. */
#ifndef GENERATE_PRINT_H
#define GENERATE_PRINT_H

#include "generate_body.h"
#include "generate_walk.h"

#include <stdio.h>

/* With `broken`, the file has one each of the mistakes that exporters and hands make. */
void print_mesh(FILE *file, const body *b, bool broken);
void print_anim(FILE *file, const body *b, const walk *w, bool broken);

#endif
