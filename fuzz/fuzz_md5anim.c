#define HARNESS_FORMAT "md5anim"
#include "format.h"
