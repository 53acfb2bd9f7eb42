#define HARNESS_FORMAT "md5anim"
#include "one_format.h"
