#define HARNESS_FORMAT "illanim"
#include "one_format.h"
