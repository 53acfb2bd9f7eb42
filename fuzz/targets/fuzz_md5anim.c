/* Fuzz target: any bytes as an md5anim. */
#define HARNESS_FORMAT "md5anim"
#include "one_format.h"
