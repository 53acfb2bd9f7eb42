#define HARNESS_FORMAT "md4"
#include "one_format.h"
