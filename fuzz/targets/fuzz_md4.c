/* Fuzz target: any bytes as an MD4. */
#define HARNESS_FORMAT "md4"
#include "one_format.h"
