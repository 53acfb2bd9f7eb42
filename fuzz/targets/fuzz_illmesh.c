#define HARNESS_FORMAT "illmesh"
#include "one_format.h"
