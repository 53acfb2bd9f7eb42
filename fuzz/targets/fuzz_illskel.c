/* Fuzz target: any bytes as an illskel. */
#define HARNESS_FORMAT "illskel"
#include "one_format.h"
