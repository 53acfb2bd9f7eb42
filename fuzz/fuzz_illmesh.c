#define HARNESS_FORMAT "illmesh"
#include "format.h"
