/* Fuzz target: any bytes as an md5mesh. */
#define HARNESS_FORMAT "md5mesh"
#include "one_format.h"
