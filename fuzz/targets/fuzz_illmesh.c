/* Fuzz target: any bytes as an illmesh. */
#define HARNESS_FORMAT "illmesh"
#include "one_format.h"
