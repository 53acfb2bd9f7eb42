#define HARNESS_FORMAT "md4"
#include "format.h"
