#define HARNESS_FORMAT "md5mesh"
#include "format.h"
