#define HARNESS_FORMAT "illskel"
#include "one_format.h"
