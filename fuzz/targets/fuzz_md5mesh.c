#define HARNESS_FORMAT "md5mesh"
#include "one_format.h"
