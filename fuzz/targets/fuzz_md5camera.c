/* Fuzz target: any bytes as an md5camera. */
#define HARNESS_FORMAT "md5camera"
#include "one_format.h"
