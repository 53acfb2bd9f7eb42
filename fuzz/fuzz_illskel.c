#define HARNESS_FORMAT "illskel"
#include "format.h"
